"""The version rule: what a release lets change, and with which version."""

import json
from pathlib import Path

import pytest

from conformance.suite.errors import SuiteError
from conformance.vectorgen.gate import Released, load_released, objections, release_list

ONE, TWO, THREE = "1" * 64, "2" * 64, "3" * 64
OLD = Released("1.2.3", {"lmdl/a/one": ONE, "lmdl/a/two": TWO}, frozenset({"lmdl/a/gone"}))
SAME = dict(OLD.digests)
CHANGED = {**SAME, "lmdl/a/two": THREE}
REMOVED = {"lmdl/a/one": ONE}
ADDED = {**SAME, "lmdl/a/three": THREE}


def test_nothing_released_lets_everything_change() -> None:
    assert objections(None, "1.0.0", CHANGED) == []


@pytest.mark.parametrize(
    ("version", "digests"),
    [("1.2.3", SAME), ("1.2.4", SAME), ("1.3.0", ADDED), ("2.0.0", CHANGED), ("2.0.0", REMOVED), ("10.0.0", ADDED)],
)
def test_what_may_be_written(version: str, digests: dict[str, str]) -> None:
    assert objections(OLD, version, digests) == []


@pytest.mark.parametrize(
    ("version", "digests", "told"),
    [
        ("1.2.3", CHANGED, "changed since 1.2.3: lmdl/a/two; this needs a new major version"),
        ("1.3.0", CHANGED, "changed since 1.2.3: lmdl/a/two; this needs a new major version"),
        ("1.3.0", REMOVED, "removed since 1.2.3: lmdl/a/two; this needs a new major version"),
        ("1.2.4", ADDED, "added since 1.2.3: lmdl/a/three; this needs a new minor version"),
        ("1.2.2", SAME, "1.2.2 is older than the released 1.2.3"),
        ("0.9.0", CHANGED, "0.9.0 is older than the released 1.2.3"),
    ],
)
def test_what_may_not(version: str, digests: dict[str, str], told: str) -> None:
    [objection] = objections(OLD, version, digests)
    assert told in objection


def test_a_renamed_case_is_a_removed_and_an_added_one() -> None:
    renamed = {"lmdl/a/one": ONE, "lmdl/a/zwei": TWO}
    assert [text.split(" ")[0] for text in objections(OLD, "1.2.3", renamed)] == ["removed", "added"]


def test_a_release_retires_the_ids_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "released.json").write_bytes(release_list(OLD, "2.0.0", REMOVED))
    released = load_released(tmp_path)
    assert released == Released("2.0.0", REMOVED, frozenset({"lmdl/a/gone", "lmdl/a/two"}))


def test_no_list_means_nothing_released(tmp_path: Path) -> None:
    assert load_released(tmp_path) is None


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"suite": "1", "cases": {}, "retired": []})])
def test_a_broken_list_is_not_taken_for_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "released.json").write_text(text)
    with pytest.raises(SuiteError, match=r"released\.json"):
        load_released(tmp_path)
