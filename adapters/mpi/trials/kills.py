"""A rank is killed: the job ends, and what stands is no bundle or the whole one, never a part under the final name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adapters.mpi.shares import blocks
from adapters.mpi.trials import scene
from adapters.mpi.trials.judge import Tree, Trial, difference, outcome_fault, publish_serially, tree
from adapters.mpi.trials.launch import PUBLICATION, Job, run_job
from adapters.mpi.trials.plan import Fault, Step
from reference_py.pfc import open_bundle
from reference_py.rejection import Rejection

_GRID = scene.GRIDS["3-D of 5049 cells"]
_FIELD_BYTES = 33 * 17 * 9 * 8
_ABSENT, _WHOLE = "absent", "whole"


@dataclass(frozen=True, slots=True)
class _Kill:
    """Where a rank is killed, and what may stand afterwards."""

    fault: Fault
    allowed: tuple[str, ...]
    is_retried: bool = False
    """Whether the next publication under the name is collective as well; else it is the serial reference's."""


def trials(folder: Path, ranks: int, publication: str = PUBLICATION) -> Iterator[Trial]:
    """Kill the first and the last rank in the middle of a write, and while it packs with a field already written."""
    for rank in sorted({0, ranks - 1}):
        # Every rank writes its own layers, so half of a rank's brick lies below this length of the file.
        first, last = (layer * 9 // ranks for layer in (rank, rank + 1))
        middle = _FIELD_BYTES // 9 * first + _FIELD_BYTES // 9 * (last - first) // 2
        for fault in (Fault("killed-writing", rank, middle), Fault("killed-packing", rank, 1)):
            yield _trial(folder, ranks, _Kill(fault, (_ABSENT,), is_retried=True), publication)


def trials_at_calls(folder: Path, ranks: int, rank: int, publication: str = PUBLICATION) -> Iterator[Trial]:
    """Kill one rank before each of its collective calls in turn and, if it is rank 0, after each.

    The last reduction is the agreement that every rank has succeeded: whatever happens before it, nothing may stand.
    After it rank 0 renames and then tells the others, so a kill of rank 0 meets an exact state, of another either one.
    """
    calls = _calls(folder / f"calls of {rank}", ranks, rank, publication)
    agreement = max(index for index, name in enumerate(calls) if name == "allreduce")
    for index, name in enumerate(calls):
        # Only rank 0 does something of its own between two calls that could be seen on the disk.
        for kind in ("killed-before-call", "killed-after-call")[: 2 if rank == 0 else 1]:
            is_decided = index > agreement or (index == agreement and kind == "killed-after-call")
            allowed = _allowed(is_decided=is_decided, is_renamed=index > agreement, is_root=rank == 0)
            yield _trial(folder, ranks, _Kill(Fault(kind, rank, index), allowed), publication, f"({name})")


def _allowed(*, is_decided: bool, is_renamed: bool, is_root: bool) -> tuple[str, ...]:
    if not is_decided:
        return (_ABSENT,)
    if not is_root:
        return (_ABSENT, _WHOLE)
    return (_WHOLE,) if is_renamed else (_ABSENT,)


def _calls(place: Path, ranks: int, rank: int, publication: str) -> list[str]:
    """The collective calls of one rank in a publication that nothing disturbs."""
    place.mkdir()
    job = run_job(ranks, [_step(place, ranks, None)], publication=publication)
    outcomes = job.outcomes[rank]
    if job.fault is not None or outcomes is None:
        raise RuntimeError(f"a publication that nothing disturbs failed: {job.fault}")
    return outcomes[0].calls


def _step(place: Path, ranks: int, fault: Fault | None) -> Step:
    return Step("publish", str(place / "step_5"), _GRID, blocks(_GRID, (1, 1, ranks)), scene.FIELDS, fault)


def _trial(folder: Path, ranks: int, kill: _Kill, publication: str, note: str = "") -> Trial:
    title = f"rank {kill.fault.rank} {kill.fault.kind} {kill.fault.number} {note}".rstrip()
    place = folder / f"{ranks} {title}"
    place.mkdir()
    job = run_job(ranks, [_step(place, ranks, kill.fault)], "disable", publication)
    serial = folder / "serial"
    if not serial.exists():
        publish_serially(serial / "step_5", _GRID)
    expected = tree(serial)
    fault = _how_it_ended(job) or _what_stands(place, kill, expected) or _what_comes_next(place, ranks, kill, expected)
    return Trial("rank killed", ranks, title, fault)


def _how_it_ended(job: Job) -> str | None:
    if job.status is None:
        return job.fault
    if job.status == 0:
        return "no rank was killed: mpiexec ended with status 0"
    return f"ranks still run: processes {job.left_behind}" if job.left_behind else None


def _what_stands(place: Path, kill: _Kill, expected: Tree) -> str | None:
    """Nothing under the final name and no bundle beside it, or exactly the serial bundle and nothing else."""
    found = tree(place)
    is_there = "step_5" in found
    state = _WHOLE if is_there else _ABSENT
    if state not in kill.allowed:
        return f"the bundle is {state}, expected {' or '.join(kill.allowed)}"
    if is_there:
        return difference(found, expected)
    others = [path for path in found if path.partition("/")[0] != "step_5.publishing"]
    if others:
        return f"{others[0]} should not be there"
    return _opens(place / "step_5.publishing") if found else None


def _opens(staging: Path) -> str | None:
    try:
        open_bundle(str(staging))
    except Rejection as rejection:
        return None if rejection.reason == "bundle-is-staging" else f"the staging directory is refused as {rejection}"
    return "the staging directory opens as a bundle"


def _what_comes_next(place: Path, ranks: int, kill: _Kill, expected: Tree) -> str | None:
    """The next publication under the name succeeds and clears what the kill left, or finds the whole bundle."""
    reason = "publish-exists" if (place / "step_5").exists() else None
    if kill.is_retried:
        job = run_job(ranks, [_step(place, ranks, None)])
        fault = job.fault or outcome_fault(job, 0, reason)
    else:
        fault = _serial_fault(place, reason)
    return fault or difference(tree(place), expected)


def _serial_fault(place: Path, reason: str | None) -> str | None:
    found = None
    try:
        publish_serially(place / "step_5", _GRID)
    except Rejection as rejection:
        found = rejection.reason
    return None if found == reason else f"the next publication: found {found}, expected {reason}"
