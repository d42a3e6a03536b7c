"""``conformance run``: judge adapters by the vectors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from conformance.adapters import choose
from conformance.cli.options import Place, adapter_option, format_option, glob_option
from conformance.cli.pace import Pace
from conformance.engine import AdapterDone, CaseDone, Message, Waiting, judge_all
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.rules.order import load_order
from conformance.suite.load import load_suite
from harness.model import AdapterSpec, Status
from reports.terminal import print_result
from reports.text import none_started
from reports.write import ReportError, require_writable, write_reports, write_results


@click.command()
@adapter_option
@format_option
@glob_option
@click.option("--json", "json_file", type=Place(dir_okay=False), help="Write the results here.")
@click.option(
    "--reports",
    "folder",
    type=Place(file_okay=False),
    help="Write results.json, junit.xml, report.md and report.html into this folder.",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that does not pass.")
def run(  # noqa: PLR0913, PLR0917 - the command's options
    adapters: tuple[str, ...],
    formats: tuple[str, ...],
    globs: tuple[str, ...],
    json_file: Path | None,
    folder: Path | None,
    fail_fast: bool,
) -> None:
    """Put the vectors to the adapters and judge every answer.

    Without --adapter all of ours are judged. Exit status: 0 all passed, 1 something failed, 2 could not run.
    """
    specs = choose(adapters)
    entries = load_suite(FORMATS).select(formats, globs)
    load_order()  # what cannot be used stops here, not in a judging process after the first wrong answer
    places = [*([json_file] if json_file else []), *([folder / "results.json"] if folder else [])]
    try:
        require_writable(*places)
    except ReportError as error:
        raise CannotRunError(str(error)) from None
    with _Progress(specs, len(entries)) as progress:
        result = judge_all(specs, entries, progress.hear, fail_fast=fail_fast)
    try:
        if json_file is not None:
            write_results(result, json_file)
        written = write_reports(result, folder) if folder is not None else []
    except ReportError as error:
        print_result(Console(), result)
        raise CannotRunError(str(error)) from None
    print_result(Console(), result, folder=folder)
    for path in written:
        click.echo(f"written: {path}", err=True)
    if none_started(result):
        raise CannotRunError("nothing was judged: no adapter could be started; see above why")
    sys.exit(0 if result.passed else 1)


class _Progress:
    """Bars on a terminal; elsewhere a line to stderr when an adapter is done, and now and then how far it has come."""

    def __init__(self, specs: Sequence[AdapterSpec], cases: int) -> None:
        console = Console(stderr=True)
        self._console = console
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]}", style="red"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {
            spec.name: self._bars.add_task(spec.name, total=cases, failed="") for spec in specs
        }
        self._cases = cases
        self._failed = dict.fromkeys(self._tasks, 0)
        self._judged = dict.fromkeys(self._tasks, 0)
        self._waiting: dict[str, Waiting] = {}
        self._pace = Pace()

    def __enter__(self) -> _Progress:
        self._bars.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bars.stop()

    def hear(self, message: Message) -> None:
        """Show one step of the run."""
        task = self._tasks[message.adapter]
        self._waiting.pop(message.adapter, None)
        if isinstance(message, Waiting):
            self._waiting[message.adapter] = message
        elif isinstance(message, CaseDone):
            self._judged[message.adapter] += 1
            self._failed[message.adapter] += message.case.status is not Status.PASSED
            failed = self._failed[message.adapter]
            self._bars.update(task, advance=1, failed=f"{failed} not passed" if failed else "")
        elif isinstance(message, AdapterDone) and not self._console.is_terminal:
            judged = f"{message.result.questions.total} questions judged in {message.result.seconds:.1f} s"
            click.echo(f"{message.adapter}: {judged if message.result.error is None else 'did not start'}", err=True)
            del self._judged[message.adapter]
        if not self._console.is_terminal and self._judged and self._pace.due():
            click.echo(f"{self._pace.seconds:.0f} s: {'; '.join(map(self._state, self._judged))}", err=True)

    def _state(self, adapter: str) -> str:
        """Say how far an adapter has come, and what of it is waited for if it is silent."""
        told = f"{adapter}: {self._judged[adapter]} of {self._cases} cases"
        waiting = self._waiting.get(adapter)
        return told if waiting is None else f"{told}, waiting for {waiting.what} ({waiting.seconds:.0f} s)"
