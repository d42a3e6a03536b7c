"""Field bytes from bricks and back (PFC-BRICKS, PFC-ASSEMBLE, PFC-EXTRACT; bundle document, On-disk layout).

A field is float64 cells, little-endian, x fastest: cell (i, j, k) of an nx x ny x nz grid starts at byte
((k*ny + j)*nx + i)*8. Cells are moved as bytes and never become numbers, so every bit pattern survives.

A brick covers runs of neighbouring cells in that order. Work grows with the runs, of which there are at most as many
as cells in the bytes that were given, and nothing is allocated by a grid's size before the bytes are known to fill it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reference_py.pfc.values import CELL_BYTES, Integers
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class Box:
    """A brick's place in the grid: its first cell and its size, in cells along x, y, z."""

    offset: Integers
    size: Integers

    @property
    def cells(self) -> int:
        """The number of cells, exact."""
        return _volume(self.size)


@dataclass(frozen=True, slots=True)
class Part:
    """A brick: a place in the grid and the bytes of its cells, x fastest."""

    box: Box
    data: bytes


def assemble(global_dimensions: Integers, parts: Sequence[Part]) -> bytes:
    """Put bricks together into the bytes of a field (PFC-ASSEMBLE); any decomposition gives the same bytes.

    Dimensions are in cells, each at least 1. Rejections, each tried over all parts before the next one, at `parts/<i>`:
    `part-outside`, `part-size`, `parts-overlap` (at the first part that meets an earlier one); last `parts-gap`.
    """
    for index, part in enumerate(parts):
        _check_inside(part.box, global_dimensions, f"parts/{index}")
    for index, part in enumerate(parts):
        _check_size(part.data, part.box.cells, f"parts/{index}")
    boxes = [part.box for part in parts]
    _check_disjoint(boxes, global_dimensions)
    _check_complete(boxes, global_dimensions)
    field = bytearray(_volume(global_dimensions) * CELL_BYTES)
    for part in parts:
        length = _run_length(part.box, global_dimensions) * CELL_BYTES
        for index, start in enumerate(_run_starts(part.box, global_dimensions)):
            field[start * CELL_BYTES : start * CELL_BYTES + length] = part.data[index * length : (index + 1) * length]
    return bytes(field)


def extract(global_dimensions: Integers, data: bytes, box: Box) -> bytes:
    """Take one brick out of the bytes of a field (PFC-EXTRACT).

    Dimensions are in cells, each at least 1. Rejections, none with a place: `part-outside`, then `part-size` (of the
    field's bytes).
    """
    _check_inside(box, global_dimensions, None)
    _check_size(data, _volume(global_dimensions), None)
    length = _run_length(box, global_dimensions)
    return b"".join(
        data[start * CELL_BYTES : (start + length) * CELL_BYTES] for start in _run_starts(box, global_dimensions)
    )


def _check_inside(box: Box, dimensions: Integers, at: str | None) -> None:
    """`part-outside`: smaller than one cell, a negative offset, or past the grid. Exact, whatever the numbers."""
    for axis, offset, size, dimension in zip("xyz", box.offset, box.size, dimensions, strict=True):
        if size < 1 or offset < 0 or offset + size > dimension:
            detail = f"along {axis}: cells {offset} to {offset + size} (exclusive), the grid has 0 to {dimension}"
            raise Rejection("part-outside", at, detail)


def _check_size(data: bytes, cells: int, at: str | None) -> None:
    """`part-size`: not 8 bytes a cell."""
    if len(data) != cells * CELL_BYTES:
        detail = f"found {len(data)} bytes, expected {cells * CELL_BYTES}: {cells} cells of {CELL_BYTES} bytes"
        raise Rejection("part-size", at, detail)


def _check_disjoint(boxes: Sequence[Box], dimensions: Integers) -> None:
    """`parts-overlap`, at the first part that shares a cell with an earlier one."""
    lengths = [_run_length(box, dimensions) for box in boxes]
    runs = sorted((start, index) for index, box in enumerate(boxes) for start in _run_starts(box, dimensions))
    if not _any_overlap(runs, lengths, len(boxes)):
        return
    # The first n parts overlap from some n on, so halving finds it: sorted once, walked log n times.
    counts = range(1, len(boxes) + 1)
    first = bisect.bisect_left(counts, True, key=lambda count: _any_overlap(runs, lengths, count))
    raise Rejection("parts-overlap", f"parts/{first}", "shares a cell with an earlier part")


def _any_overlap(runs: Sequence[tuple[int, int]], lengths: Sequence[int], count: int) -> bool:
    """Whether runs of the first `count` parts meet; `runs` are (first cell, part) in ascending order."""
    end = 0
    for start, index in runs:
        if index < count:
            if start < end:
                return True
            end = start + lengths[index]
    return False


def _check_complete(boxes: Sequence[Box], dimensions: Integers) -> None:
    """`parts-gap`: bricks inside the grid that do not overlap leave a gap exactly if they have fewer cells."""
    covered = sum(box.cells for box in boxes)
    cells = _volume(dimensions)
    if covered != cells:
        raise Rejection("parts-gap", detail=f"the parts cover {covered} of {cells} cells")


def _run_length(box: Box, dimensions: Integers) -> int:
    """How many cells of a brick follow each other without a break: a row, whole planes' rows, or all of it."""
    length = 1
    for size, dimension in zip(box.size, dimensions, strict=True):
        length *= size
        if size != dimension:
            break
    return length


def _run_starts(box: Box, dimensions: Integers) -> Iterator[int]:
    """The first cells of a brick's runs, ascending, as positions in the field (in cells)."""
    nx, ny, _ = dimensions
    x, y, z = box.offset
    width, height, depth = box.size
    rows_join = width == nx
    planes_join = rows_join and height == ny
    for k in range(z, z + (1 if planes_join else depth)):
        for j in range(y, y + (1 if rows_join else height)):
            yield (k * ny + j) * nx + x


def _volume(size: Integers) -> int:
    x, y, z = size
    return x * y * z
