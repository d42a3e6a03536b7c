"""A run: questions put to one adapter, many in flight, every fault made an answer to the question it belongs to.

Which case a fault belongs to must not depend on how many were in flight. So a fault counts against a case only when the
case was the first and only one put to a fresh process; otherwise the oldest open case is put again, alone, to a fresh
process, and only its answer there counts. When it then answers, and none of those that were in flight behind it turns
out to be at fault either (an adapter may read ahead), the fault belongs to no case: it becomes a *trouble* of the run,
which fails the run as a whole. After a fault the window opens again from one, doubling with each answer, so a row of
crashing cases costs one restart each.
"""

from __future__ import annotations

import itertools
import re
import tempfile
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType

from harness import tree as trees
from harness.model import NOT_ASKED, AdapterSpec, Answer, Implementation, Limits, Outcome, Question
from harness.process import AdapterProcess, CannotStartError, ProcessFault
from harness.staging import StagedRequest
from harness.wire import BrokenLine, Refusal, parse_answer, parse_handshake, start_line, stop_line

__all__ = ["AdapterRun", "AdapterStartError", "Limits"]

_EXCERPT = re.compile(r": b?['\"].*", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+")
_UNSUPPORTED = Answer(Outcome.UNSUPPORTED, message="the adapter does not list this operation")


class AdapterStartError(Exception):
    """An adapter with which no conversation can begin; ``stderr`` is the tail of what it wrote there."""

    def __init__(self, message: str, stderr: str = "") -> None:
        """Keep what happened and the adapter's own last words."""
        super().__init__(message)
        self.stderr = stderr


@dataclass(frozen=True)
class _Open:
    """A question in flight; ``request`` is None for one that is answered without asking."""

    question: Question
    request: StagedRequest | None


@dataclass(frozen=True)
class _Suspicion:
    """A fault that may belong to ``question``, which is now being asked alone, or to one up to ``until``."""

    question: str
    until: str
    after: str | None
    message: str

    @property
    def kind(self) -> str:
        """What is the same in all faults of its kind: neither the numbers of requests nor what a line holds."""
        return _NUMBER.sub("#", _EXCERPT.sub("", self.message))

    def __str__(self) -> str:
        """Say it as a trouble of the run."""
        after = f"after answering {self.after}" if self.after else "before its first answer"
        return f"{after}, with {self.question} as the next case: {self.message}; asked alone, that case is answered"


def _nobody(_what: str, _seconds: float) -> None:
    """Hear of it, and do nothing."""


class AdapterRun:
    """A context manager: starts the adapter, answers :meth:`ask`, and leaves no process and no file behind.

    ``implementation`` is what the adapter says of itself.
    """

    implementation: Implementation

    def __init__(
        self, spec: AdapterSpec, limits: Limits | None = None, waiting: Callable[[str, float], None] = _nobody
    ) -> None:
        """Prepare a run of ``spec``; nothing starts before the context is entered.

        ``waiting`` hears about once a second what an adapter that is silent owes (a question's id, or the
        handshake), and for how many seconds it has been waited for.
        """
        self.spec = spec
        self._waiting = waiting
        self.limits = limits or Limits()
        self._troubles: dict[str, list[str]] = {}
        self.restarts = 0
        self._hangs = 0
        self._fault: str | None = None
        self._numbers = itertools.count(1)
        self._process: AdapterProcess | None = None
        self._put = 0
        self._window = self.limits.in_flight_requests
        self._open: deque[_Open] = deque()
        self._open_bytes = 0
        self._last_answered: str | None = None
        self._suspicion: _Suspicion | None = None
        self._unexplained: list[_Suspicion] = []
        self._given_up: str | None = None

    @property
    def troubles(self) -> list[str]:
        """What went wrong outside any case, among it a bad exit when told to stop; of equal troubles the first.

        It is complete once the context is left, and a run with troubles is a failed one.
        """
        return [
            equal[0] if len(equal) == 1 else f"{len(equal)} times, first {equal[0]}"
            for equal in self._troubles.values()
        ]

    def __enter__(self) -> AdapterRun:
        """Start the adapter. Raises :class:`AdapterStartError`."""
        self._folder = tempfile.TemporaryDirectory(prefix="conformance-", ignore_cleanup_errors=True)
        self._root = Path(self._folder.name).resolve()
        try:
            self.implementation = self._start()
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Ask the adapter to stop, or kill it when the caller failed or left questions open."""
        self._suspicions_hold(self._unexplained)
        if self._process is not None and kind is None and not self._open:
            trouble = self._process.stop(stop_line())
            if trouble is not None:
                self._note(trouble, f"the adapter {trouble}")
        self._end_process()
        trees.remove(self._root)
        self._folder.cleanup()

    def ask(self, questions: Iterable[Question]) -> Generator[tuple[Question, Answer], None, None]:
        """Put ``questions`` and yield each with its answer, in order. Raises :class:`harness.tree.TreeError`.

        A caller that stops early should close the iterator; the process is then ended, since answers are on their way.
        """
        source = iter(questions)
        again: deque[Question] = deque()
        try:
            while True:
                self._fill(source, again)
                if not self._open:
                    return
                answer = self._head_answer()
                if answer is None:
                    again.extendleft(item.question for item in reversed(self._open))
                    self._forget_open()
                    continue
                head = self._close_head()
                if head.request is not None and self._process is None:
                    again.extendleft(item.question for item in reversed(self._open))
                    self._forget_open()
                yield head.question, answer
        finally:
            if self._open:
                self._forget_open()
                self._end_process()

    def _fill(self, source: Iterator[Question], again: deque[Question]) -> None:
        """Put questions until the window is full, or none is left."""
        while len(self._open) < self._window:
            if self._open and self._open_bytes >= self.limits.in_flight_bytes:
                return
            question = again.popleft() if again else next(source, None)
            if question is None:
                return
            self._open.append(self._put_question(question))

    def _put_question(self, question: Question) -> _Open:
        if question.operation not in self.implementation.operations:
            return _Open(question, None)
        if self._process is None and self._given_up is None:
            self._restart()
        if self._process is None:
            return _Open(question, None)
        id = str(next(self._numbers))  # noqa: A001 - the protocol's word
        request = StagedRequest(question, id, self._root / id)
        self._process.send(request.line)
        self._put += 1
        self._open_bytes += len(request.line)
        return _Open(question, request)

    def _head_answer(self) -> Answer | None:
        """Return the answer to the oldest open question, or None when it has to be put again, alone."""
        head = self._open[0]
        if head.request is None:
            if head.question.operation not in self.implementation.operations:
                return _UNSUPPORTED
            return Answer(Outcome.BROKEN, message=self._given_up or "")
        assert self._process is not None
        try:
            line = self._process.next_line(self.limits.deadline, partial(self._waiting, head.question.id))
            answer = parse_answer(line, head.request.id)
        except ProcessFault as fault:
            return self._blame(head.question, f"the adapter {fault}", timed_out=fault.timed_out)
        except BrokenLine as broken:
            return self._blame(head.question, str(broken), timed_out=False)
        self._answered(head.question)
        if head.question.tree is not None and answer.outcome is not Outcome.BROKEN:
            answer = replace(answer, tree=head.request.tree())
        return answer

    def _blame(self, question: Question, message: str, *, timed_out: bool) -> Answer | None:
        """End the process after a fault; return the answer that this makes, if the fault is surely ``question``'s."""
        alone = self._put == 1
        stderr = self._end_process()
        self._hangs += timed_out
        self._fault = message
        self._window = 1
        if not alone:
            until = [item.question.id for item in self._open if item.request is not None][-1]
            self._suspicion = _Suspicion(question.id, until, self._last_answered, message)
            return None
        self._suspicion = None
        self._unexplained.clear()
        return Answer(Outcome.TIMED_OUT if timed_out else Outcome.BROKEN, message=message, stderr=stderr)

    def _answered(self, question: Question) -> None:
        self._window = min(self._window * 2, self.limits.in_flight_requests)
        self._last_answered = question.id
        if self._suspicion is not None:
            self._unexplained.append(self._suspicion)
            self._suspicion = None
        self._suspicions_hold(each for each in self._unexplained if each.until == question.id)
        self._unexplained = [each for each in self._unexplained if each.until != question.id]

    def _suspicions_hold(self, suspicions: Iterable[_Suspicion]) -> None:
        for each in suspicions:
            self._note(each.kind, str(each))

    def _note(self, kind: str, trouble: str) -> None:
        self._troubles.setdefault(kind, []).append(trouble)

    def _close_head(self) -> _Open:
        head = self._open.popleft()
        if head.request is not None:
            self._open_bytes -= len(head.request.line)
            head.request.remove()
        return head

    def _forget_open(self) -> None:
        while self._open:
            self._close_head()

    def _restart(self) -> None:
        """Start a fresh process, after a fault or an iterator that was closed early; or give up on the run."""
        if self._fault is not None:
            if self.restarts >= self.limits.restarts:
                self._give_up(f"after {self.restarts} restarts of the adapter; its last fault: {self._fault}")
                return
            if self._hangs >= self.limits.hangs:
                self._give_up(f"after {self._hangs} questions without an answer in time; the last: {self._fault}")
                return
            self.restarts += 1
            self._fault = None
        try:
            found = self._start()
        except AdapterStartError as error:
            self._give_up(f"because the adapter could not be started again: {error}")
            return
        if found != self.implementation:
            self._end_process()
            self._give_up("because the adapter, started again, gave another handshake than at first")

    def _give_up(self, why: str) -> None:
        self._given_up = f"{NOT_ASKED}the run gave up {why}"
        self._note(why, f"the run gave up {why}")

    def _start(self) -> Implementation:
        try:
            process = AdapterProcess(self.spec, self.limits)
        except CannotStartError as error:
            raise AdapterStartError(f"adapter {self.spec.name!r}: {error}") from error
        self._process = process
        self._put = 0
        process.send(start_line())
        try:
            return parse_handshake(
                process.next_line(self.limits.start_deadline, partial(self._waiting, "its handshake"))
            )
        except ProcessFault as fault:
            problem = f"{fault} before its handshake was complete"
        except BrokenLine as broken:
            problem = f"sent no handshake: {broken}"
        except Refusal as refusal:
            problem = f"refuses protocol 1: {refusal}"
        except BaseException:
            self._end_process()
            raise
        stderr = self._end_process()
        raise AdapterStartError(f"adapter {self.spec.name!r} {problem}", stderr)

    def _end_process(self) -> str:
        process, self._process = self._process, None
        return process.end() if process is not None else ""
