"""Anatomy of the ``lmdl`` artefacts (stream coordinate document, sections 1 and 2)."""

from __future__ import annotations

from conformance.anatomy.field import Field, Layout, cut, rest

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
    """Dissect a 32-byte coordinate (rule LMDL-COORDINATE)."""
    fields = cut(data, COORDINATE)
    return fields + rest(data, fields)


def slot(data: bytes) -> list[Field]:
    """Dissect a 64-byte slot (rule LMDL-SLOT)."""
    fields = cut(data, SLOT)
    return fields + rest(data, fields)


def meta(data: bytes) -> list[Field]:
    """Dissect a 128-byte ``.meta`` file: slot A, then slot B."""
    fields = cut(data[:64], SLOT, prefix="slot/A/")
    if len(data) > 64:
        fields += cut(data, SLOT, start=64, prefix="slot/B/")
    return fields + rest(data, fields)


def log(data: bytes) -> list[Field]:
    """Dissect a ``.dedup`` log, or what is appended to one: u64 hashes one after another."""
    count = -(-len(data) // 8)
    return cut(data, [(f"hashes/{index}", 8, "u64") for index in range(count)])


ARTEFACTS = {"lmdl.coordinate": coordinate, "lmdl.slot": slot, "lmdl.meta": meta, "lmdl.log": log}
MEMBERS = {
    ("lmdl.coordinate.decode", "data"): "lmdl.coordinate",
    ("lmdl.coordinate.encode", "data"): "lmdl.coordinate",
    ("lmdl.slot.decode", "data"): "lmdl.slot",
    ("lmdl.slot.encode", "data"): "lmdl.slot",
    ("lmdl.recover", "meta"): "lmdl.meta",
    ("lmdl.commit", "meta"): "lmdl.meta",
    ("lmdl.commit", "log_append"): "lmdl.log",
}

_SLOT_REASONS = {"slot-size": "(end)", "slot-magic": "magic", "slot-version": "version", "slot-crc": "crc32"}
FIELD_OF_REASON = {
    "lmdl.coordinate": {"coordinate-size": "(end)"},
    "lmdl.slot": _SLOT_REASONS,
    "lmdl.meta": {
        "meta-size": "(end)",
        "meta-version": "{at}/version",
    },
}
