"""From verdicts to results: what is kept of each question, and the sum for its case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from harness.model import Answer, Difference, Outcome, Question, Reject, Status, Verdict
from harness.results import CaseResult, Counts, DifferenceResult, QuestionResult

SHOWN_QUESTIONS = 5
"""Questions of one case that did not pass and are kept in full; the others are only counted."""

_BEFORE = 256
_AFTER = 512
_ROW = 16


@dataclass(frozen=True)
class NoteLines:
    """What only the caller knows of a question, in a line each: its input, and the place of a wrong reason."""

    input: str = ""
    order: str = ""


Notes: TypeAlias = Callable[[Verdict], NoteLines]
"""Verdict → what else there is to know of it."""


class CaseTally:
    """Collects the verdicts on one case's questions, keeping little of those that passed."""

    def __init__(self, id: str) -> None:  # noqa: A002 - the case's own word
        """Begin with no verdict."""
        self.id = id
        self._statuses = dict.fromkeys(Status, 0)
        self._shown: list[QuestionResult] = []

    def add(self, verdict: Verdict, tell: Notes | None = None) -> None:
        """Take one verdict in; ``tell`` says what else there is to know of one that did not pass."""
        self._statuses[verdict.status] += 1
        if verdict.status is not Status.PASSED and len(self._shown) < SHOWN_QUESTIONS:
            self._shown.append(question_result(verdict, tell(verdict) if tell else NoteLines()))

    def result(self) -> CaseResult:
        """Return the finding on the case. Raises ``ValueError`` when nothing was judged: that is no finding."""
        counts = Counts(**{status.name.lower(): count for status, count in self._statuses.items()})
        return CaseResult(self.id, counts.worst(), counts, tuple(self._shown))


def question_result(verdict: Verdict, notes: NoteLines) -> QuestionResult:
    """Return what a report needs of one verdict."""
    answer = verdict.answer
    return QuestionResult(
        id=verdict.question.id,
        status=verdict.status,
        expected=_expected(verdict.question),
        found=_found(answer),
        message=answer.message,
        stderr=answer.stderr,
        detail=answer.detail,
        input=notes.input,
        order=notes.order,
        differences=tuple(map(_difference, verdict.differences)),
    )


def _expected(question: Question) -> str:
    return _rejected(question.expect.reason, question.expect.at) if isinstance(question.expect, Reject) else "accepted"


def _found(answer: Answer) -> str:
    if answer.outcome is Outcome.REJECTED:
        return _rejected(answer.reason or "", answer.at)
    return str(answer.outcome.value)


def _rejected(reason: str, at: str | None) -> str:
    return f"rejected as {reason}" if at is None else f"rejected as {reason} at {at}"


def _difference(difference: Difference) -> DifferenceResult:
    expected, found, offset = difference.expected_bytes, difference.found_bytes, difference.offset
    if expected is None or found is None or offset is None:
        return DifferenceResult(difference.where, difference.expected, difference.found)
    # Whole rows, so that an excerpt's dump looks like the whole's.
    start = max(0, offset - _BEFORE) // _ROW * _ROW
    return DifferenceResult(
        difference.where,
        difference.expected,
        difference.found,
        field=difference.field,
        offset=offset,
        start=start,
        expected_bytes=expected[start : offset + _AFTER],
        found_bytes=found[start : offset + _AFTER],
        expected_length=len(expected),
        found_length=len(found),
    )
