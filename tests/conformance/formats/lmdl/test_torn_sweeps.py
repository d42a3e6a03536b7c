"""The torn writes of the standing suite: whatever reached the disk, recovery gives the old commit or the new one."""

from __future__ import annotations

import pytest

from conformance.suite.load import Suite
from conformance.suite.sweep import Sweep
from harness.model import Ok, Question


def torn(suite: Suite) -> list[Sweep]:
    return [
        entry
        for entry in suite.cases
        if isinstance(entry, Sweep) and entry.kind.startswith("torn-") and entry.operation == "lmdl.recover"
    ]


def value(question: Question) -> object:
    """What is recovered, but for the verdict on the slot that is not taken; the reason when nothing is."""
    if not isinstance(question.expect, Ok):
        return question.expect.reason
    return {name: member for name, member in question.expect.value.items() if name != "slots"}


def test_every_way_a_write_tears_gives_the_old_commit_or_the_new_one(suite: Suite) -> None:
    for sweep in torn(suite):
        found = [value(question) for question in sweep.questions()]
        assert found[0] != found[-1], sweep.id
        assert all(one in (found[0], found[-1]) for one in found), sweep.id


@pytest.mark.parametrize("kind", ["torn-writes", "torn-suffixes", "torn-words"])
def test_each_chain_tears_in_each_way(suite: Suite, kind: str) -> None:
    bases = {sweep.base_path for sweep in torn(suite)}
    assert len(bases) >= 7
    assert {sweep.base_path for sweep in torn(suite) if sweep.kind == kind} == bases


def test_a_short_log_is_the_only_reason_for_none_of_the_two(suite: Suite) -> None:
    refused = {
        outcome["reject"]["reason"] for sweep in torn(suite) for outcome in sweep.outcomes if "reject" in outcome
    }
    assert refused == {"dedup-short"}
