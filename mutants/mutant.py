"""A mutant: one small change in one file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

_SHOWN = 160


@dataclass(frozen=True)
class Change:
    """A change as a tool gives it: characters ``start`` to ``end`` of a file become ``replacement``.

    ``switch`` is the id under which Stryker has built the change in, when it has.
    """

    file: str
    operator: str
    start: int
    end: int
    replacement: str
    switch: str | None = None

    def applied(self, source: str) -> str:
        """Return the changed text."""
        return source[: self.start] + self.replacement + source[self.end :]


@dataclass(frozen=True)
class Mutant:
    """A change with a name by which it is known from run to run: its file, and the changed lines before and after.

    The name holds no line number, so that it lives through changes elsewhere in the file; ``line`` is where it stands.
    """

    change: Change
    line: int
    name: str


def named(changes: Iterable[Change], sources: dict[str, str]) -> list[Mutant]:
    """Give every change its name; those that would have the same one are numbered in the order of the file."""
    seen: Counter[str] = Counter()
    mutants: list[Mutant] = []
    for change in sorted(changes, key=lambda each: (each.file, each.start, each.end, each.replacement)):
        mutant = _describe(change, sources[change.file])
        seen[mutant.name] += 1
        number = seen[mutant.name]
        mutants.append(mutant if number == 1 else replace(mutant, name=f"{mutant.name} [{number}]"))
    return mutants


def _describe(change: Change, source: str) -> Mutant:
    """Widen the change to whole lines, with every run of spaces as one."""
    first = source.rfind("\n", 0, change.start) + 1
    last = source.find("\n", change.end)
    last = len(source) if last < 0 else last
    before = _one_line(source[first:last])
    after = _one_line(source[first : change.start] + change.replacement + source[change.end : last])
    line = source.count("\n", 0, change.start) + 1
    return Mutant(change, line, f"{change.file}: {before} => {after}")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _SHOWN:
        return line
    return f"{line[:_SHOWN]}... ({hashlib.sha256(line.encode()).hexdigest()[:8]})"
