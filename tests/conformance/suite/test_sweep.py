"""Sweeps: which members there are, which row meets each, and slips in a table."""

from typing import Any

import pytest

from conformance.suite.errors import SuiteError
from conformance.suite.sweep_kinds import (
    KINDS,
    bit_flips,
    byte_values,
    deletions,
    field_values,
    insertions,
    log_lengths,
    matching,
    torn_suffixes,
    torn_words,
    torn_writes,
    truncations,
)
from conformance.vectorgen.proof import _unmet_rows, prove
from conformance.vectorgen.sweep_tables import byte_ranges, table
from harness.model import Ok, Reject
from tests.conformance.making import SLOT, Data, make_sweep


def test_bit_flips_meet_every_bit_once() -> None:
    members = list(bit_flips(b"\x00\xff", {}))
    assert [member.name for member in members[:9]] == [*(f"byte0.bit{bit}" for bit in range(8)), "byte1.bit0"]
    assert [member.data.hex() for member in members] == [
        *("01ff", "02ff", "04ff", "08ff", "10ff", "20ff", "40ff", "80ff"),
        *("00fe", "00fd", "00fb", "00f7", "00ef", "00df", "00bf", "007f"),
    ]


def test_truncations_are_every_shorter_length() -> None:
    assert [(member.name, member.data) for member in truncations(b"abc", {})] == [
        ("length0", b""),
        ("length1", b"a"),
        ("length2", b"ab"),
    ]


def test_torn_writes_are_every_prefix_from_none_to_all() -> None:
    members = torn_writes(b"abcd", {"write": {"at": 1, "set": b"XY".hex()}})
    assert [(member.name, member.data) for member in members] == [
        ("prefix0", b"abcd"),
        ("prefix1", b"aXcd"),
        ("prefix2", b"aXYd"),
    ]


def test_flips_within_a_range_keep_the_names_of_their_bytes() -> None:
    members = list(bit_flips(b"abc", {"within": [1, 2]}))
    assert [member.name for member in members] == [f"byte1.bit{bit}" for bit in range(8)]


def test_truncations_may_keep_the_end() -> None:
    members = truncations(b"abcXY", {"keep": 2})
    assert [(member.name, member.data) for member in members] == [
        ("length0", b"XY"),
        ("length1", b"aXY"),
        ("length2", b"abXY"),
    ]


def test_deletions_take_out_each_byte() -> None:
    assert [(member.name, member.data) for member in deletions(b"abc", {})] == [
        ("byte0", b"bc"),
        ("byte1", b"ac"),
        ("byte2", b"ab"),
    ]


def test_insertions_put_each_value_in_front_of_each_place() -> None:
    members = insertions(b"ab", {"places": [0, 2], "values": ["30-31", "ff"]})
    assert [(member.name, member.data) for member in members] == [
        ("at0.30", b"0ab"),
        ("at0.31", b"1ab"),
        ("at0.ff", b"\xffab"),
        ("at2.30", b"ab0"),
        ("at2.31", b"ab1"),
        ("at2.ff", b"ab\xff"),
    ]


def test_field_values_wrap_around() -> None:
    members = field_values(b"-\x05\0\0\0-", {"fields": [[1, 4]]})
    assert [(member.name, member.data) for member in members] == [
        ("field1.zero", b"-\0\0\0\0-"),
        ("field1.one", b"-\1\0\0\0-"),
        ("field1.max", b"-\xff\xff\xff\xff-"),
        ("field1.plus1", b"-\6\0\0\0-"),
        ("field1.minus1", b"-\4\0\0\0-"),
        ("field1.plus8", b"-\x0d\0\0\0-"),
        ("field1.minus8", b"-\xfd\xff\xff\xff-"),
    ]


def test_torn_suffixes_are_every_suffix_from_none_to_all() -> None:
    members = torn_suffixes(b"abcd", {"write": {"at": 1, "set": b"XY".hex()}})
    assert [(member.name, member.data) for member in members] == [
        ("suffix0", b"abcd"),
        ("suffix1", b"abYd"),
        ("suffix2", b"aXYd"),
    ]


def test_torn_words_are_every_subset() -> None:
    members = torn_words(b"." * 17, {"write": {"at": 1, "set": (b"a" * 8 + b"b" * 8).hex()}})
    assert [(member.name, member.place, member.data) for member in members] == [
        ("words00", 0, b"." * 17),
        ("words01", 1, b"." * 9 + b"b" * 8),
        ("words10", 2, b"." + b"a" * 8 + b"." * 8),
        ("words11", 3, b"." + b"a" * 8 + b"b" * 8),
    ]
    with pytest.raises(SuiteError, match="multiple of 8 bytes"):
        list(torn_words(b"abcd", {"write": {"at": 0, "set": "00"}}))


def test_log_lengths_change_the_request_alone() -> None:
    members = list(log_lengths(b"meta", {"last": 2}))
    assert [(member.name, member.request, member.data) for member in members] == [
        ("log0", {"log_length": "0"}, b"meta"),
        ("log1", {"log_length": "1"}, b"meta"),
        ("log2", {"log_length": "2"}, b"meta"),
    ]


def test_patterns_and_byte_values() -> None:
    assert matching("1*0*") == [8, 9, 12, 13]
    assert byte_values(["00", "08-0a"]) == [0, 8, 9, 10]
    assert byte_ranges([0, 8, 9, 10]) == ["00", "08-0a"]
    assert byte_ranges([0, 0x20, 0xFF], every=[0, 0x20, 0x30, 0xFF]) == ["00-20", "ff"]


def test_a_worked_out_table_meets_every_member_once() -> None:
    """Outcomes without any pattern, so that rows of every shape are needed."""
    how: dict[str, dict[str, Any]] = {
        "bit-flips": {},
        "insertions": {"places": [0, 4, 8, 64], "values": ["00-1f", "80"]},
        "field-values": {"fields": [[0, 4], [8, 8], [56, 4]]},
        "torn-words": {"write": {"at": 0, "set": "00" * 64}},
        "torn-writes": {"write": {"at": 0, "set": "00" * 64}},
        "deletions": {},
    }
    for kind, members in how.items():
        outcomes = {}
        for member in KINDS[kind].expand(SLOT, members):
            reason = f"reason-{(member.place * 7 + member.column * 5) // 9 % 3}"
            outcomes[member.place, member.column] = {"reject": {"reason": reason}}
        sweep = make_sweep(kind, table(kind, outcomes), **members)
        found = {(member.place, member.column): sweep.row(member)["reject"] for member in sweep.members()}
        assert found == {cell: outcome["reject"] for cell, outcome in outcomes.items()}
        assert _unmet_rows(sweep) == []


MAGIC: Data = {"reject": {"reason": "slot-magic"}}
VERSION: Data = {"reject": {"reason": "slot-version"}}
CRC: Data = {"reject": {"reason": "slot-crc"}}
TABLE: list[Data] = [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], **CRC}]


def test_a_right_table_is_proved() -> None:
    proof = prove(make_sweep("bit-flips", TABLE))
    assert proof.problems == ()
    assert proof.questions == 512


@pytest.mark.parametrize(
    "table",
    [
        [{"bytes": [0, 5], **MAGIC}, {"bytes": [5, 8], **VERSION}, {"bytes": [8, 64], **CRC}],
        [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], "ok": {}}],
        [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 63], **CRC}],
        [*TABLE, {"bytes": [63, 64], **CRC}],
        [*TABLE, {"bytes": [64, 65], **CRC}],
        [{"bytes": [0, 4], "mask": "7f", **MAGIC}, *TABLE[1:]],
        [*TABLE, {"bytes": [4, 4], **MAGIC}],
    ],
    ids=["wrong reason", "wrongly accepted", "gap", "overlap", "past the end", "bit left out", "row of nothing"],
)
def test_a_slip_in_a_table_is_a_problem(table: list[Data]) -> None:
    assert prove(make_sweep("bit-flips", table)).problems


def test_rows_may_share_a_byte_by_their_masks() -> None:
    rows: list[Data] = [{"bytes": [0, 4], "mask": "0f", **MAGIC}, {"bytes": [0, 4], "mask": "f0", **MAGIC}, *TABLE[1:]]
    assert prove(make_sweep("bit-flips", rows)).problems == ()


def test_an_accepted_row_is_filled_up_and_must_be_right() -> None:
    rows: list[Data] = [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], "ok": {}}]
    questions = list(make_sweep("bit-flips", rows, reseal="slot").questions())
    assert questions[0].expect == Reject("slot-magic")
    assert isinstance(questions[64].expect, Ok)
    value: Any = questions[64].expect.value["value"]
    assert value["epoch"] == "6"
    wrong: list[Data] = [*rows[:2], {"bytes": [8, 64], "ok": {"data": ""}}]
    with pytest.raises(SuiteError, match="the table says data"):
        list(make_sweep("bit-flips", wrong, reseal="slot").questions())


def test_a_builders_own_arithmetic_is_held_against_the_reference() -> None:
    sweep = make_sweep("bit-flips", TABLE)
    assert prove(sweep, lambda data: MAGIC if data[:4] != b"LMDL" else VERSION if data[4] != 1 else CRC).problems


def test_the_digest_is_of_the_members_not_of_how_the_sweep_is_written() -> None:
    rows: list[Data] = [{"prefixes": [0, 2], "ok": {}}]
    # Either byte is there already: the same questions with the same answers.
    one = prove(make_sweep("torn-writes", rows, write={"at": 0, "set": "4c"}))
    same = prove(make_sweep("torn-writes", rows, write={"at": 3, "set": "4c"}))
    torn: list[Data] = [{"prefixes": [0, 1], "ok": {}}, {"prefixes": [1, 2], **MAGIC}]
    other = prove(make_sweep("torn-writes", torn, write={"at": 0, "set": "4d"}))
    assert one.problems == same.problems == other.problems == ()
    assert one.digest == same.digest != other.digest
