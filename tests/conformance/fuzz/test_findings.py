"""Wrong adapters must be found out, and what is found must be small and a vector like any other."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.adapters import own_adapters
from conformance.cli.fuzz import fuzz
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.fuzz import campaign, shrink
from conformance.fuzz.campaign import Plan, Tally, run_campaign
from conformance.paths import ADAPTERS
from conformance.suite.load import load_suite
from conformance.vectorgen.assemble import case_file_problems
from conformance.vectorgen.vector_set import VectorFile, ok, reject
from harness.adapter_file import load_adapter
from harness.judge import judge
from harness.model import AdapterSpec, Status
from harness.runner import AdapterRun

SIGNED_EPOCHS = """
module = importlib.import_module("reference_py.lmdl.recover")
module.max = lambda names, key: max(names, key=lambda name: (key(name) + 2**63) % 2**64)
"""
DIES_OF_LONG_HASHES = """
operations = importlib.import_module("reference_py.operations")
right = operations.OPERATIONS["lmdl.hash"]
operations.OPERATIONS["lmdl.hash"] = lambda request: right(request) if len(request["data"]) < 300 else os._exit(3)
"""
LEAVES_A_FILE = """
operations = importlib.import_module("reference_py.operations")
right = operations.OPERATIONS["pfc.open"]
def opened(request):
    answer = right(request)
    pathlib.Path(request["directory"], "lock").touch()
    return answer
operations.OPERATIONS["pfc.open"] = opened
"""
PLACE_LOST = """
module = importlib.import_module("reference_py.rejection")
operations = importlib.import_module("reference_py.operations")
right = operations._rejection_answer
operations._rejection_answer = lambda rejection: {
    name: text for name, text in right(rejection).items() if name != "at" or rejection.reason != "parts-overlap"
}
"""


def wrong_adapter(folder: Path, patch: str) -> AdapterSpec:
    """Return the Python adapter with ``patch`` applied to the reference in its own process."""
    folder.mkdir(parents=True)
    (folder / "adapter.toml").write_text('name = "wrong"\nlanguage = "Python"\ncommand = ["python", "adapter.py"]\n')
    real = ADAPTERS / "python" / "adapter.py"
    start = f"import importlib, os, pathlib, runpy, sys\nsys.path.insert(0, {str(ADAPTERS.parent)!r})\n"
    (folder / "adapter.py").write_text(f"{start}{patch}\nrunpy.run_path({str(real)!r}, run_name='__main__')\n")
    return load_adapter(folder)


def found(tmp_path: Path, patch: str, format_name: str, seed: int, examples: int) -> Tally:
    spec = wrong_adapter(tmp_path / "wrong", patch)
    plan = Plan(
        [own_adapters()["python"], spec],
        {format_name: FORMATS[format_name].generators},
        seed,
        tmp_path / "out",
        examples,
    )
    return run_campaign(plan, lambda _tally: None)


def only_case(path: Path) -> dict[str, Any]:
    contents = {f"{path.parent.name}/{path.name}": path.read_bytes()}
    assert case_file_problems(contents) == []
    document = json.loads(path.read_bytes())
    (case,) = document["cases"]
    assert isinstance(case, dict)
    return case


def assert_builder_makes_the_same(path: Path) -> None:
    cases = VectorFile("fuzz", "any", "any")
    exec(path.with_suffix(".txt").read_text(), {"cases": cases, "ok": ok, "reject": reject})  # noqa: S102 - it is ours
    assert cases.cases == [only_case(path)]


def test_signed_epochs_are_found_and_shrunk_to_the_two_epochs_that_matter(tmp_path: Path) -> None:
    tally = found(tmp_path, SIGNED_EPOCHS, "lmdl", seed=4, examples=53)
    ((what, path),) = tally.findings
    assert what == "lmdl.recover: wrong answers another active where the reference accepts"
    case = only_case(path)
    meta = base64.b64decode(case["input"]["meta"])
    epochs = struct.unpack_from("<Q", meta, 8) + struct.unpack_from("<Q", meta, 72)
    # 2^63 is the smallest epoch that a signed comparison takes for less than 0.
    assert sorted(epochs) == [0, 2**63]
    assert case["expect"]["ok"]["epoch"] == str(2**63)
    assert case["input"]["log_length"] == "0"
    assert meta[16:56] == meta[80:120] == bytes(40)
    assert what in case["title"]
    assert "disagreement of wrong with the reference (seed 4, example 52 of lmdl)" in case["why"]
    assert not tally.clean
    assert_builder_makes_the_same(path)


def test_a_finding_is_a_vector_that_the_right_one_passes_and_the_wrong_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 50)
    tally = found(tmp_path, PLACE_LOST, "pfc", seed=3, examples=200)
    ((what, path),) = tally.findings
    assert what == "pfc.brick.assemble: wrong names another place where the reference rejects as parts-overlap"
    only_case(path)
    name = f"pfc/{path.name}"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    index = {"suite": "1.0.0", "files": {name: {"sha256": digest}}}
    (tmp_path / "out" / "index.json").write_text(json.dumps(index))
    (entry,) = load_suite(FORMATS, tmp_path / "out").cases
    questions = list(entry.questions())
    for spec, status in ((own_adapters()["python"], Status.PASSED), (load_adapter(tmp_path / "wrong"), Status.FAILED)):
        with AdapterRun(spec) as run:
            assert [judge(question, answer).status for question, answer in run.ask(questions)] == [status]


def test_a_tree_that_should_not_have_changed_is_written_with_the_vector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 50)
    tally = found(tmp_path, LEAVES_A_FILE, "pfc", seed=3, examples=400)
    ((what, path),) = tally.findings
    assert what == "pfc.open: wrong leaves another tree where the reference accepts"
    case = only_case(path)
    assert case["tree_after"].keys() == case["tree"].keys()
    assert not any(name.endswith("lock") for name in case["tree_after"])
    assert_builder_makes_the_same(path)


def test_a_crash_is_found_and_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 40)
    tally = found(tmp_path, DIES_OF_LONG_HASHES, "lmdl", seed=3, examples=150)
    ((what, path),) = tally.findings
    assert what == "lmdl.hash: wrong broken where the reference accepts"
    data = base64.b64decode(only_case(path)["input"]["data"])
    assert len(data) >= 224
    assert set(data) == {0}
    assert tally.seen[what] > 1


def test_a_fault_of_the_reference_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_request: object) -> dict[str, object]:
        raise ZeroDivisionError

    monkeypatch.setitem(__import__("reference_py.operations").operations.OPERATIONS, "lmdl.hash", fails)
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 20)
    plan = Plan([own_adapters()["python"]], {"lmdl": FORMATS["lmdl"].generators}, seed=3, out=tmp_path, examples=40)
    ((what, path),) = run_campaign(plan, lambda _tally: None).findings
    assert what == "lmdl.hash: python accepts what the reference rejects as reference-fault"
    assert "state the expectation from the rules" in only_case(path)["why"]


def test_a_campaign_ends_when_everything_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "MOST_FINDINGS", 2)
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 1)
    tally = found(tmp_path, SIGNED_EPOCHS, "lmdl", seed=3, examples=10_000)
    assert len(tally.findings) == 2
    assert "ended after 2 different disagreements" in tally.troubles[0]


def test_an_adapter_that_is_not_there_is_an_error_that_says_how_to_build_it(tmp_path: Path) -> None:
    spec = AdapterSpec("gone", "C", ("no-such-program-anywhere",), tmp_path, build="make gone")
    with pytest.raises(CannotRunError, match="build it first: make gone"):
        run_campaign(
            Plan([spec], {"lmdl": FORMATS["lmdl"].generators}, seed=0, out=tmp_path, examples=1), lambda _tally: None
        )


def test_the_command_says_what_it_did_and_leaves_with_0_when_all_agree(tmp_path: Path) -> None:
    arguments = ["--format", "lmdl", "--adapter", "python", "--seed", "4", "--examples", "800", "--out", str(tmp_path)]
    result = CliRunner().invoke(fuzz, arguments)
    assert result.exit_code == 0
    assert "seed 4: 800 examples" in result.output
    assert "14 of 14 reasons reached" in result.output
    assert "all agree" in result.output
    assert list(tmp_path.iterdir()) == []


def test_the_command_names_what_was_not_reached(tmp_path: Path) -> None:
    arguments = ["--format", "lmdl", "--adapter", "python", "--seed", "4", "--examples", "3", "--out", str(tmp_path)]
    assert "not reached: " in CliRunner().invoke(fuzz, arguments).output


def test_the_command_leaves_with_1_after_a_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 1)
    wrong_adapter(tmp_path / "wrong", DIES_OF_LONG_HASHES)
    arguments = ["--format", "lmdl", "--adapter", str(tmp_path / "wrong"), "--seed", "3", "--examples", "150"]
    result = CliRunner().invoke(fuzz, [*arguments, "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "DISAGREEMENT lmdl.hash: wrong broken" in result.output
    assert len(list((tmp_path / "out" / "lmdl").glob("*.json"))) == 1
