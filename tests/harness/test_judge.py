"""The judge's equality is exact, and each difference is named where it is."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.hexdump import aligned_dump
from harness.judge import exactly_equal, first_difference, judge
from harness.model import Answer, Dir, Expect, File, Json, Ok, Other, Outcome, Question, Reject, Sparse, Status, Tree


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def question(expect: Expect, after: Tree | None = None) -> Question:
    return Question("t", "test.op", {}, expect, tree_after=after)


def accepted(value: dict[str, Json], tree: Tree | None = None) -> Answer:
    return Answer(Outcome.ACCEPTED, value=value, tree=tree)


def rejected(reason: str, at: str | None = None) -> Answer:
    return Answer(Outcome.REJECTED, reason=reason, at=at, detail="never compared")


def places(verdict_of: Question, answer: Answer, *, locations: bool = True) -> list[tuple[str, str, str]]:
    verdict = judge(verdict_of, answer, locations=locations)
    assert (verdict.status is Status.PASSED) == (not verdict.differences)
    return [(each.where, each.expected, each.found) for each in verdict.differences]


@pytest.mark.parametrize(
    ("expected", "found"),
    [(1, True), (0, False), (True, 1), (1, 1.0), (1.0, 1), ("1", 1), (None, False), ([], {}), ({}, []), ([1], [True])],
)
def test_values_of_another_kind_are_not_equal(expected: Json, found: Json) -> None:
    assert not exactly_equal(expected, found)
    assert not exactly_equal({"a": [expected]}, {"a": [found]})


@pytest.mark.parametrize("value", [None, True, 0, "", [], {}, {"a": [1, {"b": None}]}])
def test_a_value_equals_itself(value: Json) -> None:
    assert exactly_equal(value, value)


def test_a_tuple_expects_a_list() -> None:
    assert exactly_equal((1, "a"), [1, "a"])


def test_a_right_answer_passes_whatever_its_member_order() -> None:
    assert places(question(Ok({"a": 1, "b": 2})), accepted({"b": 2, "a": 1})) == []


def test_each_difference_has_its_pointer() -> None:
    expect = Ok({"value": {"a": 1, "gone": None, "x/y~z": "p"}, "list": [1, 2, 3]})
    answer = accepted({"value": {"a": True, "more": 0, "x/y~z": "q"}, "list": [1, 5]})
    assert places(question(expect), answer) == [
        ("/ok/list", "3 elements", "2 elements"),
        ("/ok/list/1", "2", "5"),
        ("/ok/value/a", "1", "true"),
        ("/ok/value/gone", "null", "absent"),
        ("/ok/value/more", "absent", "0"),
        ("/ok/value/x~1y~0z", '"p"', '"q"'),
    ]


def test_bytes_are_compared_decoded() -> None:
    verdict = judge(
        question(Ok({"data": b64(b"abcd")})),
        accepted({"data": b64(b"abXd!")}),
        namer=lambda *_: "epoch",
        answer_bytes={"data"},
    )
    (difference,) = verdict.differences
    assert (difference.where, difference.offset, difference.field) == ("/ok/data", 2, "epoch")
    assert (difference.expected_bytes, difference.found_bytes) == (b"abcd", b"abXd!")


@pytest.mark.parametrize("found", ["", "YWJjZA", "YWJj ZA==", "?", "YWJjZB=="])
def test_another_spelling_of_the_same_bytes_is_a_difference_too(found: str) -> None:
    assert judge(question(Ok({"data": "YWJjZA=="})), accepted({"data": found})).status is Status.FAILED


def test_no_more_differences_are_listed_than_anybody_reads() -> None:
    verdict = judge(question(Ok({"list": list(range(100))})), accepted({"list": [0] * 100}))
    assert len(verdict.differences) == 50


def test_a_rejection_has_reason_and_place() -> None:
    expect = question(Reject("slot-crc", "slot/A"))
    assert places(expect, rejected("slot-crc", "slot/A")) == []
    assert places(expect, rejected("slot-magic", "slot/A")) == [("/reject/reason", "slot-crc", "slot-magic")]
    assert places(expect, rejected("slot-crc")) == [("/reject/at", '"slot/A"', "absent")]
    assert places(expect, rejected("slot-crc"), locations=False) == []
    assert places(expect, rejected("slot-magic"), locations=False) == [("/reject/reason", "slot-crc", "slot-magic")]


def test_a_place_where_none_belongs_is_a_difference() -> None:
    assert places(question(Reject("slot-crc")), rejected("slot-crc", "")) == [("/reject/at", "absent", '""')]


def test_acceptance_and_rejection_are_told_apart() -> None:
    assert places(question(Reject("slot-crc")), accepted({})) == [("", "rejected as slot-crc", "accepted")]
    assert places(question(Ok({})), rejected("slot-crc", "x")) == [("", "accepted", "rejected as slot-crc at x")]


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.UNSUPPORTED, Status.UNSUPPORTED),
        (Outcome.BROKEN, Status.BROKEN),
        (Outcome.TIMED_OUT, Status.TIMED_OUT),
    ],
)
def test_what_is_no_answer_never_passes(outcome: Outcome, status: Status) -> None:
    for expect in (Ok({}), Reject("slot-crc")):
        assert judge(question(expect), Answer(outcome, value={}, reason="slot-crc")).status is status


def test_the_tree_afterwards_is_judged_entry_by_entry() -> None:
    after: Tree = {"a/f": File(b"1"), "gone": File(b""), "kind": File(b""), "zeros": Sparse(2)}
    found: Tree = {
        "a": Dir(),
        "a/f": File(b"2"),
        "kind": Dir(),
        "more": Other("a socket"),
        "zeros": File(bytes(2)),
    }
    assert places(question(Ok({}), after), accepted({}, found)) == [
        ("tree/a/f", "1 bytes; byte 0 is 0x31", "1 bytes; byte 0 is 0x32"),
        ("tree/gone", "a file of 0 bytes", "absent"),
        ("tree/kind", "a file of 0 bytes", "a directory"),
        ("tree/more", "absent", "a socket"),
    ]


def test_the_tree_is_judged_after_a_rejection_too() -> None:
    found = Answer(Outcome.REJECTED, reason="publish-exists", tree={"left": Dir()})
    assert places(question(Reject("publish-exists"), {}), found) == [("tree/left", "absent", "a directory")]


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_the_first_difference_is_the_first(common: bytes, left: bytes, right: bytes) -> None:
    left, right = common + left, common + right
    expected = next(
        (index for index, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    assert first_difference(left, right) == expected


def test_a_dump_shows_both_sides_around_the_difference() -> None:
    expected = bytes(range(64))
    found = bytearray(expected)
    found[0x25] = 0x41
    assert aligned_dump(expected, bytes(found), label=lambda offset: f"field+{offset - 0x20}") == (
        "first difference: field+5, byte 37 (0x25): expected 0x25, found 0x41\n"
        "  00000010  10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f  ................\n"
        "- 00000020  20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f   !\"#$%&'()*+,-./\n"
        "+ 00000020  20 21 22 23 24 41 26 27 28 29 2a 2b 2c 2d 2e 2f   !\"#$A&'()*+,-./\n"
        "                           ^^                                field+5\n"
        "  00000030  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?"
    )


def test_a_dump_shows_where_one_side_ends() -> None:
    lines = aligned_dump(b"abc", b"ab").splitlines()
    assert lines == [
        "first difference: byte 2 (0x2): expected 0x63, found the end; expected 3 bytes, found 2",
        "- 00000000  61 62 63 ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··  abc",
        "+ 00000000  61 62 ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··  ab",
        "                  ^^",
    ]


def test_a_dump_of_an_excerpt_keeps_the_offsets_of_the_whole() -> None:
    text = aligned_dump(b"abc", b"abd", start=0x1000, lengths=(9000, 8000))
    assert text.splitlines()[0] == (
        "first difference: byte 4098 (0x1002): expected 0x63, found 0x64; expected 9000 bytes, found 8000"
    )
    assert text.splitlines()[1].startswith("- 00001000  61 62 63 ··")


def test_equal_sides_have_no_dump() -> None:
    assert aligned_dump(b"a", b"a") == ""
