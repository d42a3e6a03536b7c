"""A rank that fails, a destination that is taken, shares that are not the grid: one outcome on every rank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adapters.mpi.shares import blocks
from adapters.mpi.trials import scene
from adapters.mpi.trials.judge import Trial, difference, outcome_fault, publish_serially, tree
from adapters.mpi.trials.launch import PUBLICATION, run_job
from adapters.mpi.trials.plan import Fault, Step
from reference_py.pfc import Box

_GRID = scene.GRIDS["3-D of 5049 cells"]
_FIRST, _SECOND = scene.FIELDS
_FIELD_BYTES = 33 * 17 * 9 * 8


@dataclass(frozen=True, slots=True)
class _Case:
    """A step that must be rejected, for this reason at this place, and leave what stood there (and `left`) alone."""

    group: str
    title: str
    step: Step
    reason: str | None
    at: str | None = None
    left: str | None = None


def trials(folder: Path, ranks: int, publication: str = PUBLICATION) -> Iterator[Trial]:
    """Try every failure in one job; after each failed writer the same name is published once more, and stands whole."""
    cases = [*_failing_ranks(folder, ranks), *_full_disks(folder, ranks), *_taken_names(folder, ranks)]
    cases += [*_wrong_shares(folder, ranks), *_refused_restarts(folder, ranks)]
    before = [tree(Path(case.step.path).parent) for case in cases]
    # Each rank is to write its own cells, so that the file system's fault meets the rank that the case means.
    job = run_job(ranks, [case.step for case in cases], "disable", publication)
    for index, case in enumerate(cases):
        expected = dict(before[index])
        if case.left is not None:
            expected[case.left] = ("directory", 0o777 & ~_umask(folder), b"")
        fault = job.fault or outcome_fault(job, index, case.reason, case.at)
        yield Trial(case.group, ranks, case.title, fault or difference(tree(Path(case.step.path).parent), expected))


def retries(folder: Path, ranks: int, publication: str = PUBLICATION) -> Iterator[Trial]:
    """Publish under a name whose publication has failed, in the same job: it stands whole."""
    final = folder / "again" / "step_5"
    final.parent.mkdir(parents=True)
    boxes = blocks(_GRID, (1, 1, ranks))
    failing = Step("publish", str(final), _GRID, boxes, scene.FIELDS, Fault("pack-raises", ranks - 1, 1))
    again = Step("publish", str(final), _GRID, boxes, scene.FIELDS)
    job = run_job(ranks, [failing, again, again], publication=publication)
    publish_serially(folder / "serial" / "step_5", _GRID)
    fault = (
        job.fault
        or outcome_fault(job, 0, "publish-failed", f"fields/{_SECOND}")
        or outcome_fault(job, 1, None)
        or outcome_fault(job, 2, "publish-exists")
        or difference(tree(final.parent), tree(folder / "serial"))
    )
    yield Trial("rank fails", ranks, "a failure, a success and a repetition under one name", fault)


def full_disk_of_the_writer(folder: Path, ranks: int, publication: str = PUBLICATION) -> Trial:
    """Rank 0 writes what all have (MPI-IO's collective buffering), and its disk is full."""
    final = _place(folder, "buffered")
    boxes = blocks(_GRID, (ranks, 1, 1))
    step = Step("publish", str(final), _GRID, boxes, scene.FIELDS, Fault("disk-full", 0, 80))
    job = run_job(ranks, [step], "enable", publication)
    fault = job.fault or outcome_fault(job, 0, "publish-failed", f"fields/{_FIRST}")
    title = "rank 0: the disk is full while it writes for all"
    return Trial("rank fails", ranks, title, fault or difference(tree(final.parent), {}))


def _failing_ranks(folder: Path, ranks: int) -> Iterator[_Case]:
    boxes = blocks(_GRID, (1, 1, ranks))
    for rank in sorted({0, ranks - 1}):
        faults = [(Fault("pack-raises", rank, index), field) for index, field in enumerate(scene.FIELDS)]
        faults.append((Fault("pack-short", rank, 0), _FIRST))
        for fault, field in faults:
            title = f"rank {fault.rank}: {fault.kind} {fault.number}"
            final = _place(folder, title)
            step = Step("publish", str(final), _GRID, boxes, scene.FIELDS, fault)
            yield _Case("rank fails", title, step, "publish-failed", f"fields/{field}")


def _full_disks(folder: Path, ranks: int) -> Iterator[_Case]:
    """A rank's file system takes no more in the middle of its cells, be they one run of the file or many."""
    shared_out = {"in layers": blocks(_GRID, (1, 1, ranks)), "interleaved": blocks(_GRID, (ranks, 1, 1))}
    for name, boxes in shared_out.items():
        for rank in sorted({0, ranks - 1}):
            title = f"rank {rank}: the disk is full, cells {name}"
            # The first 80 bytes are not all that rank 0 writes, and the last 80 hold cells of the last rank.
            fault = Fault("disk-full", rank, 80 if rank == 0 else _FIELD_BYTES - 80)
            step = Step("publish", str(_place(folder, title)), _GRID, boxes, scene.FIELDS, fault)
            yield _Case("rank fails", title, step, "publish-failed", f"fields/{_FIRST}")


def _taken_names(folder: Path, ranks: int) -> Iterator[_Case]:
    boxes = blocks(_GRID, (1, ranks, 1))
    for kind in ("bundle", "empty directory", "file", "dangling link"):
        final = _place(folder, kind)
        if kind == "bundle":
            publish_serially(final, scene.GRIDS["2-D"])
        elif kind == "empty directory":
            final.mkdir()
        elif kind == "file":
            final.write_bytes(b"somebody's")
        else:
            final.symlink_to("nowhere")
        step = Step("publish", str(final), _GRID, boxes, scene.FIELDS)
        yield _Case("name taken", f"{kind} under the name", step, "publish-exists")
    for rank in sorted({0, ranks - 1}):
        title = f"an empty directory appears while rank {rank} packs"
        final = _place(folder, title)
        step = Step("publish", str(final), _GRID, boxes, scene.FIELDS, Fault("name-taken", rank))
        yield _Case("name taken", title, step, "publish-exists", left="step_5")


def _wrong_shares(folder: Path, ranks: int) -> Iterator[_Case]:
    whole = blocks(_GRID, (ranks, 1, 1))
    nx, ny, nz = _GRID
    wrong: dict[str, list[Box | None]] = {
        "nobody owns anything": [None] * ranks,
        "a layer belongs to nobody": [*whole[:-1], Box((0, 0, 0), (nx, ny, nz - 1)) if ranks == 1 else None],
        "the last box is outside": [*whole[:-1], Box((nx - 1, 0, 0), (2, ny, nz))],
        "the first box starts below zero": [Box((-1, 0, 0), (nx, ny, nz)), *whole[1:]],
    }
    if ranks > 1:
        wrong["everybody owns everything"] = [Box((0, 0, 0), _GRID)] * ranks
        wrong["a layer is owned twice and another by nobody"] = _overlapping(ranks)
    for title, boxes in wrong.items():
        step = Step("publish", str(_place(folder, title)), _GRID, boxes, scene.FIELDS)
        yield _Case("shares refused", title, step, "publish-field", f"fields/{_FIRST}")
    if ranks > 1:
        title = "the last rank has the fields in another order"
        fault = Fault("fields-reversed", ranks - 1)
        step = Step("publish", str(_place(folder, title)), _GRID, whole, scene.FIELDS, fault)
        yield _Case("shares refused", title, step, "publish-field", f"fields/{_FIRST}")


def _overlapping(ranks: int) -> list[Box | None]:
    """Two boxes with as many cells together as the grid: they share its first layer and leave out its last."""
    nx, ny, nz = _GRID
    return [Box((0, 0, 0), (nx, ny, nz - 1)), Box((0, 0, 0), (nx, ny, 1)), *[None] * (ranks - 2)]


def _refused_restarts(folder: Path, ranks: int) -> Iterator[_Case]:
    boxes = blocks(_GRID, (1, ranks, 1))
    outside: list[Box | None] = [*boxes[:-1], Box((0, 0, 0), (34, 1, 1))]
    other_grid = Fault("other-grid", ranks - 1)

    def step(title: str, fields: tuple[str, ...], boxes: list[Box | None], fault: Fault | None = None) -> Step:
        final = _place(folder, f"restart {title}")
        publish_serially(final, _GRID)
        return Step("restart", str(final), _GRID, boxes, fields, fault)

    def case(title: str, wanted: Step, reason: str, at: str | None = None) -> _Case:
        return _Case("restart refused", title, wanted, reason, at)

    yield case("one rank has another grid", step("grid", scene.FIELDS, boxes, other_grid), "restore-grid")
    unlisted = (*scene.FIELDS, "phi")
    yield case("a field is not listed", step("unlisted", unlisted, boxes), "restore-fields", "fields/phi")
    yield case("one rank's box is outside", step("outside", scene.FIELDS, outside), "part-outside")
    missing = step("missing", scene.FIELDS, boxes)
    _field_file(missing, _SECOND).unlink()
    yield case("a field file is missing", missing, "field-missing", f"fields/{_SECOND}")
    both = step("both", scene.FIELDS, boxes, other_grid)
    _field_file(both, _FIRST).unlink()
    yield case("a field file is missing and one rank has another grid", both, "restore-grid")
    longer = step("longer", scene.FIELDS, boxes)
    with _field_file(longer, _FIRST).open("ab") as file:
        file.write(bytes(8))
    yield case("a field file is a cell too long", longer, "field-size", f"fields/{_FIRST}")
    unlisted_file = step("absent from a bundle without a list", (*scene.FIELDS, "phi"), boxes)
    _drop_list(Path(unlisted_file.path) / "metadata.json")
    title = "a field is in no file of a bundle without a list"
    yield case(title, unlisted_file, "field-missing", "fields/phi")
    gone = step("gone", scene.FIELDS, boxes)
    (Path(gone.path) / "metadata.json").unlink()
    yield case("the metadata is missing", gone, "metadata-missing")
    staging = _place(folder, "restart staging").with_name("step_5.publishing")
    publish_serially(staging.with_name("step_5"), _GRID)
    staging.with_name("step_5").rename(staging)
    unfinished = Step("restart", str(staging), _GRID, boxes, scene.FIELDS)
    yield case("the directory is a staging directory", unfinished, "bundle-is-staging")


def _drop_list(path: Path) -> None:
    members = json.loads(path.read_text(encoding="utf-8"))
    del members["fields"]
    path.write_text(json.dumps(members), encoding="utf-8")


def _field_file(step: Step, field: str) -> Path:
    return Path(step.path) / "fields" / f"{field}.bin"


def _place(folder: Path, title: str) -> Path:
    """A final path in a directory of its own, so that whatever else appears beside it is seen."""
    place = folder / title
    place.mkdir(parents=True)
    return place / "step_5"


def _umask(folder: Path) -> int:
    probe = folder / "probe"
    probe.mkdir(exist_ok=True)
    return 0o777 & ~probe.stat().st_mode
