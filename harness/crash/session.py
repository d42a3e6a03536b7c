"""One adapter under strace: a question watched, with one of its system calls failed, or killed at it.

The process serves many questions, strace is attached for one of them: what is watched is the operation alone, and the
count of a call starts at the question. A killed adapter is followed by another, which starts while its predecessor is
still being watched.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness import tree as trees
from harness.crash import edits
from harness.crash.call import Call
from harness.crash.edits import Edit
from harness.crash.effect import Effect, effects
from harness.crash.strace import LOOKS, STEPS, Strace, StraceError, Tampering
from harness.crash.target import Target
from harness.model import AdapterSpec, Answer, Implementation, Limits, Outcome, Question, TreeEntry
from harness.process import AdapterProcess, CannotStartError, ProcessFault, resolve
from harness.staging import StagedRequest
from harness.wire import BrokenLine, Refusal, parse_answer, parse_handshake, start_line

_LAUNCHER = Path(__file__).with_name("launch.py")
_HOLD = "delay_exit=600s"
"""Longer than any deadline here: the process is killed while strace holds it behind the call."""
_LOOK = 0.001
"""Seconds between two looks at whether strace holds the process yet."""


class SessionError(Exception):
    """An adapter with which no conversation can begin; the message says why."""


@dataclass(frozen=True)
class Watched:
    """What one question led to. ``answer`` is None when the process ended first; ``ending`` then says how.

    ``hit`` is whether the call that was to be tampered with was met. ``tree`` is the directory afterwards, ``strays``
    what was made beside it.
    """

    answer: Answer | None
    ending: str
    calls: tuple[Call, ...]
    effects: tuple[Effect, ...]
    tree: dict[str, TreeEntry]
    root: str
    strays: tuple[str, ...] = ()
    hit: bool = True


@dataclass(frozen=True)
class Changed:
    """What one question led to in a directory that another program changed meanwhile.

    ``hit`` is whether the call behind which it was to be changed was met; if not, nothing was changed. ``before`` is
    the directory directly behind the change, ``tree`` when the answer was there.
    """

    answer: Answer
    before: dict[str, TreeEntry]
    tree: dict[str, TreeEntry]
    strays: tuple[str, ...]
    hit: bool


@dataclass
class _Child:
    """A started process; ``greeted`` once its handshake was read."""

    process: AdapterProcess
    greeted: bool = False


@dataclass
class TracedAdapter:
    """A context manager around one adapter; ``folder`` is a resolved directory of its own."""

    spec: AdapterSpec
    folder: Path
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Start nothing yet."""
        self._numbers = itertools.count(1)
        self._children: list[_Child] = []
        self.starts = 0

    def __enter__(self) -> TracedAdapter:
        """Start the adapter and read its handshake. Raises :class:`SessionError`."""
        try:
            self.implementation = self._greet(self._child())
        except BaseException:
            self._end_all()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        """End what runs."""
        self._end_all()

    def ask(self, question: Question) -> Answer:
        """Put ``question`` unwatched."""
        request = self._staged(question)
        try:
            return self._converse(self._ready(), request)
        finally:
            request.remove()

    def watch(
        self, question: Question, target: Target | None = None, action: str = "", limit: int | None = None
    ) -> Watched:
        """Put ``question`` under strace, which does ``action`` to ``target``; files may grow to ``limit`` bytes.

        Raises :class:`harness.crash.strace.StraceError`, and :class:`SessionError` when the adapter does not start.
        """
        child = self._ready()
        request = self._staged(question)
        root = str(self.folder / request.id / "tree")
        answers = _answer_pipe(child.process.pid)
        strace = self._attach(child, target.tampering(root, action) if target is not None else None)
        try:
            with _file_limit(child.process.pid, limit):
                answer = self._converse(child, request)
        finally:
            calls = strace.finish()
            tree, strays = _parted(request.tree())
            request.remove()
        seen = tuple(effects(calls, root, answers))
        # The answer's own write may still be under way when strace lets go; it was not tampered with.
        met = (call for call in calls if call.injected or (call.result is None and call.descriptor(0).path != answers))
        hit = target is None or any(call.name == target.name for call in met)
        ended = answer.outcome in (Outcome.BROKEN, Outcome.TIMED_OUT)
        return Watched(None if ended else answer, answer.message, tuple(calls), seen, tree, root, strays, hit)

    def kill_before(self, question: Question, target: Target) -> Watched:
        """Put ``question`` and kill the process as it makes the call, which the system then does not carry out."""
        child = self._ready()
        self._spare()
        watched = self.watch(question, target, "signal=SIGKILL")
        self._retire(child)
        return watched

    def kill_after(self, question: Question, target: Target) -> Watched:
        """Put ``question`` and kill the process behind the call, before it can do anything else."""
        child = self._ready()
        self._spare()
        request = self._staged(question)
        root = str(self.folder / request.id / "tree")
        strace = self._attach(child, target.tampering(root, _HOLD))
        try:
            child.process.send(request.line)
            hit = self._wait_held(child, strace)
        finally:
            # In this order: the signal is there when strace lets go, so that no instruction of the adapter's follows.
            _kill_session(child.process.pid)
            calls = strace.kill()
            self._retire(child)
        tree, strays = _parted(request.tree())
        request.remove()
        return Watched(None, "killed", tuple(calls), tuple(effects(calls, root, "")), tree, root, strays, hit)

    def looks(self, question: Question) -> tuple[list[Call], str]:
        """Put ``question`` and return every call that asks about names and contents too, and the directory's path.

        Raises as :meth:`watch` does; a process that gives no answer is ended.
        """
        child = self._ready()
        request = self._staged(question)
        strace = self._attach(child, None, (*STEPS, *LOOKS))
        try:
            self._converse(child, request)
        finally:
            calls = strace.finish()
            request.remove()
        return calls, str(self.folder / request.id / "tree")

    def change_after(self, question: Question, target: Target, change: Sequence[Edit]) -> Changed:
        """Put ``question``, hold the process behind the call, make ``change``, and let it go on, no longer traced.

        Raises as :meth:`watch` does; a process that gives no answer in time is ended.
        """
        child = self._ready()
        request = self._staged(question)
        root = self.folder / request.id / "tree"
        strace = self._attach(child, target.tampering(str(root), _HOLD), (*STEPS, *LOOKS))
        try:
            child.process.send(request.line)
            hit = self._wait_held(child, strace)
            if hit:
                edits.make(root, change)
            before = trees.read(root)
        except BaseException:
            self._retire(child)
            raise
        finally:
            strace.kill()
        if hit:
            answer = self._awaited(child, request)
        else:
            # Whatever it answers later belongs to no question.
            answer = Answer(Outcome.BROKEN, message="the call was not made")
            self._retire(child)
        tree, strays = _parted(request.tree())
        request.remove()
        return Changed(answer, before, tree, strays, hit)

    def _wait_held(self, child: _Child, strace: Strace) -> bool:
        limit = time.monotonic() + self.limits.deadline
        while "(DELAYED)" not in strace.text():
            try:
                child.process.next_line(_LOOK)
            except ProcessFault as fault:
                if not fault.timed_out:
                    return False
            else:
                return False
            if time.monotonic() > limit:
                return False
        return True

    def _attach(self, child: _Child, tampering: Tampering | None, traced: Sequence[str] = STEPS) -> Strace:
        output = self.folder / "trace"
        return Strace(_session(child.process.pid), output, tampering, traced)

    def _staged(self, question: Question) -> StagedRequest:
        number = str(next(self._numbers))
        return StagedRequest(question, number, self.folder / number)

    def _converse(self, child: _Child, request: StagedRequest) -> Answer:
        """Return the answer; a process that gives none is ended, and the answer says so."""
        child.process.send(request.line)
        return self._awaited(child, request)

    def _awaited(self, child: _Child, request: StagedRequest) -> Answer:
        try:
            return parse_answer(child.process.next_line(self.limits.deadline), request.id)
        except (ProcessFault, BrokenLine) as fault:
            self._retire(child)
            timed_out = isinstance(fault, ProcessFault) and fault.timed_out
            return Answer(Outcome.TIMED_OUT if timed_out else Outcome.BROKEN, message=str(fault))

    def _child(self) -> _Child:
        """Return the oldest process, started if there is none."""
        if not self._children:
            self._start()
        return self._children[0]

    def _ready(self) -> _Child:
        child = self._child()
        if not child.greeted:
            self._greet(child)
        return child

    def _spare(self) -> None:
        if len(self._children) < 2:
            self._start()

    def _retire(self, child: _Child) -> None:
        """End a process, if that was not done already."""
        if any(each is child for each in self._children):
            self._children = [each for each in self._children if each is not child]
            child.process.end()

    def _start(self) -> None:
        try:
            command = (sys.executable, "-I", "-S", str(_LAUNCHER), *resolve(self.spec))
            spec = AdapterSpec(self.spec.name, self.spec.language, command, self.spec.directory, self.spec.build)
            process = AdapterProcess(spec, self.limits)
        except CannotStartError as error:
            raise SessionError(f"adapter {self.spec.name!r}: {error}") from error
        process.send(start_line())
        self._children.append(_Child(process))
        self.starts += 1

    def _greet(self, child: _Child) -> Implementation:
        try:
            found = parse_handshake(child.process.next_line(self.limits.start_deadline))
        except (ProcessFault, BrokenLine, Refusal) as fault:
            self._retire(child)
            raise SessionError(f"adapter {self.spec.name!r} gives no handshake: {fault}") from fault
        child.greeted = True
        return found

    def _end_all(self) -> None:
        while self._children:
            self._retire(self._children[0])


@contextlib.contextmanager
def _file_limit(process: int, limit: int | None) -> Iterator[None]:
    """Let no file of the session grow past ``limit`` bytes: the write that crosses it is cut short, the next fails."""
    if limit is None:
        yield
        return
    members = _session(process)
    hard = {member: resource.prlimit(member, resource.RLIMIT_FSIZE)[1] for member in members}
    for member in members:
        resource.prlimit(member, resource.RLIMIT_FSIZE, (limit, hard[member]))
    try:
        yield
    finally:
        for member in members:
            with contextlib.suppress(OSError):
                resource.prlimit(member, resource.RLIMIT_FSIZE, (hard[member], hard[member]))


def _parted(found: dict[str, TreeEntry]) -> tuple[dict[str, TreeEntry], tuple[str, ...]]:
    strays = tuple(path for path in found if path.startswith("../"))
    return {path: entry for path, entry in found.items() if path not in strays}, strays


def _session(leader: int) -> list[int]:
    """Return the processes of a session, the leader first: an adapter may be started by a script that waits for it."""
    members = [leader]
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            process = int(entry.parent.name)
            if int(fields[3]) == leader and fields[0] not in "ZX" and process != leader:
                members.append(process)
    return [leader, *sorted(members[1:])]


def _kill_session(leader: int) -> None:
    for process in _session(leader):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def _answer_pipe(process: int) -> str:
    """Return what strace calls the process's stdout."""
    try:
        return str(Path(f"/proc/{process}/fd/1").readlink())
    except OSError as error:
        raise StraceError(f"/proc/{process}/fd/1 cannot be read ({error.strerror}); is /proc mounted?") from error
