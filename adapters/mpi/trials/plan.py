"""What a job of several ranks is to do, and what each rank says became of it; both travel as JSON files."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference_py.pfc import Box
from reference_py.pfc.values import Integers


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong on one rank during a step.

    `kind` and what `number` then means:
    `pack-raises`, `pack-short`, `killed-packing`: the index of the field; `disk-full`, `killed-writing`: the length in
    bytes past which this rank can make no file grow; `killed-before-call`, `killed-after-call`: the index of the
    collective call; `name-taken` (somebody else makes the final directory while this rank packs), `fields-reversed`,
    `other-grid` (this rank asks for another grid spacing): nothing.
    """

    kind: str
    rank: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One collective publication or restart (`action`) with each rank's box."""

    action: str
    path: str
    dimensions: Integers
    boxes: list[Box | None]
    fields: tuple[str, ...]
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step was on one rank: reason and place of the rejection, if any, else the cells read (hex, by field).

    `calls` are the collective calls that it took, by name.
    """

    reason: str | None
    at: str | None
    detail: str
    bricks: dict[str, str]
    calls: list[str]


def write_plan(path: Path, publication: str, steps: list[Step]) -> None:
    """Write a plan: the publication under trial as `module:function`, and the steps in their order."""
    plan = {"publication": publication, "steps": [dataclasses.asdict(step) for step in steps]}
    path.write_text(json.dumps(plan), encoding="utf-8")


def read_plan(path: Path) -> tuple[str, list[Step]]:
    """Read what `write_plan` wrote."""
    plan = json.loads(path.read_text(encoding="utf-8"))
    return plan["publication"], [_step(step) for step in plan["steps"]]


def write_outcomes(path: Path, outcomes: list[Outcome]) -> None:
    """Write one rank's outcomes, one for each step."""
    write_whole(path, json.dumps([dataclasses.asdict(outcome) for outcome in outcomes]))


def read_outcomes(path: Path) -> list[Outcome]:
    """Read what `write_outcomes` wrote."""
    return [Outcome(**outcome) for outcome in json.loads(path.read_text(encoding="utf-8"))]


def write_whole(path: Path, text: str) -> None:
    """Write a file that a reader finds whole or not at all: a rank may be ended at any moment."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def _step(step: dict[str, Any]) -> Step:
    fault = step["fault"]
    return Step(
        action=step["action"],
        path=step["path"],
        dimensions=_integers(step["dimensions"]),
        boxes=[None if box is None else Box(_integers(box["offset"]), _integers(box["size"])) for box in step["boxes"]],
        fields=tuple(step["fields"]),
        fault=None if fault is None else Fault(**fault),
    )


def _integers(values: list[int]) -> Integers:
    x, y, z = values
    return x, y, z
