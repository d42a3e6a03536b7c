"""What a file or bundle is, the question that asks every adapter about it, and where its first bad byte lies."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.anatomy import DISSECT, Field
from conformance.anatomy.recovery import bad_slot, bad_slots, short_log
from conformance.anatomy.suspect import Suspect, suspect
from conformance.errors import CannotRunError
from conformance.suite.reference import as_json
from harness.model import WireValue
from reference_py.operations import OPERATIONS
from reference_py.rejection import Rejection

LARGEST = 24 * 1024 * 1024
"""Bytes of the largest file that every adapter can answer for in one line."""

KINDS: Mapping[str, tuple[str, str]] = {
    "envelope": ("flysess1.envelope", "flysess1.decode"),
    "meta": ("lmdl.meta", "lmdl.recover"),
    "slot": ("lmdl.slot", "lmdl.slot.decode"),
    "coordinate": ("lmdl.coordinate", "lmdl.coordinate.decode"),
    "metadata": ("pfc.metadata", "pfc.metadata.decode"),
    "bundle": ("pfc.metadata", "pfc.open"),
}
"""Kind of thing to inspect → its artefact and the operation that judges it."""

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
    """Something to inspect: its bytes where it has any, the artefact they are, and the question about it."""

    kind: str
    artefact: str
    operation: str
    input: Mapping[str, WireValue]
    data: bytes | None
    note: str = ""

    def fields(self) -> list[Field]:
        """Return its anatomy; empty for what has no bytes."""
        return DISSECT[self.artefact](self.data) if self.data is not None else []

    def findings(self) -> Findings:
        """Return what the reference finds wrong; nothing of what is in order, and of what has no bytes."""
        if self.data is None:
            return Findings()
        found = self._rejection()
        if self.kind == "meta" and (found is None or found.reason == "dedup-short"):
            return self._of_slots(self.data, self._short_log(self.data) if found else "")
        bad = self._first_bad_byte(self.data, found) if found else None
        return Findings((bad,), closing=str(bad)) if bad else Findings()

    def _rejection(self) -> Rejection | None:
        try:
            OPERATIONS[self.operation](as_json(self.input))
        except Rejection as found:
            return found
        return None

    def _first_bad_byte(self, data: bytes, found: Rejection) -> Suspect | None:
        """Return the byte that a rejection points at; None when it points at none."""
        if found.reason == "meta-no-valid-slot":
            # Of slot B only where nothing was ever written to slot A.
            bad = bad_slot(data, "A" if any(data[:64]) else "B")
            return bad.suspect if bad else None
        return suspect(self.artefact, data, self.fields(), reason=found.reason, at=found.at, byte=found.byte)

    def _of_slots(self, meta: bytes, closing: str) -> Findings:
        bad = bad_slots(meta)
        return Findings(tuple(one.suspect for one in bad if one.suspect), tuple(map(str, bad)), closing)

    def _short_log(self, meta: bytes) -> str:
        hint = "; give its length with `--log-length`" if self.note else ""
        return short_log(meta, str(self.input["log_length"])) + hint


def specimen(path: Path, kind: str | None = None, log_length: int | None = None) -> Specimen:
    """Read what lies at ``path``; without ``kind`` tell by its looks what it is.

    ``log_length`` (bytes) is that of the log beside a ``.meta`` file; without it the log at its place is looked at.

    Raises :class:`CannotRunError` when it cannot be read, is too large, or looks like nothing known.
    """
    if _is_directory(path):
        if kind not in {None, "bundle"}:
            raise CannotRunError(f"{path}: is a directory, and no directory is {_article(kind)}; leave out --as")
        _refuse_log_length(path, "bundle", log_length)
        return _bundle(path)
    data = _read(path)
    kind = kind or _guess(path, data)
    if kind not in KINDS or kind == "bundle":
        others = ", ".join(name for name in KINDS if name != "bundle")
        raise CannotRunError(f"{path}: is a file, and no file is {_article(kind)}; use --as with one of {others}")
    artefact, operation = KINDS[kind]
    if kind == "meta":
        length, note = _log_length(path) if log_length is None else (log_length, "")
        return Specimen(kind, artefact, operation, {"meta": data, "log_length": str(length)}, data, note)
    _refuse_log_length(path, kind, log_length)
    return Specimen(kind, artefact, operation, {"data": data}, data)


def _refuse_log_length(path: Path, kind: str, log_length: int | None) -> None:
    if log_length is not None:
        raise CannotRunError(f"{path}: no log belongs to {_article(kind)}; leave out --log-length, or use --as meta")


def _article(kind: str) -> str:
    return f"an {kind}" if kind.startswith(tuple("aeiou")) else f"a {kind}"


def _log_length(path: Path) -> tuple[int, str]:
    """Return the bytes of the log that lies beside a ``.meta`` file, and a note where none does."""
    log = path.with_name(path.name + ".dedup")
    taken = "the log's length is taken as 0; --log-length gives another"
    try:
        found = log.stat()
    except FileNotFoundError:
        return 0, f"there is no {log.name} beside it, so {taken}"
    except OSError as error:
        what = f"cannot be looked at ({error.strerror})"
    else:
        if stat.S_ISREG(found.st_mode):
            return found.st_size, ""
        what = f"is {_what(found.st_mode)} and no regular file"
    return (
        0,
        f"{log.name} beside it {what}: lmdl.open would answer commit-io at read-log. It gives no length, so {taken}",
    )


def _what(mode: int) -> str:
    return "a directory" if stat.S_ISDIR(mode) else _OTHER_KINDS.get(stat.S_IFMT(mode), "no file")


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:  # a name that is too long, say
        raise CannotRunError(f"{path}: cannot be read ({error.strerror})") from None


def _bundle(path: Path) -> Specimen:
    artefact, operation = KINDS["bundle"]
    metadata = path / "metadata.json"
    data = _read(metadata) if metadata.is_file() else None
    return Specimen("bundle", artefact, operation, {"directory": str(path.absolute())}, data)


def _read(path: Path) -> bytes:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            what = _OTHER_KINDS.get(stat.S_IFMT(found.st_mode), "neither a file nor a directory")
            raise CannotRunError(f"{path}: is {what}; copy what it holds into a file and give that")
        if found.st_size > LARGEST:
            raise CannotRunError(f"{path}: larger than {LARGEST} bytes, which adapters do not answer for in one line")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise CannotRunError(f"{path}: is a symbolic link to {path.readlink()}, which is not there") from None
        raise CannotRunError(f"{path}: no file or directory; give a checkpoint file or a bundle's directory") from None
    except OSError as error:
        raise CannotRunError(f"{path}: cannot be read ({error.strerror})") from None


def _guess(path: Path, data: bytes) -> str:
    if data.startswith((b"FLYS", b"FLYSIM01")) or data.endswith(b"FLYSESSF"):
        return "envelope"
    if path.suffix == ".meta" or len(data) == 128:
        return "meta"
    if path.suffix == ".json" or data.lstrip().startswith(b"{"):
        return "metadata"
    if data.startswith(b"LMDL"):
        return "slot" if len(data) <= 64 else "meta"
    by_length = {32: "coordinate", 64: "slot"}
    if len(data) in by_length:
        return by_length[len(data)]
    raise CannotRunError(
        f"{path}: {len(data)} bytes that look like none of the formats; say what it is with --as {'|'.join(KINDS)}"
    )
