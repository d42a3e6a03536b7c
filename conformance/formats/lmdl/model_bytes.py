"""Coordinates, slots and ``.meta`` files written with ``struct`` and ``zlib`` alone, for the ``lmdl`` builders."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from conformance.vectorgen.vector_set import Data

U32 = 2**32 - 1
U64 = 2**64 - 1

Fields: TypeAlias = dict[str, int]
"""Field name → value."""

COORDINATE: dict[str, int] = {
    "shard_id": 32,
    "byte_offset": 64,
    "row_group_idx": 32,
    "page_idx": 32,
    "row_offset_in_page": 32,
    "global_row_idx": 64,
}
"""Field → width in bits, in the order of the 32 bytes (coordinate document, section 1)."""

PLAIN: Fields = {
    "shard_id": 0x04030201,
    "byte_offset": 0x1817161514131211,
    "row_group_idx": 0x24232221,
    "page_idx": 0x34333231,
    "row_offset_in_page": 0x44434241,
    "global_row_idx": 0x5857565554535251,
}
"""A coordinate in which every byte is another one, so that no swap of fields or bytes goes unseen."""

ZERO: Fields = dict.fromkeys(COORDINATE, 0)

FRESH = bytes(128)
"""An all-zero ``.meta``."""


def values(width: int) -> dict[str, int]:
    """Name → every value that a field of ``width`` bits is tried at."""
    if width == 32:
        return {"0": 0, "1": 1, "sign-bit": 2**31, "max": U32}
    return {
        "0": 0,
        "1": 1,
        "over-u32": 2**32,
        "2-53-minus-1": 2**53 - 1,
        "2-53": 2**53,
        "2-53-plus-1": 2**53 + 1,
        "sign-bit": 2**63,
        "max": U64,
    }


def outside(width: int) -> dict[str, int]:
    """Name → every value outside a field of ``width`` bits that is tried."""
    return {"below": -1, "above": 2**width}


def coordinate(fields: Mapping[str, int]) -> bytes:
    """The 32 bytes of a coordinate."""
    return struct.pack("<IQIIIQ", *(fields[name] for name in COORDINATE))


def coordinate_json(fields: Mapping[str, int]) -> Data:
    """A coordinate as it is written in requests and answers: u32 a number, u64 a decimal string."""
    return {name: str(fields[name]) if width == 64 else fields[name] for name, width in COORDINATE.items()}


def coordinate_fields(data: bytes) -> Fields:
    """The fields of 32 bytes."""
    return dict(zip(COORDINATE, struct.unpack("<IQIIIQ", data), strict=True))


@dataclass(frozen=True)
class Slot:
    """The value of one slot, and its bytes (coordinate document, section 2)."""

    epoch: int
    batch: int = 0
    coordinate: Mapping[str, int] = field(default_factory=lambda: ZERO)
    dedup_count: int = 0

    def bytes(self, magic: bytes = b"LMDL", version: int = 1) -> bytes:
        """The 64 bytes, with a right CRC also where magic or version are wrong."""
        head = magic + struct.pack("<IQQ", version, self.epoch, self.batch)
        body = head + coordinate(self.coordinate) + struct.pack("<I", self.dedup_count)
        return body + struct.pack("<I", zlib.crc32(body))

    def json(self) -> Data:
        """The value as it is written in requests and answers."""
        return {
            "epoch": str(self.epoch),
            "committed_batch_id": str(self.batch),
            "coordinate": coordinate_json(self.coordinate),
            "dedup_count": self.dedup_count,
        }


def slot_of(data: bytes) -> Slot:
    """The value of 64 bytes whatever their magic, version and CRC."""
    epoch, batch = struct.unpack("<QQ", data[8:24])
    return Slot(epoch, batch, coordinate_fields(data[24:56]), int.from_bytes(data[56:60], "little"))


def broken(slot: bytes) -> bytes:
    """The same slot with a wrong CRC."""
    return slot[:60] + bytes([slot[60] ^ 1]) + slot[61:]


FRESH_STATE: Data = {
    "active": None,
    "epoch": "0",
    "committed_batch_id": "0",
    "coordinate": coordinate_json(ZERO),
    "dedup_count": 0,
    "log_length": "0",
    "slots": {"A": "slot-magic", "B": "slot-magic"},
}
"""What recovery answers when nothing was ever committed (R-LMDL-1)."""


def recovered(active: str, slot: Slot, a: str = "valid", b: str = "valid") -> Data:
    """What recovery answers: the value of the active slot, the log cut to it, and the verdict on either slot."""
    cut = {"log_length": str(slot.dedup_count * 8)}
    return {"active": active, **slot.json(), **cut, "slots": {"A": a, "B": b}}
