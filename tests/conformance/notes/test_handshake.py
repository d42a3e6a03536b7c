"""Operations in a handshake that the suite does not know, or that stand there twice: told, and no failure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from conformance.engine import judge_adapter
from conformance.formats import FORMATS
from conformance.notes.handshake import handshake_notes
from conformance.rules import load_rules
from conformance.suite.load import load_suite
from harness.adapter_file import load_adapter
from harness.model import Implementation

ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "start":
        said = {"name": "n", "version": "1", "language": "l", "runtime": "r"}
        print(json.dumps({"protocol": 1, "implementation": said, "operations": OPERATIONS}), flush=True)
    elif asked["cmd"] == "run":
        answer = {"reject": {"reason": "slot-size"}}
        print(json.dumps({"id": asked["id"], **answer}), flush=True)
    else:
        break
"""


def said(*operations: str, repeated: frozenset[str] | None = None) -> Implementation:
    return Implementation("n", "1", "l", "r", frozenset(operations), repeated=repeated)


@pytest.mark.parametrize(
    ("operations", "told"),
    [
        (("lmdl.hash",), None),
        (("lmdl.hash", "tar.open"), "lists tar.open, which this suite does not know and never asks"),
        (("lmdl.hsah",), "never asks; did you mean lmdl.hash"),
        (("tar.b", "lmdl.hash", "tar.a"), "lists tar.a, tar.b, which this"),
        (tuple(f"tar.{number}" for number in range(10)), "tar.6, tar.7 and 2 more, which this"),
    ],
)
def test_operations_that_are_not_known_are_named(operations: tuple[str, ...], told: str | None) -> None:
    notes = handshake_notes(said(*operations))
    assert len(notes) == (told is not None)
    assert all(told in note for note in notes if told)


def test_no_operation_of_ours_is_unknown() -> None:
    ours = [operation for book in load_rules().formats.values() for operation in book.operations]
    assert handshake_notes(said(*ours)) == ()


def test_operations_listed_twice_are_named() -> None:
    assert handshake_notes(said("lmdl.hash", repeated=frozenset({"lmdl.hash"}))) == (
        "the handshake lists lmdl.hash more than once",
    )


def test_notes_fail_no_run(tmp_path: Path) -> None:
    operations = ["lmdl.slot.decode", "tar.open", "lmdl.slot.decode"]
    (tmp_path / "adapter.py").write_text(ADAPTER.replace("OPERATIONS", json.dumps(operations)), encoding="utf-8")
    command = json.dumps([sys.executable, "adapter.py"])
    (tmp_path / "adapter.toml").write_text(f'name = "odd"\nlanguage = "Python"\ncommand = {command}\n')
    entries = [entry for entry in load_suite(FORMATS).cases if entry.operation == "lmdl.slot.decode"]
    entries = [entry for entry in entries if all(one == {"reject": {"reason": "slot-size"}} for one in entry.outcomes)]
    assert entries
    result = judge_adapter(load_adapter(tmp_path), entries, lambda _message: None)
    assert len(result.notes) == 2
    assert result.passed
