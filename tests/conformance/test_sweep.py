"""Sweeps: which members there are, which row meets each, and slips in a table."""

from typing import Any

import pytest

from conformance.build.proof import prove
from conformance.suite import SuiteError
from conformance.suite.sweep import bit_flips, torn_writes, truncations
from harness.model import Ok, Reject
from tests.conformance.making import Data, make_sweep


def test_bit_flips_meet_every_bit_once() -> None:
    members = list(bit_flips(b"\x00\xff", None))
    assert [member.name for member in members[:9]] == [*(f"byte0.bit{bit}" for bit in range(8)), "byte1.bit0"]
    assert [member.data.hex() for member in members] == [
        *("01ff", "02ff", "04ff", "08ff", "10ff", "20ff", "40ff", "80ff"),
        *("00fe", "00fd", "00fb", "00f7", "00ef", "00df", "00bf", "007f"),
    ]


def test_truncations_are_every_shorter_length() -> None:
    assert [(member.name, member.data) for member in truncations(b"abc", None)] == [
        ("length0", b""),
        ("length1", b"a"),
        ("length2", b"ab"),
    ]


def test_torn_writes_are_every_prefix_from_none_to_all() -> None:
    members = torn_writes(b"abcd", {"at": 1, "set": b"XY".hex()})
    assert [(member.name, member.data) for member in members] == [
        ("prefix0", b"abcd"),
        ("prefix1", b"aXcd"),
        ("prefix2", b"aXYd"),
    ]


MAGIC: Data = {"reject": {"reason": "slot-magic"}}
VERSION: Data = {"reject": {"reason": "slot-version"}}
CRC: Data = {"reject": {"reason": "slot-crc"}}
TABLE: list[Data] = [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], **CRC}]


def test_a_right_table_is_proved() -> None:
    proof = prove(make_sweep("bit-flips", TABLE))
    assert proof.problems == ()
    assert proof.trials == 512


@pytest.mark.parametrize(
    "table",
    [
        [{"bytes": [0, 5], **MAGIC}, {"bytes": [5, 8], **VERSION}, {"bytes": [8, 64], **CRC}],
        [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], "ok": {}}],
        [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 63], **CRC}],
        [*TABLE, {"bytes": [63, 64], **CRC}],
        [*TABLE, {"bytes": [64, 65], **CRC}],
        [{"bytes": [0, 4], "mask": "7f", **MAGIC}, *TABLE[1:]],
    ],
    ids=["wrong reason", "wrongly accepted", "gap", "overlap", "past the end", "bit left out"],
)
def test_a_slip_in_a_table_is_a_problem(table: list[Data]) -> None:
    assert prove(make_sweep("bit-flips", table)).problems


def test_rows_may_share_a_byte_by_their_masks() -> None:
    rows: list[Data] = [{"bytes": [0, 4], "mask": "0f", **MAGIC}, {"bytes": [0, 4], "mask": "f0", **MAGIC}, *TABLE[1:]]
    assert prove(make_sweep("bit-flips", rows)).problems == ()


def test_an_accepted_row_is_filled_up_and_must_be_right() -> None:
    rows: list[Data] = [{"bytes": [0, 4], **MAGIC}, {"bytes": [4, 8], **VERSION}, {"bytes": [8, 64], "ok": {}}]
    trials = list(make_sweep("bit-flips", rows, reseal="slot").trials())
    assert trials[0].expect == Reject("slot-magic")
    assert isinstance(trials[64].expect, Ok)
    value: Any = trials[64].expect.value["value"]
    assert value["epoch"] == "6"
    wrong: list[Data] = [*rows[:2], {"bytes": [8, 64], "ok": {"data": ""}}]
    with pytest.raises(SuiteError, match="the table says data"):
        list(make_sweep("bit-flips", wrong, reseal="slot").trials())


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
