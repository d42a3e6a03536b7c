"""`lmdl`: expected bytes are put together here with struct and zlib, from the coordinate document's tables."""

import struct
import zlib
from dataclasses import replace

import pytest

from reference_py.lmdl import (
    Slot,
    StreamCoordinate,
    commit,
    decode_coordinate,
    decode_slot,
    encode_coordinate,
    encode_slot,
    record_hash,
    recover,
)
from reference_py.rejection import Rejection

U32 = 2**32 - 1
U64 = 2**64 - 1
COORDINATE = StreamCoordinate(1, 2**53 + 1, 3, 4, 5, 6)
COORDINATE_BYTES = bytes.fromhex("01000000 0100000000002000 03000000 04000000 05000000 0600000000000000")
EMPTY_COORDINATE = StreamCoordinate()


def slot_bytes(epoch: int, batch: int = 7, dedup: int = 0, version: int = 1, coordinate: bytes = bytes(32)) -> bytes:
    body = b"LMDL" + struct.pack("<IQQ", version, epoch, batch) + coordinate + struct.pack("<I", dedup)
    return body + struct.pack("<I", zlib.crc32(body))


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def rejection(call: object, *arguments: object) -> tuple[str, str | None]:
    assert callable(call)
    with pytest.raises(Rejection) as caught:
        call(*arguments)
    return caught.value.reason, caught.value.at


def test_coordinate_layout() -> None:
    assert encode_coordinate(COORDINATE) == COORDINATE_BYTES
    assert decode_coordinate(COORDINATE_BYTES) == COORDINATE
    assert decode_coordinate(b"\xff" * 32) == StreamCoordinate(U32, U64, U32, U32, U32, U64)
    assert encode_coordinate(StreamCoordinate(U32, U64, U32, U32, U32, U64)) == b"\xff" * 32


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_coordinate_size(length: int) -> None:
    assert rejection(decode_coordinate, bytes(length)) == ("coordinate-size", None)


@pytest.mark.parametrize(
    ("field", "maximum"),
    [
        ("shard_id", U32),
        ("byte_offset", U64),
        ("row_group_idx", U32),
        ("page_idx", U32),
        ("row_offset_in_page", U32),
        ("global_row_idx", U64),
    ],
)
def test_coordinate_ranges(field: str, maximum: int) -> None:
    for bad in (-1, maximum + 1, 10**4000):
        value = replace(COORDINATE, **{field: bad})
        assert rejection(encode_coordinate, value) == ("field-out-of-range", f"coordinate/{field}")
    for good in (0, maximum):
        value = replace(COORDINATE, **{field: good})
        assert decode_coordinate(encode_coordinate(value)) == value


def test_the_first_bad_field_in_layout_order_is_told() -> None:
    bad = StreamCoordinate(0, 0, U32 + 1, 0, -1, -1)
    assert rejection(encode_coordinate, bad) == ("field-out-of-range", "coordinate/row_group_idx")
    assert rejection(encode_slot, Slot(-1, -1, bad, -1)) == ("field-out-of-range", "epoch")
    assert rejection(encode_slot, Slot(0, -1, bad, -1)) == ("field-out-of-range", "committed_batch_id")
    assert rejection(encode_slot, Slot(0, 0, bad, -1)) == ("field-out-of-range", "coordinate/row_group_idx")
    assert rejection(encode_slot, Slot(0, 0, COORDINATE, U32 + 1)) == ("field-out-of-range", "dedup_count")


def test_slot_layout() -> None:
    value = Slot(2**53, U64, COORDINATE, U32)
    data = slot_bytes(2**53, U64, U32, coordinate=COORDINATE_BYTES)
    assert encode_slot(value) == data
    assert decode_slot(data) == value


def test_slot_checks_in_their_order() -> None:
    good = slot_bytes(1)
    assert rejection(decode_slot, good[:63]) == ("slot-size", None)
    assert rejection(decode_slot, good + b"\0") == ("slot-size", None)
    assert rejection(decode_slot, flipped(flipped(good, 3), 4)) == ("slot-magic", None)
    assert rejection(decode_slot, slot_bytes(1, version=2)) == ("slot-version", None)
    assert rejection(decode_slot, flipped(good, 4)) == ("slot-version", None)
    for at in range(8, 64):
        assert rejection(decode_slot, flipped(good, at)) == ("slot-crc", None)


@pytest.mark.parametrize("meta", [None, b"", bytes(128)])
def test_recover_fresh(meta: bytes | None) -> None:
    state = recover(meta, 24)
    assert (state.active, state.value, state.log_length) == (None, Slot(0, 0, EMPTY_COORDINATE, 0), 0)
    assert state.slots == {"A": "slot-magic", "B": "slot-magic"}


@pytest.mark.parametrize("length", [1, 64, 127, 129, 192])
def test_recover_meta_size(length: int) -> None:
    assert rejection(recover, bytes(length), 0) == ("meta-size", None)


def test_recover_refuses_an_intact_slot_of_another_version() -> None:
    newer = slot_bytes(9, version=2)
    assert rejection(recover, newer + slot_bytes(2), 0) == ("meta-version", "slot/A")
    assert rejection(recover, slot_bytes(2) + newer, 0) == ("meta-version", "slot/B")
    assert rejection(recover, newer + newer, 0) == ("meta-version", "slot/A")
    assert rejection(recover, slot_bytes(9, version=0) + bytes(64), 0) == ("meta-version", "slot/A")
    assert rejection(recover, newer + slot_bytes(2, dedup=9), 0) == ("meta-version", "slot/A")


def test_recover_takes_a_torn_slot_of_another_version_as_torn() -> None:
    state = recover(flipped(slot_bytes(9, version=2), 20) + slot_bytes(2), 0)
    assert (state.active, state.slots) == ("B", {"A": "slot-version", "B": "valid"})


def test_recover_without_a_valid_slot() -> None:
    assert rejection(recover, flipped(slot_bytes(1), 60) + bytes(64), 0) == ("meta-no-valid-slot", None)
    assert rejection(recover, b"\0" * 127 + b"\1", 0) == ("meta-no-valid-slot", None)


@pytest.mark.parametrize(
    ("epoch_a", "epoch_b", "active"),
    [(1, 2, "B"), (3, 2, "A"), (5, 5, "A"), (2**63, 2**63 - 1, "A"), (1, U64, "B"), (0, 0, "A"), (2, 1, "A")],
)
def test_recover_takes_the_higher_unsigned_epoch(epoch_a: int, epoch_b: int, active: str) -> None:
    state = recover(slot_bytes(epoch_a) + slot_bytes(epoch_b), 0)
    assert state.active == active
    assert state.value.epoch == max(epoch_a, epoch_b)
    assert state.slots == {"A": "valid", "B": "valid"}


def test_recover_falls_back_from_a_torn_slot() -> None:
    state = recover(flipped(slot_bytes(3), 30) + slot_bytes(2), 0)
    assert (state.active, state.value.epoch, state.slots["A"]) == ("B", 2, "slot-crc")


@pytest.mark.parametrize(("log_length", "kept"), [(16, 16), (17, 16), (24, 16), (2**64 - 1, 16)])
def test_recover_cuts_the_log_to_the_committed_hashes(log_length: int, kept: int) -> None:
    assert recover(slot_bytes(1, dedup=2) + bytes(64), log_length).log_length == kept


def test_recover_never_lengthens_the_log() -> None:
    both = slot_bytes(1, dedup=1) + slot_bytes(2, dedup=2)
    assert rejection(recover, both, 15) == ("dedup-short", None)  # the older slot would fit
    assert rejection(recover, slot_bytes(1, dedup=U32) + bytes(64), U32 * 8 - 1) == ("dedup-short", None)


def test_commit_from_fresh() -> None:
    result = commit(None, 24, 9, COORDINATE, [1, U64])
    assert result.meta == slot_bytes(1, 9, 2, coordinate=COORDINATE_BYTES) + bytes(64)
    assert (result.log_keep, result.slot, result.epoch) == (0, "A", 1)
    assert result.log_append == bytes.fromhex("0100000000000000 ffffffffffffffff")


def test_commit_changes_only_the_target_and_keeps_torn_bytes() -> None:
    torn = flipped(slot_bytes(2), 40)
    result = commit(slot_bytes(3, dedup=1) + torn, 20, 8, EMPTY_COORDINATE, [])
    assert result.meta == slot_bytes(3, dedup=1) + slot_bytes(4, 8, 1)
    assert (result.log_keep, result.log_append, result.slot, result.epoch) == (8, b"", "B", 4)
    again = commit(torn + slot_bytes(2), 0, 8, EMPTY_COORDINATE, [5])
    assert again.meta == slot_bytes(3, 8, 1) + slot_bytes(2)
    kept = commit(slot_bytes(1) + torn, 0, 8, EMPTY_COORDINATE, [])
    assert kept.meta[:64] == slot_bytes(1)


def test_commit_rejections_in_their_order() -> None:
    bad = StreamCoordinate(shard_id=-1)
    last = slot_bytes(U64, dedup=U32) + bytes(64)
    assert rejection(commit, bytes(5), 0, -1, bad, [-1]) == ("meta-size", None)
    assert rejection(commit, last, 0, -1, bad, [-1]) == ("dedup-short", None)
    assert rejection(commit, last, U32 * 8, -1, bad, [-1]) == ("epoch-exhausted", None)
    full = slot_bytes(2, dedup=U32) + bytes(64)
    assert rejection(commit, full, U32 * 8, -1, bad, [-1]) == ("dedup-count-overflow", None)
    assert rejection(commit, slot_bytes(2) + bytes(64), 0, -1, bad, [-1]) == ("commit-would-overwrite-active", "slot/A")
    assert rejection(commit, bytes(64) + slot_bytes(1), 0, -1, bad, [-1]) == ("commit-would-overwrite-active", "slot/B")
    assert rejection(commit, None, 0, -1, bad, [-1]) == ("field-out-of-range", "batch_id")
    assert rejection(commit, None, 0, U64, bad, [-1]) == ("field-out-of-range", "coordinate/shard_id")
    assert rejection(commit, None, 0, U64, COORDINATE, [0, U64, U64 + 1]) == ("field-out-of-range", "hashes/2")


def test_commit_may_reach_the_last_count_and_epoch() -> None:
    result = commit(bytes(64) + slot_bytes(U64 - 1, dedup=U32 - 1), (U32 - 1) * 8, 8, EMPTY_COORDINATE, [3])
    assert result.meta == slot_bytes(U64, 8, U32) + slot_bytes(U64 - 1, dedup=U32 - 1)


def test_record_hash() -> None:
    assert record_hash(b"") == 0x2D06800538D394C2  # the published XXH3-64 of no bytes, seed 0
