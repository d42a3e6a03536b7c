"""The judging order of every operation as data, and which two of its checks cannot fail in one input.

``conformance/rules/order/<format>.toml`` lists the checks of each operation, the first one first. A check is a reason,
or a reason at one place (``member-type /accepted_time``) where the rules say which place is judged first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations
from typing import Any

from conformance.rules import FormatRules, load_rules
from conformance.rules.data import data_file, read_data, unusable


@dataclass(frozen=True)
class Apart:
    """Checks of which no two, one of either list, can fail in one input; ``why`` says why not."""

    first: tuple[str, ...]
    then: tuple[str, ...]
    why: str

    def holds(self, first: str, second: str) -> bool:
        """Whether it speaks of these two; ``*`` in its lists stands for any text."""
        return _any(self.first, first) and _any(self.then, second)


@dataclass(frozen=True)
class Order:
    """One operation's checks in judging order."""

    operation: str
    checks: tuple[str, ...]
    apart: tuple[Apart, ...]

    def check(self, rejection: Mapping[str, Any]) -> str | None:
        """The check that ``{"reason", "at"?}`` comes from: the one at its place, or the reason's at any place."""
        placed = f"{rejection['reason']} {rejection.get('at', '')}".strip()
        return next((check for check in (placed, str(rejection["reason"])) if check in self.checks), None)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every two checks, the one that is judged first in front."""
        return combinations(self.checks, 2)

    def why_apart(self, first: str, second: str) -> str | None:
        """Why no input fails both; None when one can."""
        return next((apart.why for apart in self.apart if apart.holds(first, second)), None)


def _any(patterns: tuple[str, ...], check: str) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)


@cache
def load_order() -> Mapping[str, Order]:
    """Operation → its order, for all formats.

    Raises :class:`conformance.rules.data.RulesError` at a file that cannot be used, or that is not about the very
    operations and reasons of the rules.
    """
    found: dict[str, Order] = {}
    for book in load_rules().formats.values():
        orders: dict[str, Order] = {}
        for entry in read_data("order", book.format)["operations"]:
            for operation in entry["names"]:
                orders[operation] = _order(operation, entry)
        _check(book, orders)
        found |= orders
    return found


def _check(book: FormatRules, orders: Mapping[str, Order]) -> None:
    """Hold a format's orders to its rules, so that nothing that follows an order can miss what it names."""
    path, rules = data_file("order", book.format), data_file("rules", book.format)
    for operation in sorted(orders.keys() ^ set(book.operations)):
        what = f"has {operation}, which is no operation" if operation in orders else f"has no checks of {operation}"
        raise unusable(path, f"{what}; expected exactly the operations of {rules}")
    for operation, order in orders.items():
        able = {one.id for one in book.reasons.values() if operation in one.operations}
        stated = [check.partition(" ")[0] for check in order.checks]
        for check, reason in zip(order.checks, stated, strict=True):
            if reason not in able:
                what = f"a check of {operation} is {check!r}, but {reason} is no reason of it"
                raise unusable(path, f"{what}; expected one that {rules} gives it")
        for reason in sorted(able.difference(stated)):
            if not book.reasons[reason].native:
                raise unusable(path, f"{operation} has no check for {reason}, which is one of its reasons in {rules}")


def _order(operation: str, entry: Mapping[str, Any]) -> Order:
    apart = tuple(Apart(tuple(one["first"]), tuple(one["then"]), one["why"]) for one in entry.get("apart", ()))
    return Order(operation, tuple(entry["checks"]), apart)
