"""Differential comparison: an endless row of questions put to several adapters at once, whatever the format.

The expectation of a question is the answer of one implementation, the reference. Who agrees with it agrees with all
others that do: two adapters that differ cannot both pass.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass

from harness.judge import judge
from harness.model import Question, Status, Verdict
from harness.runner import AdapterRun


@dataclass(frozen=True)
class Compared:
    """A question with the verdict on each adapter's answer, by the adapter's name."""

    question: Question
    verdicts: Mapping[str, Verdict]

    @property
    def disagreements(self) -> dict[str, Verdict]:
        """The verdicts on those that answer otherwise, or not at all; an operation that is not listed is neither."""
        agreeing = (Status.PASSED, Status.UNSUPPORTED)
        return {name: verdict for name, verdict in self.verdicts.items() if verdict.status not in agreeing}


def compare(runs: Sequence[AdapterRun], questions: Iterable[Question]) -> Generator[Compared, None, None]:
    """Put ``questions`` to every adapter and yield each with all verdicts, in order.

    All adapters work at the same time, each with many questions in flight. Close the iterator to stop early.
    """
    copies = itertools.tee(questions, len(runs))
    with ExitStack() as stack:
        rows = [stack.enter_context(closing(run.ask(copy))) for run, copy in zip(runs, copies, strict=True)]
        for answers in zip(*rows, strict=True):
            yield Compared(
                answers[0][0],
                {
                    run.spec.name: judge(question, answer, locations=run.implementation.locations)
                    for run, (question, answer) in zip(runs, answers, strict=True)
                },
            )
