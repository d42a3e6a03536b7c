"""The version rule: what may change in the vectors without a new suite version, measured by the last release.

A changed or removed case needs a new major version, an added one a new minor version. A case is changed when anything
that is asked or compared differs in any question it stands for; a reworded title is no change.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.suite.errors import SuiteError
from conformance.suite.text import canonical
from conformance.vectorgen.assemble import schema_problems

RELEASED = "released.json"
"""The list of the last released version's cases; while it is absent nothing has been released and all may change."""


@dataclass(frozen=True)
class Released:
    """The last released version: digest of each case, and the ids that earlier releases had and no case has now."""

    version: str
    digests: Mapping[str, str]
    retired: frozenset[str]


def load_released(root: Path) -> Released | None:
    """Read the last release's list below ``root``; None when nothing has been released."""
    path = root / RELEASED
    if not path.exists():
        return None
    try:
        document = json.loads(path.read_bytes())
    except ValueError as error:
        raise SuiteError(f"{path}: not JSON ({error}); restore it from the last release") from None
    problems = schema_problems("released", document, str(path))
    if problems:
        raise SuiteError("\n".join(problems))
    return Released(document["suite"], document["cases"], frozenset(document["retired"]))


def objections(released: Released | None, version: str, digests: Mapping[str, str]) -> list[str]:
    """Say why ``version`` may not hold the cases ``digests``; nothing when it may."""
    if released is None:
        return []
    old, new = _numbers(released.version), _numbers(version)
    if new < old:
        return [f"suite version {version} is older than the released {released.version}"]
    removed = sorted(released.digests.keys() - digests.keys())
    changed = sorted(name for name, found in digests.items() if released.digests.get(name, found) != found)
    added = sorted(digests.keys() - released.digests.keys())
    found: list[str] = []
    if new[0] == old[0]:
        found += _objection("changed", changed, released.version, version, "major")
        found += _objection("removed", removed, released.version, version, "major")
    if new[:2] == old[:2]:
        found += _objection("added", added, released.version, version, "minor")
    return found


def _objection(what: str, names: Collection[str], old: str, new: str, level: str) -> list[str]:
    if not names:
        return []
    return [
        f"{what} since {old}: {', '.join(names)}; this needs a new {level} version, SUITE_VERSION is {new} "
        "(conformance/version.py)"
    ]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def release_list(released: Released | None, version: str, digests: Mapping[str, str]) -> bytes:
    """Return the bytes of the list that makes ``version`` the last released one."""
    before = released or Released(version, {}, frozenset())
    retired = before.retired | (before.digests.keys() - digests.keys())
    return canonical(
        {
            "$schema": "schema/released.schema.json",
            "suite": version,
            "cases": dict(digests),
            "retired": sorted(retired),
        }
    )
