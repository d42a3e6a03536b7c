"""The system calls of the commit protocols, one at a time, each failure told at the step that it belongs to.

No buffered files: a trace of the system calls shows the protocol's own order, and no write happens later than it seems.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from reference_py.rejection import Rejection

_NEW_FILE_MODE = 0o666  # what the umask leaves of it, as for any new file


class Steps:
    """The step under way in a protocol; leaving the `with` block by an OSError is the rejection `commit-io` at it.

    Rules LMDL-DISK (coordinate document section 3) and FLY-COMMIT (envelope document section 5).
    """

    def __init__(self) -> None:
        """Before the first step."""
        self._step = ""
        self._place = ""

    def begin(self, step: str, place: Path | str) -> None:
        """From here on a failing call belongs to `step` and is about the file or directory at `place`."""
        self._step = step
        self._place = str(place)

    def __enter__(self) -> Self:
        """Nothing is under way yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Tell a failing system call as a rejection; everything else passes as it is."""
        if isinstance(fault, OSError):
            detail = f"{self._place!a}: {fault.strerror or fault}; nothing was acknowledged: recover before you go on"
            raise Rejection("commit-io", self._step, detail) from fault


@dataclass(frozen=True, slots=True)
class StepNames:
    """What the three steps of putting a file in place are called where it is done."""

    write: str
    sync: str
    rename: str


def path_from(text: str) -> Path:
    """A caller's path; OSError for a text that can name nothing (empty, with a NUL, half a surrogate pair)."""
    try:
        encoded = os.fsencode(text)
    except UnicodeEncodeError:
        encoded = b""
    if not encoded or b"\0" in encoded:
        raise OSError(errno.EINVAL, "the text can be no path")
    return Path(text)


@contextmanager
def open_regular(path: Path, flags: int) -> Iterator[int]:
    """A file descriptor of a regular file; OSError for everything else that may have the name.

    A link is not followed, and the open of a FIFO does not wait for its other end.
    """
    with _closed_after(_open_unfollowed(path, flags)) as file:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            found = "a directory" if stat.S_ISDIR(mode) else "a special file"
            raise OSError(errno.EINVAL, f"found {found}, expected a regular file")
        yield file


def read_at(file: int, count: int, offset: int) -> bytes:
    """Up to `count` bytes from a byte offset; fewer only at the end of the file."""
    chunks: list[bytes] = []
    while count > 0:
        chunk = os.pread(file, count, offset)
        if not chunk:
            break
        chunks.append(chunk)
        count -= len(chunk)
        offset += len(chunk)
    return b"".join(chunks)


def write_at(file: int, data: bytes, offset: int) -> None:
    """Write all bytes at a byte offset, however many writes the system makes of it."""
    rest = memoryview(data)
    while rest:
        written = os.pwrite(file, rest, offset)
        if written == 0:
            raise OSError(errno.EIO, f"nothing was written, {len(rest)} bytes are left")
        rest = rest[written:]
        offset += written


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable."""
    with _closed_after(os.open(directory, os.O_RDONLY | os.O_DIRECTORY)) as file:
        os.fsync(file)


def remove_leftover(temporary: Path) -> None:
    """Unlink what an earlier run left under a temporary name: the name itself, never what a link points to.

    OSError for a directory: no run leaves one, so it is another's.
    """
    temporary.unlink(missing_ok=True)


def put_in_place(steps: Steps, names: StepNames, temporary: Path, final: Path, data: bytes) -> None:
    """Make `data` the content of `final` in one step: write and sync it under a temporary name, then rename.

    The temporary file is removed on failure. The rename is durable only after `sync_directory`.
    """
    steps.begin(names.write, temporary)
    created = _open_unfollowed(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with _removed_on_failure(temporary):
        with _closed_after(created) as file:
            write_at(file, data, 0)
            steps.begin(names.sync, temporary)
            os.fsync(file)
        steps.begin(names.rename, final)
        temporary.rename(final)


def _open_unfollowed(path: Path, flags: int) -> int:
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, _NEW_FILE_MODE)
    except OSError as fault:
        if fault.errno == errno.ELOOP:  # the system's own words would send a person looking for a loop
            raise OSError(errno.ELOOP, "found a symbolic link, expected a regular file") from None
        raise


@contextmanager
def _closed_after(file: int) -> Iterator[int]:
    """Close in any case. A failing close is a failing call like any other, unless one has failed before it."""
    try:
        yield file
    except BaseException:
        with suppress(OSError):
            os.close(file)
        raise
    os.close(file)


@contextmanager
def _removed_on_failure(temporary: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
