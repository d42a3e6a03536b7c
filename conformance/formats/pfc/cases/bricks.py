"""Cases of PFC-BRICKS, PFC-ASSEMBLE and PFC-EXTRACT: boxes of a grid to one field file and back, bit for bit."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise, product
from typing import TypeAlias

from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok, reject

_Three: TypeAlias = tuple[int, int, int]
_Box: TypeAlias = tuple[_Three, _Three]
"""Offset and size."""

_PATTERNS = (
    0x7FF8000000000000,  # quiet NaN
    0x7FF8000000000001,  # quiet NaN with a payload
    0x7FF0000000000001,  # signalling NaN, smallest payload
    0x7FF7FFFFFFFFFFFF,  # signalling NaN, largest payload
    0xFFF0000000000001,  # negative signalling NaN
    0xFFFFFFFFFFFFFFFF,  # every bit
    0x8000000000000000,  # -0.0
    0x0000000000000001,  # smallest subnormal
    0x800FFFFFFFFFFFFF,  # largest negative subnormal
    0x7FF0000000000000,  # infinity
    0xFFF0000000000000,  # -infinity
    0x0123456789ABCDEF,  # eight different bytes
)


def build(vectors: VectorSet) -> None:
    """Add the files for assembling and extracting."""
    assemble = vectors.file("brick-assemble", operation="pfc.brick.assemble", title="Parts of a grid to its field file")
    _assembled(assemble)
    _outside(assemble)
    _sizes(assemble)
    _overlaps_and_gaps(assemble)
    extract = vectors.file("brick-extract", operation="pfc.brick.extract", title="One part of a field file")
    _extracted(extract)
    _not_extracted(extract)


def _field(grid: _Three) -> bytes:
    """Number the cells so that each tells its place: x + 10 y + 100 z + 0.5, x fastest, little-endian."""
    nx, ny, nz = grid
    places = product(range(nz), range(ny), range(nx))
    return b"".join(struct.pack("<d", x + 10 * y + 100 * z + 0.5) for z, y, x in places)


def _patterns(count: int) -> bytes:
    return b"".join(struct.pack("<Q", _PATTERNS[index % len(_PATTERNS)]) for index in range(count))


def _cut(field: bytes, grid: _Three, box: _Box) -> bytes:
    """Take a box's cells out of a field by the formula of PFC-BRICKS: cell (i, j, k) at ((k ny + j) nx + i) 8."""
    (x, y, z), (sx, sy, sz) = box
    nx, ny, _ = grid
    cells = []
    for k, j, i in product(range(z, z + sz), range(y, y + sy), range(x, x + sx)):
        at = ((k * ny + j) * nx + i) * 8
        cells.append(field[at : at + 8])
    return b"".join(cells)


def _part(box: _Box, data: bytes) -> Data:
    return {"offset": list(box[0]), "size": list(box[1]), "data": b64(data)}


def _parts(field: bytes, grid: _Three, boxes: Sequence[_Box]) -> list[Data]:
    return [_part(box, _cut(field, grid, box)) for box in boxes]


def _blocks(xs: Sequence[int], ys: Sequence[int], zs: Sequence[int]) -> list[_Box]:
    """Return the boxes between the cut positions of each axis, x fastest."""
    axes = [list(pairwise(cuts)) for cuts in (xs, ys, zs)]
    return [
        ((x, y, z), (x_end - x, y_end - y, z_end - z))
        for (z, z_end), (y, y_end), (x, x_end) in product(axes[2], axes[1], axes[0])
    ]


def _whole(grid: _Three) -> _Box:
    return (0, 0, 0), grid


_CUBE: _Three = (4, 3, 2)
_EIGHT = _blocks((0, 1, 4), (0, 2, 3), (0, 1, 2))
_ENDS = [*_blocks((0, 2, 4), (0, 3), (0, 2))]
_ONE_CELL = _blocks(range(5), range(4), range(3))


def _assembled(cases: VectorFile) -> None:
    line: _Three = (8, 1, 1)
    plane: _Three = (4, 3, 1)
    uneven = [((0, 0, 0), (4, 1, 2)), ((0, 1, 0), (1, 2, 2)), ((1, 1, 0), (3, 2, 1)), ((1, 1, 1), (3, 2, 1))]
    for name, grid, boxes, why in (
        ("one-cell", (1, 1, 1), [_whole((1, 1, 1))], "asks for more than one cell"),
        ("line-whole", line, [_whole(line)], "changes what needs no moving"),
        ("line-uneven", line, _blocks((0, 3, 8), (0, 1), (0, 1)), "asks for parts of one size"),
        ("line-y", (1, 5, 1), _blocks((0, 1), (0, 2, 5), (0, 1)), "takes x as the only long axis"),
        ("line-z", (1, 1, 5), _blocks((0, 1), (0, 1), (0, 4, 5)), "takes x as the only long axis"),
        ("plane-uneven", plane, _blocks((0, 1, 4), (0, 2, 3), (0, 1)), "runs y fastest"),
        ("cube-whole", _CUBE, [_whole(_CUBE)], "changes what needs no moving"),
        ("cube-slabs-z", _CUBE, _blocks((0, 4), (0, 3), (0, 1, 2)), "runs z fastest"),
        ("cube-slabs-y", _CUBE, _blocks((0, 4), (0, 1, 3), (0, 2)), "takes a slab's rows as adjoining"),
        ("cube-slabs-x", _CUBE, _blocks((0, 3, 4), (0, 3), (0, 2)), "takes a slab's rows as adjoining"),
        ("cube-eight", _CUBE, _EIGHT, "exchanges two strides"),
        ("cube-eight-reversed", _CUBE, _EIGHT[::-1], "takes parts in the order of their place"),
        ("cube-eight-shuffled", _CUBE, [_EIGHT[index * 3 % 8] for index in range(8)], "takes parts in order"),
        ("cube-no-regular-cut", _CUBE, uneven, "asks for a decomposition along planes"),
        ("cube-every-cell", _CUBE, [_ONE_CELL[index * 7 % 24] for index in range(24)], "sorts parts by one axis"),
    ):  # fmt: skip
        field = _field(grid)
        _assembles(cases, name, _parts(field, grid, boxes), field, why, grid=grid)
    field = _patterns(24)
    why = "moves cells as numbers, which quiets NaNs or loses payloads, signs and subnormals"
    _assembles(cases, "patterns-whole", _parts(field, _CUBE, [_whole(_CUBE)]), field, why)
    _assembles(cases, "patterns-eight", _parts(field, _CUBE, _EIGHT), field, why)
    many: _Three = (120, 1, 1)
    field = _field(many)
    cells: list[_Box] = [((index * 7 % 120, 0, 0), (1, 1, 1)) for index in range(120)]
    _assembles(cases, "many-parts", _parts(field, many, cells), field, "bounds the number of parts", grid=many)


def _assembles(  # noqa: PLR0913 - what differs from case to case
    cases: VectorFile, name: str, parts: list[Data], field: bytes, why: str, *, grid: _Three = _CUBE
) -> None:
    cases.case(
        f"pfc/assemble/{name}",
        title=f"assemble: {name.replace('-', ' ')}",
        why=why,
        rules=("PFC-BRICKS", "PFC-ASSEMBLE"),
        tags=("boundary",),
        input={"global_dimensions": list(grid), "parts": parts},
        expect=ok(data=b64(field)),
    )


def _refused(  # noqa: PLR0913 - what differs from case to case
    cases: VectorFile,
    name: str,
    parts: list[Data],
    expect: Data,
    why: str,
    *,
    grid: _Three = _CUBE,
    faults: list[Data] | None = None,
) -> None:
    """Add a refused assembly; ``faults`` when it has two. The repair is the whole grid in two parts."""
    cell: Data = {"global_dimensions": [1, 1, 1], "parts": [_part(_whole((1, 1, 1)), bytes(8))]}
    repair: Data = {"parts": _parts(_field(_CUBE), _CUBE, _ENDS)} if grid == _CUBE else cell
    cases.case(
        f"pfc/assemble/{name}",
        title=f"assemble: {name.replace('-', ' ')}",
        why=why,
        rules=("PFC-ASSEMBLE",),
        tags=("precedence" if faults else "corruption",),
        input={"global_dimensions": list(grid), "parts": parts},
        repair=None if faults else repair,
        expect=expect,
        faults=faults,
    )


_BAD_BOXES: tuple[tuple[str, _Box, str], ...] = (
    ("offset-x-negative", ((-1, 0, 0), (2, 3, 2)), "reads in front of the field"),
    ("offset-y-negative", ((2, -1, 0), (2, 3, 2)), "lands in the row before"),
    ("offset-z-negative", ((2, 0, -1), (2, 3, 2)), "reads in front of the field"),
    ("size-x-zero", ((2, 0, 0), (0, 3, 2)), "takes a part without cells"),
    ("size-y-zero", ((2, 0, 0), (2, 0, 2)), "takes a part without cells"),
    ("size-z-zero", ((2, 0, 0), (2, 3, 0)), "takes a part without cells"),
    ("size-negative", ((4, 0, 0), (-2, 3, 2)), "takes a box that runs backwards"),
    ("sizes-two-negative", ((2, 0, 0), (-2, -3, 2)), "judges the product of the sizes"),
    ("past-x", ((2, 0, 0), (3, 3, 2)), "lets a row run into the next"),
    ("past-y", ((2, 0, 0), (2, 4, 2)), "lets a plane run into the next"),
    ("past-z", ((2, 0, 0), (2, 3, 3)), "writes behind the field"),
    ("starts-at-end", ((4, 0, 0), (1, 3, 2)), "takes the end for a place inside"),
    ("offset-two-to-31", ((2147483648, 0, 0), (2, 3, 2)), "reads offsets into 32 signed bits"),
    ("offset-two-to-32", ((4294967296 + 2, 0, 0), (2, 3, 2)), "keeps the low 32 bits, which would be 2"),
    ("sum-wraps-32", ((2147483647, 0, 0), (2147483647, 3, 2)), "adds in 32 bits"),
    ("sum-wraps-63", ((2**63 - 1, 0, 0), (2, 3, 2)), "adds in 64 signed bits, where the sum is negative"),
    ("sum-wraps-64", ((2**64 - 2, 0, 0), (4, 3, 2)), "adds in 64 unsigned bits, where the sum is 2"),
    ("offset-two-to-64", ((2**64 + 2, 0, 0), (2, 3, 2)), "keeps the low 64 bits, which would be 2"),
    ("size-two-to-64", ((2, 0, 0), (2**64 + 2, 3, 2)), "keeps the low 64 bits, which would be 2"),
    ("negative-and-size-fits", ((-2, 0, 0), (4, 3, 2)), "compares the end only"),
)  # fmt: skip


def _outside(cases: VectorFile) -> None:
    first = _part(_ENDS[0], _cut(_field(_CUBE), _CUBE, _ENDS[0]))
    for name, box, why in _BAD_BOXES:
        parts = [first, _part(box, bytes(96))]
        _refused(cases, f"outside-{name}", parts, reject("part-outside", "parts/1"), why)


def _sizes(cases: VectorFile) -> None:
    field = _field(_CUBE)
    left, right = _parts(field, _CUBE, _ENDS)
    for name, data, why in (
        ("empty", b"", "fills a missing part with zeros"),
        ("one-byte-short", bytes(95), "rounds bytes up to cells"),
        ("one-byte-long", bytes(97), "cuts what is too long"),
        ("cells-for-bytes", bytes(12), "compares cells with bytes"),
        ("single-precision", bytes(48), "takes four bytes a cell"),
        ("whole-field", field, "takes the whole field for a part of it"),
    ):
        parts = [left, right | {"data": b64(data)}]
        _refused(cases, f"size-{name}", parts, reject("part-size", "parts/1"), why)
    huge: _Three = (2**22, 2**22, 2**22)
    parts = [_part(_whole(huge), b"")]
    why = "multiplies in 64 bits, where the bytes wrap to 0"
    _refused(cases, "size-wraps-to-zero", parts, reject("part-size", "parts/0"), why, grid=huge)
    most: _Three = (2**31 - 1, 2**31 - 1, 2**31 - 1)
    parts = [_part(_whole(most), bytes(8))]
    why = "allocates before it compares sizes"
    _refused(cases, "size-huge", parts, reject("part-size", "parts/0"), why, grid=most)


def _overlaps_and_gaps(cases: VectorFile) -> None:
    field = _field(_CUBE)

    def boxes(*wanted: _Box) -> list[Data]:
        return _parts(field, _CUBE, wanted)

    low: _Box = ((0, 0, 0), (1, 3, 2))
    high: _Box = ((3, 0, 0), (1, 3, 2))
    middle: _Box = ((1, 0, 0), (2, 3, 2))
    for name, parts, at, why in (
        ("same-part-twice", boxes(*_ENDS, _ENDS[0]), 2, "lets the last part win"),
        ("same-part-at-once", boxes(_ENDS[0], *_ENDS), 1, "lets the last part win"),
        ("one-cell", boxes(*_ENDS, ((3, 2, 1), (1, 1, 1))), 2, "compares corners of boxes only"),
        ("inside", boxes(_whole(_CUBE), ((1, 1, 0), (1, 1, 1))), 1, "looks for crossing faces only"),
        ("around", boxes(((1, 1, 0), (1, 1, 1)), _whole(_CUBE)), 1, "looks for corners of the later part only"),
        ("crossing", boxes(((0, 1, 0), (4, 1, 2)), ((1, 0, 0), (1, 3, 2))), 1, "looks for corners inside"),
        ("with-later-of-two", boxes(low, high, middle, ((2, 0, 0), (2, 3, 2))), 3, "compares with the first part only"),
    ):  # fmt: skip
        _refused(cases, f"overlap-{name}", parts, reject("parts-overlap", f"parts/{at}"), why)
    meeting, last = ((2, 0, 0), (2, 3, 2)), ((0, 0, 0), (2, 3, 2))
    one, other = reject("parts-overlap", "parts/2"), reject("parts-overlap", "parts/3")
    alone = [
        {**one, "input": {"parts": boxes(low, high, meeting, ((1, 0, 0), (1, 3, 2)))}},
        {**other, "input": {"parts": boxes(low, high, ((2, 0, 0), (1, 3, 2)), last)}},
    ]
    why = "walks along the grid and reports the overlap at the lowest cell"
    _refused(cases, "overlap-first-in-part-order", boxes(low, high, meeting, last), one, why, faults=alone)
    gap = reject("parts-gap")
    for name, parts, why in (
        ("no-parts", [], "takes an empty list for a whole field of zeros"),
        ("one-cell", boxes(*_ONE_CELL[:-1]), "counts parts instead of cells"),
        ("middle", boxes(low, high), "compares the outer bounds"),
        ("corner", boxes(((0, 0, 0), (4, 3, 1)), ((0, 0, 1), (4, 2, 1)), ((0, 2, 1), (3, 1, 1))), "compares bounds"),
    ):
        _refused(cases, f"gap-{name}", parts, gap, why)
    most: _Three = (2**31 - 1, 2**31 - 1, 2**31 - 1)
    why = "allocates the field, or one entry a cell, before it counts the cells of the parts"
    _refused(cases, "gap-huge-grid", [_part(((0, 0, 0), (1, 1, 1)), bytes(8))], gap, why, grid=most)
    wrapping: _Three = (2**21, 2**21, 2**22)
    why = "multiplies in 64 bits, where the grid's cells wrap to 0"
    _refused(cases, "gap-grid-wraps-to-zero", [], gap, why, grid=wrapping)
    far = [_part(((0, 0, 0), (1, 1, 1)), bytes(8)), _part(((2**31 - 2, 5, 9), (1, 1, 1)), bytes(8))]
    why = "allocates by the outer bounds of the parts"
    _refused(cases, "gap-far-apart", far, gap, why, grid=most)
    twice = [far[1], far[1]]
    why = "allocates one entry a cell to find an overlap"
    _refused(cases, "overlap-huge-grid", twice, reject("parts-overlap", "parts/1"), why, grid=most)


def _extracted(cases: VectorFile) -> None:
    field = _field(_CUBE)
    for name, box, why in (
        ("whole", _whole(_CUBE), "changes what needs no moving"),
        ("first-cell", ((0, 0, 0), (1, 1, 1)), "starts one cell off"),
        ("last-cell", ((3, 2, 1), (1, 1, 1)), "ends one cell off"),
        ("row-x", ((0, 1, 1), (4, 1, 1)), "runs another axis fastest"),
        ("row-y", ((2, 0, 1), (1, 3, 1)), "runs another axis fastest"),
        ("row-z", ((2, 1, 0), (1, 1, 2)), "runs another axis fastest"),
        ("plane", ((0, 0, 1), (4, 3, 1)), "exchanges two strides"),
        ("block", ((1, 1, 0), (2, 2, 2)), "exchanges two strides"),
    ):
        _extracts(cases, name, box, why, field=field)
    why = "moves cells as numbers, which quiets NaNs or loses payloads, signs and subnormals"
    _extracts(cases, "patterns", ((0, 0, 0), (4, 3, 1)), why, field=_patterns(24))
    one: _Three = (1, 1, 1)
    _extracts(cases, "one-cell-grid", _whole(one), "asks for more than one cell", grid=one, field=_patterns(1))


def _extracts(  # noqa: PLR0913 - what differs from case to case
    cases: VectorFile, name: str, box: _Box, why: str, *, grid: _Three = _CUBE, field: bytes
) -> None:
    cases.case(
        f"pfc/extract/{name}",
        title=f"extract: {name.replace('-', ' ')}",
        why=why,
        rules=("PFC-BRICKS", "PFC-EXTRACT"),
        tags=("boundary",),
        input=_asked(grid, field, box),
        expect=ok(data=b64(_cut(field, grid, box))),
    )


def _asked(grid: _Three, field: bytes, box: _Box) -> Data:
    return {"global_dimensions": list(grid), "data": b64(field), "offset": list(box[0]), "size": list(box[1])}


def _not_extracted(cases: VectorFile) -> None:
    field = _field(_CUBE)
    good = _asked(_CUBE, field, _ENDS[1])
    huge: _Three = (2**22, 2**22, 2**22)
    most: _Three = (2**31 - 1, 2**31 - 1, 2**31 - 1)
    cell: _Box = ((0, 0, 0), (1, 1, 1))
    asked = [(f"outside-{name}", _asked(_CUBE, field, box), "part-outside", why) for name, box, why in _BAD_BOXES]
    asked += [
        ("size-empty", _asked(_CUBE, b"", _ENDS[1]), "part-size", "answers zeros for what is not there"),
        ("size-short", _asked(_CUBE, field[:-1], cell), "part-size", "asks only for the bytes that it needs"),
        ("size-short-cell", _asked(_CUBE, field[:-8], cell), "part-size", "asks only for the bytes that it needs"),
        ("size-long", _asked(_CUBE, field + b"\0", _ENDS[1]), "part-size", "ignores what stands behind the field"),
        ("size-part-only", _asked(_CUBE, bytes(96), _ENDS[1]), "part-size", "compares with the part's own size"),
        ("size-huge", _asked(most, bytes(8), cell), "part-size", "multiplies in 64 bits"),
        (
            "size-wraps-to-zero",
            _asked(huge, b"", cell),
            "part-size",
            "multiplies in 64 bits, where the bytes wrap to 0",
        ),
        ("size-huge-part", _asked(most, b"", _whole(most)), "part-size", "allocates the part before it looks"),
    ]
    for name, request, reason, why in asked:
        cases.case(
            f"pfc/extract/{name}",
            title=f"extract: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-EXTRACT",),
            tags=("corruption",),
            input=request,
            repair=good,
            expect=reject(reason),
        )
