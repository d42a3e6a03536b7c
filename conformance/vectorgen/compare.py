"""Two sets of vector files compared: what was added, removed, and changed from what to what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.suite.load import INDEX, is_case_file
from conformance.suite.spelling import LISTS

SHOWN = 12
"""Places told of one changed case or file."""


@dataclass(frozen=True)
class Change:
    """One case or file that differs: each line says where, from what, to what."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """What ``conformance vectors check`` found; ``objections`` are the version rule's."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Change, ...] = ()
    objections: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing differs and nothing is objected to."""
        return not (self.added or self.removed or self.changed or self.objections)

    def lines(self) -> list[str]:
        """Say everything, a line each."""
        told = [f"added: {name}" for name in self.added] + [f"removed: {name}" for name in self.removed]
        for change in self.changed:
            told += [f"changed: {change.name}", *(f"    {line}" for line in change.lines)]
        return told + [f"version: {objection}" for objection in self.objections]


def compare(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Report:
    """Compare what stands (``old``) with what is generated (``new``): path below ``vectors/`` → bytes."""
    old_cases, unreadable = _cases(old)
    new_cases, _ = _cases(new)
    changed = [
        _json_change(name, old_cases[name], new_cases[name])
        for name in sorted(old_cases.keys() & new_cases.keys())
        if old_cases[name] != new_cases[name]
    ]
    told = {*unreadable, *(path for path in old.keys() | new.keys() if is_case_file(path))}
    others = sorted((old.keys() | new.keys()) - told)
    changed += [_bytes_change(path, old[path], new[path]) for path in others if _differ(path, old, new)]
    changed += [Change(path, (problem,)) for path, problem in unreadable.items()]
    changed += _headers_only(old, new, changed)
    return Report(
        added=(*sorted(new_cases.keys() - old_cases.keys()), *(path for path in others if path not in old)),
        removed=(*sorted(old_cases.keys() - new_cases.keys()), *(path for path in others if path not in new)),
        changed=tuple(changed),
    )


def _differ(path: str, old: Mapping[str, bytes], new: Mapping[str, bytes]) -> bool:
    return path in old and path in new and old[path] != new[path]


def _cases(files: Mapping[str, bytes]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return every case and sweep by id, with its operation, and path → problem for files that are no JSON."""
    cases: dict[str, Any] = {}
    unreadable: dict[str, str] = {}
    for path in filter(is_case_file, files):
        try:
            document = json.loads(files[path])
            for data in [case for kind in LISTS for case in document.get(kind, ())]:
                cases[data["id"]] = {**data, "operation": document["operation"]}
        except (ValueError, KeyError, TypeError) as error:
            unreadable[path] = f"not a vector file as it stands ({error}); restore it or build anew"
    return cases, unreadable


def _headers_only(old: Mapping[str, bytes], new: Mapping[str, bytes], changed: list[Change]) -> list[Change]:
    """Files whose bytes differ although each of their cases is told already or is the same: header or spelling."""
    told = {change.name for change in changed}
    found: list[Change] = []
    for path in sorted(filter(is_case_file, old.keys() | new.keys())):
        if path in told or not _differ(path, old, new):
            continue
        first, second = json.loads(old[path]), json.loads(new[path])
        lines = list(_walk(_header(first), _header(second), ""))
        if first == second:
            lines.append("the same JSON, written differently; build anew")
        if lines:
            found.append(Change(path, tuple(lines)))
    found += [
        Change(path, ("the vector file is gone",) if path in old else ("a new vector file",))
        for path in sorted(filter(is_case_file, old.keys() ^ new.keys()))
        if path not in told
    ]
    return found


def _header(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in LISTS}


def _json_change(name: str, old: Any, new: Any) -> Change:
    lines = list(_walk(old, new, ""))
    more = [f"… and {len(lines) - SHOWN} more places"] if len(lines) > SHOWN else []
    return Change(name, (*lines[:SHOWN], *more))


def _walk(old: Any, new: Any, where: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            place = f"{where}/{key.replace('~', '~0').replace('/', '~1')}"
            if key not in old:
                yield f"{place}: (absent) → {_short(new[key])}"
            elif key not in new:
                yield f"{place}: {_short(old[key])} → (absent)"
            else:
                yield from _walk(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (first, second) in enumerate(zip(old, new, strict=True)):
            yield from _walk(first, second, f"{where}/{index}")
    elif old != new or type(old) is not type(new):
        yield f"{where}: {_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 160 else f"{text[:150]}… ({len(text)} characters)"


def _bytes_change(path: str, old: bytes, new: bytes) -> Change:
    if path == INDEX:
        return Change(path, ("the index does not list what is generated",))
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    first, second = (data[at : at + 1].hex() or "(end)" for data in (old, new))
    return Change(path, (f"{len(old)} → {len(new)} bytes, first difference at byte {at}: {first} → {second}",))
