"""One rank's cells in a field file that all ranks share, by collective MPI-IO (PFC-BRICKS).

A file view is a subarray of the grid in Fortran order (x fastest), so each rank hands over its brick as one run of
bytes and MPI-IO puts every cell in its place. A cell travels as 8 bytes and never as a number: every bit pattern
survives. Source: bundle document, On-disk layout.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from mpi4py import MPI

from reference_py.pfc import Box
from reference_py.pfc.values import CELL_BYTES, Integers


def write_brick(comm: MPI.Intracomm, path: str, dimensions: Integers, box: Box | None, data: bytes) -> None:
    """Collective: write this rank's brick (`data`, x fastest) into the new file `path`, the same on every rank.

    `path` is absolute, and no rank's box meets another's. A rank without cells takes part with the box None. Raises
    OSError for a file that is there already or that did not take every cell, and what MPI raises.
    """
    with _own_cells(comm, path, MPI.MODE_CREATE | MPI.MODE_EXCL | MPI.MODE_WRONLY, dimensions, box) as (file, cell):
        status = MPI.Status()
        count = _cells(box)
        file.Write_at_all(0, [data, count, cell], status)
        _check_all_moved(status, cell, count, "written")


def read_brick(comm: MPI.Intracomm, path: str, dimensions: Integers, box: Box | None) -> bytes:
    """Collective: read this rank's brick out of the file `path` (absolute), x fastest; b"" for a rank without cells.

    Raises OSError for a file that is too short, and what MPI raises.
    """
    with _own_cells(comm, path, MPI.MODE_RDONLY, dimensions, box) as (file, cell):
        status = MPI.Status()
        count = _cells(box)
        data = bytearray(count * CELL_BYTES)
        file.Read_at_all(0, [data, count, cell], status)
        _check_all_moved(status, cell, count, "read")
    return bytes(data)


def _cells(box: Box | None) -> int:
    return 0 if box is None else box.cells


@contextmanager
def _own_cells(
    comm: MPI.Intracomm, path: str, mode: int, dimensions: Integers, box: Box | None
) -> Iterator[tuple[MPI.File, MPI.Datatype]]:
    """A file opened by all ranks in which this rank sees nothing but its own cells, and the type of one cell."""
    cell = MPI.BYTE.Create_contiguous(CELL_BYTES).Commit()
    view = cell.Dup() if box is None else _subarray(cell, dimensions, box)
    try:
        with _hints() as hints:
            file = MPI.File.Open(comm, os.fsencode(path), mode, hints)
        try:
            file.Set_view(0, cell, view, "native")
            yield file, cell
        finally:
            # Collective too: a rank that failed comes here as the others do, so that none of them waits for it.
            file.Close()
    finally:
        view.Free()
        cell.Free()


@contextmanager
def _hints() -> Iterator[MPI.Info]:
    """No data sieving in writes: a rank would read what lies between its cells, lock it, and write it back.

    A rank whose write then fails keeps its lock and waits for the others to close the file, while they wait for the
    lock.
    """
    hints = MPI.Info.Create({"romio_ds_write": "disable"})
    try:
        yield hints
    finally:
        hints.Free()


def _subarray(cell: MPI.Datatype, dimensions: Integers, box: Box) -> MPI.Datatype:
    return cell.Create_subarray(dimensions, box.size, box.offset, order=MPI.ORDER_FORTRAN).Commit()


def _check_all_moved(status: MPI.Status, cell: MPI.Datatype, expected: int, moved: str) -> None:
    """A short transfer is no error to MPI-IO."""
    count = status.Get_count(cell)
    if count != expected:
        raise OSError(f"only {count} of {expected} cells were {moved}")
