"""Unified diffs, applied strictly: a hunk's old lines must stand in the file exactly once, wherever that is.

A patch tool that searches with fuzz would go on applying a control to code that has changed under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


class PatchError(Exception):
    """A patch that cannot be read or no longer applies; the message names it, the file and what to do."""


@dataclass(frozen=True)
class Hunk:
    """One change: the lines that must stand in the file, and those that replace them."""

    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Patch:
    """A named unified diff: the text before it, and the hunks of each file (path as after ``+++ b/``)."""

    name: str
    preamble: str
    files: Mapping[str, tuple[Hunk, ...]]

    def apply(self, path: str, text: str) -> str:
        """Return the patched text of one of its files. Raises :class:`PatchError` when a hunk does not fit."""
        for hunk in self.files[path]:
            old, new = _block(hunk.old), _block(hunk.new)
            found = text.count(old)
            if found != 1:
                raise PatchError(
                    f"{self.name}: the lines of a hunk stand {found} times in {path}, not once; the code has changed: "
                    f"plant the mistake anew and write the patch again. The hunk begins:\n{_block(hunk.old[:3])}"
                )
            text = text.replace(old, new)
        return text


def parse_patch(name: str, text: str) -> Patch:
    """Read a unified diff. Raises :class:`PatchError` for one that has no hunk, or a line that belongs to none."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("--- ")), len(lines))
    files: dict[str, list[Hunk]] = {}
    hunks: list[Hunk] | None = None
    rest = iter(lines[first:])
    for line in rest:
        if line.startswith("--- "):
            continue
        if line.startswith("+++ "):
            path = line.removeprefix("+++ ").split("\t")[0].removeprefix("b/")
            hunks = files.setdefault(path, [])
        elif line.startswith("@@ ") and hunks is not None:
            hunks.append(_hunk(name, line, rest))
        else:
            raise PatchError(f"{name}: the line {line!r} belongs to no hunk; write a unified diff")
    if not files or not all(files.values()):
        raise PatchError(f"{name}: a patch has at least one file, and each file a hunk")
    return Patch(name, "\n".join(lines[:first]), {path: tuple(found) for path, found in files.items()})


def _hunk(name: str, header: str, rest: Iterator[str]) -> Hunk:
    """Read as many lines as the header ``@@ -line,old +line,new @@`` says."""
    old_count, new_count = (_count(name, header, sign) for sign in "-+")
    old: list[str] = []
    new: list[str] = []
    while len(old) < old_count or len(new) < new_count:
        line = next(rest, None)
        if line is None or line[:1] not in ("", " ", "-", "+"):
            raise PatchError(f"{name}: the hunk {header!r} ends early; write the diff again")
        if line[:1] != "+":
            old.append(line[1:])
        if line[:1] != "-":
            new.append(line[1:])
    return Hunk(tuple(old), tuple(new))


def _count(name: str, header: str, sign: str) -> int:
    field = next((word for word in header.split() if word.startswith(sign)), "")
    number = field.partition(",")[2] or "1"
    if not number.isdigit():
        raise PatchError(f"{name}: {header!r} is no hunk header; write the diff again")
    return int(number)


def _block(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
