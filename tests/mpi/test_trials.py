"""The trials pass for the publication and catch each wrong one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapters.mpi.trials import __main__ as command
from adapters.mpi.trials import failures, kills, launch, sameness
from adapters.mpi.trials.judge import Trial

RANKS = 2


def all_of(group: str, folder: Path, publication: str = launch.PUBLICATION) -> Iterable[Trial]:
    match group:
        case "same":
            return sameness.trials(folder, RANKS, "disable", publication)
        case "failures":
            return failures.trials(folder, RANKS, publication)
        case "kills":
            return kills.trials(folder, RANKS, publication)
        case _:
            return kills.trials_at_calls(folder, RANKS, 0, publication)


@pytest.mark.mpi
@pytest.mark.parametrize("group", ["same", "failures", "kills"])
def test_the_publication_passes(tmp_path: Path, group: str) -> None:
    trials = list(all_of(group, tmp_path))
    assert trials
    assert [trial for trial in trials if trial.fault is not None] == []


@pytest.mark.mpi
@pytest.mark.parametrize(
    ("wrong", "group", "told"),
    [
        ("cells_in_c_order", "same", "psi.bin: byte"),
        ("zeros_for_a_failed_rank", "failures", "found success, expected publish-failed at fields/psi"),
        ("failing_rank_leaves_alone", "failures", "still waited for each other"),
        ("data_sieving", "failures", "still waited for each other"),
        ("others_do_not_know_where", "failures", "expected publish-failed at fields/psi"),
        ("staging_is_left_behind", "failures", "step_5.publishing should not be there"),
        ("empty_directory_is_replaced", "failures", "found success, expected publish-exists"),
        ("failure_deletes_the_final", "failures", "step_5 is missing"),
        ("renamed_before_all_agree", "calls", "the bundle is whole, expected absent"),
        ("written_in_place", "kills", "the bundle is whole, expected absent"),
    ],
)
def test_a_wrong_publication_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, group: str, told: str
) -> None:
    # Two of them hang, and what is to be seen is that a hang ends. The others come nowhere near it.
    if told == "still waited for each other":
        monkeypatch.setattr(launch, "DEADLINE_SECONDS", 10)
    trials = all_of(group, tmp_path, f"tests.mpi.wrong_publications:{wrong}")
    assert any(trial.fault is not None and told in trial.fault for trial in trials)


@pytest.mark.parametrize(("arguments", "status"), [([], 2), (["--optional"], 0)])
def test_without_mpi_the_trials_are_reported_as_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], status: int
) -> None:
    monkeypatch.setattr(command, "what_is_missing", lambda: "mpi4py is not installed")
    file = tmp_path / "out" / "mpi.json"
    result = CliRunner().invoke(command.main, [*arguments, "--json", str(file)])
    assert result.exit_code == status
    assert "NOT RUN (and not passed): mpi4py is not installed. Install it: make mpi\n" in result.output
    assert json.loads(file.read_text()) == {"status": "not run", "missing": "mpi4py is not installed", "trials": []}
