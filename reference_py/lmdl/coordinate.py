"""The 32-byte stream coordinate (coordinate document section 1)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from reference_py.lmdl.fields import U32_MAX, U64_MAX, require_in_range
from reference_py.rejection import Rejection

COORDINATE_BYTES = 32
_LAYOUT = struct.Struct("<IQIIIQ")


@dataclass(frozen=True, slots=True)
class StreamCoordinate:
    """One position in a stream of many shards. The comments give offset and type of each field."""

    shard_id: int = 0  # @0 u32: index in the expanded list of shards
    byte_offset: int = 0  # @4 u64: byte offset in a line-based shard
    row_group_idx: int = 0  # @12 u32
    page_idx: int = 0  # @16 u32: reserved; any value is kept
    row_offset_in_page: int = 0  # @20 u32: rows to skip in the row group
    global_row_idx: int = 0  # @24 u64: records scanned so far in all shards


def decode_coordinate(data: bytes) -> StreamCoordinate:
    """Read a coordinate; any 32 bytes are one (LMDL-COORDINATE, coordinate document section 1).

    Rejections: `coordinate-size`.
    """
    if len(data) != COORDINATE_BYTES:
        raise Rejection("coordinate-size", detail=f"found {len(data)} bytes, expected {COORDINATE_BYTES}")
    return StreamCoordinate(*_LAYOUT.unpack(data))


def encode_coordinate(value: StreamCoordinate) -> bytes:
    """Write a coordinate as 32 bytes (LMDL-COORDINATE, coordinate document section 1).

    Rejections: `field-out-of-range` at `coordinate/<field>`, the first in the order of the layout.
    """
    require_in_range(value.shard_id, U32_MAX, "coordinate/shard_id")
    require_in_range(value.byte_offset, U64_MAX, "coordinate/byte_offset")
    require_in_range(value.row_group_idx, U32_MAX, "coordinate/row_group_idx")
    require_in_range(value.page_idx, U32_MAX, "coordinate/page_idx")
    require_in_range(value.row_offset_in_page, U32_MAX, "coordinate/row_offset_in_page")
    require_in_range(value.global_row_idx, U64_MAX, "coordinate/global_row_idx")
    return _LAYOUT.pack(
        value.shard_id,
        value.byte_offset,
        value.row_group_idx,
        value.page_idx,
        value.row_offset_in_page,
        value.global_row_idx,
    )
