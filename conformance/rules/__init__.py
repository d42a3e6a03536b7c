"""The rules, rejection reasons and rulings as data: one TOML file for each format, one for strict JSON.

Code, vectors, reports and documents are checked against these files. An id never changes and is never reused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from conformance.rules.data import FORMATS, data_file, read_data, unusable

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
    """All that is demanded of one format; the reasons in judging order, those of strict JSON with their prefix.

    ``accepting``: operation → the rules that an accepted answer rests on; a rejection rests on that of its reason.
    """

    format: str
    title: str
    document: str
    operations: tuple[str, ...]
    accepting: Mapping[str, tuple[str, ...]]
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


Cited = TypeVar("Cited", Rule, Reason, Ruling)


def cited(format_name: str, entries: Mapping[str, Cited], entry_id: str) -> Cited:
    """Return the rule, reason or ruling of a format that a vector cites.

    Raises :class:`conformance.rules.data.RulesError` when the rules have lost it.
    """
    if entry_id not in entries:
        raise unusable(data_file("rules", format_name), f"has no {entry_id}, which the vectors cite")
    return entries[entry_id]


def raw(name: str) -> dict[str, Any]:
    """Read the rules of one format, or of strict JSON, as they stand."""
    return read_data("rules", name)


@cache
def load_rules() -> RuleBook:
    """Read all rules.

    Raises :class:`conformance.rules.data.RulesError` at a file that cannot be used, an id written twice or a reason
    without its rule.
    """
    shared = raw(JSON)
    return RuleBook({name: _format(raw(name), shared) for name in FORMATS})


def _format(data: Mapping[str, Any], shared: Mapping[str, Any]) -> FormatRules:
    name = data["format"]
    if name in shared["prefixes"] and "json" not in data:
        raise unusable(data_file("rules", name), "has no table json, but its reasons have a prefix in json.toml")
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
        accepting={name: tuple(each) for name, each in data["accepting"].items()},
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
            raise unusable(data_file("rules", name), f"a {what} id is written twice; ids are unique in a format")
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
    path = data_file("rules", book.format)
    for reason in book.reasons.values():
        if reason.rule not in book.rules:
            raise unusable(path, f"reason {reason.id} names rule {reason.rule}, which is not there")
        for operation in reason.operations:
            if operation not in book.operations:
                raise unusable(path, f"reason {reason.id} names operation {operation}, which is not there")
        for step in reason.native_steps:
            if step not in reason.steps:
                raise unusable(path, f"reason {reason.id} has no step {step} to be native")
    for ruling in book.rulings.values():
        for rule in ruling.rules:
            if rule not in book.rules:
                raise unusable(path, f"ruling {ruling.id} names rule {rule}, which is not there")
