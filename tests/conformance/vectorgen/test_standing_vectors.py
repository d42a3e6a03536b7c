"""The vectors as they are committed: within their schemas, and covering every rule, reason and ruling.

That they are what the builders generate, `conformance vectors check` says in `make lint`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from conformance import formats
from conformance.paths import VECTORS
from conformance.rules import JSON, _format, load_rules, raw
from conformance.rules.data import RulesError
from conformance.suite.load import Suite
from conformance.suite.model import SingleCase
from conformance.vectorgen.assemble import LARGEST_FILE, schema_problems
from reference_py.operations import OPERATIONS

RULES = load_rules()
FORMATS = sorted(RULES.formats)


@pytest.mark.parametrize("path", sorted(VECTORS.rglob("*.json")), ids=lambda path: path.name)
def test_files_are_small_ascii_and_end_in_one_line_feed(path: Path) -> None:
    data = path.read_bytes()
    assert len(data) < LARGEST_FILE
    if path.parent.name not in ("golden", "schema"):
        assert data.isascii()
        assert data.endswith(b"}\n")
        assert b"\r" not in data


@pytest.mark.parametrize("name", [JSON, *FORMATS])
def test_rules_files_are_within_their_schema(name: str) -> None:
    assert schema_problems("rules", raw(name), name) == []


def test_the_rules_schema_refuses_what_it_should() -> None:
    good = raw("lmdl")
    for spoil in (
        {"extra": 1},
        {"reasons": [{**good["reasons"][0], "id": "Slot_Size"}]},
        {"reasons": [{**good["reasons"][0], "native": "x", "steps": ["y"], "native_steps": ["y"], "native_why": "z"}]},
        {"rulings": [{**good["rulings"][0], "by": "them"}]},
    ):
        assert schema_problems("rules", {**good, **spoil}, "lmdl"), spoil


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ({"rules": raw("lmdl")["rules"] * 2}, "a rule id is written twice"),
        ({"reasons": [{**raw("lmdl")["reasons"][0], "rule": "LMDL-X"}]}, "names rule LMDL-X"),
        ({"reasons": [{**raw("lmdl")["reasons"][0], "operations": ["lmdl.x"]}]}, "names operation lmdl.x"),
        ({"reasons": [{**raw("lmdl")["reasons"][0], "native_steps": ["x"]}]}, "has no step x to be native"),
        ({"rulings": [{**raw("lmdl")["rulings"][0], "rules": ["LMDL-X"]}]}, "names rule LMDL-X"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(spoil: dict[str, Any], told: str) -> None:
    with pytest.raises(RulesError, match=told):
        _format({**raw("lmdl"), **spoil}, raw(JSON))


@pytest.mark.parametrize("name", FORMATS)
def test_reasons_of_one_rule_have_an_order_without_ties(name: str) -> None:
    places = [(reason.rule, reason.order) for reason in RULES.formats[name].reasons.values()]
    assert sorted(set(places)) == sorted(places)


@pytest.mark.parametrize("name", FORMATS)
def test_every_reason_ruling_rule_and_operation_has_a_vector(suite: Suite, name: str) -> None:
    rules = RULES.formats[name]
    entries = [entry for entry in suite.cases if entry.format == name]
    outcomes = [outcome for entry in entries for outcome in entry.outcomes]
    asked = {outcome["reject"]["reason"] for outcome in outcomes if "reject" in outcome}
    demanded = {reason.id for reason in rules.reasons.values() if not reason.native}
    assert asked == demanded
    assert {ruling for entry in entries for ruling in entry.rulings} == set(rules.rulings)
    assert {rule for entry in entries for rule in entry.rules} == set(rules.rules)
    assert {entry.operation for entry in entries} == set(rules.operations)


@pytest.mark.parametrize("name", FORMATS)
def test_every_reason_has_a_vector_for_each_operation_it_can_come_from(suite: Suite, name: str) -> None:
    rules = RULES.formats[name]
    met = {
        (entry.operation, outcome["reject"]["reason"])
        for entry in suite.cases
        for outcome in entry.outcomes
        if "reject" in outcome
    }
    missing = {
        (operation, reason.id)
        for reason in rules.reasons.values()
        if not reason.native
        for operation in reason.operations
    } - met
    assert missing == set()


@pytest.mark.parametrize("name", FORMATS)
def test_every_step_that_is_not_native_has_a_vector(suite: Suite, name: str) -> None:
    met = {
        (outcome["reject"]["reason"], outcome["reject"].get("at"))
        for entry in suite.cases
        if entry.format == name
        for outcome in entry.outcomes
        if "reject" in outcome
    }
    for reason in RULES.formats[name].reasons.values():
        for step in reason.steps:
            assert ((reason.id, step) in met) == (step not in reason.native_steps), step


def test_rules_formats_and_reference_know_the_same_formats_and_operations() -> None:
    operations = {operation for rules in RULES.formats.values() for operation in rules.operations}
    assert sorted(formats.FORMATS) == FORMATS
    assert operations == set(OPERATIONS)


@pytest.mark.parametrize("name", FORMATS)
def test_schema_and_rules_have_the_same_operations(name: str) -> None:
    assert sorted(formats.FORMATS[name].operations.names) == sorted(RULES.formats[name].operations)


@pytest.mark.parametrize("name", FORMATS)
def test_corruptions_prove_their_one_fault(suite: Suite, name: str) -> None:
    """A corruption has a base or a repair; what stands on disk is proved by its tree's neighbours instead."""
    unproved = [
        entry.id
        for entry in suite.cases
        if entry.format == name and "corruption" in entry.tags
        if not {"base", "repair", "tree"} & entry.data.keys()
    ]
    assert unproved == []


def test_most_refusals_are_corruptions(suite: Suite) -> None:
    cases = [entry for entry in suite.cases if isinstance(entry, SingleCase)]
    refusals = [case for case in cases if "reject" in case.outcomes[0]]
    assert len([case for case in refusals if "corruption" in case.tags]) * 2 > len(refusals)


def test_the_index_counts_what_there_is(suite: Suite) -> None:
    index = json.loads((VECTORS / "index.json").read_bytes())
    for name in FORMATS:
        own = [entry for entry in suite.cases if entry.format == name]
        sweeps = [entry for entry in own if not isinstance(entry, SingleCase)]
        assert index["counts"][name]["cases"] == len(own) - len(sweeps)
        assert index["counts"][name]["sweeps"] == len(sweeps)
    assert set(index["cases"]) == {entry.id for entry in suite.cases}
