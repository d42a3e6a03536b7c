"""One scenario of each format on the reference, in full; all the others run under ``conformance crash``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.adapters import own_adapters
from conformance.crash.campaign import crash
from conformance.crash.scenario import Scenario, State, WrongStateError
from conformance.formats import FORMATS
from conformance.rules import load_rules
from harness.adapter_file import load_adapter
from harness.crash.session import TracedAdapter
from harness.crash.target import Target
from harness.model import Answer, File, Outcome, Tree

ROOT = Path(__file__).resolve().parents[3]


def scenarios(format_id: str) -> list[Scenario]:
    return [each for each in FORMATS[format_id].scenarios() if isinstance(each, Scenario)]


def _scenario(name: str) -> Scenario:
    return next(each for each in scenarios(name.partition("/")[0]) if each.id == name)


@pytest.mark.parametrize(
    ("name", "phases"),
    [
        ("lmdl/first-absent", ("power-cut",)),
        ("lmdl/second", ("kill", "power-cut", "fault", "short-write")),
        ("flysess1/leftover-links", ("kill", "power-cut", "short-write")),
        ("pfc/leftover-staging", ("kill", "fault", "short-write")),
    ],
)
def test_the_reference_survives_and_all_read_the_same(name: str, phases: tuple[str, ...]) -> None:
    adapters = own_adapters()
    result = crash(adapters["python"], list(adapters.values()), [_scenario(name)], phases)
    assert result.findings() == []
    assert result.passed
    counts = result.counts()
    assert counts["order"] == 1
    assert {phase for phase in counts if counts[phase]} == {"order", *phases}


def test_a_kill_before_a_call_leaves_it_undone_and_one_after_it_done(tmp_path: Path) -> None:
    scenario = _scenario("lmdl/first-absent")
    target = Target("rename", "/run.meta.tmp", inside=True, when=1)
    with TracedAdapter(own_adapters()["python"], tmp_path.resolve()) as adapter:
        before = adapter.kill_before(scenario.question(), target)
        after = adapter.kill_after(scenario.question(), target)
        answer = adapter.ask(scenario.question())
    assert before.hit
    assert before.answer is None
    assert "run.meta.tmp" in before.tree
    assert "run.meta" not in before.tree
    assert after.hit
    assert after.answer is None
    assert "run.meta.tmp" not in after.tree
    assert "run.meta" in after.tree
    assert answer.outcome is Outcome.ACCEPTED


@pytest.mark.parametrize("format_id", FORMATS)
def test_scenarios_are_told_apart_and_name_only_steps_of_the_rules(format_id: str) -> None:
    made = scenarios(format_id)
    assert len({scenario.id for scenario in made}) == len(made)
    for scenario in made:
        assert scenario.deciding in {step.name for step in scenario.steps}
    rules = (FORMATS[format_id].folder / "rules.toml").read_text()
    if format_id != "pfc":
        for step in {step.name for scenario in made for step in scenario.steps}:
            assert step in rules, step
    assert format_id in load_rules().formats


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lmdl/later", {"other.meta": File(b"")}),
        ("flysess1/later", {"store/current": File(b"g-3\n")}),
        ("flysess1/later", {"store/current": File(b"g-2\n")}),
        ("flysess1/later", {"outside": File(b"")}),
    ],
)
def test_a_tree_that_is_neither_old_nor_new_is_refused(name: str, change: Tree) -> None:
    scenario = _scenario(name)
    with pytest.raises(WrongStateError):
        scenario.state({**scenario.tree, **change}, [Answer(Outcome.BROKEN)])


def test_a_store_that_holds_nothing_yet_is_old_only_where_it_began_so() -> None:
    first, later = _scenario("flysess1/first"), _scenario("flysess1/later")
    assert first.state(first.tree, []) is State.OLD
    without = {path: entry for path, entry in later.tree.items() if path != "store/current"}
    with pytest.raises(WrongStateError):
        later.state(without, [])


def test_without_strace_one_line_says_how_to_install_it() -> None:
    empty = {**os.environ, "PATH": ""}
    command = [sys.executable, "-c", "from conformance.cli import main; main()", "crash", "--format", "pfc"]
    done = subprocess.run(command, cwd=ROOT, env=empty, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "conformance: strace is missing; install it: apt-get install strace\n"


def test_an_adapter_without_the_operation_is_no_pass(tmp_path: Path) -> None:
    adapter = tmp_path / "mute"
    adapter.mkdir()
    said = {"name": "mute", "version": "1", "language": "none", "runtime": "none"}
    hello = json.dumps({"protocol": 1, "implementation": said, "operations": []})
    program = f"import sys\nsys.stdin.readline()\nprint({hello!r}, flush=True)\nsys.stdin.readline()\n"
    (adapter / "mute.py").write_text(program)
    (adapter / "adapter.toml").write_text('name = "mute"\nlanguage = "none"\ncommand = ["python", "mute.py"]\n')
    result = crash(load_adapter(adapter), [], [_scenario("pfc/fresh")])
    assert not result.passed
    assert [scenario.unsupported for scenario in result.scenarios] == [True]
    assert sum(result.counts().values()) == 0
