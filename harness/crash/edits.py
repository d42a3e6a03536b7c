"""What another program does to a directory between two calls of a reader."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from harness import tree as trees
from harness.model import Tree


@dataclass(frozen=True)
class Put:
    """Let these entries stand, whatever stood there; the parents are there. A file is another file from then on."""

    entries: Tree


@dataclass(frozen=True)
class Remove:
    """Remove what stands at ``path`` and all below it."""

    path: str


@dataclass(frozen=True)
class Resize:
    """Cut or grow a file, which stays the same file, to ``length`` bytes."""

    path: str
    length: int


@dataclass(frozen=True)
class Move:
    """Rename ``path`` to ``target``, where nothing stands."""

    path: str
    target: str


Edit: TypeAlias = Put | Remove | Resize | Move


def make(root: Path, edits: Sequence[Edit]) -> None:
    """Make ``edits`` below ``root``, one after another."""
    for edit in edits:
        match edit:
            case Put(entries):
                _put(root, entries)
            case Remove(path):
                trees.remove(root / path)
            case Resize(path, length):
                os.truncate(root / path, length)
            case Move(path, target):
                (root / path).rename(root / target)


def _put(root: Path, entries: Tree) -> None:
    aside = root.with_name("edit")
    for path in sorted(entries):
        trees.remove(root / path)
        trees.build(aside, {"entry": entries[path]})
        (aside / "entry").rename(root / path)
        aside.rmdir()
