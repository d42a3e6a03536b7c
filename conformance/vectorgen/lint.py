"""Lints: what a person adding a case must not get wrong, found before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from conformance.rules import FormatRules, RuleBook
from conformance.rules.order import load_order
from conformance.suite.edits import EditError
from conformance.suite.model import Case, Data, SingleCase, expectation
from conformance.suite.pairwise import Pairwise
from conformance.suite.reference import MalformedRequest, ask
from conformance.suite.sweep import Sweep
from conformance.vectorgen.proof import accepts, shown
from conformance.vectorgen.vector_set import VectorSet
from harness.model import Expect, Ok, Reject

WHOLE_SWEEPS = ("bit-flips", "truncations")
"""The sweeps that every golden file has."""


def lint(
    entries: Sequence[Case], rules: RuleBook, books: Iterable[VectorSet], retired: Iterable[str] = ()
) -> list[str]:
    """Return every problem of ``entries`` that can be found without judging the reference."""
    problems = _ids(entries, frozenset(retired))
    for entry in entries:
        problems += _citations(entry, rules.formats[entry.format])
        problems += _tags(entry)
        if isinstance(entry, SingleCase):
            problems += _one_fault(entry)
        if isinstance(entry, Pairwise):
            problems += _pairs(entry)
    for book in books:
        problems += _goldens(book, entries)
    return problems


def _ids(entries: Sequence[Case], retired: frozenset[str]) -> list[str]:
    counted = Counter(entry.id for entry in entries)
    problems = [f"{case_id}: the id is used {times} times" for case_id, times in counted.items() if times > 1]
    problems += [f"{case_id}: a released case had this id; choose another" for case_id in counted if case_id in retired]
    problems += [
        f"{entry.id}: the id does not begin with the format, {entry.format}/"
        for entry in entries
        if not entry.id.startswith(f"{entry.format}/")
    ]
    return problems


def _citations(entry: Case, rules: FormatRules) -> list[str]:
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


def _rejection(entry: Case, rejection: Data, rules: FormatRules) -> list[str]:
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


def _tags(entry: Case) -> list[str]:
    if not isinstance(entry, SingleCase):
        return []
    rejects = "reject" in entry.outcomes[0]
    wrong = {"golden"} if rejects else {"corruption", "precedence"}
    problems = [
        f"{entry.id}: tagged {tag}, but {'rejected' if rejects else 'accepted'}" for tag in entry.tags if tag in wrong
    ]
    if {"corruption", "precedence"} <= set(entry.tags):
        problems.append(f"{entry.id}: one fault (corruption) and two (precedence) at once; keep one tag")
    return problems


def _one_fault(case: SingleCase) -> list[str]:
    """A corruption has exactly one fault, a precedence case two."""
    try:
        if "faults" in case.data:
            return _both_faults(case)
        if "precedence" in case.tags:
            return _second_fault(case)
        if "repair" in case.data:
            return _repair(case)
        if case.base is None or case.tree_given or "reject" not in case.data["expect"]:
            return []
        return _base_is_valid(case) + _every_edit_counts(case) if "corruption" in case.tags else []
    except (EditError, MalformedRequest) as error:
        return [f"{case.id}: {error}"]


def _both_faults(case: SingleCase) -> list[str]:
    """Each of the two faults that a precedence case states must be there alone when the other is not."""
    first, second = case.data["faults"]
    problems: list[str] = []
    if "precedence" not in case.tags:
        problems.append(f"{case.id}: states two faults and is not tagged precedence")
    if first["reject"] != case.data["expect"]["reject"] or second["reject"] == first["reject"]:
        problems.append(f"{case.id}: the first of its faults is to be what it expects, and the second another one")
    for fault in (first, second):
        found = accepts(case, **_alone(case, fault))
        if found != expectation(fault):
            problems.append(f"{case.id}: with {fault['reject']} alone the reference answers {shown(found)}")
    return problems


def _alone(case: SingleCase, fault: Mapping[str, Any]) -> dict[str, Any]:
    """What a case has in place of its own data with one of its faults alone."""
    instead: dict[str, Any] = {}
    if "edits" in fault:
        instead["edits"] = fault["edits"]
    if "input" in fault:
        instead["input"] = {**case.data.get("input", {}), **fault["input"]}
    if "tree" in fault:
        nodes = {**case.data["tree"], **fault["tree"]}
        instead["tree"] = {path: node for path, node in nodes.items() if node is not None}
    return instead


def _repair(case: SingleCase) -> list[str]:
    found = accepts(case, input={**case.data.get("input", {}), **case.data["repair"]})
    return [] if isinstance(found, Ok) else [f"{case.id}: with its repair it is still rejected: {shown(found)}"]


def _base_is_valid(case: SingleCase) -> list[str]:
    found = accepts(case, edits=[])
    return [] if isinstance(found, Ok) else [f"{case.id}: without its edits it is still rejected: {shown(found)}"]


def _every_edit_counts(case: SingleCase) -> list[str]:
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


def _second_fault(case: SingleCase) -> list[str]:
    """Of a precedence case's edits, without one the first fault is left alone, and without another the second.

    A seal put right counts as an edit undone: for a digest or CRC that is the fault.
    """
    if case.base is None or case.tree_given:
        return [f"{case.id}: say which two faults it has, and what it would be with each alone (faults)"]
    stated = _stated(case)
    others = [*_without_each(case).values(), *_resealed(case)]
    if stated in others and any(isinstance(found, Reject) and found != stated for found in others):
        return []
    return [f"{case.id}: no two faults show; without each edit: {[shown(f) for f in others]}; state them (faults)"]


def _resealed(case: SingleCase) -> list[Expect]:
    """The reference's answers with each seal that fits put right after all edits."""
    answers: list[Expect] = []
    for what in case.reseals:
        try:
            answers.append(accepts(case, edits=[*case.edits, {"reseal": what}]))
        except EditError:
            continue
    return answers


def _stated(case: SingleCase) -> Reject:
    rejection = case.data["expect"]["reject"]
    return Reject(rejection["reason"], rejection.get("at"))


def _without_each(case: SingleCase) -> dict[int, Expect]:
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


def _pairs(pairs: Pairwise) -> list[str]:
    """Without any fault the question is a valid one, and the faults stand in the order that the rules demand.

    That each fault shows alone, and hides the later one, is proved with the members. With the changes of one fault
    taken away, the other is what stands there alone: they touch nothing in common.
    """
    order = load_order()[pairs.operation]
    names = [fault.name for fault in pairs.faults]
    problems = [f"{pairs.id}: {name} is there twice" for name, times in Counter(names).items() if times > 1]
    checks = [order.check(fault.rejection) for fault in pairs.faults]
    places = [order.checks.index(check) for check in checks if check is not None]
    if None in checks or places != sorted(set(places)):
        problems.append(f"{pairs.id}: the faults are not in the order of order.toml, each check once")
    try:
        found = ask(pairs.sound())[0]
    except (EditError, MalformedRequest) as error:
        return [*problems, f"{pairs.id}: {error}"]
    if not isinstance(found, Ok):
        problems.append(f"{pairs.id}: without any fault it is rejected: {shown(found)}")
    return problems


def _goldens(book: VectorSet, entries: Sequence[Case]) -> list[str]:
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
