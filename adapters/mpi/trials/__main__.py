"""All trials of the collective publication: `python -m adapters.mpi.trials`.

Exit status: 0 all passed, 1 one failed, 2 could not run. Without MPI the trials are reported as not run.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from adapters.mpi.trials import failures, kills, sameness, vectors
from adapters.mpi.trials.judge import Trial
from adapters.mpi.trials.launch import INSTALL, what_is_missing
from adapters.mpi.trials.plan import write_whole

RANKS = (1, 2, 3, 4)
"""Every trial that does not say otherwise is made with each of these numbers of ranks."""

_FAULTS_SHOWN = 10


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--optional", is_flag=True, help="Without MPI, say that the trials were not run and exit with status 0.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the outcome of each trial here."
)
def main(optional: bool, json_file: Path | None) -> None:
    """Publish and restart collectively on 1 to 4 ranks, and compare with the serial reference."""
    missing = what_is_missing()
    if missing is not None:
        _write(json_file, "not run", [], missing)
        click.echo(f"mpi: NOT RUN (and not passed): {missing}. Install it: {INSTALL}", err=True)
        sys.exit(0 if optional else 2)
    trials = _all_trials()
    failed = [trial for trial in trials if trial.fault is not None]
    _write(json_file, "failed" if failed else "passed", trials, None)
    _show(trials, failed)
    sys.exit(1 if failed else 0)


def _all_trials() -> list[Trial]:
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="mpi-trials-") as name:
        for batch in _batches(Path(name)):
            trials += batch
            click.echo(f"mpi: {len(trials)} trials made", err=True)
    return trials


def _batches(folder: Path) -> Iterator[list[Trial]]:
    """Every trial, in batches that take some seconds each."""

    def place(name: str) -> Path:
        made = folder / name
        made.mkdir()
        return made

    for ranks in RANKS:
        yield list(vectors.trials(place(f"vectors {ranks}"), ranks))
        yield [
            *(
                trial
                for buffering in sameness.BUFFERINGS
                for trial in sameness.trials(place(f"same {ranks} {buffering}"), ranks, buffering)
            ),
            *sameness.restarts_from_serial(place(f"serial {ranks}"), ranks),
        ]
        yield [
            *failures.trials(place(f"failures {ranks}"), ranks),
            failures.full_disk_of_the_writer(place(f"buffered {ranks}"), ranks),
            *failures.retries(place(f"retries {ranks}"), ranks),
            *kills.trials(place(f"kills {ranks}"), ranks),
        ]
    yield list(kills.trials_at_calls(place("kills at calls, first rank"), 2, 0))
    yield list(kills.trials_at_calls(place("kills at calls, last rank"), 3, 2))


def _show(trials: list[Trial], failed: list[Trial]) -> None:
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("mpi: passed of all trials")
    for ranks in RANKS:
        table.add_column(f"{ranks} rank{'s' if ranks > 1 else ''}", justify="right")
    for group in dict.fromkeys(trial.group for trial in trials):
        table.add_row(group, *(_cell(trials, group, ranks) for ranks in RANKS))
    console.print(table)
    for trial in failed[:_FAULTS_SHOWN]:
        console.print(Text(f"FAILED {trial.group}, {trial.ranks} ranks, {trial.title}: {trial.fault}", "bold red"))
    if len(failed) > _FAULTS_SHOWN:
        console.print(f"and {len(failed) - _FAULTS_SHOWN} more; --json writes all of them")
    summary = f"mpi: {len(trials) - len(failed)} trials passed, {len(failed)} failed"
    console.print(Text(summary, "bold red" if failed else "bold green"))


def _cell(trials: list[Trial], group: str, ranks: int) -> Text:
    mine = [trial for trial in trials if (trial.group, trial.ranks) == (group, ranks)]
    passed = sum(trial.fault is None for trial in mine)
    return Text(f"{passed}/{len(mine)}" if mine else "", "green" if passed == len(mine) else "bold red")


def _write(path: Path | None, status: str, trials: list[Trial], missing: str | None) -> None:
    """Write the outcome whole or not at all."""
    if path is None:
        return
    outcome = {
        "status": status,
        "missing": missing,
        "trials": [
            {"group": trial.group, "ranks": trial.ranks, "title": trial.title, "fault": trial.fault} for trial in trials
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(outcome, indent=2) + "\n")


if __name__ == "__main__":
    main()
