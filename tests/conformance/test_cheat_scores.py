"""Adapters that cheat are put to the real corruption cases: they score nothing, or close to it.

An adapter that rejects everything, takes everything, dies of everything corrupt, or warns and exits 0 has no case at
all. One that has learnt each operation's commonest reason by heart has the cases of that one reason, and there the
grammar of JSON alone has several hundred. So what is counted is what it can tell apart: of all the reasons of all the
operations it has fewer than one in ten, and none of any operation but that one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.engine import judge_adapter
from conformance.formats import FORMATS
from conformance.suite.load import load_suite
from harness.adapter_file import load_adapter
from harness.model import Status

BAD = Path(__file__).resolve().parents[1] / "harness" / "bad_adapters"


def passed(name: str, sample: int = 1) -> tuple[set[str], int]:
    """The ids of the corruption cases that the cheat passes, and how many it was asked."""
    entries = load_suite(FORMATS).select(globs=["corruption"])[::sample]
    result = judge_adapter(load_adapter(BAD / name), entries, lambda _message: None)
    assert len(result.cases) == len(entries) > 0
    return {case.id for case in result.cases if case.status is Status.PASSED}, len(entries)


@pytest.mark.parametrize("name", ["reject-everything", "echo"])
def test_rejecting_or_accepting_everything_scores_zero(name: str) -> None:
    assert passed(name)[0] == set()


@pytest.mark.parametrize("name", ["crash-on-corrupt", "exit-with-warning"])
def test_dying_of_corrupt_input_scores_zero(name: str) -> None:
    # Each death costs a restart, so a sample of every eleventh case stands for all.
    assert passed(name, sample=11)[0] == set()


def test_the_commonest_reason_scores_only_where_it_is_the_reason() -> None:
    ids, _ = passed("commonest-reason")
    known: dict[str, set[str]] = {}
    scored: dict[str, set[str]] = {}
    for entry in load_suite(FORMATS).select(globs=["corruption"]):
        reasons = {one["reject"]["reason"] for one in entry.outcomes if "reject" in one}
        known.setdefault(entry.operation, set()).update(reasons)
        if entry.id in ids:
            scored.setdefault(entry.operation, set()).update(reasons)
    assert all(len(found) == 1 for found in scored.values()), scored
    assert 10 * sum(map(len, scored.values())) < sum(map(len, known.values()))
