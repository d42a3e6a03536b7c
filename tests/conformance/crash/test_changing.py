"""Directories that change while they are read: the reference holds, and readers that are wrong are caught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from conformance.adapters import own_adapters
from conformance.crash.campaign import crash
from conformance.crash.changing import ChangeScenario, ChangeTrials
from conformance.crash.result import Finding, ScenarioResult
from conformance.formats import FORMATS
from harness.adapter_file import load_adapter
from harness.crash.edits import Move, Put, Remove, Resize, make
from harness.crash.session import TracedAdapter
from harness.model import AdapterSpec, Fifo, File, Limits, Symlink
from harness.tree import read
from tests.conformance.crash.wrong_adapters import built


def changing(format_id: str) -> list[ChangeScenario]:
    return [each for each in FORMATS[format_id].scenarios() if isinstance(each, ChangeScenario)]


def _only(name: str, *titles: str) -> ChangeScenario:
    """Return the scenario with the changes of these titles alone."""
    scenario = next(each for each in changing(name.partition("/")[0]) if each.id == name)
    kept = tuple(change for change in scenario.changes if change.title in titles)
    assert len(kept) == len(titles)
    return replace(scenario, changes=kept)


@pytest.mark.parametrize("adapter", ["python", "rust", "typescript"])
def test_our_readers_hold(adapter: str) -> None:
    """The changes that have caught ours before; all of them are made by the command."""
    titles = ("metadata.json becomes a FIFO", "fields/ becomes a FIFO", "a FIFO takes its place")
    result = crash(own_adapters()[adapter], [], [_only("pfc/open-changing", *titles)])
    assert result.error is None
    assert result.findings() == []
    assert result.counts()["change"] >= 3 * len(titles)


@pytest.mark.parametrize("format_id", FORMATS)
def test_scenarios_and_changes_are_told_apart(format_id: str) -> None:
    made = changing(format_id)
    assert len({scenario.id for scenario in made}) == len(made)
    for scenario in made:
        assert len({change.title for change in scenario.changes}) == len(scenario.changes)
        assert scenario.format == format_id


OPENS_PLAINLY = """
from reference_py.pfc import bundle
from reference_py.rejection import Rejection
def _plain(path):
    if path.is_symlink() or not path.is_file():
        raise Rejection("metadata-unreadable")
    return path.read_bytes()
bundle._read_metadata = _plain
"""
MIXES = """
from reference_py.pfc import bundle
_metadata = bundle._read_metadata
def _halves(path):
    first, second = _metadata(path), _metadata(path)
    middle = len(first) // 2
    return first[:middle] + second[middle:]
bundle._read_metadata = _halves
"""
TIDIES_UP = """
from reference_py.pfc import bundle
from reference_py.rejection import Rejection
_metadata = bundle._read_metadata
def _tidy(path):
    try:
        return _metadata(path)
    except Rejection:
        path.unlink(missing_ok=True)
        raise
bundle._read_metadata = _tidy
"""
FOLLOWS_THE_LOG = """
import struct
from reference_py.lmdl import disk
disk._read_hashes = lambda steps, log, count, most: struct.unpack(f"<{count}Q", log.read_bytes()[:count * 8])
"""
WRITES_IN_PLACE = """
from reference_py.flysess1 import store
_put = store.put_in_place
def _over(steps, names, temporary, final, data):
    if not final.exists():
        return _put(steps, names, temporary, final, data)
    final.write_bytes(data)
store.put_in_place = _over
"""


@dataclass(frozen=True)
class Wrong:
    """A wrong reader, the change that catches it, and a part of what is then said."""

    name: str
    prelude: str
    scenario: str
    change: str
    found: str


WRONG = (
    Wrong("waits-on-a-fifo", OPENS_PLAINLY, "pfc/open-changing", "metadata.json becomes a FIFO", "timed-out"),
    Wrong("fails-where-it-is-gone", OPENS_PLAINLY, "pfc/open-changing", "metadata.json is removed", "broken"),
    Wrong("mixes-two-texts", MIXES, "pfc/open-changing", "metadata.json is replaced", "accepted"),
    Wrong(
        "removes-a-fifo", TIDIES_UP, "pfc/open-changing", "metadata.json becomes a FIFO", "the directory was touched"
    ),
    Wrong("follows-the-log", FOLLOWS_THE_LOG, "lmdl/open-changing", "the log becomes a link", "accepted"),
    Wrong(
        "writes-in-place",
        WRITES_IN_PLACE,
        "flysess1/commit-changing",
        "the store manifest becomes a link",
        "outside is a file of",
    ),
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_reader_is_caught(wrong: Wrong, tmp_path: Path) -> None:
    adapter = load_adapter(built(tmp_path, wrong.prelude))
    findings = _findings(_only(wrong.scenario, wrong.change), adapter, tmp_path)
    caught = [each for each in findings if wrong.found in each.message and each.place.startswith(wrong.change)]
    assert caught, _told(findings)


def test_one_that_hangs_is_given_up(tmp_path: Path) -> None:
    adapter = load_adapter(built(tmp_path, "def answer(operation, value):\n    import time\n    time.sleep(600)\n"))
    findings = _findings(_only("pfc/open-changing", "a field is cut"), adapter, tmp_path)
    assert [each.place for each in findings] == ["nothing changes"]


def test_edits(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    make(root, [Put({"a": File(b"12345678"), "b": File(b"b"), "c": Symlink("b")})])
    make(root, [Resize("a", 3), Move("b", "d"), Remove("c"), Put({"b": Fifo()})])
    assert read(root) == {"a": File(b"123"), "b": Fifo(), "d": File(b"b")}
    with (root / "a").open("rb") as held:
        make(root, [Put({"a": File(b"1")})])
        assert held.read() == b"123"
    assert (root / "a").read_bytes() == b"1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree"]


def _findings(scenario: ChangeScenario, adapter: AdapterSpec, folder: Path) -> list[Finding]:
    result = ScenarioResult(scenario.id, scenario.title, scenario.operation)
    work = folder / "work"
    work.mkdir()
    with TracedAdapter(adapter, work.resolve(), Limits(deadline=5)) as reader:
        ChangeTrials(scenario, reader, result).run()
    return result.findings


def _told(findings: Sequence[Finding]) -> str:
    return "\n".join(f"{each.place}: {each.message}" for each in findings) or "nothing was found"
