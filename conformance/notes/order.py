"""Where a wrong reason stands among an operation's checks, in a line: what a port judges too early, too late or not."""

from __future__ import annotations

from conformance.rules import load_rules
from conformance.rules.data import RulesError
from conformance.rules.order import Order, load_order
from harness.model import Answer, Outcome, Question, Reject


def order_note(question: Question, answer: Answer) -> str:
    """Return the line on a rejection for another reason than is expected; empty for any other answer.

    Where the order cannot be told it says why: a line is no reason to lose a verdict.
    """
    try:
        return _line(question, answer)
    except RulesError as error:
        return f"not told: {error}"


def _line(question: Question, answer: Answer) -> str:
    if answer.outcome is not Outcome.REJECTED or answer.reason is None:
        return ""
    operation, found = question.operation, answer.reason
    if not any(operation in one.operations for one in load_rules().reasons(found)):
        return f"{found} is no reason of {operation}: `conformance explain {operation}` lists its reasons"
    if not isinstance(question.expect, Reject) or question.expect.reason == found:
        return ""
    return _compared(load_order()[operation], question.expect, Reject(found, answer.at))


def _compared(order: Order, due_one: Reject, came_one: Reject) -> str:
    operation, expected, found = order.operation, due_one.reason, came_one.reason
    due, came = _places(order, due_one, came_one)
    if not due or not came:
        lost = found if due else expected
        return f"not told: the checks of {operation} have none for {lost}"
    if came[0] > due[-1]:
        return (
            f"{found} is checked after the expected {expected} in {operation}: "
            f"the check for {expected} is missing or comes too late"
        )
    if came[-1] < due[0]:
        return (
            f"{found} is checked before the expected {expected} in {operation}: "
            f"the check for {found} refuses what it must let pass"
        )
    return f"{found} and {expected} take turns in {operation}, place by place"


def _places(order: Order, expected: Reject, found: Reject) -> tuple[list[int], list[int]]:
    """Return where the checks of two rejections stand in the order; several where their places are not listed there."""
    due, came = _standing(order, expected), _standing(order, found)
    if expected.at is not None and expected.at == found.at:
        # At one place the reasons are tried in the same order as at any other.
        return due[:1], came[:1]
    return due, came


def _standing(order: Order, rejection: Reject) -> list[int]:
    at = {} if rejection.at is None else {"at": rejection.at}
    exact = order.check({"reason": rejection.reason, **at})
    if exact is not None:
        return [order.checks.index(exact)]
    return [place for place, check in enumerate(order.checks) if check.split()[0] == rejection.reason]
