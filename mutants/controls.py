"""Controls: mistakes planted by hand, each a patch that names the cases by which it must be caught."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mutants.patches import Patch, PatchError, parse_patch
from mutants.workshop import Workshop

_CAUGHT_BY = "Caught-by: "


@dataclass(frozen=True)
class Control:
    """One planted mistake: its patch and the ids of the cases that must find it."""

    patch: Patch
    cases: tuple[str, ...]


def load_controls(folder: Path) -> list[Control]:
    """Read ``*.patch`` in a folder, in the order of their names. Raises :class:`PatchError`."""
    return [_load(file) for file in sorted(folder.glob("*.patch"))]


@contextmanager
def planted(workshop: Workshop, patch: Patch) -> Iterator[None]:
    """Apply a patch to a copy for the time of the block. Raises :class:`PatchError`, and nothing has changed."""
    before = {path: _read(workshop, patch, path) for path in patch.files}
    after = {path: patch.apply(path, text) for path, text in before.items()}
    try:
        for path, text in after.items():
            workshop.write(path, text)
        yield
    finally:
        for path, text in before.items():
            workshop.write(path, text)


def _read(workshop: Workshop, patch: Patch, path: str) -> str:
    try:
        return workshop.read(path)
    except FileNotFoundError:
        raise PatchError(f"{patch.name}: there is no {path} any more; plant it where the code is now") from None


def _load(file: Path) -> Control:
    patch = parse_patch(f"{file.parent.name}/{file.name}", file.read_text(encoding="utf-8"))
    lines = patch.preamble.splitlines()
    cases = tuple(line.removeprefix(_CAUGHT_BY) for line in lines if line.startswith(_CAUGHT_BY))
    if not cases:
        raise PatchError(f"{patch.name}: name a case that must catch it, in a line '{_CAUGHT_BY}<case id>'")
    return Control(patch, cases)
