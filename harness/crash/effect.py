"""What a trace did to one directory: its calls as effects on names and bytes, and what it touched outside."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from harness.crash.call import Call, Descriptor
from harness.crash.strace import OPENS, WRITES

_NOT_FILES = ("/dev/", "/proc/", "/sys/")


class Kind(Enum):
    """What one call does to the directory, in a word for messages."""

    OPEN = "open"
    CREATE = "create"
    WRITE = "write"
    TRUNCATE = "truncate"
    SYNC = "fsync"
    RENAME = "rename"
    LINK = "link"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"
    ANSWER = "answer"
    OUTSIDE = "touch outside the directory"
    UNKNOWN = "do what this suite does not follow"


NO_CHANGE = (Kind.OPEN, Kind.SYNC, Kind.ANSWER)


@dataclass(frozen=True)
class Effect:
    """One call on the directory. Paths are relative to it; the directory itself is the empty text.

    ``offset`` and ``data`` are those of a write, as far as the system took it; ``offset`` is the length of a truncate;
    ``target`` the new name of a rename or link. ``writable`` says what an open is for. ``worked`` is False for a call
    that failed, which then had no effect but is a place where a fault can be injected.
    """

    kind: Kind
    path: str
    call: Call
    target: str = ""
    offset: int = 0
    data: bytes = b""
    writable: bool = False
    exclusive: bool = False
    appending: bool = False

    @property
    def worked(self) -> bool:
        """Whether it happened."""
        return self.call.worked

    @property
    def changes(self) -> bool:
        """Whether names or bytes are other ones afterwards."""
        return self.worked and self.kind not in NO_CHANGE

    @property
    def counts(self) -> bool:
        """Whether it is a step of a protocol: a change, or a sync, which makes changes last."""
        return self.worked and self.kind not in (Kind.OPEN, Kind.ANSWER)


@dataclass
class _Reader:
    """Follows descriptors through a trace: where each stands in its file, and which was opened for appending."""

    root: str
    answers: str
    positions: dict[int, int] = field(default_factory=dict)
    appending: set[int] = field(default_factory=set)

    def relative(self, path: str) -> str | None:
        """Return the path within the directory, or None when it is outside."""
        if path == self.root:
            return ""
        return path.removeprefix(f"{self.root}/") if path.startswith(f"{self.root}/") else None

    def effects(self, call: Call) -> Iterable[Effect]:  # noqa: PLR0911 - one return a family of calls
        if call.name in OPENS:
            return self._open(call)
        if call.name in WRITES:
            return self._write(call)
        if call.name in ("read", "lseek", "dup", "dup2", "dup3"):
            self._move(call)
            return ()
        if call.name in ("fsync", "fdatasync"):
            return self._on_descriptor(Kind.SYNC, call)
        if call.name == "ftruncate":
            return self._on_descriptor(Kind.TRUNCATE, call, length=call.number(1))
        if call.name in ("sync", "syncfs", "sync_file_range"):
            # Weaker than a protocol's fsync, or stronger than any promise: neither stands for one.
            return ()
        if call.name in ("fallocate", "copy_file_range", "sendfile", "splice", "msync"):
            return self._unknown(call)
        return self._on_names(call)

    def _open(self, call: Call) -> Iterable[Effect]:
        at = call.name not in {"open", "creat"}
        words = call.arguments[2] if call.name == "openat2" else "|".join(call.flags(2 if at else 1))
        flags = frozenset(words.replace("{flags=", "").split(",")[0].split("|"))
        creat = call.name == "creat"
        writable = creat or bool(flags & {"O_WRONLY", "O_RDWR"})
        path = self._path(call, 1 if at else 0, 0 if at else None)
        if call.worked and call.result is not None:
            self.positions[call.result] = 0
            self.appending.discard(call.result)
            if "O_APPEND" in flags:
                self.appending.add(call.result)
        inside = self.relative(path)
        if inside is None:
            return self._outside(call, path) if writable and call.worked else ()
        kind = Kind.CREATE if creat or "O_CREAT" in flags else Kind.OPEN
        effects = [Effect(kind, inside, call, writable=writable, exclusive="O_EXCL" in flags)]
        if call.worked and (creat or "O_TRUNC" in flags):
            effects.append(Effect(Kind.TRUNCATE, inside, call))
        return effects

    def _write(self, call: Call) -> Iterable[Effect]:
        file = call.descriptor(0)
        if file.path == self.answers:
            return (Effect(Kind.ANSWER, "", call),)
        at = {"pwrite64": 3, "pwritev": 3, "pwritev2": 3}.get(call.name)
        offset = call.number(at) if at is not None else self.positions.get(file.number)
        done = call.result if call.worked and call.result is not None else 0
        if at is None and offset is not None:
            self.positions[file.number] = offset + done
        inside = self.relative(file.path)
        if inside is None:
            return self._outside(call, file.path)
        appending = file.number in self.appending
        if file.deleted or (offset is None and not appending):
            return self._unknown(call)
        data = call.text(1)[:done]
        return (Effect(Kind.WRITE, inside, call, offset=offset or 0, data=data, writable=True, appending=appending),)

    def _move(self, call: Call) -> None:
        if not call.worked or call.result is None:
            return
        number = call.descriptor(0).number
        if call.name == "lseek":
            self.positions[number] = call.result
        elif call.name == "read":
            self.positions[number] = self.positions.get(number, 0) + call.result
        elif number in self.positions:
            # Two descriptors of one open file share a position; ours would not. Its next write is then not understood.
            del self.positions[number]

    def _on_descriptor(self, kind: Kind, call: Call, length: int = 0) -> Iterable[Effect]:
        file = call.descriptor(0)
        inside = self.relative(file.path)
        if inside is None:
            return self._outside(call, file.path) if kind is not Kind.SYNC else ()
        return (Effect(kind, inside, call, offset=length, writable=True),) if not file.deleted else ()

    def _on_names(self, call: Call) -> Iterable[Effect]:
        if call.name in ("symlink", "symlinkat"):
            return self._unknown(call)
        at = call.name.endswith(("at", "at2"))
        path = self._path(call, 1 if at else 0, 0 if at else None)
        length = call.number(1) if call.name == "truncate" else 0
        target = ""
        two = call.name.startswith(("rename", "link"))
        if two:
            target = self._path(call, 3 if at else 1, 2 if at else None)
        inside, inside_target = self.relative(path), self.relative(target) if two else ""
        if inside is None or inside_target is None:
            touches = call.worked and (inside is not None or inside_target is not None or not _is_no_file(path))
            return self._outside(call, path if inside is None else target) if touches else ()
        kind = _KINDS[call.name.removesuffix("2").removesuffix("at")]
        if kind is Kind.UNLINK and "AT_REMOVEDIR" in call.flags(2 if at else 9):
            kind = Kind.RMDIR
        exclusive = "RENAME_NOREPLACE" in call.flags(4)
        return (Effect(kind, inside, call, target=inside_target, offset=length, exclusive=exclusive),)

    def _unknown(self, call: Call) -> Iterable[Effect]:
        touched = [call.descriptor(index).path for index in range(min(3, len(call.arguments)))]
        inside = [path for path in map(self.relative, touched) if path is not None]
        return (Effect(Kind.UNKNOWN, inside[0], call),) if inside else ()

    def _outside(self, call: Call, path: str) -> Iterable[Effect]:
        return () if _is_no_file(path) else (Effect(Kind.OUTSIDE, path, call),)

    def _path(self, call: Call, index: int, directory: int | None) -> str:
        given = call.text(index).decode("utf-8", "surrogateescape")
        base = call.descriptor(directory) if directory is not None else Descriptor(-1, "/", deleted=False)
        return posixpath.normpath(posixpath.join(base.path, given))


_KINDS = {
    "rename": Kind.RENAME,
    "link": Kind.LINK,
    "unlink": Kind.UNLINK,
    "mkdir": Kind.MKDIR,
    "rmdir": Kind.RMDIR,
    "truncate": Kind.TRUNCATE,
}


def _is_no_file(path: str) -> bool:
    return not path.startswith("/") or path.startswith(_NOT_FILES)


def effects(calls: Iterable[Call], root: str, answers: str) -> list[Effect]:
    """Return what ``calls`` did to the directory ``root`` (resolved, absolute), in order.

    ``answers`` is the path that strace shows for the adapter's stdout, such as ``pipe:[123]``.
    """
    reader = _Reader(root, answers)
    return [effect for call in calls for effect in reader.effects(call)]
