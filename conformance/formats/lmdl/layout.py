"""Layout of the ``lmdl`` artefacts (stream coordinate document, sections 1 and 2)."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from conformance.layout import Checksum, Field, Layouts
from conformance.layout.field import Layout, cut, rest
from conformance.suite.edits import EditError, Reseal, overwrite

SLOT_BYTES = 64
"""Bytes of one slot (section 2)."""
COORDINATE: Layout = (
    ("shard_id", 4, "u32"),
    ("byte_offset", 8, "u64"),
    ("row_group_idx", 4, "u32"),
    ("page_idx", 4, "u32"),
    ("row_offset_in_page", 4, "u32"),
    ("global_row_idx", 8, "u64"),
)
SLOT: Layout = (
    ("magic", 4, "ascii"),
    ("version", 4, "u32"),
    ("epoch", 8, "u64"),
    ("committed_batch_id", 8, "u64"),
    *((f"coordinate/{name}", length, kind) for name, length, kind in COORDINATE),
    ("dedup_count", 4, "u32"),
    ("crc32", 4, "hex"),
)


def coordinate(data: bytes) -> list[Field]:
    """Cut a 32-byte coordinate (rule LMDL-COORDINATE)."""
    fields = cut(data, COORDINATE)
    return fields + rest(data, fields)


def slot(data: bytes) -> list[Field]:
    """Cut a 64-byte slot (rule LMDL-SLOT)."""
    fields = cut(data, SLOT)
    return fields + rest(data, fields)


def meta(data: bytes) -> list[Field]:
    """Cut a 128-byte ``.meta`` file: slot A, then slot B."""
    fields = cut(data[:64], SLOT, prefix="slot/A/")
    if len(data) > 64:
        fields += cut(data, SLOT, start=64, prefix="slot/B/")
    return fields + rest(data, fields)


def log(data: bytes) -> list[Field]:
    """Cut a ``.dedup`` log, or what is appended to one: u64 hashes one after another."""
    count = -(-len(data) // 8)
    return cut(data, [(f"hashes/{index}", 8, "u64") for index in range(count)])


_SLOT_REASONS = {"slot-size": "(end)", "slot-magic": "magic", "slot-version": "version", "slot-crc": "crc32"}

LAYOUTS = Layouts(
    artefacts={"lmdl.coordinate": coordinate, "lmdl.slot": slot, "lmdl.meta": meta, "lmdl.log": log},
    members={
        ("lmdl.coordinate.decode", "data"): "lmdl.coordinate",
        ("lmdl.coordinate.encode", "data"): "lmdl.coordinate",
        ("lmdl.slot.decode", "data"): "lmdl.slot",
        ("lmdl.slot.encode", "data"): "lmdl.slot",
        ("lmdl.recover", "meta"): "lmdl.meta",
        ("lmdl.commit", "meta"): "lmdl.meta",
        ("lmdl.commit", "log_append"): "lmdl.log",
    },
    tree_files={".meta": "lmdl.meta"},
    fields_of_reason={
        "lmdl.coordinate": {"coordinate-size": "(end)"},
        "lmdl.slot": _SLOT_REASONS,
        "lmdl.meta": {"meta-size": "(end)", "meta-version": "{at}/version"},
    },
    constants={"slot-magic": b"LMDL", "slot-version": b"\x01\x00\x00\x00"},
    checksums={"slot-crc": Checksum(before="crc32")},
)


def _reseal_slot(start: int, length: int) -> Reseal:
    def resealed(data: bytes) -> bytes:
        if len(data) != length:
            raise EditError(f"a slot is resealed in {length} bytes, not in {len(data)}")
        crc = zlib.crc32(data[start : start + SLOT_BYTES - 4])
        return overwrite(data, start + SLOT_BYTES - 4, crc.to_bytes(4, "little"))

    return resealed


RESEALS: Mapping[str, Reseal] = {
    "slot": _reseal_slot(0, SLOT_BYTES),
    "slot/A": _reseal_slot(0, 2 * SLOT_BYTES),
    "slot/B": _reseal_slot(SLOT_BYTES, 2 * SLOT_BYTES),
}
"""``slot``: the CRC of a 64-byte slot; ``slot/A``, ``slot/B``: that of one slot in a 128-byte ``.meta``."""
