"""Adapters that cheat are put to the real corruption cases: they score nothing, or close to it.

An adapter that rejects everything, takes everything, dies of everything corrupt, or warns and exits 0 has no case at
all. One that has learnt each operation's commonest reason by heart has just the cases of those reasons: it must stay
under one in five, and have none of any operation but for that one reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.engine import judge_adapter
from conformance.suite.load import load_suite
from harness.adapter_file import load_adapter
from harness.model import Status

BAD = Path(__file__).resolve().parents[1] / "harness" / "bad_adapters"


def passed(name: str, sample: int = 1) -> tuple[set[str], int]:
    """The ids of the corruption cases that the cheat passes, and how many it was asked."""
    entries = load_suite().select(globs=["corruption"])[::sample]
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
    ids, asked = passed("commonest-reason")
    assert len(ids) < asked / 5
    suite = load_suite()
    reasons: dict[str, set[str]] = {}
    for case_id in ids:
        entry = suite.case(case_id)
        reasons.setdefault(entry.operation, set()).update(one["reject"]["reason"] for one in entry.outcomes)
    assert all(len(found) == 1 for found in reasons.values()), reasons
