"""Corruptions of bytes that know where the parts of an artefact begin and end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conformance.fuzz.source import Source


@dataclass(frozen=True)
class Outline:
    """What a corruption may know of an artefact: its little-endian fields (offset, width) and its boundaries."""

    fields: Sequence[tuple[int, int]]
    boundaries: Sequence[int]


def boundary_value(source: Source, old: int, bits: int) -> int:
    """Draw a value at the edge of an unsigned field of ``bits`` bits, or beside its ``old`` value."""
    top = 1 << bits
    near = (0, 1, top - 1, old + 1, old - 1, old + 8, old - 8, top >> 1, (top >> 1) - 1, top - 8, old ^ (top >> 1))
    return source.take(near) % top


def corrupted(source: Source, data: bytes, outline: Outline) -> bytes:
    """Draw one to three corruptions and apply them in order."""
    for _ in range(source.take((1, 1, 1, 2, 3))):
        data = source.take(_CORRUPTIONS)(source, data, outline)
    return data


def _flip(source: Source, data: bytes, _outline: Outline) -> bytes:
    if not data:
        return data
    at = source.integer(0, len(data) - 1)
    return _over(data, at, bytes([data[at] ^ 1 << source.integer(0, 7)]))


def _set_field(source: Source, data: bytes, outline: Outline) -> bytes:
    if not outline.fields:
        return data
    at, width = source.take(outline.fields)
    if at + width > len(data):
        return data
    old = int.from_bytes(data[at : at + width], "little")
    return _over(data, at, boundary_value(source, old, 8 * width).to_bytes(width, "little"))


def _insert(source: Source, data: bytes, outline: Outline) -> bytes:
    at = min(source.take(outline.boundaries), len(data))
    new = bytes(source.take((1, 8, 4, 112, 64))) if source.chance(50) else source.data(1, 8)
    return data[:at] + new + data[at:]


def _delete(source: Source, data: bytes, outline: Outline) -> bytes:
    at = min(source.take(outline.boundaries), len(data))
    return data[:at] + data[at + source.take((1, 8, 4, 7, 112)) :]


def _delete_before(source: Source, data: bytes, outline: Outline) -> bytes:
    at = min(source.take(outline.boundaries), len(data))
    return data[: max(at - source.take((1, 8, 4, 7, 112)), 0)] + data[at:]


def _truncate(source: Source, data: bytes, outline: Outline) -> bytes:
    if source.chance(50):
        return data[: source.integer(0, len(data))]
    return data[: max(source.take(outline.boundaries) + source.take((0, -1, 1)), 0)]


def _repeat(source: Source, data: bytes, outline: Outline) -> bytes:
    """Write one part a second time behind itself."""
    start, end = _part(source, data, outline)
    return data[:end] + data[start:end] + data[end:]


def _swap(source: Source, data: bytes, outline: Outline) -> bytes:
    """Exchange two neighbouring parts."""
    ordered = sorted({0, len(data), *(min(at, len(data)) for at in outline.boundaries)})
    if len(ordered) < 3:
        return data
    index = source.integer(0, len(ordered) - 3)
    start, middle, end = ordered[index : index + 3]
    return data[:start] + data[middle:end] + data[start:middle] + data[end:]


def _copy_over(source: Source, data: bytes, outline: Outline) -> bytes:
    """Write one part over another place."""
    start, end = _part(source, data, outline)
    return _over(data, min(source.take(outline.boundaries), len(data)), data[start:end])[: len(data)]


def _noise(source: Source, data: bytes, outline: Outline) -> bytes:
    """Write some random bytes at a boundary, or just before it."""
    at = min(source.take(outline.boundaries), len(data))
    new = source.data(1, 9)
    return _over(data, max(at - source.take((0, len(new), 1)), 0), new)[: len(data)]


def _part(source: Source, data: bytes, outline: Outline) -> tuple[int, int]:
    ordered = sorted({0, len(data), *(min(at, len(data)) for at in outline.boundaries)})
    if len(ordered) < 2:
        return 0, 0
    index = source.integer(0, len(ordered) - 2)
    return ordered[index], ordered[index + 1]


def _over(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


_CORRUPTIONS: tuple[Callable[[Source, bytes, Outline], bytes], ...] = (
    _set_field,
    _flip,
    _set_field,
    _truncate,
    _insert,
    _delete,
    _delete_before,
    _noise,
    _repeat,
    _swap,
    _copy_over,
)
