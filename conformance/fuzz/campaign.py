"""A campaign: examples of some formats put to some adapters until a number or a time is reached."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from conformance.errors import CannotRunError
from conformance.fuzz.expected import numbered_question, question_of
from conformance.fuzz.finding import Finding, disagreement
from conformance.fuzz.regression import write_finding
from conformance.fuzz.request import Request
from conformance.fuzz.requests import Generators, request
from conformance.fuzz.shrink import shrunk
from conformance.rules import load_rules
from harness.fuzz import Compared, compare
from harness.model import AdapterSpec, Limits, Question, Reject, Status
from harness.runner import AdapterRun, AdapterStartError

MOST_FINDINGS = 20
"""Different disagreements after which a campaign ends: more of them would bury the first ones."""

_LIMITS = Limits(restarts=10_000)
_SHRINKING = Limits(restarts=10_000, deadline=10.0)
"""An adapter that hangs is asked a few times more only, and waited for less long."""

_GIVEN_UP = "not asked: "


@dataclass(frozen=True)
class Plan:
    """What to ask whom, until ``examples`` or ``seconds`` is reached, whichever comes first; None is no bound.

    ``generators``: format → what draws its requests.
    """

    specs: Sequence[AdapterSpec]
    generators: Mapping[str, Generators]
    seed: int
    out: Path
    examples: int | None = None
    seconds: float | None = None


@dataclass
class Tally:
    """What a campaign has done so far. ``findings`` are (what disagrees, where it was written)."""

    examples: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    findings: list[tuple[str, Path]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    unsupported: set[tuple[str, str]] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """How many examples were put to every adapter."""
        return self.examples.total()

    @property
    def clean(self) -> bool:
        """Whether nobody disagreed and nothing went wrong."""
        return not self.findings and not self.troubles

    def add(self, compared: Compared) -> None:
        """Count one example."""
        question = compared.question
        format_name = question.operation.partition(".")[0]
        self.examples[format_name] += 1
        if isinstance(question.expect, Reject):
            self.reasons.setdefault(format_name, Counter())[question.expect.reason] += 1
        for name, verdict in compared.verdicts.items():
            if verdict.status is Status.UNSUPPORTED:
                self.unsupported.add((name, question.operation))


def wanted_reasons(format_name: str) -> list[str]:
    """Return every reason of a format that a request can lead to."""
    reasons = load_rules().formats[format_name].reasons.values()
    return [reason.id for reason in reasons if not reason.native]


def run_campaign(plan: Plan, tell: Callable[[Tally], None]) -> Tally:
    """Ask until a bound is reached; ``tell`` hears of every example. Findings are shrunk and written as they come.

    Raises :class:`CannotRunError` when an adapter cannot be started or a finding cannot be written.
    """
    tally = Tally()
    began = time.monotonic()
    with ExitStack() as stack:
        runs = [_started(stack, AdapterRun(spec, _LIMITS)) for spec in plan.specs]
        for compared in stack.enter_context(closing(compare(runs, _questions(plan, began)))):
            tally.add(compared)
            if not _examined(plan, tally, compared):
                break
            tally.seconds = time.monotonic() - began
            tell(tally)
    tally.troubles += [f"{run.spec.name}: {trouble}" for run in runs for trouble in run.troubles]
    return tally


def _started(stack: ExitStack, run: AdapterRun) -> AdapterRun:
    try:
        return stack.enter_context(run)
    except AdapterStartError as error:
        last_words = f": {error.stderr.strip()}" if error.stderr.strip() else ""
        hint = f"; build it first: {run.spec.build}" if run.spec.build else ""
        raise CannotRunError(f"{error}{last_words}{hint}") from None


def _questions(plan: Plan, began: float) -> Iterator[Question]:
    """Yield the examples, one of each format after the other."""
    numbered = ((number, name) for number in itertools.count() for name in plan.generators)
    for number, name in itertools.islice(numbered, plan.examples):
        if plan.seconds is not None and time.monotonic() - began >= plan.seconds:
            return
        yield numbered_question(name, plan.generators[name], plan.seed, number)


def _examined(plan: Plan, tally: Tally, compared: Compared) -> bool:
    """Look at the disagreements of one example; return False when the campaign had better end."""
    for name, verdict in compared.disagreements.items():
        if verdict.answer.message.startswith(_GIVEN_UP):
            tally.troubles.append(f"{name}: {verdict.answer.message}")
            return False
        what = disagreement(name, verdict)
        tally.seen[what] += 1
        if tally.seen[what] > 1:
            continue
        finding = _finding(plan, compared.question, name, what)
        tally.findings.append((what, write_finding(finding, plan.out)))
        if len(tally.findings) >= MOST_FINDINGS:
            tally.troubles.append(f"ended after {MOST_FINDINGS} different disagreements; mend these first")
            return False
    return True


def _finding(plan: Plan, question: Question, name: str, what: str) -> Finding:
    """Shrink one disagreement, asking fresh processes, since those of the campaign have answers on their way."""
    format_name, _, number = question.id.partition("/")
    generators = plan.generators[format_name]
    (spec,) = (spec for spec in plan.specs if spec.name == name)
    with ExitStack() as stack:
        run = _started(stack, AdapterRun(spec, _SHRINKING))

        def shows(asked: Request) -> bool:
            found = _compared(asked, [run]).disagreements
            return name in found and disagreement(name, found[name]) == what

        small = shrunk(format_name, generators, plan.seed, int(number), shows)
    asked = request(format_name, generators, plan.seed, int(number)) if small is None else small
    with ExitStack() as stack:
        compared = _compared(asked, [_started(stack, AdapterRun(spec, _SHRINKING)) for spec in plan.specs])
    return Finding(
        what=what,
        question=compared.question,
        verdicts=compared.disagreements,
        origin=f"seed {plan.seed}, example {number} of {format_name}",
        shrunk=small is not None,
    )


def _compared(asked: Request, runs: Sequence[AdapterRun]) -> Compared:
    (compared,) = compare(runs, [question_of(asked, "shrinking")])
    return compared
