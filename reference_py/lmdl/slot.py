"""The 64-byte metadata slot (coordinate document section 2)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

from reference_py.lmdl.coordinate import StreamCoordinate, decode_coordinate, encode_coordinate
from reference_py.lmdl.fields import U32_MAX, U64_MAX, require_in_range
from reference_py.rejection import Rejection

SLOT_BYTES = 64
SLOT_MAGIC = b"LMDL"
SLOT_VERSION = 1
_BODY = struct.Struct("<4sIQQ32sI")  # bytes 0 to 59, which the CRC covers
_CRC = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Slot:
    """One commit. Magic, version and CRC are the layout's and not part of the value."""

    epoch: int = 0  # @8 u64: sequence number of the commit
    committed_batch_id: int = 0  # @16 u64: the last batch confirmed as consumed
    coordinate: StreamCoordinate = field(default_factory=StreamCoordinate)  # @24: just behind that batch
    dedup_count: int = 0  # @56 u32: committed hashes in the log, 8 bytes each


def decode_slot(data: bytes) -> Slot:
    """Read a slot (LMDL-SLOT, coordinate document section 2).

    Rejections, in this order, none with a place: `slot-size`, `slot-magic`, `slot-version`, `slot-crc`.
    """
    if len(data) != SLOT_BYTES:
        raise Rejection("slot-size", detail=f"found {len(data)} bytes, expected {SLOT_BYTES}")
    magic, version, epoch, batch_id, coordinate, dedup_count = _BODY.unpack_from(data)
    if magic != SLOT_MAGIC:
        raise Rejection("slot-magic", detail=f"bytes 0-3: found {magic.hex()}, expected {SLOT_MAGIC.hex()}")
    if version != SLOT_VERSION:
        raise Rejection("slot-version", detail=f"bytes 4-7: found {version}, expected {SLOT_VERSION}")
    if not _has_right_crc(data):
        raise Rejection("slot-crc", detail=f"bytes 60-63: found {data[60:].hex()}, expected {_crc(data).hex()}")
    return Slot(epoch, batch_id, decode_coordinate(coordinate), dedup_count)


def encode_slot(value: Slot) -> bytes:
    """Write a slot as 64 bytes (LMDL-SLOT, coordinate document section 2).

    Rejections: `field-out-of-range` at the first bad field in the order of the layout: `epoch`, `committed_batch_id`,
    `coordinate/<field>`, `dedup_count`.
    """
    require_in_range(value.epoch, U64_MAX, "epoch")
    require_in_range(value.committed_batch_id, U64_MAX, "committed_batch_id")
    coordinate = encode_coordinate(value.coordinate)
    require_in_range(value.dedup_count, U32_MAX, "dedup_count")
    body = _BODY.pack(SLOT_MAGIC, SLOT_VERSION, value.epoch, value.committed_batch_id, coordinate, value.dedup_count)
    return body + _crc(body)


def is_from_another_version(data: bytes) -> bool:
    """Whether 64 bytes are an intact slot of a version this reader does not know (LMDL-RECOVER-2, R-LMDL-6)."""
    return data.startswith(SLOT_MAGIC) and _BODY.unpack_from(data)[1] != SLOT_VERSION and _has_right_crc(data)


def _has_right_crc(data: bytes) -> bool:
    """Whether bytes 60-63 are the CRC of bytes 0-59."""
    return data[_BODY.size :] == _crc(data)


def _crc(data: bytes) -> bytes:
    """CRC-32 (IEEE, as zlib computes it) of bytes 0-59."""
    return _CRC.pack(zlib.crc32(data[: _BODY.size]))
