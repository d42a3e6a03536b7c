"""strace on a running process: attached, told what to do to which call, and taken off again."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.crash.call import Call, parse

INSTALL = "strace is missing; install it: apt-get install strace"
OPENS = ("open", "openat", "openat2", "creat")
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2")
CHANGES = (
    *("ftruncate", "truncate", "fallocate", "copy_file_range", "sendfile", "splice"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
    *("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir"),
)
SYNCS = ("fsync", "fdatasync", "sync_file_range", "sync", "syncfs", "msync")
_POSITIONS = ("lseek", "read", "dup", "dup2", "dup3")
LOOKS = (
    *("stat", "lstat", "fstat", "newfstatat", "statx", "access", "faccessat", "faccessat2"),
    *("readlink", "readlinkat", "getdents", "getdents64", "pread64", "readv", "preadv", "preadv2"),
)
STEPS = (*OPENS, *WRITES, *CHANGES, *SYNCS, *_POSITIONS)
"""What says how a commit reaches the disk; with :data:`LOOKS`, also what a reader asks."""
_LONGEST_STRING = 1 << 20
_ATTACHING = 10.0
"""Seconds until strace must have said that it holds the process, or be gone after its end."""


class StraceError(Exception):
    """strace cannot be used here; the message says what to do."""


@dataclass(frozen=True)
class Tampering:
    """What strace does to the ``when``-th call ``name`` that has to do with ``path``; ``action`` in strace's words."""

    name: str
    path: str
    when: int
    action: str


def require_strace() -> str:
    """Return strace's path. Raises :class:`StraceError` with how to install it."""
    found = shutil.which("strace")
    if found is None:
        raise StraceError(INSTALL)
    return found


class Strace:
    """strace on ``processes`` and all their threads, from :meth:`__init__` to :meth:`finish`."""

    def __init__(
        self,
        processes: Sequence[int],
        output: Path,
        tampering: Tampering | None = None,
        traced: Sequence[str] = STEPS,
    ) -> None:
        """Attach and trace the calls ``traced``; the processes are held when this returns. Raises :class:`StraceError`.

        A call to tamper with is one of ``traced``.
        """
        # The question mark keeps strace quiet about a call that this machine does not have.
        names = ",".join(f"?{name}" for name in traced)
        self._output = output
        output.unlink(missing_ok=True)
        command = [require_strace(), "-f", "-y", "-xx", "-s", str(_LONGEST_STRING), "-e", "signal=none"]
        command += ["-o", str(output), "-e", f"trace={names}"]
        if tampering is not None:
            what = f"inject={tampering.name}:{tampering.action}:when={tampering.when}"
            command += ["-P", tampering.path, "-e", what]
        for process in processes:
            command += ["-p", str(process)]
        self._child = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)  # noqa: S603 - ours
        try:
            self._wait_attached(len(processes))
        except BaseException:  # an interruption, too, lets the processes go
            self._child.kill()
            self._child.wait()
            raise

    def text(self) -> str:
        """Return what has been written so far; strace writes whole lines."""
        with contextlib.suppress(OSError):
            return self._output.read_text(encoding="ascii", errors="replace")
        return ""

    def finish(self) -> list[Call]:
        """Let the processes go, if they live, and return the calls that were seen."""
        self._child.send_signal(signal.SIGTERM)
        return self._ended()

    def kill(self) -> list[Call]:
        """End strace alone at once. What it traced goes on, also where strace held it, unless it was killed before."""
        self._child.kill()
        return self._ended()

    def _ended(self) -> list[Call]:
        try:
            self._child.wait(_ATTACHING)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        assert self._child.stderr is not None
        self._child.stderr.close()
        return list(parse(self.text().splitlines()))

    def _wait_attached(self, wanted: int) -> None:
        assert self._child.stderr is not None
        said = b""
        limit = time.monotonic() + _ATTACHING
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stderr, selectors.EVENT_READ)
            while said.count(b" attached") < wanted:
                chunk = b""
                if selector.select(max(0.0, limit - time.monotonic())):
                    chunk = os.read(self._child.stderr.fileno(), 4096)
                if not chunk:
                    self._child.kill()
                    self._child.wait()
                    self._child.stderr.close()
                    words = said.decode("utf-8", "replace").strip().replace("\n", "; ") or "it said nothing"
                    raise StraceError(
                        f"strace cannot attach to the adapter ({words}); allow it: run as root, in a container with "
                        "--cap-add SYS_PTRACE, or with sysctl kernel.yama.ptrace_scope=0"
                    )
                said += chunk
