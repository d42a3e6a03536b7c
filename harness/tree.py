"""A question's tree on a real file system: built, read back, and removed whatever an adapter did to it."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harness.model import Dir, Fifo, File, Other, Sparse, Symlink, Tree, TreeEntry

READ_LIMIT = 64 * 1024 * 1024
"""Files beyond this many bytes are not read back: a hole is :class:`Sparse`, anything else :class:`Other`."""


class TreeError(Exception):
    """A tree that cannot be built here; the message names the entry and the cause."""


def build(root: Path, tree: Tree) -> None:
    """Make the directory ``root``, which must not exist, and ``tree`` in it. Raises :class:`TreeError`."""
    root.mkdir(parents=True)
    for name in sorted(tree):
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts:
            raise TreeError(f"tree entry {name!r} does not stay in the tree; use a relative path without '..'")
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make(path, tree[name])
        except OSError as error:
            raise TreeError(f"tree entry {name!r} cannot be made in {root}: {error.strerror}") from error


def _make(path: Path, entry: TreeEntry) -> None:
    match entry:
        case Dir():
            path.mkdir(exist_ok=True)
        case File(data):
            path.write_bytes(data)
        case Symlink(target):
            path.symlink_to(target)
        case Fifo():
            os.mkfifo(path)
        case Sparse(length):
            with path.open("xb") as file:
                file.truncate(length)
        case Other(what):
            raise TreeError(f"tree entry {path.name!r} is {what}; only found trees hold such a thing")


def read(root: Path) -> dict[str, TreeEntry]:
    """Return every entry below ``root`` by its relative path, directories included, following no link."""
    found: dict[str, TreeEntry] = {}
    pending = [(root, "")]
    while pending:
        directory, prefix = pending.pop()
        try:
            names = sorted(os.listdir(directory))  # noqa: PTH208 - names, not paths: they may be no UTF-8
        except OSError as error:
            found[prefix.rstrip("/")] = Other(f"a directory that cannot be listed ({error.strerror})")
            continue
        for name in names:
            entry = _read_entry(directory / name)
            key = prefix + os.fsencode(name).decode("utf-8", "backslashreplace")
            found[key] = entry
            if isinstance(entry, Dir):
                pending.append((directory / name, f"{key}/"))
    return found


def _read_entry(path: Path) -> TreeEntry:
    try:
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            return Dir()
        if stat.S_ISLNK(status.st_mode):
            return Symlink(os.fsencode(path.readlink()).decode("utf-8", "backslashreplace"))
        if stat.S_ISREG(status.st_mode):
            return _read_file(path, status)
    except OSError as error:
        return Other(f"an entry that cannot be read ({error.strerror})")
    return Fifo() if stat.S_ISFIFO(status.st_mode) else Other("neither file, directory, symlink nor fifo")


def _read_file(path: Path, status: os.stat_result) -> TreeEntry:
    if status.st_size <= READ_LIMIT:
        return File(path.read_bytes())
    # Too much to hold: what occupies no space is a hole of zeros.
    return Sparse(status.st_size) if status.st_blocks == 0 else Other(f"a file of {status.st_size} bytes")


def with_parents(tree: Tree) -> dict[str, TreeEntry]:
    """Return ``tree`` with every missing parent as a directory and every small sparse file as its zeros.

    That is what :func:`read` would find: the form in which two trees are compared.
    """
    whole: dict[str, TreeEntry] = {}
    for name, entry in tree.items():
        path = PurePosixPath(name)
        for parent in path.parents:
            if parent.name:
                whole.setdefault(str(parent), Dir())
        small = isinstance(entry, Sparse) and entry.length <= READ_LIMIT
        whole[str(path)] = File(bytes(entry.length)) if small and isinstance(entry, Sparse) else entry
    return whole


def in_words(entry: TreeEntry) -> str:
    """Say in words what an entry is: ``a file of 12 bytes``."""
    match entry:
        case Dir():
            return "a directory"
        case File(data):
            return f"a file of {len(data)} bytes"
        case Symlink(target):
            return f"a symlink to {target}"
        case Fifo():
            return "a fifo"
        case Sparse(length):
            return f"a file of {length} zero bytes"
        case Other(what):
            return what


def remove(root: Path) -> None:
    """Remove ``root`` and all below it, also what an adapter made unreadable; what is not there is no error.

    Before a directory is emptied it is moved up beside ``root``, so that no nesting makes a path too long for the
    system or a recursion too deep for us.
    """
    if root.is_symlink() or not root.is_dir():
        root.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):
        aside = Path(tempfile.mkdtemp(dir=root.parent))
        places = map(aside.joinpath, map(str, itertools.count()))
        pending = [root]
        while pending:
            pending += _emptied(pending.pop(), places)
        aside.rmdir()


def _emptied(directory: Path, places: Iterator[Path]) -> list[Path]:
    """Remove ``directory`` and its files; return its directories, each moved to one of ``places``."""
    moved: list[Path] = []
    with contextlib.suppress(OSError):
        directory.chmod(0o700)
        for entry in list(directory.iterdir()):
            with contextlib.suppress(OSError):
                if stat.S_ISDIR(entry.lstat().st_mode):
                    entry.chmod(0o700)  # one that we may not write to cannot be moved
                    moved.append(entry.rename(next(places)))
                else:
                    entry.unlink()
        directory.rmdir()
    return moved
