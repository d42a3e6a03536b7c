"""Questions about ``pfc`` bricks: a grid cut into boxes, whole, overlapping, with gaps, or out of any bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import WireValue

_Box: TypeAlias = tuple[list[int], list[int]]
"""Offset and size."""
_Part: TypeAlias = tuple[_Box, bytes]
_BITS = (
    0, 0x7FF8000000000000, 0x7FF0000000000001, 0xFFF7FFFFFFFFFFFF, 0x8000000000000000, 1, 0x7FF0000000000000,
    0x0123456789ABCDEF,
)  # fmt: skip
"""Cells that do not survive being moved as numbers, and ones that show a changed byte order."""
_FAR = (
    0,
    -1,
    1,
    2**31 - 1,
    2**31,
    2**32,
    2**32 + 1,
    2**63 - 1,
    2**64 - 1,
    2**64,
    2**64 + 1,
    -(2**31),
    -(2**63),
    10**30,
)
_LARGE = (2**31 - 1, 2**22, 2**21, 2**16)


def assemble_request(source: Source) -> Request:
    """Draw the parts of a grid and, more often than not, what is wrong with them."""
    grid = _grid(source)
    boxes = source.shuffled(_cut(source, ([0, 0, 0], grid)))
    parts: list[_Part] = [(box, _cells(source, prod(box[1]))) for box in boxes]
    for _ in range(source.take((0, 1, 1, 2))):
        parts = source.take(_PART_CHANGES)(source, parts)
    if source.chance(6):
        grid = [source.take(_LARGE) for _ in range(3)]
    listed: list[WireValue] = [{"offset": box[0], "size": box[1], "data": data} for box, data in parts]
    return Request("pfc.brick.assemble", {"global_dimensions": grid, "parts": listed})


def extract_request(source: Source) -> Request:
    """Draw a field and a box of it, or one that is not in it."""
    grid = _grid(source)
    data = _cells(source, prod(grid))
    offset = [source.integer(0, length - 1) for length in grid]
    size = [source.integer(1, length - start) for length, start in zip(grid, offset, strict=True)]
    box: _Box = (offset, size)
    if source.chance(30):
        box = _moved(source, box)
    if source.chance(20):
        data = _resized(source, data)
    if source.chance(6):
        grid = [source.take(_LARGE) for _ in range(3)]
    return Request("pfc.brick.extract", {"global_dimensions": grid, "data": data, "offset": box[0], "size": box[1]})


def _grid(source: Source) -> list[int]:
    return [source.integer(1, 4) for _ in range(3)]


def _cut(source: Source, box: _Box) -> list[_Box]:
    """Cut a box in two along some axis, and its halves again."""
    offset, size = box
    axes = [axis for axis in range(3) if size[axis] > 1]
    if not axes or not source.chance(55):
        return [box]
    axis = source.take(axes)
    first = source.integer(1, size[axis] - 1)
    low = (offset, _with(size, axis, first))
    high = (_with(offset, axis, offset[axis] + first), _with(size, axis, size[axis] - first))
    return _cut(source, low) + _cut(source, high)


def _cells(source: Source, count: int) -> bytes:
    if source.chance(50):
        return b"".join(source.take(_BITS).to_bytes(8, "little") for _ in range(count))
    return source.data(8 * count, 8 * count)


def _with(triple: list[int], axis: int, value: int) -> list[int]:
    return [*triple[:axis], value, *triple[axis + 1 :]]


def _moved(source: Source, box: _Box) -> _Box:
    """Change one number of a box: a little, or beyond any width."""
    which, axis = source.integer(0, 1), source.integer(0, 2)
    old = box[which][axis]
    new = old + source.take((1, -1)) if source.chance(60) else source.take(_FAR)
    changed = _with(box[which], axis, new)
    return (changed, box[1]) if which == 0 else (box[0], changed)


def _resized(source: Source, data: bytes) -> bytes:
    return source.take((data[:-1], data + b"\0", data[:-8], data + bytes(8), b"", data[: len(data) // 2], data * 2))


def _drop(source: Source, parts: list[_Part]) -> list[_Part]:
    index = source.integer(0, max(len(parts) - 1, 0))
    return parts[:index] + parts[index + 1 :]


def _repeat(source: Source, parts: list[_Part]) -> list[_Part]:
    return [*parts, source.take(parts)] if parts else parts


def _move(source: Source, parts: list[_Part]) -> list[_Part]:
    """Change one part's box, its bytes with it where they can be as many."""
    if not parts:
        return parts
    index = source.integer(0, len(parts) - 1)
    box, data = parts[index]
    box = _moved(source, box)
    cells = prod(box[1])
    if source.chance(70) and 0 < cells < 1000 and min(box[1]) > 0:
        data = _cells(source, cells)
    return [*parts[:index], (box, data), *parts[index + 1 :]]


def _resize(source: Source, parts: list[_Part]) -> list[_Part]:
    if not parts:
        return parts
    index = source.integer(0, len(parts) - 1)
    box, data = parts[index]
    return [*parts[:index], (box, _resized(source, data)), *parts[index + 1 :]]


def _add_cell(source: Source, parts: list[_Part]) -> list[_Part]:
    """Add a part of one cell, somewhere near."""
    box: _Box = ([source.integer(0, 4) for _ in range(3)], [1, 1, 1])
    place = source.integer(0, len(parts))
    return [*parts[:place], (box, bytes(8)), *parts[place:]]


_PART_CHANGES: Sequence[Callable[[Source, list[_Part]], list[_Part]]] = (
    _drop,
    _repeat,
    _move,
    _move,
    _resize,
    _add_cell,
)
