"""A finding: what an adapter does otherwise than the reference, in words by which two findings are told apart."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model import Ok, Outcome, Question, Reject, Verdict


@dataclass(frozen=True)
class Finding:
    """One way in which an adapter disagrees.

    ``question`` is the smallest request that shows it, ``verdicts`` are those on every adapter that disagrees about it.
    ``origin`` says which example it was found by; ``shrunk`` is False when the example, asked again, did not show it.
    """

    what: str
    question: Question
    verdicts: dict[str, Verdict]
    origin: str
    shrunk: bool


def disagreement(name: str, verdict: Verdict) -> str:
    """Say in one line, without anything that hangs on the example, how the adapter ``name`` disagrees."""
    return f"{verdict.question.operation}: {name} {_found(verdict)}"


def _found(verdict: Verdict) -> str:
    expect, answer = verdict.question.expect, verdict.answer
    expected = f"the reference rejects as {expect.reason}" if isinstance(expect, Reject) else "the reference accepts"
    if answer.outcome in (Outcome.BROKEN, Outcome.TIMED_OUT):
        return f"{answer.outcome.value} where {expected}"
    place = verdict.differences[0].where.split("/")
    if place[0] == "tree":
        return f"leaves another tree where {expected}"
    if answer.outcome is Outcome.ACCEPTED:
        another = f"answers another {place[2] if place[2:] else 'value'} where"
        return f"{'accepts what' if isinstance(expect, Reject) else another} {expected}"
    if isinstance(expect, Ok) or expect.reason != answer.reason:
        return f"rejects as {ascii(answer.reason)[1:-1]} what {expected}"
    return f"names another place where {expected}"
