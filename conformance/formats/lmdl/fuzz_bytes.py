"""Questions about ``lmdl``: coordinates, slots, ``.meta`` files out of commit chains and torn writes, hashes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence

from conformance.formats.lmdl.layout import RESEALS
from conformance.fuzz.bytes_edits import Outline, boundary_value, corrupted
from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import WireValue

_U32 = 2**32
_U64 = 2**64
_COORDINATE = ((0, 4), (4, 8), (12, 4), (16, 4), (20, 4), (24, 8))
"""Offset and width of each field of a coordinate (coordinate document, section 1)."""
_NAMES = ("shard_id", "byte_offset", "row_group_idx", "page_idx", "row_offset_in_page", "global_row_idx")
_SLOT_FIELDS = ((0, 4), (4, 4), (8, 8), (16, 8), *((24 + at, width) for at, width in _COORDINATE), (56, 4), (60, 4))
_SLOT = Outline(_SLOT_FIELDS, (64, 0, 4, 8, 16, 24, 56, 60))
_META = Outline(
    (*_SLOT_FIELDS, *((64 + at, width) for at, width in _SLOT_FIELDS)), (128, 0, 64, 8, 16, 24, 56, 60, 72, 80, 88, 124)
)
_HASHED = (0, 1, 3, 4, 8, 9, 16, 17, 32, 64, 128, 129, 240, 241, 256, 1024, 1025)
"""Lengths at which XXH3 goes another way."""


def lmdl_request(source: Source) -> Request:
    """Draw a question about ``lmdl``."""
    return source.take(_REQUESTS)(source)


def _coordinate_decode(source: Source) -> Request:
    length = 32 if source.chance(70) else source.take((0, 31, 33, 64, source.integer(0, 70)))
    return Request("lmdl.coordinate.decode", {"data": source.data(length, length)})


def _coordinate_encode(source: Source) -> Request:
    return Request("lmdl.coordinate.encode", {"value": _coordinate(source, wild=source.chance(50))})


def _slot_decode(source: Source) -> Request:
    data = _slot(source)
    if source.chance(70):
        data = corrupted(source, data, _SLOT)
        if len(data) == 64 and source.chance(60):
            data = RESEALS["slot"](data)
    return Request("lmdl.slot.decode", {"data": data})


def _slot_encode(source: Source) -> Request:
    wild = source.chance(50)
    value: dict[str, WireValue] = {
        "epoch": str(_integer(source, 64, wild)),
        "committed_batch_id": str(_integer(source, 64, wild)),
        "coordinate": _coordinate(source, wild=wild),
        "dedup_count": _integer(source, 32, wild),
    }
    return Request("lmdl.slot.encode", {"value": value})


def _recover(source: Source) -> Request:
    return Request("lmdl.recover", _state(source))


def _commit(source: Source) -> Request:
    return Request("lmdl.commit", {**_state(source), **batch(source)})


def _hash(source: Source) -> Request:
    length = source.take(_HASHED) if source.chance(70) else source.integer(0, 1500)
    return Request("lmdl.hash", {"data": source.data(length, length)})


def batch(source: Source) -> dict[str, WireValue]:
    """Draw what a commit is asked to store."""
    wild = source.chance(20)
    hashes: list[WireValue] = [str(_integer(source, 64, wild)) for _ in range(source.integer(0, 3))]
    return {
        "batch_id": str(_integer(source, 64, wild)),
        "coordinate": _coordinate(source, wild=wild),
        "hashes": hashes,
    }


def meta_and_log(source: Source) -> tuple[bytes | None, int]:
    """Draw a ``.meta``, None for one that is absent, and the length of its log."""
    meta = source.take(_METAS)(source)
    return meta, _log_length(source, meta or b"")


def _state(source: Source) -> dict[str, WireValue]:
    meta, log_length = meta_and_log(source)
    return {"meta": meta, "log_length": str(log_length)}


def _log_length(source: Source, meta: bytes) -> int:
    """Draw a length at or beside one that some slot asks for, or any."""
    counts = [int.from_bytes(meta[at : at + 4], "little") for at in (56, 120)]
    wanted = 8 * source.take((*counts, max(counts), 0)) + source.take((0, 0, 1, -1, 7, 8, -8, 16))
    return max(wanted, 0) if source.chance(90) else source.take((0, 2**35, _U64 - 1, 2**63))


def _absent(_source: Source) -> bytes | None:
    return None


def _fresh(source: Source) -> bytes:
    return bytes(source.take((128, 0, 127, 129, 64, 1)))


def _chain(source: Source) -> bytes:
    """Commit a few times from fresh, as a writer does; the last write may have torn, and bytes may have rotted."""
    slots = [bytes(64), bytes(64)]
    first, count = source.take((0, 0, 0, _U64 - 6, 2**63 - 2, 2**53 - 1)), 0
    for epoch in range(first + 1, first + 1 + source.integer(0, 4)):
        count += source.integer(0, 3)
        new = _sealed(epoch, source.integer(0, 9), _coordinate_bytes(source), count)
        place = (epoch + 1) % 2
        slots[place] = new if source.chance(80) else _torn(source, slots[place], new)
    return b"".join(slots)


def _torn(source: Source, old: bytes, new: bytes) -> bytes:
    """Let a prefix, a suffix, or any of the eight words of a write reach the file."""
    at = source.integer(0, 64)
    how = source.integer(0, 2)
    if how == 0:
        return new[:at] + old[at:]
    if how == 1:
        return old[:at] + new[at:]
    words = source.integer(0, 255)
    return b"".join((new if words >> i & 1 else old)[8 * i : 8 * i + 8] for i in range(8))


def _two_slots(source: Source) -> bytes:
    """Put any two slots side by side, foreign parity and equal epochs included."""
    left = _slot(source)
    right = _slot(source)
    if source.chance(25):
        right = RESEALS["slot"](right[:8] + left[8:16] + right[16:])
    return b"".join(_spoilt(source, slot) for slot in (left, right))


def _spoilt(source: Source, slot: bytes) -> bytes:
    kind = source.integer(0, 9)
    if kind < 6:
        return slot
    if kind == 6:
        return bytes(64)
    if kind == 7:
        return RESEALS["slot"](slot[:4] + source.take((2, 0, _U32 - 1)).to_bytes(4, "little") + slot[8:])
    return (corrupted(source, slot, _SLOT) + bytes(64))[:64]


def _rotten(source: Source) -> bytes:
    data = corrupted(source, source.take((_chain, _two_slots))(source), _META)
    if len(data) == 128:
        for name in ("slot/A", "slot/B"):
            if source.chance(50):
                data = RESEALS[name](data)
    return data


def _slot(source: Source) -> bytes:
    epoch = _U64 - 1 if source.chance(8) else _integer(source, 64, wild=False)
    count = source.take((0, 1, 2, 3, _U32 - 1, _U32 - 2, 2**29, 2**31))
    return _sealed(epoch, _integer(source, 64, wild=False), _coordinate_bytes(source), count)


def _sealed(epoch: int, batch: int, coordinate: bytes, count: int) -> bytes:
    body = b"LMDL" + struct.pack("<IQQ", 1, epoch, batch) + coordinate + struct.pack("<I", count)
    return body + zlib.crc32(body).to_bytes(4, "little")


def _coordinate_bytes(source: Source) -> bytes:
    return bytes(32) if source.chance(50) else source.data(32, 32)


def _coordinate(source: Source, *, wild: bool) -> dict[str, WireValue]:
    drawn = [_integer(source, 8 * width, wild) for _, width in _COORDINATE]
    pairs = zip(_NAMES, drawn, (width for _, width in _COORDINATE), strict=True)
    return {name: str(value) if width == 8 else value for name, value, width in pairs}


def _integer(source: Source, bits: int, wild: bool) -> int:
    """Draw an integer of the field, mostly at an edge; a ``wild`` one may lie outside."""
    if wild and source.chance(20):
        return source.take((-1, 1 << bits, (1 << bits) + 1, -(1 << 63), 1 << 64, 10**30, -(10**400)))
    small = source.integer(0, 8)
    if source.chance(50):
        return small
    return boundary_value(source, small, bits) if source.chance(70) else source.integer(0, (1 << bits) - 1)


_METAS: Sequence[Callable[[Source], bytes | None]] = (
    _absent,
    _fresh,
    _chain,
    _chain,
    _chain,
    _two_slots,
    _two_slots,
    _two_slots,
    _rotten,
    _rotten,
)
_REQUESTS: Sequence[Callable[[Source], Request]] = (
    _coordinate_decode,
    _coordinate_encode,
    _slot_decode,
    _slot_decode,
    _slot_encode,
    _recover,
    _recover,
    _recover,
    _commit,
    _commit,
    _commit,
    _hash,
)
