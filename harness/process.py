"""One adapter process: lines to it, lines from it, and an end that leaves nothing running.

All pipes are served by one selector loop, so that neither side's full buffer can stop the other, and the loop looks
for the process's death itself: a grandchild may hold the pipes open for ever.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from harness.model import AdapterSpec, Limits
from harness.wire import excerpt

_CHUNK = 1 << 18
_TICK = 0.05
"""Seconds between two looks at whether the process still lives."""
_SECOND = 1.0
_GRACE = 2.0
"""Seconds that a process which closed a pipe has to answer or to exit."""
_LAST_READS = 64
"""Reads of a dead process's stderr, so that a survivor which goes on writing cannot hold us."""
_LEFT_OVER = 1 << 20
"""Bytes kept of what comes after the last answer: enough to show, whatever more is written."""
_WRITE_AT_ONCE = 1 << 15
_CLEAN_EXIT = "exited with status 0"
_HUNG_UP = selectors.EVENT_READ
"""On the end of a pipe that is only written, readiness to read means that nobody reads it any more."""
_MARK = "CONFORMANCE_ADAPTER_PROCESS"


class ProcessFault(Exception):  # noqa: N818 - what the process did, not a fault of ours
    """The process can give no further line; the message says what it did."""

    def __init__(self, message: str, *, timed_out: bool = False) -> None:
        """Keep what happened, and whether it was the deadline."""
        super().__init__(message)
        self.timed_out = timed_out


class CannotStartError(Exception):
    """The command cannot be run at all."""


def environment() -> dict[str, str]:
    """Return our environment with the running interpreter's programs first on PATH."""
    path = os.environ.get("PATH", os.defpath)
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{path}"}


def resolve(spec: AdapterSpec) -> list[str]:
    """Return the command with its program as a full path. Raises :class:`CannotStartError` when there is none."""
    program = spec.command[0]
    if "/" in program:
        full = str(spec.directory / program)
        found = os.path.isfile(full) and os.access(full, os.X_OK)  # noqa: PTH113 - the path as the user wrote it
        missing = f"{full} is no program that can be run"
    else:
        full = shutil.which(program, path=environment()["PATH"]) or ""
        found = bool(full)
        missing = f"the program {program!r} is not on PATH"
    if not found:
        hint = f"; build it first: {spec.build}" if spec.build else ""
        raise CannotStartError(f"{missing}{hint}")
    return [full, *spec.command[1:]]


class AdapterProcess:
    """A started adapter. Every method is bounded in time."""

    def __init__(self, spec: AdapterSpec, limits: Limits) -> None:
        """Start the command in its own session. Raises :class:`CannotStartError`."""
        self._limits = limits
        self._mark = secrets.token_hex(16)
        command = resolve(spec)
        try:
            self._child = subprocess.Popen(  # noqa: S603 - starting what adapter.toml names is the purpose
                command,
                cwd=spec.directory,
                env={**environment(), _MARK: self._mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStartError(f"{command[0]} cannot be started: {error.strerror}") from error
        self._stdin, self._stdout, self._stderr = self._pipes()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdin, _HUNG_UP)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._out = bytearray()
        self._lines = bytearray()
        self._searched = 0
        self._tail = bytearray()
        self._stdin_closed_at: float | None = None
        self._over = False

    @property
    def pid(self) -> int:
        """The id of the process that was started, which is also its session's."""
        return self._child.pid

    def send(self, line: bytes) -> None:
        """Queue ``line``. It is written while lines are awaited, so a full pipe blocks nobody."""
        if self._stdin_closed_at is None:
            self._out += line
            if len(self._out) >= _WRITE_AT_ONCE:
                self._write()

    def next_line(self, seconds: float, waiting: Callable[[float], None] | None = None) -> bytes:
        """Return the next line without its LF. Raises :class:`ProcessFault` when none comes within ``seconds``.

        ``waiting`` hears about once a second for how many seconds none has come.
        """
        began = told = time.monotonic()
        while True:
            line = self._take_line()
            if line is not None:
                return line
            if self._over:
                raise ProcessFault(self._last_words())
            self._check_clock(began, seconds)
            self._turn(_TICK)
            if waiting is not None and time.monotonic() - told >= _SECOND:
                told = time.monotonic()
                waiting(told - began)

    def stop(self, line: bytes) -> str | None:
        """Send ``line``, which asks the process to exit, and wait for that. Return what was wrong, if anything."""
        early = self._exit_status()
        if early is not None:
            return f"{early} before it was told to stop"
        self.send(line)
        limit = time.monotonic() + self._limits.stop_grace
        while (status := self._exit_status()) is None:
            if time.monotonic() > limit:
                return f"did not exit within {self._limits.stop_grace:g} s of being told to stop"
            self._turn(_TICK)
            del self._lines[_LEFT_OVER:]
        self._read_rest()
        if self._lines:
            return f"wrote to stdout after its last answer: {excerpt(bytes(self._lines))}"
        return None if status == _CLEAN_EXIT else f"{status} when told to stop"

    def end(self) -> str:
        """Kill the process and all it started, close the pipes and return the tail of its stderr as text."""
        with contextlib.suppress(OSError):
            os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_GRACE)
        _kill_marked(f"{_MARK}={self._mark}".encode())
        with contextlib.suppress(OSError):
            for _ in range(_LAST_READS):
                if not self._keep_tail(os.read(self._stderr.fileno(), _CHUNK)):
                    break
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        return self._tail[-self._limits.stderr_tail :].decode("utf-8", "replace")

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        assert pipes[0] is not None
        assert pipes[1] is not None
        assert pipes[2] is not None
        for pipe in (pipes[0], pipes[1], pipes[2]):
            os.set_blocking(pipe.fileno(), False)
        return pipes[0], pipes[1], pipes[2]

    def _check_clock(self, began: float, seconds: float) -> None:
        now = time.monotonic()
        if len(self._lines) > self._limits.answer_bytes:
            raise ProcessFault(f"wrote a line longer than the {self._limits.answer_bytes} bytes an answer may have")
        if self._stdin_closed_at is not None and now - max(began, self._stdin_closed_at) > _GRACE:
            raise ProcessFault("closed its stdin and did not answer what it was asked")
        if now - began > seconds:
            half = f" (of its answer: {excerpt(bytes(self._lines))})" if self._lines else ""
            raise ProcessFault(f"gave no answer within {seconds:g} s{half}", timed_out=True)

    def _take_line(self) -> bytes | None:
        end = self._lines.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._lines)
            return None
        if end > self._limits.answer_bytes:
            return None
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        self._searched = 0
        return line

    def _turn(self, seconds: float) -> None:
        """Serve the pipes once, waiting up to ``seconds`` for one to be ready, and notice the process's end."""
        if self._stdin_closed_at is None:
            self._selector.modify(self._stdin, _HUNG_UP | (selectors.EVENT_WRITE if self._out else 0))
        # Asked first: what a process wrote before it died is then in the pipes when they are read to the bottom.
        ended = self._exit_status() is not None
        for key, events in self._selector.select(0 if ended else seconds):
            if key.fileobj is self._stdin:
                if events & _HUNG_UP:
                    self._stdin_is_closed()
                else:
                    self._write()
            elif key.fileobj is self._stderr:
                self._read_stderr()
            elif not self._read_stdout():
                self._over = True
                self._selector.unregister(self._stdout)
        if ended:
            self._read_rest()

    def _write(self) -> None:
        try:
            count = os.write(self._stdin.fileno(), self._out)
            del self._out[:count]
        except BlockingIOError:
            pass
        except OSError:
            self._stdin_is_closed()

    def _stdin_is_closed(self) -> None:
        self._stdin_closed_at = time.monotonic()
        self._out.clear()
        self._selector.unregister(self._stdin)

    def _read_stdout(self) -> bool:
        """Read what is there, up to a chunk; return False at the end of the stream."""
        try:
            data = os.read(self._stdout.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._lines += data
        return bool(data)

    def _read_rest(self) -> None:
        """Read what a dead process left in its pipe, which a grandchild may hold open: so not to the stream's end."""
        self._over = True
        while len(self._lines) <= self._limits.answer_bytes:
            before = len(self._lines)
            if not self._read_stdout() or len(self._lines) == before:
                return

    def _read_stderr(self) -> None:
        try:
            data = os.read(self._stderr.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not self._keep_tail(data):
            self._selector.unregister(self._stderr)

    def _keep_tail(self, data: bytes) -> bool:
        self._tail += data
        del self._tail[: -self._limits.stderr_tail]
        return bool(data)

    def _exit_status(self) -> str | None:
        """Say how the process ended, or None while it lives. It is not reaped: its process group stays ours to kill."""
        status = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return None
        if status.si_code == os.CLD_EXITED:
            return f"exited with status {status.si_status}"
        return f"was killed by signal {status.si_status} ({signal.strsignal(status.si_status)})"

    def _last_words(self) -> str:
        """Say how a process ended that gave no further line, allowing one that closed stdout a moment to exit."""
        if len(self._lines) > self._limits.answer_bytes:
            return f"wrote a line longer than the {self._limits.answer_bytes} bytes an answer may have"
        limit = time.monotonic() + _GRACE
        while (status := self._exit_status()) is None and time.monotonic() < limit:
            time.sleep(0.005)
        ending = status or "closed its stdout but went on running"
        if self._lines:
            return f"{ending} in the middle of a line: {excerpt(bytes(self._lines))}"
        return ending


def _kill_marked(mark: bytes) -> None:
    """Kill what carries ``mark`` in its environment: a descendant that left the process group.

    Looks again until none is found, since one may start another while we look; at most ten times, to stay bounded.
    """
    for _ in range(10):
        found = False
        for entry in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in entry.read_bytes().split(b"\0"):
                    os.kill(int(entry.parent.name), signal.SIGKILL)
                    found = True
        if not found:
            return
