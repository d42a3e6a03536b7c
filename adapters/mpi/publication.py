"""Publishing a bundle collectively: it appears whole or not at all, and every rank has the same outcome (PFC-PUBLISH).

Source: bundle document, Atomicity protocol. Every rank calls `publish`. Between two collective calls a rank only notes
what goes wrong, and it leaves when all have agreed to: none is left waiting. A rank that is killed cannot agree; then
`mpiexec` ends the others, and what stands is the staging directory or, past the rename, the whole bundle.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mpi4py import MPI

from adapters.mpi import shares, staging
from adapters.mpi.agreement import ROOT, agree, decided_by_root, failure_of
from adapters.mpi.bricks import write_brick
from reference_py.pfc import Box, Metadata, encode_metadata
from reference_py.pfc.bundle import FIELDS_NAME
from reference_py.pfc.ranges import is_field_id
from reference_py.pfc.values import CELL_BYTES, Integers
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class LocalField:
    """One rank's share of a field: the id, its length in bytes, and what packs its cells, x fastest, when needed.

    Whatever `pack` raises fails the publication on every rank.
    """

    id: str
    byte_length: int
    pack: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class _Share:
    """What rank 0 must know of a rank to judge the publication before it begins."""

    box: Box | None
    fields: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What rank 0 decided: where the bundle is to stand, its metadata text, and its grid."""

    final: Path
    text: bytes
    dimensions: Integers


def publish(comm: MPI.Intracomm, final: str, metadata: Metadata, box: Box | None, fields: Sequence[LocalField]) -> None:
    """Collective: publish a bundle at the path `final` (PFC-PUBLISH; bundle document, Atomicity protocol).

    `final` and `metadata` are those of rank 0; `box` is what this rank owns of the grid (None: nothing), and `fields`
    are the same on every rank, in the same order. Every rank returns, or raises the same Rejection: `publish-name`,
    `publish-exists` (nothing touched), those of `encode_metadata`, `publish-field` (at `fields/<id>`: no id, repeated,
    not on every rank, or not the cells of the grid once each), then `publish-failed` (at `fields/<id>` of a rank that
    fails) and, for a name taken meanwhile, `publish-exists`, both with the staging directory gone. What stands at
    `final` is never removed (R-PFC-8).
    """
    share = _Share(box, tuple((field.id, field.byte_length) for field in fields))
    gathered = comm.gather(share, root=ROOT)
    plan = decided_by_root(comm, lambda: _plan(final, metadata, gathered or []))
    try:
        _write_and_rename(comm, plan, box, fields)
    except Rejection:
        if comm.rank == ROOT:
            with suppress(Exception):  # the first fault is the one that is told
                staging.clear(staging.staging_of(plan.final))
        comm.Barrier()
        raise
    comm.Barrier()


def _write_and_rename(comm: MPI.Intracomm, plan: _Plan, box: Box | None, fields: Sequence[LocalField]) -> None:
    stage = staging.staging_of(plan.final)
    agree(comm, failure_of(lambda: staging.create(stage)) if comm.rank == ROOT else None)
    for field in fields:
        _write_field(comm, staging.brick_file(stage, field.id), plan.dimensions, box, field)
    agree(comm, _completed(stage, plan, fields) if comm.rank == ROOT else None)
    decided_by_root(comm, lambda: staging.make_visible(stage, plan.final))


def _write_field(comm: MPI.Intracomm, path: Path, dimensions: Integers, box: Box | None, field: LocalField) -> None:
    """Collective: one field file, every rank's cells in it, or the same rejection on every rank."""
    at = f"{FIELDS_NAME}/{field.id}"
    packed: list[bytes] = []
    # No rank enters the collective write before every rank has its brick: one that did would wait for the failed one.
    agree(comm, failure_of(lambda: packed.append(_pack(field)), at))
    agree(comm, failure_of(lambda: write_brick(comm, str(path), dimensions, box, packed[0]), at))


def _completed(stage: Path, plan: _Plan, fields: Sequence[LocalField]) -> Rejection | None:
    """Rank 0's last work before the rename: every field file is whole, and the metadata stands beside them."""
    nx, ny, nz = plan.dimensions
    for field in fields:
        path = staging.brick_file(stage, field.id)
        fault = failure_of(partial(staging.check_length, path, nx * ny * nz * CELL_BYTES), f"{FIELDS_NAME}/{field.id}")
        if fault is not None:
            return fault
    return failure_of(lambda: staging.write_metadata(stage, plan.text))


def _pack(field: LocalField) -> bytes:
    data = field.pack()
    if len(data) != field.byte_length:
        raise ValueError(f"packing gave {len(data)} bytes, expected {field.byte_length}")
    return data


def _plan(final: str, metadata: Metadata, gathered: Sequence[_Share]) -> _Plan:
    """Everything that can be judged before anything is touched, in the order of PFC-PUBLISH."""
    path = staging.final_path(final)
    staging.refuse_taken(path)
    encode_metadata(dataclasses.replace(metadata, fields=None))
    _check_fields(metadata.domain.global_dimensions, gathered)
    ids = tuple(field_id for field_id, _ in gathered[ROOT].fields)
    return _Plan(path, encode_metadata(dataclasses.replace(metadata, fields=ids)), metadata.domain.global_dimensions)


def _check_fields(dimensions: Integers, gathered: Sequence[_Share]) -> None:
    """`publish-field`, field by field: no id, repeated, not on every rank, or not the grid's cells once each."""
    shared_out = shares.fault_of(dimensions, [share.box for share in gathered])
    earlier: set[str] = set()
    for index in range(max(len(share.fields) for share in gathered)):
        given = [share.fields[index] if index < len(share.fields) else None for share in gathered]
        field_id = next(entry[0] for entry in given if entry is not None)
        fault = _id_fault(field_id, earlier) or _rank_fault(field_id, given, gathered) or shared_out
        if fault is not None:
            raise Rejection("publish-field", f"{FIELDS_NAME}/{field_id}", fault)
        earlier.add(field_id)


def _id_fault(field_id: str, earlier: set[str]) -> str | None:
    if not is_field_id(field_id):
        return f"{field_id!a} is no field id"
    return "the id is given a second time" if field_id in earlier else None


def _rank_fault(field_id: str, given: Sequence[tuple[str, int] | None], gathered: Sequence[_Share]) -> str | None:
    for rank, (entry, share) in enumerate(zip(given, gathered, strict=True)):
        if entry is None or entry[0] != field_id:
            return f"rank {rank} does not give this field here; every rank gives the same fields in the same order"
        expected = 0 if share.box is None else share.box.cells * CELL_BYTES
        if entry[1] != expected:
            return f"rank {rank} gives {entry[1]} bytes, expected {expected}: 8 for each of its cells"
    return None
