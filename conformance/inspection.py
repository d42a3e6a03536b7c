"""What a file or directory is, the question that asks every adapter about it, and where its first bad byte lies."""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import CannotRunError
from conformance.layout import Field, Layouts
from conformance.layout.suspect import Suspect, suspect
from conformance.suite.reference import as_json
from harness.model import Json, WireValue
from reference_py.operations import OPERATIONS
from reference_py.rejection import Rejection

LARGEST = 24 * 1024 * 1024
"""Bytes of the largest file that every adapter can answer for in one line."""

_OTHER_KINDS: Mapping[int, str] = {
    stat.S_IFIFO: "a named pipe (FIFO)",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True)
class Findings:
    """What the reference finds wrong: the bytes to point at, and what is said of them.

    ``slots`` is a line for each slot that is not valid of a ``.meta`` file that has another one to recover from;
    ``closing`` is the line about the byte for which the whole is rejected, empty where that is about none.
    """

    suspects: tuple[Suspect, ...] = ()
    slots: tuple[str, ...] = ()
    closing: str = ""


@dataclass(frozen=True)
class Specimen:
    """Something to inspect: its bytes where it has any, and the question about it.

    ``note`` is what must be said of the question: how a member of it was come by.
    """

    kind: Kind
    input: Mapping[str, WireValue]
    data: bytes | None
    note: str = ""

    def fields(self) -> list[Field]:
        """Return its bytes field by field; empty for what has no bytes."""
        return self.kind.layouts.artefacts[self.kind.artefact](self.data) if self.data is not None else []

    def findings(self) -> Findings:
        """Return what the reference finds wrong; nothing of what is in order, and of what has no bytes."""
        return Findings() if self.data is None else self.kind.findings(self, self.data)

    def rejection(self) -> Rejection | None:
        """Return the reference's rejection; None when it accepts."""
        try:
            OPERATIONS[self.kind.operation](as_json(self.input))
        except Rejection as found:
            return found
        return None


@dataclass(frozen=True)
class Kind:
    """A kind of file or directory that can be inspected.

    ``operation`` judges it, ``artefact`` is what its bytes are by ``layouts``. ``file`` names the file of a directory
    whose bytes are laid out; empty for a kind that is a file itself. ``reencodes`` says what an accepted one is
    re-encoded to where that need not be itself.
    """

    name: str
    artefact: str
    operation: str
    layouts: Layouts
    file: str = ""
    reencodes: str = ""

    def likeness(self, path: Path, data: bytes) -> int:
        """Return how much a file looks like this kind: 0 not at all, 1 by its length alone, 5 by its magic bytes."""
        raise NotImplementedError

    def specimen(self, _path: Path, data: bytes, log_length: int | None) -> Specimen:
        """Return what is to be inspected. ``log_length`` (bytes) was given by the user.

        Raises :class:`CannotRunError` when a length is given and no log belongs to this kind.
        """
        self.refuse_log_length(_path, log_length)
        return Specimen(self, {"data": data}, data)

    def findings(self, specimen: Specimen, data: bytes) -> Findings:
        """Return what the reference finds wrong with ``data``."""
        found = specimen.rejection()
        bad = self.first_bad_byte(data, found) if found else None
        return Findings((bad,), closing=str(bad)) if bad else Findings()

    def first_bad_byte(self, data: bytes, found: Rejection) -> Suspect | None:
        """Return the byte that a rejection points at; None when it points at none."""
        return suspect(self.layouts, self.artefact, data, reason=found.reason, at=found.at, byte=found.byte)

    def recovered(self, _answer: Mapping[str, Json], _input: Mapping[str, WireValue]) -> str:
        """Say in a line what an accepted answer recovers from it; empty where nothing is recovered."""
        return ""

    def refuse_log_length(self, path: Path, log_length: int | None) -> None:
        """Raise :class:`CannotRunError` when a log's length is given."""
        if log_length is not None:
            raise CannotRunError(
                f"{path}: no log belongs to {_article(self.name)}; leave out --log-length, or use --as meta"
            )


def specimen(kinds: Sequence[Kind], path: Path, name: str | None = None, log_length: int | None = None) -> Specimen:
    """Read what lies at ``path``; without the ``name`` of a kind tell by its looks what it is.

    ``log_length`` (bytes) is that of the log beside a ``.meta`` file; without it the log at its place is looked at.

    Raises :class:`CannotRunError` when it cannot be read, is too large, or looks like nothing known.
    """
    if _is_directory(path):
        kind = next((each for each in kinds if each.file and name in {None, each.name}), None)
        if kind is None:
            raise CannotRunError(f"{path}: is a directory, and no directory is {_article(name or '')}; leave out --as")
        kind.refuse_log_length(path, log_length)
        return _directory(kind, path)
    files = [kind for kind in kinds if not kind.file]
    data = _read(path)
    named = [kind for kind in files if kind.name == name] if name is not None else [_guess(files, path, data)]
    if not named:
        others = ", ".join(kind.name for kind in files)
        raise CannotRunError(f"{path}: is a file, and no file is {_article(name or '')}; use --as with one of {others}")
    return named[0].specimen(path, data, log_length)


def _article(kind: str) -> str:
    return f"an {kind}" if kind.startswith(tuple("aeiou")) else f"a {kind}"


def what(mode: int) -> str:
    """Say in words what kind of file has this mode."""
    return "a directory" if stat.S_ISDIR(mode) else _OTHER_KINDS.get(stat.S_IFMT(mode), "no file")


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:  # a name that is too long, say
        raise CannotRunError(f"{path}: cannot be read ({error.strerror})") from None


def _directory(kind: Kind, path: Path) -> Specimen:
    laid_out = path / kind.file
    data = _read(laid_out) if laid_out.is_file() else None
    return Specimen(kind, {"directory": str(path.absolute())}, data)


def _read(path: Path) -> bytes:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            found_kind = _OTHER_KINDS.get(stat.S_IFMT(found.st_mode), "neither a file nor a directory")
            raise CannotRunError(f"{path}: is {found_kind}; copy what it holds into a file and give that")
        if found.st_size > LARGEST:
            raise CannotRunError(f"{path}: larger than {LARGEST} bytes, which adapters do not answer for in one line")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise CannotRunError(f"{path}: is a symbolic link to {path.readlink()}, which is not there") from None
        raise CannotRunError(f"{path}: no file or directory; give a checkpoint file or a bundle's directory") from None
    except OSError as error:
        raise CannotRunError(f"{path}: cannot be read ({error.strerror})") from None


def _guess(kinds: Sequence[Kind], path: Path, data: bytes) -> Kind:
    kind = max(kinds, key=lambda each: each.likeness(path, data))
    if not kind.likeness(path, data):
        names = "|".join(each.name for each in kinds)
        raise CannotRunError(
            f"{path}: {len(data)} bytes that look like none of the formats; say what it is with --as {names}"
        )
    return kind
