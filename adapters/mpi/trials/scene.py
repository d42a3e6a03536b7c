"""What every trial publishes, and what it must look like: the same for the ranks and for whoever judges them."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

from adapters.mpi.shares import blocks
from reference_py.pfc import Box, Domain, Metadata, RestoreRequest
from reference_py.pfc.values import CELL_BYTES, Integers

FIELDS = ("psi", "u.2")
"""The ids of the published fields."""

GRIDS: dict[str, Integers] = {
    "1-D": (7, 1, 1),
    "1-D along z": (1, 1, 6),
    "2-D": (5, 3, 1),
    "3-D": (5, 4, 3),
    "3-D of 5049 cells": (33, 17, 9),
}
"""Grids by name, in cells along x, y, z; few of them can be cut evenly."""

_DELICATE_CELLS = tuple(
    bytes.fromhex(digits)
    for digits in (
        "010000000000f07f",  # a signalling NaN
        "0000000000000080",  # -0.0
        "0100000000000000",  # the smallest subnormal
        "efcdab89674523f1",  # eight different bytes
        "ffffffffffffffff",  # a NaN of ones
    )
)
"""Bit patterns that change when a cell is treated as a number, or its bytes are swapped."""


def metadata(dimensions: Integers) -> Metadata:
    """Return the metadata of a bundle on this grid."""
    return Metadata(
        accepted_time=0.1,
        accepted_increment=5,
        domain=_domain(dimensions),
        method_identity="trial",
        result_counter=2,
    )


def request(dimensions: Integers, fields: tuple[str, ...]) -> RestoreRequest:
    """Return the request that a bundle on this grid satisfies."""
    return RestoreRequest(_domain(dimensions), "trial", fields, ())


def field_bytes(field: str, dimensions: Integers) -> bytes:
    """Return all cells of a field, x fastest: no two cells alike, so that none can stand in for another."""
    nx, ny, nz = dimensions
    return b"".join(_cell(field, index) for index in range(nx * ny * nz))


def brick_bytes(field: str, dimensions: Integers, box: Box | None) -> bytes:
    """Return the cells of a box, x fastest, each taken from its place ((k*ny + j)*nx + i)."""
    if box is None:
        return b""
    nx, ny, _ = dimensions
    x, y, z = (range(offset, offset + size) for offset, size in zip(box.offset, box.size, strict=True))
    return b"".join(_cell(field, (k * ny + j) * nx + i) for k, j, i in itertools.product(z, y, x))


def decompositions(dimensions: Integers, ranks: int) -> Iterator[tuple[str, list[Box | None]]]:
    """Yield named ways to share a grid out among ranks: every block grid, and cuts that no block grid has."""
    for columns, rows, layers in itertools.product(range(1, ranks + 1), repeat=3):
        if columns * rows * layers == ranks:
            yield f"{columns}x{rows}x{layers} blocks", blocks(dimensions, (columns, rows, layers))
    if ranks > 1:
        uneven = _bisected(Box((0, 0, 0), dimensions), ranks)
        yield "uneven cuts", uneven
        yield "uneven cuts, ranks reversed", uneven[::-1]


def _domain(dimensions: Integers) -> Domain:
    return Domain(dimensions, (-1.5, 0.0, 2.5), (0.1, 0.25, 1.0), (True, False, True))


def _cell(field: str, index: int) -> bytes:
    if index < len(_DELICATE_CELLS):
        return _DELICATE_CELLS[index]
    return hashlib.sha256(f"{field} {index}".encode()).digest()[:CELL_BYTES]


def _bisected(box: Box, ranks: int) -> list[Box | None]:
    """Cut the longest axis at about a third, and each piece again, until every rank has one."""
    if ranks == 1:
        return [box]
    axis = max(range(3), key=lambda candidate: box.size[candidate])
    if box.size[axis] == 1:
        return [box, *[None] * (ranks - 1)]
    cut = max(1, box.size[axis] // 3)
    low = Box(box.offset, _with(box.size, axis, cut))
    high = Box(_with(box.offset, axis, box.offset[axis] + cut), _with(box.size, axis, box.size[axis] - cut))
    return [*_bisected(low, ranks // 2), *_bisected(high, ranks - ranks // 2)]


def _with(values: Integers, axis: int, value: int) -> Integers:
    x, y, z = (value if place == axis else old for place, old in enumerate(values))
    return x, y, z
