"""The published directory is the serial one byte for byte, and every rank of another decomposition gets its cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adapters.mpi.trials import scene
from adapters.mpi.trials.judge import Trial, difference, outcome_fault, publish_serially, tree
from adapters.mpi.trials.launch import PUBLICATION, Job, run_job
from adapters.mpi.trials.plan import Step
from reference_py.pfc import Box
from reference_py.pfc.values import Integers

BUFFERINGS = ("enable", "disable")
"""Both ways in which MPI-IO brings a collective write to the file."""


def trials(folder: Path, ranks: int, buffering: str, publication: str = PUBLICATION) -> Iterator[Trial]:
    """Publish every grid in every decomposition, and restart from each bundle in the next one; all in one job."""
    steps: list[Step] = []
    titles: list[str] = []
    for grid, dimensions in scene.GRIDS.items():
        shared_out = list(scene.decompositions(dimensions, ranks))
        for index, (name, boxes) in enumerate(shared_out):
            final = folder / f"{len(steps)}" / "step_5"
            other, others = shared_out[(index + 1) % len(shared_out)]
            steps.append(Step("publish", str(final), dimensions, boxes, scene.FIELDS))
            steps.append(Step("restart", str(final), dimensions, others, scene.FIELDS[::-1]))
            titles += [f"{grid}, {name}", f"{grid}, written in {name}, read in {other}"]
    yield from _judged(
        folder,
        ranks,
        steps,
        [f"{title}, buffering {buffering}" for title in titles],
        run_job(ranks, steps, buffering, publication),
    )


def restarts_from_serial(folder: Path, ranks: int) -> Iterator[Trial]:
    """Restart from what the serial reference wrote, on every grid and decomposition."""
    steps: list[Step] = []
    titles: list[str] = []
    for grid, dimensions in scene.GRIDS.items():
        final = folder / grid / "step_5"
        publish_serially(final, dimensions)
        for name, boxes in scene.decompositions(dimensions, ranks):
            steps.append(Step("restart", str(final), dimensions, boxes, scene.FIELDS))
            titles.append(f"{grid}, written serially, read in {name}")
    yield from _judged(folder, ranks, steps, titles, run_job(ranks, steps))


def _judged(folder: Path, ranks: int, steps: list[Step], titles: list[str], job: Job) -> Iterator[Trial]:
    expected = {dimensions: _serial_tree(folder, dimensions) for dimensions in scene.GRIDS.values()}
    for index, (step, title) in enumerate(zip(steps, titles, strict=True)):
        fault = job.fault or outcome_fault(job, index, None)
        if step.action == "publish":
            fault = fault or difference(tree(Path(step.path).parent), expected[step.dimensions])
            yield Trial("same bytes", ranks, title, fault)
        else:
            fault = fault or _wrong_cells(job, index, step)
            yield Trial("restart", ranks, title, fault)


def _serial_tree(folder: Path, dimensions: Integers) -> dict[str, tuple[str, int, bytes]]:
    place = folder / f"serial {dimensions}"
    publish_serially(place / "step_5", dimensions)
    return tree(place)


def _wrong_cells(job: Job, index: int, step: Step) -> str | None:
    for rank, outcomes in enumerate(job.outcomes):
        bricks = outcomes[index].bricks if outcomes is not None else {}
        expected = {field: _cells(field, step, step.boxes[rank]) for field in step.fields}
        if bricks != expected:
            return f"rank {rank} got other cells than those of its box {step.boxes[rank]}"
    return None


def _cells(field: str, step: Step, box: Box | None) -> str:
    return scene.brick_bytes(field, step.dimensions, box).hex()
