"""What a trial is judged by: the tree on disk beside that of the serial reference, and one outcome on every rank."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from adapters.mpi.trials import scene
from adapters.mpi.trials.launch import Job
from adapters.mpi.trials.plan import Outcome
from reference_py.pfc import FieldData, publish
from reference_py.pfc.values import Integers

Tree = dict[str, tuple[str, int, bytes]]
"""What stands below a folder: by relative path the kind, the permissions, and a file's bytes or a link's target."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial: the group it belongs to, the number of ranks, what was tried, and what is wrong (None: it passed)."""

    group: str
    ranks: int
    title: str
    fault: str | None


def tree(folder: Path) -> Tree:
    """Return what stands below a folder."""
    return {str(path.relative_to(folder)): _entry(path) for path in sorted(folder.rglob("*"))}


def publish_serially(final: Path, dimensions: Integers) -> None:
    """Publish the scene with the serial reference: the yardstick of every trial."""
    fields = [FieldData(field, scene.field_bytes(field, dimensions)) for field in scene.FIELDS]
    publish(str(final), scene.metadata(dimensions), fields)


def difference(found: Tree, expected: Tree) -> str | None:
    """Return the first difference of two trees in words, None if there is none."""
    for path in sorted({*found, *expected}):
        if path not in found:
            return f"{path} is missing"
        if path not in expected:
            return f"{path} should not be there"
        if found[path] != expected[path]:
            return _entry_difference(path, found[path], expected[path])
    return None


def outcome_fault(job: Job, step: int, reason: str | None, at: str | None = None) -> str | None:
    """Return why a step did not end in this rejection (None: success) on every rank; None if it did."""
    for rank, outcomes in enumerate(job.outcomes):
        outcome = outcomes[step] if outcomes is not None else None
        if outcome is None:
            return f"rank {rank} never came to an outcome"
        if (outcome.reason, outcome.at) != (reason, at):
            return f"rank {rank}: found {_named(outcome)}, expected {_words(reason, at)}"
    return None


def _named(outcome: Outcome) -> str:
    return _words(outcome.reason, outcome.at) + (f" ({outcome.detail})" if outcome.detail else "")


def _words(reason: str | None, at: str | None) -> str:
    return "success" if reason is None else reason + ("" if at is None else f" at {at}")


def _entry(path: Path) -> tuple[str, int, bytes]:
    status = path.lstat()
    permissions = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return "link", permissions, str(path.readlink()).encode()
    if stat.S_ISDIR(status.st_mode):
        return "directory", permissions, b""
    return "file", permissions, path.read_bytes()


def _entry_difference(path: str, found: tuple[str, int, bytes], expected: tuple[str, int, bytes]) -> str:
    if found[:2] != expected[:2]:
        return f"{path}: found {found[0]} {found[1]:o}, expected {expected[0]} {expected[1]:o}"
    if len(found[2]) != len(expected[2]):
        return f"{path}: found {len(found[2])} bytes, expected {len(expected[2])}"
    at = next(index for index, pair in enumerate(zip(found[2], expected[2], strict=True)) if pair[0] != pair[1])
    return f"{path}: byte {at}: found {found[2][at]:02x}, expected {expected[2][at]:02x}"
