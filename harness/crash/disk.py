"""A disk as the trace left it: what is durable, what is still only in memory, and what a power cut may make of that.

The model is the weakest that POSIX allows and no weaker. A file's bytes are durable after its own fsync; a name is
durable after its directory's. Until then any of the pending changes of names may be lost, whatever their order, and of
a file's bytes every 512-byte sector and the length may be those of any moment since the last fsync.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from harness.crash.effect import Effect, Kind
from harness.model import Dir, File, Tree, TreeEntry

SECTOR = 512
_MOST_PENDING = 6
"""Up to so many pending changes of names every subset is tried; beyond, each alone lost, each alone kept, prefixes."""
_MOST_VARIANTS = 64
"""Up to so many combinations of a file's sectors all are tried; beyond, each sector alone old, each alone new."""
_TORN = 128
"""Writes up to so many bytes are also torn after each byte: a sector need not be written in one piece."""


class ModelError(Exception):
    """The trace does not explain what stands on disk; the message says where they part."""


@dataclass
class _File:
    """``versions`` are the contents since the last fsync, the durable one first."""

    versions: list[bytes]

    @property
    def now(self) -> bytes:
        return self.versions[-1]


@dataclass
class _Change:
    """One call's change of names, kept or lost as one: (directory, name) → what is there afterwards."""

    names: dict[tuple[int, str], int | None]
    waiting: set[int]
    """The directories whose fsync is still to come; empty once the change is durable."""


@dataclass
class Disk:
    """Build it from the tree before, feed it the effects; :meth:`now` is the tree, :meth:`after_power_cut` the others.

    ``undurable`` names entries of the tree whose directory was never synced since they were made.
    """

    before: Tree
    undurable: Iterable[str] = ()
    _files: dict[int, _File] = field(default_factory=dict)
    _dirs: set[int] = field(default_factory=set)
    _other: dict[int, TreeEntry] = field(default_factory=dict)
    _base: dict[tuple[int, str], int] = field(default_factory=dict)
    _changes: list[_Change] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take in the tree."""
        self._numbers = itertools.count(1)
        self._dirs.add(0)
        for path in sorted(self.before):
            self._add(path, self.before[path])
        for path in self.undurable:
            place = self._place(path)
            self._changes.append(_Change({place: self._base.pop(place)}, {place[0]}))

    def apply(self, effect: Effect) -> None:
        """Let one effect happen. Raises :class:`ModelError` for one that cannot be followed."""
        if not effect.worked:
            return
        match effect.kind:
            case Kind.CREATE:
                self._create(effect)
            case Kind.WRITE | Kind.TRUNCATE:
                self._fill(effect)
            case Kind.SYNC:
                self._sync(effect)
            case Kind.UNKNOWN:
                raise ModelError(f"this suite does not follow {effect.call}")
            case Kind.OPEN | Kind.ANSWER | Kind.OUTSIDE:
                pass
            case _:
                self._change(self._names(effect))

    def now(self) -> Tree:
        """Return the tree as a program sees it."""
        contents = {number: file.now for number, file in self._files.items()}
        return self._tree(self._entries(self._changes), contents)

    def after_power_cut(self) -> Iterator[Tree]:
        """Yield the trees that may be found after a power cut at this moment; some of them more than once."""
        for lost in _losses([change for change in self._changes if change.waiting]):
            entries = self._entries([change for change in self._changes if id(change) not in lost])
            for contents in self._contents(set(entries.values())):
                yield self._tree(entries, contents)

    def pending(self) -> bool:
        """Whether anything is not durable yet."""
        return any(change.waiting for change in self._changes) or any(
            len(file.versions) > 1 for file in self._files.values()
        )

    def _add(self, path: str, entry: TreeEntry) -> None:
        parent = 0
        *parents, name = path.split("/")
        for part in parents:
            parent = self._base.setdefault((parent, part), -1)
            if parent == -1:
                raise ModelError(f"the tree before names {path!r} without its directory")
        number = next(self._numbers)
        self._base[parent, name] = number
        if isinstance(entry, Dir):
            self._dirs.add(number)
        elif isinstance(entry, File):
            self._files[number] = _File([entry.data])
        else:
            self._other[number] = entry

    def _create(self, effect: Effect) -> None:
        if self._find(effect.path) is None:
            number = next(self._numbers)
            self._files[number] = _File([b""])
            self._change({self._place(effect.path): number})

    def _fill(self, effect: Effect) -> None:
        file = self._file(effect)
        if effect.kind is Kind.TRUNCATE:
            if effect.offset != len(file.now):
                file.versions.append(file.now[: effect.offset].ljust(effect.offset, b"\0"))
            return
        offset = len(file.now) if effect.appending else effect.offset
        padded = file.now.ljust(offset, b"\0")
        file.versions.append(padded[:offset] + effect.data + padded[offset + len(effect.data) :])

    def _names(self, effect: Effect) -> dict[tuple[int, str], int | None]:
        """Return what a call makes of names."""
        place = self._place(effect.path)
        match effect.kind:
            case Kind.MKDIR:
                number = next(self._numbers)
                self._dirs.add(number)
                return {place: number}
            case Kind.RENAME:
                return {place: None, self._place(effect.target): self._inode(effect.path)}
            case Kind.LINK:
                return {self._place(effect.target): self._inode(effect.path)}
            case _:
                return {place: None}

    def _sync(self, effect: Effect) -> None:
        number = self._inode(effect.path)
        if number in self._files:
            file = self._files[number]
            file.versions = [file.now]
        for change in self._changes:
            change.waiting.discard(number)

    def _change(self, names: dict[tuple[int, str], int | None]) -> None:
        self._changes.append(_Change(names, {directory for directory, _ in names}))

    def _entries(self, changes: Iterable[_Change]) -> dict[tuple[int, str], int]:
        entries = dict(self._base)
        for change in changes:
            for place, number in change.names.items():
                if number is None:
                    entries.pop(place, None)
                else:
                    entries[place] = number
        return entries

    def _find(self, path: str) -> int | None:
        entries = self._entries(self._changes)
        number: int | None = 0
        for name in path.split("/") if path else ():
            number = entries.get((number, name)) if number is not None else None
        return number

    def _inode(self, path: str) -> int:
        number = self._find(path)
        if number is None:
            raise ModelError(f"the trace uses {path!r}, which by the trace is not there")
        return number

    def _file(self, effect: Effect) -> _File:
        number = self._inode(effect.path)
        if number not in self._files:
            raise ModelError(f"the trace writes to {effect.path!r}, which is no regular file")
        return self._files[number]

    def _place(self, path: str) -> tuple[int, str]:
        parent, _, name = path.rpartition("/")
        return self._inode(parent), name

    def _contents(self, alive: set[int]) -> Iterator[dict[int, bytes]]:
        """Yield what the files may hold: one file in any state while all others are at their oldest, or newest."""
        newest = {number: file.now for number, file in self._files.items()}
        yield newest
        oldest = {number: file.versions[0] for number, file in self._files.items()}
        yield oldest
        for number, file in self._files.items():
            if number in alive and len(file.versions) > 1:
                for data in _variants(file.versions):
                    yield {**newest, number: data}
                    yield {**oldest, number: data}

    def _tree(self, entries: Mapping[tuple[int, str], int], contents: Mapping[int, bytes]) -> Tree:
        tree: dict[str, TreeEntry] = {}
        pending = [(0, "")]
        while pending:
            directory, prefix = pending.pop()
            for (parent, name), number in entries.items():
                if parent == directory:
                    tree[prefix + name] = self._entry(number, contents)
                    if number in self._dirs:
                        pending.append((number, f"{prefix}{name}/"))
        return tree

    def _entry(self, number: int, contents: Mapping[int, bytes]) -> TreeEntry:
        if number in self._dirs:
            return Dir()
        return self._other[number] if number in self._other else File(contents[number])


def _losses(pending: list[_Change]) -> Iterator[frozenset[int]]:
    """Yield which of the pending changes are lost, by identity."""
    numbers = [id(change) for change in pending]
    if len(numbers) <= _MOST_PENDING:
        for count in range(len(numbers) + 1):
            yield from map(frozenset, itertools.combinations(numbers, count))
        return
    for count in range(len(numbers) + 1):
        yield frozenset(numbers[count:])
    for number in numbers:
        yield frozenset([number])
        yield frozenset(numbers) - {number}


def _variants(versions: list[bytes]) -> Iterator[bytes]:
    """Yield what a file may hold whose durable content is the first of ``versions`` and which then went through all."""
    for length in dict.fromkeys(map(len, versions)):
        cells = [_sectors(version, length) for version in versions]
        choices = [list(dict.fromkeys(cell)) for cell in zip(*cells, strict=True)]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count <= _MOST_VARIANTS:
            yield from map(b"".join, itertools.product(*choices))
        else:
            yield from _one_by_one(cells)
    for before, after in itertools.pairwise(versions):
        yield from _torn(before, after)


def _sectors(data: bytes, length: int) -> list[bytes]:
    padded = data[:length].ljust(length, b"\0")
    return [padded[start : start + SECTOR] for start in range(0, length, SECTOR)]


def _one_by_one(cells: list[list[bytes]]) -> Iterator[bytes]:
    """Every whole version, and of the oldest and newest each sector exchanged alone."""
    yield from map(b"".join, cells)
    for base, other in ((cells[0], cells[-1]), (cells[-1], cells[0])):
        for index in range(len(base)):
            yield b"".join([*base[:index], other[index], *base[index + 1 :]])


def _torn(before: bytes, after: bytes) -> Iterator[bytes]:
    """The write that led from one content to the next, stopped after each of its bytes."""
    longer = max(len(before), len(after))
    changed = [at for at in range(longer) if before[at : at + 1] != after[at : at + 1]]
    if changed and changed[-1] - changed[0] < _TORN and len(after) >= len(before):
        for end in range(changed[0] + 1, changed[-1] + 1):
            yield after[:end] + before[end:]
