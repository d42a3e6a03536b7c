"""A run of the suite: every selected case put to every adapter, each adapter in a process of its own.

Judging is work for a whole core, so adapters are judged side by side; a judging process only ever sends messages home,
and the result is put together here in the order of the adapters, whoever finished first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import TypeAlias

from conformance.adapters import argument
from conformance.errors import CannotRunError
from conformance.notes.handshake import handshake_notes
from conformance.notes.input import input_note
from conformance.notes.order import order_note
from conformance.notes.place import PlacesSeen
from conformance.suite.errors import SuiteError
from conformance.suite.model import Case, SingleCase
from conformance.version import SUITE_VERSION
from conformance.workers import end_workers, fork
from harness.judge import judge
from harness.model import AdapterSpec, Answer, Implementation, Question, Status, Verdict
from harness.results import AdapterResult, CaseInfo, CaseResult, RunResult
from harness.runner import AdapterRun, AdapterStartError
from harness.tally import CaseTally, NoteLines
from harness.tree import TreeError


@dataclass(frozen=True)
class Started:
    """Said once an adapter has answered the handshake."""

    adapter: str
    implementation: Implementation


@dataclass(frozen=True)
class Waiting:
    """Said about once a second while an adapter is silent: what it owes (the id of a question, say), and how long."""

    adapter: str
    what: str
    seconds: float


@dataclass(frozen=True)
class CaseDone:
    """Said after each case."""

    adapter: str
    case: CaseResult


@dataclass(frozen=True)
class AdapterDone:
    """Said at the end of an adapter's run."""

    adapter: str
    result: AdapterResult


@dataclass(frozen=True)
class Trouble:
    """Said when the suite itself could not go on."""

    adapter: str
    message: str


Message: TypeAlias = Started | Waiting | CaseDone | AdapterDone | Trouble
Listener: TypeAlias = Callable[[Message], None]


def case_info(entry: Case) -> CaseInfo:
    """Return what the results say of a case, whoever is judged by it."""
    return CaseInfo(
        id=entry.id,
        format=entry.format,
        operation=entry.operation,
        title=entry.title,
        why=entry.why,
        rules=entry.rules,
        rulings=entry.rulings,
        tags=entry.tags,
        sweep=not isinstance(entry, SingleCase),
    )


def judge_adapter(
    spec: AdapterSpec, entries: Sequence[Case], tell: Listener, *, fail_fast: bool = False
) -> AdapterResult:
    """Put ``entries`` to one adapter and return its result; ``tell`` hears of every step.

    With ``fail_fast`` it ends at the first case that is asked and does not pass. Raises
    :class:`harness.tree.TreeError` when a case's directory cannot be built on this machine.
    """
    began = time.monotonic()
    cases: list[CaseResult] = []
    places = PlacesSeen()
    run = AdapterRun(spec, waiting=lambda what, seconds: tell(Waiting(spec.name, what, seconds)))
    try:
        with run:
            tell(Started(spec.name, run.implementation))
            for case in judged(run, entries, places):
                cases.append(case)
                tell(CaseDone(spec.name, case))
                if fail_fast and case.status not in (Status.PASSED, Status.UNSUPPORTED):
                    break
    except AdapterStartError as error:
        return AdapterResult(
            name=spec.name,
            language=spec.language,
            build=spec.build,
            argument=argument(spec),
            error=str(error),
            stderr=error.stderr,
            seconds=time.monotonic() - began,
        )
    return AdapterResult(
        name=spec.name,
        language=spec.language,
        build=spec.build,
        argument=argument(spec),
        implementation=run.implementation,
        troubles=tuple(run.troubles),
        notes=(*handshake_notes(run.implementation), *(places.notes() if run.implementation.locations else ())),
        restarts=run.restarts,
        cases=tuple(cases),
        seconds=time.monotonic() - began,
    )


def judged(run: AdapterRun, entries: Sequence[Case], places: PlacesSeen) -> Iterator[CaseResult]:
    """Yield the finding on each entry, in order, while later ones are already on their way to the adapter.

    ``places`` sees every answer.
    """
    locations = run.implementation.locations
    known = {entry.id: entry for entry in entries}
    tally: CaseTally | None = None
    with closing(run.ask(question for entry in entries for question in entry.questions())) as answers:
        for question, answer in answers:
            places.add(question, answer)
            entry = known[question.sweep or question.id]
            if tally is not None and tally.id != entry.id:
                yield tally.result()
                tally = None
            tally = tally or CaseTally(entry.id)
            tally.add(judge_case(entry, question, answer, locations=locations), partial(notes, entry))
    if tally is not None:
        yield tally.result()


def judge_case(entry: Case, question: Question, answer: Answer, *, locations: bool) -> Verdict:
    """Return the finding on the answer to one question of ``entry``, with the fields of its format named."""
    answer_bytes = entry.header.parts.operations.answer_bytes
    return judge(question, answer, locations=locations, answer_bytes=answer_bytes, namer=entry.layouts.field_name)


def notes(entry: Case, verdict: Verdict) -> NoteLines:
    """Return what there is to know of a verdict on one question of ``entry`` beside the verdict itself."""
    return NoteLines(input_note(entry, verdict.question), order_note(verdict.question, verdict.answer))


def judge_all(
    specs: Sequence[AdapterSpec], entries: Sequence[Case], tell: Listener, *, fail_fast: bool = False
) -> RunResult:
    """Put ``entries`` to every adapter, side by side; ``tell`` hears of every step, in this process.

    Raises :class:`CannotRunError` when nothing could be judged for a reason of our own.
    """
    began = time.monotonic()
    results: dict[str, AdapterResult] = {}
    with closing(_messages(specs, entries, fail_fast)) as messages:
        for message in messages:
            tell(message)
            if isinstance(message, Trouble):
                raise CannotRunError(f"adapter {message.adapter}: {message.message}")
            if isinstance(message, AdapterDone):
                results[message.adapter] = message.result
                if fail_fast and not message.result.passed:
                    break
    return RunResult(
        suite_version=SUITE_VERSION,
        cases=tuple(map(case_info, entries)),
        adapters=tuple(results[spec.name] for spec in specs if spec.name in results),
        seconds=time.monotonic() - began,
        complete=len(results) == len(specs) and all(_complete(result, entries) for result in results.values()),
    )


def _complete(result: AdapterResult, entries: Sequence[Case]) -> bool:
    return result.error is not None or len(result.cases) == len(entries)


def _messages(specs: Sequence[AdapterSpec], entries: Sequence[Case], fail_fast: bool) -> Generator[Message, None, None]:
    """Yield what the judging processes say until all have ended; closing the iterator ends them."""
    running: dict[Connection, tuple[str, ForkProcess]] = {}
    try:
        for spec in specs:
            inlet, process = fork(_work, spec, entries, fail_fast, others=list(running))
            running[inlet] = (spec.name, process)
        while running:
            ready = wait(list(running))
            for inlet in [one for one in running if one in ready]:
                name, process = running[inlet]
                try:
                    message: Message = inlet.recv()
                except EOFError:
                    process.join()
                    yield Trouble(name, f"its judging process ended with status {process.exitcode}; please report this")
                    return
                if isinstance(message, AdapterDone | Trouble):
                    del running[inlet]
                    process.join()
                yield message
    finally:
        end_workers([process for _, process in running.values()])


def _work(outlet: Connection, spec: AdapterSpec, entries: Sequence[Case], fail_fast: bool) -> None:
    """Judge one adapter in a process of its own and send every step home."""
    try:
        outlet.send(AdapterDone(spec.name, judge_adapter(spec, entries, outlet.send, fail_fast=fail_fast)))
    except (TreeError, SuiteError) as error:
        outlet.send(Trouble(spec.name, str(error)))
