"""Edits, each with a result written by hand; seals compared with bytes laid out here."""

import hashlib
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from conformance.formats.flysess1.layout import RESEALS as ENVELOPES
from conformance.formats.lmdl.layout import RESEALS as SLOTS
from conformance.suite import edits as suite_edits
from conformance.suite.edits import Edit, EditError


def apply(data: bytes, edits: Sequence[Edit]) -> bytes:
    return suite_edits.apply(data, edits, {**ENVELOPES, **SLOTS})


TEN = bytes(range(10))


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"at": 8, "xor": "01"}, "00010203040506070909"),
        ({"at": 0, "xor": "ff80"}, "ff810203040506070809"),
        ({"at": 2, "set": "aabb"}, "0001aabb040506070809"),
        ({"at": 8, "set": "aabb"}, "0001020304050607aabb"),
        ({"at": 0, "insert": "ff"}, "ff00010203040506070809"),
        ({"at": 10, "insert": "fe", "repeat": 3}, "00010203040506070809fefefe"),
        ({"at": 1, "delete": 8}, "0009"),
        ({"at": 9, "delete": 1}, "000102030405060708"),
        ({"truncate": 0}, ""),
        ({"truncate": 10}, "00010203040506070809"),
    ],
)
def test_one_edit(edit: Any, expected: str) -> None:
    assert apply(TEN, [edit]).hex() == expected


def test_edits_apply_in_order_to_the_bytes_as_they_then_are() -> None:
    assert apply(TEN, [{"at": 0, "delete": 2}, {"at": 0, "set": "ee"}, {"truncate": 3}]).hex() == "ee0304"


@pytest.mark.parametrize(
    "edit",
    [
        {"at": 10, "xor": "01"},
        {"at": 9, "set": "aabb"},
        {"at": 11, "insert": "00"},
        {"at": 5, "delete": 6},
        {"truncate": 11},
        {"at": -1, "set": "00"},
        {"reseal": "slot"},
        {"reseal": "envelope"},
        {"reseal": "crc"},
        {"at": 0, "swap": "00"},
    ],
)
def test_an_edit_that_does_not_fit_is_named(edit: Any) -> None:
    with pytest.raises(EditError, match="edit 1 "):
        apply(TEN, [{"at": 0, "xor": "01"}, edit])


def test_reseal_of_a_slot_covers_bytes_0_to_59() -> None:
    slot = bytes(range(64))
    assert apply(slot, [{"reseal": "slot"}]) == slot[:60] + struct.pack("<I", zlib.crc32(slot[:60]))


@pytest.mark.parametrize(("letter", "start"), [("A", 0), ("B", 64)])
def test_reseal_of_one_slot_leaves_the_other(letter: str, start: int) -> None:
    meta = bytes(range(128))
    sealed = apply(meta, [{"reseal": f"slot/{letter}"}])
    crc = struct.pack("<I", zlib.crc32(meta[start : start + 60]))
    assert sealed == meta[: start + 60] + crc + meta[start + 64 :]


def envelope(entries: list[tuple[int, int]], payloads: bytes) -> bytes:
    """32 header bytes, a table right behind them, payload bytes, and a footer of nothing but ``?``."""
    header = bytes(20) + struct.pack("<III", len(entries), 32, 0)
    table = b"".join(b"n".ljust(64, b"\0") + struct.pack("<QQ", *entry) + bytes(32) for entry in entries)
    return header + table + payloads + b"?" * 48


def test_reseal_of_an_envelope_sets_length_and_digest_and_no_magic() -> None:
    data = envelope([], b"payload!")
    sealed = apply(data, [{"reseal": "envelope"}])
    assert sealed[:-48] == data[:-48]
    assert sealed[-48:] == struct.pack("<Q", len(data)) + hashlib.sha256(data[:-48]).digest() + b"?" * 8


def test_reseal_of_payloads_also_sets_the_digests_that_it_can() -> None:
    start = 32 + 3 * 112
    data = envelope([(start, 5), (2**64 - 1, 3), (start, 9)], b"payload!")
    sealed = apply(data, [{"reseal": "payloads"}])
    assert sealed[32 + 80 : 32 + 112] == hashlib.sha256(b"paylo").digest()
    # Outside, whether by wrapping around or by one byte: left as they are.
    assert sealed[144 + 80 : 144 + 112] == bytes(32)
    assert sealed[256 + 80 : 256 + 112] == bytes(32)
    assert sealed[-40:-8] == hashlib.sha256(sealed[:-48]).digest()


def test_reseal_of_payloads_stops_at_the_footer_whatever_count_says() -> None:
    data = envelope([(0, 1)], b"")
    many = data[:20] + struct.pack("<I", 2**32 - 1) + data[24:]
    assert apply(many, [{"reseal": "payloads"}])[32 + 80 : 32 + 112] == hashlib.sha256(many[:1]).digest()
