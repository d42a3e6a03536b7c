"""The rules, rejection reasons and rulings as data: one TOML file for each format, one for strict JSON.

Code, vectors, reports and documents are checked against these files. An id never changes and is never reused.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
"""Where the data files stand."""

JSON = "json"
"""The name of the file whose reasons the formats share, each with its own prefix."""


@dataclass(frozen=True)
class Rule:
    """What must hold. ``section`` is a place in the format's document."""

    id: str
    format: str
    section: str
    meaning: str


@dataclass(frozen=True)
class Reason:
    """One way to be refused.

    ``order`` is its place among the checks of ``rule``; ``at`` says in words what place it names, empty when it
    names none; ``steps`` are all values of ``at`` where they form a list. ``native`` says why no vector can reach it,
    ``native_why`` why none can reach those of ``native_steps``.
    """

    id: str
    format: str
    rule: str
    order: int
    section: str
    meaning: str
    operations: tuple[str, ...]
    at: str = ""
    steps: tuple[str, ...] = ()
    native_steps: tuple[str, ...] = ()
    native_why: str = ""
    native: str = ""


@dataclass(frozen=True)
class Ruling:
    """What settles a silence or a second honest reading. ``by`` is ``observed`` or ``ours``."""

    id: str
    format: str
    rules: tuple[str, ...]
    by: str
    meaning: str


@dataclass(frozen=True)
class FormatRules:
    """All that is demanded of one format; the reasons in judging order, those of strict JSON with their prefix."""

    format: str
    title: str
    document: str
    operations: tuple[str, ...]
    rules: Mapping[str, Rule]
    reasons: Mapping[str, Reason]
    rulings: Mapping[str, Ruling]


@dataclass(frozen=True)
class RuleBook:
    """The rules of every format."""

    formats: Mapping[str, FormatRules]

    def reasons(self, reason_id: str) -> tuple[Reason, ...]:
        """Every format's reason of that id; none when it is unknown."""
        return tuple(f.reasons[reason_id] for f in self.formats.values() if reason_id in f.reasons)


class RulesError(Exception):
    """A rules file contradicts itself; the message names the file and the entry."""


def raw(name: str) -> dict[str, Any]:
    """Read one data file as it stands."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def load_rules() -> RuleBook:
    """Read all rules. Raises :class:`RulesError` at an id written twice or a reason without its rule."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != JSON)
    shared = raw(JSON)
    return RuleBook({name: _format(raw(name), shared) for name in names})


def _format(data: Mapping[str, Any], shared: Mapping[str, Any]) -> FormatRules:
    name = data["format"]
    rules = [Rule(format=name, **entry) for entry in data["rules"]]
    reasons = [_reason(name, entry) for entry in data["reasons"]]
    rulings = [_ruling(name, entry) for entry in data["rulings"]]
    if name in shared["prefixes"]:
        rules += [Rule(format=JSON, **entry) for entry in shared["rules"]]
        rulings += [_ruling(JSON, entry) for entry in shared["rulings"]]
        prefix = shared["prefixes"][name]
        reasons += [
            _reason(name, entry | {"id": prefix + entry["id"], "operations": _json_operations(data, entry["id"])})
            for entry in shared["reasons"]
        ]
    book = FormatRules(
        format=name,
        title=data["title"],
        document=data["document"],
        operations=tuple(data["operations"]),
        rules={rule.id: rule for rule in rules},
        reasons={reason.id: reason for reason in reasons},
        rulings={ruling.id: ruling for ruling in rulings},
    )
    for what, entries, kept in (
        ("rule", rules, book.rules),
        ("reason", reasons, book.reasons),
        ("ruling", rulings, book.rulings),
    ):
        if len(entries) != len(kept):
            raise RulesError(f"{name}.toml: a {what} id is written twice; ids are unique in a format")
    _check_links(book)
    return book


def _json_operations(data: Mapping[str, Any], reason_id: str) -> list[str]:
    """The operations that read JSON, and those that can give this one of its reasons without reading any."""
    more = data["json"].get("more", {})
    return [*data["json"]["operations"], *more.get(reason_id, ())]


def _reason(name: str, entry: Mapping[str, Any]) -> Reason:
    lists = {key: tuple(entry.get(key, ())) for key in ("operations", "steps", "native_steps")}
    return Reason(format=name, **{**entry, **lists})


def _ruling(name: str, entry: Mapping[str, Any]) -> Ruling:
    return Ruling(format=name, **{**entry, "rules": tuple(entry["rules"])})


def _check_links(book: FormatRules) -> None:
    for reason in book.reasons.values():
        if reason.rule not in book.rules:
            raise RulesError(f"{book.format}.toml: reason {reason.id} names rule {reason.rule}, which is not there")
        for operation in reason.operations:
            if operation not in book.operations:
                raise RulesError(f"{book.format}.toml: reason {reason.id} names operation {operation}, not there")
        for step in reason.native_steps:
            if step not in reason.steps:
                raise RulesError(f"{book.format}.toml: reason {reason.id} has no step {step} to be native")
    for ruling in book.rulings.values():
        for rule in ruling.rules:
            if rule not in book.rules:
                raise RulesError(f"{book.format}.toml: ruling {ruling.id} names rule {rule}, which is not there")
