"""The hint for a library that cannot say where: given when no rejection has a place, and only then."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from conformance.engine import judge_adapter
from conformance.formats import FORMATS
from conformance.suite.load import load_suite
from harness.adapter_file import load_adapter

ADAPTER = """
import json, sys
asked_so_far = 0
for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "start":
        said = {"name": "n", "version": "1", "language": "l", "runtime": "r"}
        hello = {"protocol": 1, "implementation": said, "operations": ["lmdl.recover"], "locations": LOCATIONS}
        print(json.dumps(hello), flush=True)
    elif asked["cmd"] == "run":
        reject = {"reason": REASON}
        if asked_so_far < PLACES:
            reject["at"] = "slot/A"
        asked_so_far += 1
        print(json.dumps({"id": asked["id"], "reject": reject}), flush=True)
    else:
        break
"""


@pytest.mark.parametrize(
    ("reason", "places", "locations", "hinted"),
    [
        ("meta-version", 0, True, True),
        ("meta-version", 1, True, False),
        ("meta-version", 0, False, False),
        ("meta-size", 0, True, False),
    ],
    ids=["no place", "one place", "said in the handshake", "another reason"],
)
def test_the_hint(tmp_path: Path, reason: str, places: int, locations: bool, hinted: bool) -> None:
    program = ADAPTER.replace("REASON", json.dumps(reason)).replace("PLACES", str(places))
    (tmp_path / "adapter.py").write_text(program.replace("LOCATIONS", str(locations)), encoding="utf-8")
    command = json.dumps([sys.executable, "adapter.py"])
    (tmp_path / "adapter.toml").write_text(f'name = "dumb"\nlanguage = "Python"\ncommand = {command}\n')
    version = {"reason": "meta-version", "at": "slot/A"}
    entries = [entry for entry in load_suite(FORMATS).cases if entry.operation == "lmdl.recover"]
    entries = [entry for entry in entries if all(one == {"reject": version} for one in entry.outcomes)][:3]
    assert len(entries) == 3
    result = judge_adapter(load_adapter(tmp_path), entries, lambda _message: None)
    assert len(result.notes) == hinted
    for note in result.notes:
        assert note.startswith('no rejection had an "at", and 3 for the right reason lacked it: ')
        assert '"locations": false' in note
