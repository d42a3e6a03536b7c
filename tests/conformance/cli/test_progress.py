"""What a command says on its way where there is no terminal."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from conformance.cli import pace
from conformance.crash.campaign import Activity
from conformance.engine import CaseDone, Waiting
from harness.model import AdapterSpec, Status
from harness.results import CaseResult, Counts

crash_command = importlib.import_module("conformance.cli.crash")
run_command = importlib.import_module("conformance.cli.run")
SLOW = AdapterSpec("slow", "None", ("slow",), Path("slow"))


def test_what_is_waited_for_is_told_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pace, "SECONDS_BETWEEN_LINES", 0.0)
    progress = run_command._Progress([SLOW], 7)
    progress.hear(Waiting("slow", "lmdl/slot/zero", 22.4))
    progress.hear(CaseDone("slow", CaseResult("lmdl/slot/zero", Status.PASSED, Counts(passed=1), ())))
    first, second = capsys.readouterr().err.splitlines()
    assert first == "0 s: slow: 0 of 7 cases, waiting for lmdl/slot/zero (22 s)"
    assert second == "0 s: slow: 1 of 7 cases"


def test_progress_is_told_no_more_often_than_the_pace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pace, "SECONDS_BETWEEN_LINES", 3600.0)
    progress = run_command._Progress([SLOW], 7)
    progress.hear(Waiting("slow", "lmdl/slot/zero", 22.4))
    assert capsys.readouterr().err == ""


def test_a_campaign_tells_the_scene_that_each_adapter_is_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pace, "SECONDS_BETWEEN_LINES", 0.0)
    progress = crash_command._Progress()
    progress.hear([Activity("slow", "lmdl/second", 40.0), Activity("other", "pfc/fresh", 2.6)])
    assert capsys.readouterr().err == "0 s: slow in lmdl/second for 40 s, other in pfc/fresh for 3 s\n"
