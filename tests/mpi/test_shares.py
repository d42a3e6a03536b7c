"""Sharing a grid out: what is cut, and which shares are not the grid. No MPI is needed for it."""

from __future__ import annotations

import pytest

from adapters.mpi.shares import blocks, fault_of
from reference_py.pfc import Box
from reference_py.pfc.values import Integers


def test_the_first_pieces_are_the_longer_ones_and_ranks_count_x_fastest() -> None:
    assert blocks((5, 3, 1), (2, 2, 1)) == [
        Box((0, 0, 0), (3, 2, 1)),
        Box((3, 0, 0), (2, 2, 1)),
        Box((0, 2, 0), (3, 1, 1)),
        Box((3, 2, 0), (2, 1, 1)),
    ]


def test_more_ranks_than_cells_leave_ranks_without_any() -> None:
    assert blocks((1, 2, 1), (1, 3, 1)) == [Box((0, 0, 0), (1, 1, 1)), Box((0, 1, 0), (1, 1, 1)), None]


@pytest.mark.parametrize("ranks", [(1, 1, 1), (4, 1, 1), (2, 3, 2), (9, 9, 9)])
def test_blocks_are_the_grid(ranks: Integers) -> None:
    assert fault_of((5, 4, 3), blocks((5, 4, 3), ranks)) is None


@pytest.mark.parametrize(
    ("boxes", "told"),
    [
        ([None, None], "12 cells belong to no rank"),
        ([Box((0, 0, 0), (3, 2, 1)), None], "6 cells belong to no rank"),
        ([None, Box((0, 0, 0), (3, 2, 3))], "the box of rank 1 is not inside the grid"),
        ([None, Box((0, -1, 0), (3, 2, 2))], "the box of rank 1 is not inside the grid"),
        ([Box((0, 0, 0), (3, 2, 2)), Box((1, 1, 1), (0, 1, 1))], "the box of rank 1 is not inside the grid"),
        ([Box((0, 0, 0), (3, 2, 1)), None, Box((2, 1, 0), (1, 1, 2))], "the boxes of ranks 0 and 2 overlap"),
    ],
)
def test_shares_that_are_not_the_grid(boxes: list[Box | None], told: str) -> None:
    assert fault_of((3, 2, 2), boxes) == told


def test_boxes_that_touch_do_not_overlap() -> None:
    assert fault_of((3, 1, 1), [Box((2, 0, 0), (1, 1, 1)), Box((0, 0, 0), (2, 1, 1))]) is None
