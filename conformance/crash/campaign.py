"""A campaign: the scenarios of some formats put to some adapters, two adapters side by side."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import TypeAlias

from conformance.crash.changing import ChangeScenario, ChangeTrials
from conformance.crash.readers import Readers
from conformance.crash.result import CRASHES, AdapterCrashes, ScenarioResult
from conformance.crash.scenario import Scenario
from conformance.crash.trials import Trials
from conformance.errors import CannotRunError
from conformance.workers import end_workers, fork
from harness import tree as trees
from harness.crash.session import SessionError, TracedAdapter
from harness.crash.strace import StraceError, require_strace
from harness.model import AdapterSpec

_AT_ONCE = 2


@dataclass(frozen=True)
class Activity:
    """What one job is at: the scenario that an adapter is in, and since how many seconds."""

    adapter: str
    scenario: str
    seconds: float


Scenarios: TypeAlias = Sequence[Scenario | ChangeScenario]
"""The scenarios of one format."""


@dataclass(frozen=True)
class _Job:
    spec: AdapterSpec
    format: str
    scenarios: Scenarios


_LOOK = 1.0
"""Seconds without a word from any job after which it is said what they do."""


@dataclass
class _Running:
    """A job that runs in a process of its own, the scenario it is in, and when that began."""

    job: _Job
    process: ForkProcess
    scenario: str
    began: float


def run_campaign(
    specs: Sequence[AdapterSpec],
    readers: Sequence[AdapterSpec],
    scenarios: Mapping[str, Scenarios],
    tell: Callable[[AdapterCrashes | list[Activity]], None],
) -> list[AdapterCrashes]:
    """Put the scenarios of each format to every adapter; ``tell`` hears of each adapter and format that is done.

    It also hears, about once a second, which scenario each adapter is in.

    A format without scenarios writes nothing, so there is nothing to crash.

    Raises :class:`CannotRunError` when that is all of them, when strace is missing or may not be used, and when a
    reader cannot be started.
    """
    if not any(scenarios.values()):
        raise CannotRunError(f"{', '.join(scenarios)}: there is nothing to crash; no operation writes to a disk")
    try:
        require_strace()
    except StraceError as error:
        raise CannotRunError(str(error)) from None
    jobs = [_Job(spec, format_id, each) for format_id, each in scenarios.items() if each for spec in specs]
    done: dict[tuple[str, str], AdapterCrashes] = {}
    with closing(_messages(jobs, readers)) as messages:
        for message in messages:
            tell(message)
            if isinstance(message, AdapterCrashes):
                done[message.name, message.format] = message
    return [done[job.spec.name, job.format] for job in jobs]


def _messages(
    jobs: Sequence[_Job], readers: Sequence[AdapterSpec]
) -> Generator[AdapterCrashes | list[Activity], None, None]:
    """Yield what the jobs say until all are done, a few running at once; closing the iterator ends them.

    A process each, and no pool: those of a pool neither end with a parent that is killed nor end quietly.
    """
    waiting = list(jobs)
    running: dict[Connection, _Running] = {}
    try:
        while waiting or running:
            while waiting and len(running) < _AT_ONCE:
                job = waiting.pop(0)
                inlet, process = fork(_work, job, readers, others=list(running))
                running[inlet] = _Running(job, process, job.format, time.monotonic())
            ready = wait(list(running), _LOOK)
            for inlet in [one for one in running if one in ready]:
                message = _received(inlet, running[inlet])
                if isinstance(message, str):
                    running[inlet].scenario, running[inlet].began = message, time.monotonic()
                else:
                    running.pop(inlet).process.join()
                    inlet.close()
                    yield message
            now = time.monotonic()
            if running:
                yield [Activity(each.job.spec.name, each.scenario, now - each.began) for each in running.values()]
    finally:
        end_workers([each.process for each in running.values()])


def _received(inlet: Connection, sender: _Running) -> AdapterCrashes | str:
    """Return a result, or the id of the scenario that begins. Raises :class:`CannotRunError`, the sender's or ours."""
    try:
        message: AdapterCrashes | CannotRunError | str = inlet.recv()
    except EOFError:
        sender.process.join()
        status = sender.process.exitcode
        raise CannotRunError(
            f"adapter {sender.job.spec.name}: the process that crashed it ended with status {status}; "
            "please report this"
        ) from None
    if isinstance(message, CannotRunError):
        raise message
    return message


def _work(outlet: Connection, job: _Job, readers: Sequence[AdapterSpec]) -> None:
    """Do one job in a process of its own and send its result home."""
    try:
        outlet.send(crash(job.spec, readers, job.scenarios, tell=outlet.send))
    except CannotRunError as error:
        outlet.send(error)


def _nobody(_scenario: str) -> None:
    """Hear of a scenario, and do nothing."""


def crash(
    spec: AdapterSpec,
    readers: Sequence[AdapterSpec],
    wanted: Scenarios,
    phases: Collection[str] = CRASHES,
    tell: Callable[[str], None] = _nobody,
) -> AdapterCrashes:
    """Put ``wanted``, scenarios of one format, to one adapter; what a crash leaves is read by it and by ``readers``.

    A commit is put to the trials of ``phases``; a scenario that changes has only the one kind. ``tell`` hears the id of
    each scenario that begins.

    Raises :class:`CannotRunError` as :func:`run_campaign` does.
    """
    began = time.monotonic()
    result = AdapterCrashes(spec.name, wanted[0].format)
    reading = [spec, *(each for each in readers if each.name != spec.name)]
    folder = Path(tempfile.mkdtemp(prefix="conformance-crash-")).resolve()
    try:
        with Readers(reading) as all_readers, TracedAdapter(spec, folder) as writer:
            result.implementation = writer.implementation
            for scenario in wanted:
                tell(scenario.id)
                found = ScenarioResult(scenario.id, scenario.title, scenario.operation)
                result.scenarios.append(found)
                if scenario.operation not in writer.implementation.operations:
                    found.unsupported = True
                elif isinstance(scenario, ChangeScenario):
                    ChangeTrials(scenario, writer, found).run()
                else:
                    Trials(scenario, writer, all_readers, found).run(phases)
    except SessionError as error:
        result.error = str(error)
    except StraceError as error:
        raise CannotRunError(str(error)) from None
    finally:
        trees.remove(folder)
    result.seconds = time.monotonic() - began
    return result
