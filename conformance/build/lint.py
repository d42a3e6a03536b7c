"""Lints: what a person adding a case must not get wrong, found before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from conformance.build.book import Book
from conformance.build.proof import accepts, shown
from conformance.rules import FormatRules, RuleBook
from conformance.suite.edits import RESEALS, EditError
from conformance.suite.model import Data, Entry, VectorCase
from conformance.suite.sweep import Sweep
from harness.model import Expect, Ok, Reject
from reference_py.operations import MalformedRequest

WHOLE_SWEEPS = ("bit-flips", "truncations")
"""The sweeps that every golden file has."""


def lint(entries: Sequence[Entry], rules: RuleBook, books: Iterable[Book], retired: Iterable[str] = ()) -> list[str]:
    """Return every problem of ``entries`` that can be found without judging the reference."""
    problems = _ids(entries, frozenset(retired))
    for entry in entries:
        problems += _citations(entry, rules.formats[entry.format])
        problems += _tags(entry)
        if isinstance(entry, VectorCase):
            problems += _one_fault(entry)
    for book in books:
        problems += _goldens(book, entries)
    return problems


def _ids(entries: Sequence[Entry], retired: frozenset[str]) -> list[str]:
    counted = Counter(entry.id for entry in entries)
    problems = [f"{case_id}: the id is used {times} times" for case_id, times in counted.items() if times > 1]
    problems += [f"{case_id}: a released case had this id; choose another" for case_id in counted if case_id in retired]
    problems += [
        f"{entry.id}: the id does not begin with the format, {entry.format}/"
        for entry in entries
        if not entry.id.startswith(f"{entry.format}/")
    ]
    return problems


def _citations(entry: Entry, rules: FormatRules) -> list[str]:
    """Every rule, ruling and reason exists, and the reason can come from the operation and place that are stated."""
    problems: list[str] = []
    if entry.operation not in rules.operations:
        problems.append(f"{entry.id}: the rules do not list the operation {entry.operation}")
    problems += [f"{entry.id}: there is no rule {rule}" for rule in entry.rules if rule not in rules.rules]
    problems += [f"{entry.id}: there is no ruling {name}" for name in entry.rulings if name not in rules.rulings]
    for outcome in entry.outcomes:
        if "reject" in outcome:
            problems += _rejection(entry, outcome["reject"], rules)
    return problems


def _rejection(entry: Entry, rejection: Data, rules: FormatRules) -> list[str]:
    reason = rules.reasons.get(rejection["reason"])
    if reason is None:
        return [f"{entry.id}: the rules have no reason {rejection['reason']}"]
    problems: list[str] = []
    if reason.native:
        problems.append(f"{entry.id}: {reason.id} is marked as without vectors: {reason.native}")
    if rejection.get("at") in reason.native_steps:
        problems.append(f"{entry.id}: {rejection['at']} is marked as without vectors: {reason.native_why}")
    elif reason.steps and rejection.get("at") not in reason.steps:
        problems.append(f"{entry.id}: {rejection.get('at')} is no step of {reason.id}")
    if entry.operation not in reason.operations:
        problems.append(f"{entry.id}: the rules do not let {reason.id} come from {entry.operation}")
    if "at" in rejection and not reason.at:
        problems.append(f"{entry.id}: {reason.id} names no place, the vector expects {rejection['at']}")
    return problems


def _tags(entry: Entry) -> list[str]:
    if isinstance(entry, Sweep):
        return []
    rejects = "reject" in entry.outcomes[0]
    wrong = {"golden"} if rejects else {"corruption", "precedence"}
    problems = [
        f"{entry.id}: tagged {tag}, but {'rejected' if rejects else 'accepted'}" for tag in entry.tags if tag in wrong
    ]
    if {"corruption", "precedence"} <= set(entry.tags):
        problems.append(f"{entry.id}: one fault (corruption) and two (precedence) at once; keep one tag")
    return problems


def _one_fault(case: VectorCase) -> list[str]:
    """A corruption has exactly one fault, a precedence case more than one."""
    try:
        if "repair" in case.data:
            return _repair(case)
        if case.base is None or case.tree_given or "reject" not in case.data["expect"]:
            return []
        if "corruption" in case.tags:
            return _base_is_valid(case) + _every_edit_counts(case)
        return _second_fault(case) if "precedence" in case.tags else []
    except (EditError, MalformedRequest) as error:
        return [f"{case.id}: {error}"]


def _repair(case: VectorCase) -> list[str]:
    found = accepts(case, input={**case.data.get("input", {}), **case.data["repair"]})
    return [] if isinstance(found, Ok) else [f"{case.id}: with its repair it is still rejected: {shown(found)}"]


def _base_is_valid(case: VectorCase) -> list[str]:
    found = accepts(case, edits=[])
    return [] if isinstance(found, Ok) else [f"{case.id}: without its edits it is still rejected: {shown(found)}"]


def _every_edit_counts(case: VectorCase) -> list[str]:
    """Of several edits either one is the fault, or they are one fault together and none can be spared.

    Two independent faults fail this: without the one that is judged later the rejection stays as it is, and without
    the other the input does not become valid.
    """
    outcomes = _without_each(case)
    stated = _stated(case)
    valid_without_one = any(isinstance(found, Ok) for found in outcomes.values())
    spared = [] if valid_without_one else [index for index, found in outcomes.items() if found == stated]
    if "joint" in case.data:
        return [] if spared else [f"{case.id}: every edit counts, so it need not say why they are joint"]
    return [
        f"{case.id}: edit {index} can be dropped and the rejection stays: a second fault, or none; split the case, "
        "or say why the edits are one fault together (joint)"
        for index in spared
    ]


def _second_fault(case: VectorCase) -> list[str]:
    """Without one of several edits, or with its seal put right, a precedence case shows its other fault."""
    outcomes = _without_each(case)
    if len(outcomes) < 2:
        return []
    stated = _stated(case)
    others = [*outcomes.values(), *_resealed(case)]
    if any(isinstance(found, Reject) and found != stated for found in others):
        return []
    return [f"{case.id}: no second fault shows; without each edit: {[shown(f) for f in outcomes.values()]}"]


def _resealed(case: VectorCase) -> list[Expect]:
    """The reference's answers with each seal that fits put right after all edits."""
    answers: list[Expect] = []
    for what in RESEALS:
        try:
            answers.append(accepts(case, edits=[*case.edits, {"reseal": what}]))
        except EditError:
            continue
    return answers


def _stated(case: VectorCase) -> Reject:
    rejection = case.data["expect"]["reject"]
    return Reject(rejection["reason"], rejection.get("at"))


def _without_each(case: VectorCase) -> dict[int, Expect]:
    """Edit number → the reference's answer without that edit; reseals stay, and an edit that then fits not is left out.

    Dropping an edit may leave the later ones pointing past the end: then it cannot be spared, and says nothing more.
    """
    outcomes: dict[int, Expect] = {}
    for start, end in _changes(case.edits):
        rest: list[Mapping[str, Any]] = [*case.edits[:start], *case.edits[end:]]
        try:
            outcomes[start] = accepts(case, edits=rest)
        except EditError:
            continue
    return outcomes


def _changes(edits: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, int]]:
    """Yield where each change begins and ends: one edit, or a deletion with the insertion in its place; no reseals."""
    index = 0
    while index < len(edits):
        edit, end = edits[index], index + 1
        if "delete" in edit and end < len(edits) and "insert" in edits[end] and edits[end]["at"] == edit["at"]:
            end += 1
        if "reseal" not in edit:
            yield index, end
        index = end


def _goldens(book: Book, entries: Sequence[Entry]) -> list[str]:
    used = {entry.base_path for entry in entries} | {
        node["base"] for entry in entries for node in entry.data.get("tree", {}).values() if "base" in node
    }
    swept = {(entry.base_path, entry.kind) for entry in entries if isinstance(entry, Sweep)}
    problems: list[str] = []
    for path, data in book.goldens.items():
        if not path.startswith(f"{book.format}/golden/"):
            problems.append(f"{path}: a golden file of {book.format} stands in {book.format}/golden/")
        if path not in used:
            problems.append(f"{path}: no case or sweep uses this golden file")
        missing = [kind for kind in WHOLE_SWEEPS if data and (path, kind) not in swept]
        if missing and path not in book.unswept:
            problems.append(f"{path}: has no sweep of {' and '.join(missing)}; add it, or say why not (unswept)")
        if not missing and path in book.unswept:
            problems.append(f"{path}: is said to be unswept, but has both sweeps")
    problems += [f"{path}: is said to be unswept, but is no golden file" for path in book.unswept.keys() - book.goldens]
    return problems
