"""Child processes of ours that talk to adapters: none outlives us, however we end, and so no adapter does."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Collection, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import NoReturn

from conformance.errors import CannotRunError
from conformance.signals import ignore_signal
from harness.model import AdapterSpec, Answer, Implementation, Question
from harness.runner import AdapterRun, AdapterStartError
from harness.tree import TreeError

_PR_SET_PDEATHSIG = 1
"""From Linux' ``<sys/prctl.h>``."""
_ENDING = 30.0
"""Seconds that children have to end what they started, once they are told to."""


def _tie_to_parent() -> None:
    """Make a child that has just been forked end from within when it is told to, or when its parent dies.

    Ended so, it ends its adapter too. Ctrl-C is left to the parent, which then ends its children.
    """
    signal.signal(signal.SIGTERM, _leave)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The kernel sends it however the parent dies, by SIGKILL too.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM))


def _leave(_signal: int, _frame: object) -> NoReturn:
    # A second signal (one to the whole group, another from the parent) must not break into what cleans up.
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, ignore_signal)
    sys.exit(1)


def fork(
    work: Callable[..., None], *arguments: object, others: Sequence[Connection] = ()
) -> tuple[Connection, ForkProcess]:
    """Start a child that runs ``work(outlet, *arguments)``; return the end of its pipe that is ours, and the child.

    ``others`` are our ends of the pipes of children that run already, which the child closes.
    """
    context = multiprocessing.get_context("fork")
    inlet, outlet = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(outlet, (*others, inlet), work, arguments), daemon=True)
    child.start()
    outlet.close()
    return inlet, child


def _run(
    outlet: Connection, inlets: Sequence[Connection], work: Callable[..., None], arguments: Sequence[object]
) -> None:
    _tie_to_parent()
    for inlet in inlets:  # while a copy is open, sending to a parent that was killed waits for ever
        inlet.close()
    try:
        work(outlet, *arguments)
    except BrokenPipeError:
        sys.exit(1)


def end_workers(children: Collection[ForkProcess]) -> None:
    """Tell children of ours to end, and wait until they have; one that does not is killed."""
    for child in children:
        child.terminate()
    limit = time.monotonic() + _ENDING
    for child in children:
        child.join(max(0.0, limit - time.monotonic()))
        if child.is_alive():
            child.kill()
            child.join()


def ask_alone(spec: AdapterSpec, question: Question) -> tuple[Implementation, Answer]:
    """Put one question to a fresh process of the adapter, from a child of ours; return who answers, and the answer.

    Raises :class:`harness.runner.AdapterStartError`, and :class:`CannotRunError` where the question cannot be put.
    """
    inlet, child = fork(_ask, spec, question)
    try:
        told: tuple[Implementation, Answer] | AdapterStartError | TreeError = inlet.recv()
    except EOFError:
        raise CannotRunError(f"adapter {spec.name}: the process that asked it has ended; please report this") from None
    finally:
        end_workers([child])
        inlet.close()
    if isinstance(told, TreeError):
        raise CannotRunError(str(told))
    if isinstance(told, AdapterStartError):
        raise told
    return told


def _ask(outlet: Connection, spec: AdapterSpec, question: Question) -> None:
    try:
        with AdapterRun(spec) as run:
            answer = next(found for _, found in run.ask([question]))
    except (AdapterStartError, TreeError) as error:
        outlet.send(error)
    else:
        outlet.send((run.implementation, answer))
