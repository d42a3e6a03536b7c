"""Adapters that commit wrongly, each in one way: every one must be caught, by the trials that are made to catch it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.adapters import own_adapters
from conformance.crash.campaign import crash
from conformance.crash.result import CRASHES, Finding
from conformance.crash.scenario import Scenario
from conformance.formats import FORMATS
from harness.adapter_file import load_adapter
from tests.conformance.crash.wrong_adapters import built

NO_FSYNC = """
os.fsync = lambda file: None
"""
NO_DIRECTORY_FSYNC = """
import stat
_fsync = os.fsync
os.fsync = lambda file: None if stat.S_ISDIR(os.fstat(file).st_mode) else _fsync(file)
"""
IGNORED_ERRORS = """
_fsync = os.fsync
def _hopeful(file):
    try:
        _fsync(file)
    except OSError:
        pass
os.fsync = _hopeful
"""
SHORT_WRITE_TAKEN_FOR_WHOLE = """
_pwrite = os.pwrite
def _careless(file, data, offset):
    _pwrite(file, data, offset)
    return len(data)
os.pwrite = _careless
"""
ACKNOWLEDGED_BEFORE_FSYNC = """
_fsync, _held, _say = os.fsync, [], _write
os.fsync = lambda file: _held.append(os.dup(file))
def _write(answers, value):
    _say(answers, value)
    while _held:
        file = _held.pop(0)
        _fsync(file)
        os.close(file)
"""
FSYNC_AFTER_RENAME = """
from reference_py.flysess1 import store
def _late(steps, names, temporary, final, data):
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    os.write(file, data)
    temporary.rename(final)
    os.fsync(file)
    os.close(file)
store.put_in_place = _late
"""
RENAME_FIRST = """
from reference_py.flysess1 import store
_put, _held = store.put_in_place, []
def _manifest_first(*arguments):
    if not _held:
        _held.append(arguments)
        return
    _put(*arguments)
    _put(*_held.pop())
store.put_in_place = _manifest_first
"""
GENERATION_IN_PLACE = """
from reference_py.flysess1 import store
def _in_place(steps, names, temporary, final, data):
    file = os.open(final, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.write(file, data)
    os.fsync(file)
    os.close(file)
store.put_in_place = _in_place
"""
FIRST_META_IN_PLACE = """
from reference_py.lmdl import disk
def _in_place(steps, files, meta):
    file = os.open(files.meta, os.O_WRONLY | os.O_CREAT, 0o666)
    os.pwrite(file, meta, 0)
    os.fsync(file)
    os.close(file)
    disk._sync_names(steps, files)
disk._write_first_meta = _in_place
"""
WHOLE_META_REWRITTEN = """
from reference_py.lmdl import disk
def _rewrite(steps, path, change):
    file = os.open(path, os.O_WRONLY)
    os.pwrite(file, change.meta, 0)
    os.fsync(file)
    os.close(file)
disk._write_slot = _rewrite
"""
SLOT_BEFORE_LOG = """
from reference_py.lmdl import disk
_log, _slot, _held = disk._change_log, disk._write_slot, []
disk._change_log = lambda *arguments, **named: _held.append((arguments, named))
def _slot_then_log(*arguments):
    _slot(*arguments)
    waiting, named = _held.pop()
    _log(*waiting, **named)
disk._write_slot = _slot_then_log
"""
TEMPORARY_LEFT = """
import contextlib
from reference_py import durable
durable._removed_on_failure = lambda temporary: contextlib.nullcontext()
"""
STRANGER_TOUCHED = """
from reference_py.lmdl import disk
_slot = disk._write_slot
def _and_more(steps, path, change):
    _slot(steps, path, change)
    path.with_name("other.meta").unlink()
disk._write_slot = _and_more
"""
OUTSIDE_TOUCHED = """
from reference_py.lmdl import disk
_slot = disk._write_slot
def _and_outside(steps, path, change):
    _slot(steps, path, change)
    os.close(os.open(path.parent.parent / "stray", os.O_WRONLY | os.O_CREAT, 0o666))
disk._write_slot = _and_outside
"""
ANOTHER_STEP_TOLD = """
from reference_py.durable import Steps
_begin = Steps.begin
def _no_sync(self, step, place):
    if step != "sync-meta":
        _begin(self, step, place)
Steps.begin = _no_sync
"""
METADATA_AFTER_RENAME = """
from reference_py.pfc import publication
_new = publication._write_new_file
def _visible_early(path, data):
    if path.name == "metadata.json":
        staging, final = path.parent, path.parent.with_name(path.parent.name.removesuffix(".publishing"))
        staging.rename(final)
        path = final / path.name
    _new(path, data)
publication._write_new_file = _visible_early
publication._make_visible = lambda staging, path: None
"""


def scenario_of(name: str) -> Scenario:
    scenarios = FORMATS[name.partition("/")[0]].scenarios()
    return next(each for each in scenarios if isinstance(each, Scenario) and each.id == name)


@dataclass(frozen=True)
class Wrong:
    """A wrong adapter: Python put before the reference's adapter starts, and what must be found where."""

    name: str
    prelude: str
    scenario: str
    found: tuple[tuple[str, str], ...]
    """(phase, part of the message), each of which some finding must have."""


WRONG = (
    Wrong(
        "no-fsync",
        NO_FSYNC,
        "lmdl/later",
        (("order", "the step due was sync-log"), ("power-cut", "an acknowledged commit is gone")),
    ),
    Wrong(
        "no-fsync-of-the-envelope",
        NO_FSYNC,
        "flysess1/later",
        (("order", "the step due was sync-generation"), ("power-cut", "an acknowledged commit is gone")),
    ),
    Wrong(
        "no-directory-fsync",
        NO_DIRECTORY_FSYNC,
        "lmdl/second",
        (("order", "the step due was sync-directory"), ("power-cut", "an acknowledged commit is gone")),
    ),
    Wrong(
        "no-directory-fsync-of-the-store",
        NO_DIRECTORY_FSYNC,
        "flysess1/first",
        (("order", "the step due was sync-directory-1"), ("power-cut", "names g-2, which is not there")),
    ),
    Wrong(
        "fsync-after-rename",
        FSYNC_AFTER_RENAME,
        "flysess1/later",
        (("order", "the step due was sync-generation"), ("power-cut", "neither the old one nor the new one")),
    ),
    Wrong(
        "rename-first",
        RENAME_FIRST,
        "flysess1/later",
        (("order", "where the step due was write-generation"), ("kill", "names g-2, which is not there")),
    ),
    Wrong(
        "store-written-in-place",
        GENERATION_IN_PLACE,
        "flysess1/later",
        (("order", "where the step due was write-generation"), ("kill", "neither the old one nor the new one")),
    ),
    Wrong(
        "first-meta-in-place",
        FIRST_META_IN_PLACE,
        "lmdl/first-absent",
        (("order", "the step due was write-meta"), ("power-cut", "meta-size"), ("short-write", "meta-size")),
    ),
    Wrong(
        "whole-meta-rewritten",
        WHOLE_META_REWRITTEN,
        "lmdl/later",
        (("order", "the step due was write-slot (write run.meta: 64 bytes at 64)"),),
    ),
    Wrong(
        "slot-before-log",
        SLOT_BEFORE_LOG,
        "lmdl/later",
        (("order", "the step due was append-log"), ("kill", "dedup-short"), ("power-cut", "dedup-short")),
    ),
    Wrong(
        "acknowledged-before-fsync",
        ACKNOWLEDGED_BEFORE_FSYNC,
        "lmdl/no-hashes",
        (("order", "acknowledged before the step sync-meta"), ("power-cut", "an acknowledged commit is gone")),
    ),
    Wrong(
        "error-of-fsync-ignored",
        IGNORED_ERRORS,
        "lmdl/no-hashes",
        (("fault", "acknowledged"),),
    ),
    Wrong(
        "short-write-taken-for-whole",
        SHORT_WRITE_TAKEN_FOR_WHOLE,
        "lmdl/no-hashes",
        (("short-write", "acknowledged"),),
    ),
    Wrong(
        "temporary-left-behind",
        TEMPORARY_LEFT,
        "flysess1/first",
        (("fault", "store/generation.tmp is left behind after the rejection"),),
    ),
    Wrong(
        "stranger-touched",
        STRANGER_TOUCHED,
        "lmdl/no-log",
        (("order", "other.meta is not what it was"), ("order", "the step due was nothing more")),
    ),
    Wrong(
        "outside-touched",
        OUTSIDE_TOUCHED,
        "lmdl/no-log",
        (("order", "the step due was nothing more"), ("order", "made ../stray, outside the directory")),
    ),
    Wrong(
        "another-step-told",
        ANOTHER_STEP_TOLD,
        "lmdl/no-hashes",
        (("fault", "commit-io at write-slot, expected commit-io at sync-meta"),),
    ),
    Wrong(
        "metadata-after-rename",
        METADATA_AFTER_RENAME,
        "pfc/fresh",
        (("order", "the step due was write-metadata"), ("kill", "metadata-missing")),
    ),
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_commit_is_caught(wrong: Wrong, tmp_path: Path) -> None:
    findings = _findings(wrong, built(tmp_path, wrong.prelude))
    for phase, part in wrong.found:
        assert any(each.phase == phase and part in each.message for each in findings), _told(findings)


IN_A_THREAD = """
from concurrent.futures import ThreadPoolExecutor
_answer = answer
def answer(operation, value):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_answer, operation, value).result()
"""


@pytest.mark.parametrize("behind_a_script", [False, True], ids=["itself", "behind-a-script"])
def test_an_adapter_may_commit_in_a_thread_and_in_a_child(tmp_path: Path, behind_a_script: bool) -> None:
    adapter = built(tmp_path, IN_A_THREAD)
    if behind_a_script:
        toml = (adapter / "adapter.toml").read_text()
        right, script = 'command = ["python", "adapter.py"]', 'command = ["sh", "-c", "python adapter.py; exit $?"]'
        assert right in toml
        (adapter / "adapter.toml").write_text(toml.replace(right, script))
    scenario = scenario_of("lmdl/no-hashes")
    result = crash(load_adapter(adapter), [], [scenario])
    assert result.error is None
    assert result.findings() == [], _told(result.findings())
    assert all(result.counts()[phase] for phase in CRASHES)


def test_the_trace_is_shown_with_a_wrong_order(tmp_path: Path) -> None:
    wrong = next(each for each in WRONG if each.name == "slot-before-log")
    first = _findings(wrong, built(tmp_path, wrong.prelude))[0]
    names = [line.partition("(")[0] for line in first.trace if line.startswith(("pwrite64", "fsync"))]
    assert names == ["pwrite64", "fsync", "pwrite64", "fsync"]
    assert "./run.meta" in "\n".join(first.trace)


def test_a_reader_that_finds_something_else_is_caught(tmp_path: Path) -> None:
    """Both readers find the right state, and one of them judges a slot otherwise."""
    prelude = """
_answer = answer
def answer(operation, value):
    given = _answer(operation, value)
    if operation == "lmdl.open" and "ok" in given:
        given["ok"]["slots"]["A"] = "valid"
    return given
"""
    reader = load_adapter(built(tmp_path, prelude))
    scenario = scenario_of("lmdl/first-empty")
    findings = crash(own_adapters()["python"], [reader], [scenario], ["power-cut"]).findings()
    assert any("the readers disagree: python says" in each.message for each in findings), _told(findings)


def _findings(wrong: Wrong, adapter: Path) -> list[Finding]:
    scenario = scenario_of(wrong.scenario)
    phases = {phase for phase, _ in wrong.found}
    result = crash(load_adapter(adapter), [], [scenario], phases)
    assert result.error is None
    return result.findings()


def _told(findings: Sequence[Finding]) -> str:
    return "\n".join(f"{each.phase}, {each.place}: {each.message}" for each in findings) or "nothing was found"
