"""Failures that one mistake may have caused, together: of one operation, with the same expected and found outcome."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from harness.model import NOT_ASKED
from harness.results import CaseResult, QuestionResult
from reports.text import Failed, count, visible

_IDS = 5
"""Further cases of a group that are named; the others are only counted."""


@dataclass(frozen=True)
class Group:
    """Failed cases of one ``operation``; ``expected`` and ``found`` are what they have in common, in words."""

    operation: str
    expected: str
    found: str
    cases: tuple[Failed, ...]

    @property
    def example(self) -> Failed:
        """The first plain case, which shows a mistake shorter than a sweep does, or else the first of all.

        One that was not asked shows nothing, and is only taken when none was.
        """
        return min(self.cases, key=lambda one: (_was_not_asked(one[1]), one[0].sweep))

    def headline(self) -> str:
        """Return the group in one line."""
        return (
            f"{count(len(self.cases), 'case')} of {visible(self.operation)}: "
            f"expected {visible(self.expected)}, found {visible(self.found)}"
        )

    def others(self, argument: str) -> list[str]:
        """Return which cases are like the example, and how to run them again; nothing when it is alone."""
        shown = self.example[0].id
        ids = [visible(info.id) for info, _ in self.cases if info.id != shown]
        if not ids:
            return []
        more = ", …" if len(ids) > _IDS else ""
        again = f"conformance run --adapter {shlex.quote(visible(argument))} -k {shlex.quote(visible(self.operation))}"
        return [f"  … and {len(ids):,} more: {', '.join(ids[:_IDS])}{more}", f"  all of the operation: {again}"]


def groups(failed: Sequence[Failed]) -> list[Group]:
    """Return ``failed`` in groups, the largest first, those of one size in the order of the run.

    A sweep goes by the first of its members that did not pass.
    """
    found: dict[tuple[str, str, str], list[Failed]] = {}
    for info, case in failed:
        found.setdefault((info.operation, *_outcomes(case)), []).append((info, case))
    gathered = [Group(*key, tuple(cases)) for key, cases in found.items()]
    return sorted(gathered, key=lambda group: -len(group.cases))


def _was_not_asked(case: CaseResult) -> bool:
    return bool(case.shown) and case.shown[0].message.startswith(NOT_ASKED)


def _outcomes(case: CaseResult) -> tuple[str, str]:
    if not case.shown:
        return "another outcome", case.status.value
    first = case.shown[0]
    expected, found = _without_place(first.expected), _without_place(first.found)
    return expected, _what_differs(first) if expected == found else found


def _without_place(outcome: str) -> str:
    """Return ``accepted`` or the bare reason."""
    return outcome.removeprefix("rejected as ").partition(" at ")[0]


def _has_place(outcome: str) -> bool:
    return outcome.startswith("rejected as ") and " at " in outcome


def _what_differs(question: QuestionResult) -> str:
    """Say in which part an answer of the right kind is wrong."""
    where = question.differences[0].where if question.differences else ""
    if where.startswith("tree/"):
        return "the same with another tree left behind"
    if where == "/reject/at":
        return "the same at another place" if _has_place(question.found) else "the same without a place"
    return "another value"
