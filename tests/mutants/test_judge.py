"""What counts as a kill, and what does not."""

import sys
from pathlib import Path

import pytest

from harness.model import AdapterSpec, Limits, Ok, Question
from mutants.judge import Fate, Finding, put_to

LIMITS = Limits(deadline=0.5, start_deadline=10.0, stop_grace=1.0)
ADAPTER = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        about = dict(name="n", version="1", language="l", runtime="r")
        print(json.dumps(dict(protocol=1, implementation=about, operations=["try"])), flush=True)
    elif request["cmd"] == "run":
        match request["input"]["do"]:
            case "hang":
                time.sleep(60)
            case "crash":
                sys.exit(3)
            case what:
                print(json.dumps(dict(id=request["id"], ok=dict(found=what))), flush=True)
    else:
        break
"""


def questions(*what: str) -> list[Question]:
    """Questions that are answered rightly only by ``right``."""
    return [Question(f"lmdl/try/{place}", "try", {"do": do}, Ok({"found": "right"})) for place, do in enumerate(what)]


@pytest.fixture
def spec(tmp_path: Path) -> AdapterSpec:
    (tmp_path / "adapter.py").write_text(ADAPTER)
    return AdapterSpec("try", "Python", (sys.executable, "adapter.py"), tmp_path)


@pytest.mark.parametrize(
    ("what", "finding"),
    [
        (["right", "right"], Finding(Fate.SURVIVED)),
        (["right", "wrong", "right"], Finding(Fate.KILLED, "lmdl/try/1", "failed")),
        (["right", "right", "crash"], Finding(Fate.KILLED, "lmdl/try/2", "broken")),
        (["right", "hang", "right"], Finding(Fate.TIMED_OUT, "lmdl/try/1")),
        (["hang", "wrong"], Finding(Fate.KILLED, "lmdl/try/1", "failed")),
        (["hang", "hang", "hang", "wrong"], Finding(Fate.TIMED_OUT, "lmdl/try/0")),
    ],
)
def test_fate(spec: AdapterSpec, what: list[str], finding: Finding) -> None:
    assert put_to(spec, questions(*what), LIMITS) == finding


def test_what_does_not_start_is_not_built(spec: AdapterSpec) -> None:
    (spec.directory / "adapter.py").write_text("import nowhere\n")
    assert put_to(spec, questions("right"), LIMITS).fate is Fate.NOT_BUILT
