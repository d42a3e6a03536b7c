"""Publications that are wrong in one way each. The trials must catch them, or the trials are worth nothing."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest import mock

from mpi4py import MPI

from adapters.mpi import bricks, publication, staging
from adapters.mpi.publication import LocalField
from reference_py.pfc import Box, Metadata
from reference_py.pfc.values import Integers
from reference_py.rejection import Rejection

Fields = Sequence[LocalField]


def _with(target: object, name: str, replacement: Callable[..., object]) -> Callable[..., None]:
    def publish(comm: MPI.Intracomm, final: str, metadata: Metadata, box: Box | None, fields: Fields) -> None:
        with mock.patch.object(target, name, replacement):
            publication.publish(comm, final, metadata, box, fields)

    return publish


def _in_c_order(cell: MPI.Datatype, dimensions: Integers, box: Box) -> MPI.Datatype:
    return cell.Create_subarray(dimensions, box.size, box.offset, order=MPI.ORDER_C).Commit()


cells_in_c_order = _with(bricks, "_subarray", _in_c_order)


@contextlib.contextmanager
def _no_hints() -> Iterator[MPI.Info]:
    yield MPI.INFO_NULL


data_sieving = _with(bricks, "_hints", _no_hints)


def _pack_or_zeros(field: LocalField) -> bytes:
    try:
        return field.pack().ljust(field.byte_length, b"\0")
    except OSError:
        return bytes(field.byte_length)


zeros_for_a_failed_rank = _with(publication, "_pack", _pack_or_zeros)


def _alone(comm: MPI.Intracomm, fault: Rejection | None) -> None:  # noqa: ARG001 - its point is not to use it
    if fault is not None:
        raise fault


failing_rank_leaves_alone = _with(publication, "agree", _alone)


def _without_words(comm: MPI.Intracomm, fault: Rejection | None) -> None:
    if not comm.allreduce(int(fault is None), op=MPI.MIN):
        raise fault or Rejection("publish-failed")


others_do_not_know_where = _with(publication, "agree", _without_words)
staging_is_left_behind = _with(staging, "clear", lambda _staging: None)


def _rename_replacing(source: Path, target: Path) -> None:
    source.rename(target)


empty_directory_is_replaced = _with(staging, "rename_without_replacing", _rename_replacing)


def _clear_both(stage: Path) -> None:
    for path in (stage, stage.with_name(stage.name.removesuffix(".publishing"))):
        shutil.rmtree(path, ignore_errors=True)


failure_deletes_the_final = _with(staging, "clear", _clear_both)


def renamed_before_all_agree(
    comm: MPI.Intracomm, final: str, metadata: Metadata, box: Box | None, fields: Fields
) -> None:
    write_metadata = staging.write_metadata

    def write_and_rename(stage: Path, text: bytes) -> None:
        write_metadata(stage, text)
        stage.rename(final)

    with mock.patch.multiple(staging, write_metadata=write_and_rename, make_visible=lambda _stage, _final: None):
        publication.publish(comm, final, metadata, box, fields)


def written_in_place(comm: MPI.Intracomm, final: str, metadata: Metadata, box: Box | None, fields: Fields) -> None:
    with mock.patch.multiple(staging, staging_of=lambda path: path, make_visible=lambda _stage, _final: None):
        publication.publish(comm, final, metadata, box, fields)
