"""The vectors as the only judge: the first question that an implementation answers wrongly, if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from enum import Enum

from harness.judge import judge
from harness.model import AdapterSpec, Limits, Question, Status
from harness.runner import AdapterRun, AdapterStartError

LIMITS = Limits(deadline=5.0, start_deadline=20.0, stop_grace=2.0, in_flight_requests=16)
"""Our own adapters answer any case in well under a second, and most mutants die young: asking far ahead is waste."""

_HANGS = 3
"""Questions without an answer in time before an implementation counts as hanging, whatever else it would answer."""


class Fate(Enum):
    """What became of an implementation that was put to the vectors."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed-out"
    NOT_BUILT = "not-built"


@dataclass(frozen=True)
class Finding:
    """A fate, with the id of the question that told it and in one line how."""

    fate: Fate
    case: str | None = None
    how: str = ""


def put_to(spec: AdapterSpec, questions: Iterable[Question], limits: Limits = LIMITS) -> Finding:
    """Ask until one answer is wrong.

    A question without an answer in time is no kill: the next ones decide, and an implementation that hangs again and
    again, or on nothing but the questions it would otherwise survive, has timed out. One that cannot begin a
    conversation is not built.
    """
    run = AdapterRun(spec, limits)
    hanging: str | None = None
    hangs = 0
    try:
        with run, closing(run.ask(questions)) as answers:
            for question, answer in answers:
                verdict = judge(question, answer, locations=run.implementation.locations)
                if verdict.status is Status.TIMED_OUT:
                    hanging = hanging or question.id
                    hangs += 1
                    if hangs == _HANGS:
                        break
                elif verdict.status is not Status.PASSED:
                    return Finding(Fate.KILLED, question.id, verdict.status.value)
    except AdapterStartError as error:
        return Finding(Fate.NOT_BUILT, how=str(error))
    if hanging is not None:
        return Finding(Fate.TIMED_OUT, hanging)
    return Finding(Fate.SURVIVED)
