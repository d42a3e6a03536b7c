"""How a grid is shared out among ranks, and whether it is shared out whole.

A share is the box of one rank's own cells, or None for a rank that has none.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from reference_py.pfc import Box
from reference_py.pfc.values import Integers


def blocks(dimensions: Integers, ranks: Integers) -> list[Box | None]:
    """Cut each axis into that many pieces, as even as they come, longer ones first; ranks count x fastest.

    An axis with fewer cells than pieces leaves some ranks without cells.
    """
    columns, rows, layers = (_pieces(cells, pieces) for cells, pieces in zip(dimensions, ranks, strict=True))
    return [_box(x, y, z) for z, y, x in itertools.product(layers, rows, columns)]


def fault_of(dimensions: Integers, shares: Sequence[Box | None]) -> str | None:
    """Why the shares are not the grid, each cell once; None when they are.

    Boxes inside the grid that do not meet and have as many cells as the grid leave no cell out.
    """
    boxes = [(rank, box) for rank, box in enumerate(shares) if box is not None]
    for rank, box in boxes:
        if not is_inside(box, dimensions):
            return f"the box of rank {rank} is not inside the grid"
    for (first, one), (second, other) in itertools.combinations(boxes, 2):
        if _meet(one, other):
            return f"the boxes of ranks {first} and {second} overlap"
    nx, ny, nz = dimensions
    missing = nx * ny * nz - sum(box.cells for _, box in boxes)
    return f"{missing} cells belong to no rank" if missing else None


def is_inside(box: Box, dimensions: Integers) -> bool:
    """Whether a box has cells, and all of them in the grid."""
    return all(
        offset >= 0 and size >= 1 and offset + size <= cells
        for offset, size, cells in zip(box.offset, box.size, dimensions, strict=True)
    )


def _pieces(cells: int, pieces: int) -> list[tuple[int, int]]:
    """The offset and length of each piece."""
    starts = [piece * (cells // pieces) + min(piece, cells % pieces) for piece in range(pieces + 1)]
    return [(start, end - start) for start, end in itertools.pairwise(starts)]


def _box(x: tuple[int, int], y: tuple[int, int], z: tuple[int, int]) -> Box | None:
    box = Box((x[0], y[0], z[0]), (x[1], y[1], z[1]))
    return box if min(box.size) >= 1 else None


def _meet(one: Box, other: Box) -> bool:
    return all(
        first < second + second_size and second < first + first_size
        for first, first_size, second, second_size in zip(one.offset, one.size, other.offset, other.size, strict=True)
    )
