"""Restarting from a bundle on any decomposition: each rank gets its own cells of each field, or all are refused.

The order is metadata, restore check, field files (PFC-RESTORE, PFC-OPEN). Source: bundle document, On-disk layout and
what it says of `restart_from`: a mismatch on any rank rejects the request before field I/O.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mpi4py import MPI

from adapters.mpi.agreement import agree, decided_by_root, told
from adapters.mpi.bricks import read_brick
from adapters.mpi.shares import is_inside
from reference_py.pfc import Box, Metadata, RestoreRequest, check_restore, decode_metadata, open_bundle
from reference_py.pfc.bundle import BRICK_SUFFIX, FIELDS_NAME, METADATA_NAME
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class Restart:
    """What a rank restarts from: the metadata, and its own cells of each requested field, x fastest, by field id."""

    metadata: Metadata
    bricks: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class _Found:
    """What rank 0 found: where, the metadata, the ids of the fields there are, and what is wrong with their files."""

    directory: Path
    metadata: Metadata
    fields: tuple[str, ...]
    fault: Rejection | None


def restart(comm: MPI.Intracomm, directory: str, request: RestoreRequest, box: Box | None) -> Restart:
    """Collective: read this rank's box (None: no cells) of each field that `request` names.

    `directory` is that of rank 0; the request is each rank's own. Every rank returns, or raises the same Rejection:
    those of `open_bundle` about the directory and its metadata, those of `check_restore`, `part-outside`, those of
    `open_bundle` about field files (`field-missing` also for a requested field of a bundle that lists none), and
    `field-size` (at `fields/<id>`) for a file that has become shorter since.
    """
    found = decided_by_root(comm, lambda: _find(directory))
    agree(comm, _refusal(found.metadata, request, box))
    if found.fault is not None:
        raise found.fault
    agree(comm, _absent(found, request))
    bricks: dict[str, bytes] = {}
    for field_id in request.fields:
        agree(comm, _read(comm, found, field_id, box, bricks))
    return Restart(found.metadata, bricks)


def _find(directory: str) -> _Found:
    path = Path(directory).absolute()
    try:
        bundle = open_bundle(directory)
    except Rejection as fault:
        if not fault.reason.startswith("field-"):
            raise
        # Only the field files are at fault. The restore check comes before them, and needs the metadata.
        return _Found(path, decode_metadata((path / METADATA_NAME).read_bytes()), (), fault)
    return _Found(path, bundle.metadata, tuple(field.id for field in bundle.fields), None)


def _refusal(metadata: Metadata, request: RestoreRequest, box: Box | None) -> Rejection | None:
    try:
        check_restore(metadata, request)
    except Rejection as fault:
        return fault
    dimensions = metadata.domain.global_dimensions
    if box is not None and not is_inside(box, dimensions):
        return Rejection("part-outside", detail=f"{box} is not inside the grid {dimensions}")
    return None


def _absent(found: _Found, request: RestoreRequest) -> Rejection | None:
    for field_id in request.fields:
        if field_id not in found.fields:
            return Rejection(
                "field-missing", f"{FIELDS_NAME}/{field_id}", f"{str(found.directory)!a} has no such field"
            )
    return None


def _read(
    comm: MPI.Intracomm, found: _Found, field_id: str, box: Box | None, bricks: dict[str, bytes]
) -> Rejection | None:
    path = found.directory / FIELDS_NAME / (field_id + BRICK_SUFFIX)
    dimensions = found.metadata.domain.global_dimensions
    try:
        bricks[field_id] = read_brick(comm, str(path), dimensions, box)
    except (OSError, MPI.Exception) as fault:
        return Rejection("field-size", f"{FIELDS_NAME}/{field_id}", told(fault))
    return None
