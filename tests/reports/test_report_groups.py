"""Failures put together by what one mistake makes of them."""

from dataclasses import replace

import pytest

from harness.model import Status
from harness.results import CaseInfo, CaseResult, Counts, DifferenceResult, QuestionResult
from reports.groups import groups
from reports.text import Failed

INFO = CaseInfo("x", "lmdl", "lmdl.recover", "title")


def failed(case_id: str, expected: str, found: str, *where: str, operation: str = "lmdl.recover") -> Failed:
    differences = tuple(DifferenceResult(one, "1", "2") for one in where)
    question = QuestionResult(case_id, Status.FAILED, expected, found, differences=differences)
    info: CaseInfo = replace(INFO, id=case_id, operation=operation)
    return info, CaseResult(case_id, Status.FAILED, Counts(failed=1), (question,))


def test_one_group_for_each_operation_and_pair_of_outcomes_the_largest_first() -> None:
    found = groups(
        [
            failed("a", "accepted", "rejected as meta-size"),
            failed("b", "rejected as meta-size", "accepted", operation="lmdl.commit"),
            failed("c", "rejected as meta-version at slot/A", "accepted"),
            failed("d", "rejected as meta-size", "accepted"),
            failed("e", "rejected as meta-version at slot/B", "accepted"),
        ]
    )
    assert [(group.headline(), [info.id for info, _ in group.cases]) for group in found] == [
        ("2 cases of lmdl.recover: expected meta-version, found accepted", ["c", "e"]),
        ("1 case of lmdl.recover: expected accepted, found meta-size", ["a"]),
        ("1 case of lmdl.commit: expected meta-size, found accepted", ["b"]),
        ("1 case of lmdl.recover: expected meta-size, found accepted", ["d"]),
    ]


@pytest.mark.parametrize(
    ("outcome", "where", "told"),
    [
        ("accepted", "/ok/epoch", "another value"),
        ("rejected as meta-version at slot/A", "/reject/at", "the same at another place"),
        ("rejected as meta-version at slot/A", "tree/run/s.meta", "the same with another tree left behind"),
    ],
)
def test_an_outcome_of_the_right_kind_is_told_by_what_differs(outcome: str, where: str, told: str) -> None:
    (group,) = groups([failed("a", outcome, outcome.replace("slot/A", "slot/B"), where)])
    assert group.found == told


def test_a_rejection_that_has_no_place_at_all_is_not_told_as_one_at_another_place() -> None:
    (group,) = groups([failed("a", "rejected as meta-version at slot/A", "rejected as meta-version", "/reject/at")])
    assert group.found == "the same without a place"


def test_a_plain_case_is_the_example_and_the_others_are_named_with_a_command() -> None:
    cases = [failed(f"case{number}", "accepted", "rejected as x") for number in range(8)]
    cases[0] = (replace(cases[0][0], sweep=True), cases[0][1])
    (group,) = groups(cases)
    assert group.example == cases[1]
    assert group.others("../my port") == [
        "  … and 7 more: case0, case2, case3, case4, case5, …",
        "  all of the operation: conformance run --adapter '../my port' -k lmdl.recover",
    ]


def test_the_example_is_one_that_was_asked() -> None:
    unasked = QuestionResult("b", Status.BROKEN, "accepted", "broken", message="not asked: the run gave up")
    crashed = replace(unasked, message="the adapter exited with status 1")
    plain = (replace(INFO, id="b"), CaseResult("b", Status.BROKEN, Counts(broken=1), (unasked,)))
    sweep = (replace(INFO, id="a", sweep=True), CaseResult("a", Status.BROKEN, Counts(broken=9), (crashed,)))
    (group,) = groups([plain, sweep])
    assert group.example == sweep


def test_a_case_that_is_alone_has_no_others() -> None:
    (group,) = groups([failed("a", "accepted", "rejected as x")])
    assert group.others("port") == []


def test_a_finding_of_which_nothing_was_kept_has_a_group_too() -> None:
    (group,) = groups([(INFO, CaseResult("x", Status.BROKEN, Counts(broken=1)))])
    assert (group.expected, group.found) == ("another outcome", "broken")
