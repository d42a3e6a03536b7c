"""Bricks: what parts make a field, in which order faults are told, and that nothing depends on a grid's size."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_py.pfc.bricks import Box, Part, assemble, extract
from reference_py.pfc.values import Integers
from reference_py.rejection import Rejection


def cells(*numbers: int) -> bytes:
    """Cells told apart by their bits alone, read as unsigned integers."""
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def part(offset: Integers, size: Integers, *numbers: int) -> Part:
    return Part(Box(offset, size), cells(*numbers))


def blank(offset: Integers, size: Integers) -> Part:
    return part(offset, size, *[0] * (size[0] * size[1] * size[2]))


def rejection_of(dimensions: Integers, *parts: Part) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        assemble(dimensions, parts)
    return caught.value.reason, caught.value.at


def test_x_runs_fastest() -> None:
    # 3 x 2 x 2 cells numbered by position; the second part is the column x = 2.
    parts = (
        part((0, 0, 0), (2, 2, 2), 0, 1, 3, 4, 6, 7, 9, 10),
        part((2, 0, 0), (1, 2, 2), 2, 5, 8, 11),
    )
    assert assemble((3, 2, 2), parts) == cells(*range(12))
    assert extract((3, 2, 2), cells(*range(12)), parts[0].box) == parts[0].data
    assert extract((3, 2, 2), cells(*range(12)), parts[1].box) == parts[1].data


def test_planes_and_rows() -> None:
    field = cells(*range(12))
    planes = (part((0, 0, 1), (3, 2, 1), 6, 7, 8, 9, 10, 11), part((0, 0, 0), (3, 2, 1), 0, 1, 2, 3, 4, 5))
    rows = (part((0, 1, 0), (3, 1, 2), 3, 4, 5, 9, 10, 11), part((0, 0, 0), (3, 1, 2), 0, 1, 2, 6, 7, 8))
    assert assemble((3, 2, 2), planes) == field
    assert assemble((3, 2, 2), rows) == field
    assert [extract((3, 2, 2), field, p.box) for p in planes + rows] == [p.data for p in planes + rows]


def test_bit_patterns_survive() -> None:
    # Signalling and negative quiet NaN, -0.0, the smallest subnormal, infinity.
    bits = (0x7FF0000000000001, 0xFFF8000000000000, 0x8000000000000000, 1, 0x7FF0000000000000)
    assert assemble((5, 1, 1), [part((0, 0, 0), (5, 1, 1), *bits)]) == cells(*bits)
    assert extract((5, 1, 1), cells(*bits), Box((2, 0, 0), (1, 1, 1))) == cells(bits[2])


@pytest.mark.parametrize(
    ("offset", "size"),
    [
        ((0, 0, 0), (0, 1, 1)),
        ((0, 0, 0), (1, 1, -1)),
        ((-1, 0, 0), (2, 1, 1)),
        ((1, 0, 0), (2, 1, 1)),
        ((0, 2, 0), (1, 1, 1)),
        ((0, 0, 2**64), (1, 1, 1)),
        ((0, 0, 0), (2**63, 2**63, 2**63)),
    ],
)
def test_outside(offset: Integers, size: Integers) -> None:
    outside = Part(Box(offset, size), b"")
    assert rejection_of((2, 2, 2), blank((0, 0, 0), (2, 2, 2)), outside) == ("part-outside", "parts/1")
    with pytest.raises(Rejection) as caught:
        extract((2, 2, 2), b"", outside.box)
    assert (caught.value.reason, caught.value.at) == ("part-outside", None)


def test_faults_are_told_pass_by_pass() -> None:
    short = Part(Box((0, 0, 0), (2, 1, 1)), bytes(8))
    outside = Part(Box((2, 0, 0), (1, 1, 1)), bytes(8))
    whole = blank((0, 0, 0), (2, 1, 1))
    assert rejection_of((2, 1, 1), short, whole, whole, outside) == ("part-outside", "parts/3")
    assert rejection_of((2, 1, 1), whole, whole, short) == ("part-size", "parts/2")
    assert rejection_of((3, 1, 1), whole, whole) == ("parts-overlap", "parts/1")
    assert rejection_of((3, 1, 1), whole) == ("parts-gap", None)
    assert rejection_of((1, 1, 1)) == ("parts-gap", None)


def test_extract_judges_the_place_before_the_file() -> None:
    with pytest.raises(Rejection) as caught:
        extract((2, 1, 1), bytes(15), Box((0, 0, 0), (1, 1, 1)))
    assert (caught.value.reason, caught.value.at) == ("part-size", None)


def test_overlap_is_told_at_the_first_part_that_meets_an_earlier_one() -> None:
    # Part 3 meets part 2 at the front of the grid; part 4 meets part 0 at its end. 3 comes first.
    parts = [blank((x, 0, 0), (1, 1, 1)) for x in (0, 5, 3, 3, 0)]
    assert rejection_of((6, 1, 1), *parts) == ("parts-overlap", "parts/3")


def test_a_long_run_meets_a_later_short_one() -> None:
    # A run that starts before several others, and reaches the last of them.
    parts = [blank((0, 0, 0), (6, 1, 1)), blank((5, 0, 0), (1, 1, 1))]
    assert rejection_of((8, 1, 1), *parts) == ("parts-overlap", "parts/1")


def test_huge_grids_cost_only_the_bytes_given() -> None:
    huge = (2**40, 2**40, 2**40)
    far = blank((2**40 - 1, 2**40 - 1, 2**40 - 1), (1, 1, 1))
    assert rejection_of(huge, blank((0, 0, 0), (1, 1, 1)), far) == ("parts-gap", None)
    assert rejection_of(huge, blank((0, 0, 0), (1, 1, 1)), far, far) == ("parts-overlap", "parts/2")
    with pytest.raises(Rejection) as caught:
        extract(huge, bytes(8), Box((0, 0, 0), huge))
    assert caught.value.reason == "part-size"


def test_many_parts() -> None:
    count = 20_000
    parts = [part((x, 0, 0), (1, 1, 1), x) for x in range(count)]
    assert assemble((count, 1, 1), parts) == cells(*range(count))
    assert rejection_of((count, 1, 1), *parts[:-1], parts[0]) == ("parts-overlap", f"parts/{count - 1}")


small = st.integers(1, 4)


@given(st.tuples(small, small, small), st.data())
def test_any_two_halves_make_the_same_field(dimensions: Integers, data: st.DataObject) -> None:
    nx, ny, nz = dimensions
    field = cells(*range(nx * ny * nz))
    axis = data.draw(st.integers(0, 2))
    cut = data.draw(st.integers(0, dimensions[axis]))
    boxes = []
    for low, high in ((0, cut), (cut, dimensions[axis])):
        if low < high:
            offset, size = [0, 0, 0], list(dimensions)
            offset[axis], size[axis] = low, high - low
            boxes.append(Box((offset[0], offset[1], offset[2]), (size[0], size[1], size[2])))
    assert assemble(dimensions, [Part(box, extract(dimensions, field, box)) for box in boxes]) == field


boxes_in_four = st.tuples(*[st.integers(0, 3)] * 3, *[st.integers(1, 2)] * 3)


@given(st.lists(boxes_in_four, max_size=6))
def test_overlap_and_gap_agree_with_cell_sets(corners: list[tuple[int, ...]]) -> None:
    claimed: set[tuple[int, int, int]] = set()
    expected: tuple[str, str | None] = ("parts-gap", None)
    parts = []
    for index, (x, y, z, width, height, depth) in enumerate(corners):
        parts.append(blank((x, y, z), (width, height, depth)))
        covered = {(x + a, y + b, z + c) for a in range(width) for b in range(height) for c in range(depth)}
        if claimed & covered and expected[0] == "parts-gap":
            expected = ("parts-overlap", f"parts/{index}")
        claimed |= covered
    assert rejection_of((5, 5, 5), *parts) == expected  # six parts of at most 8 cells never fill 125
