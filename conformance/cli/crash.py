"""``conformance crash``: what a commit leaves when the process is killed, a call fails or the power goes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from conformance.adapters import choose, own_adapters
from conformance.cli.options import adapter_option, format_option
from conformance.cli.pace import Pace
from conformance.crash.campaign import Activity, run_campaign
from conformance.crash.report import HEAD, exposures, html_page, markdown, problems, rows, summary
from conformance.crash.result import AdapterCrashes, document
from conformance.errors import CannotRunError
from conformance.formats import some
from conformance.version import SUITE_VERSION
from reports.text import visible
from reports.write import ReportError, require_writable, write_whole

_SHOWN = 10
"""Findings of one adapter and format that are printed; all are in the JSON."""


@click.command()
@adapter_option
@format_option
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the results here.")
@click.option(
    "--reports",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write crash.json, crash.md and crash.html into this folder.",
)
def crash(adapters: tuple[str, ...], formats: tuple[str, ...], json_file: Path | None, folder: Path | None) -> None:
    """Watch every commit's system calls, and crash it at each of them.

    Each commit operation runs under strace: its calls must be the protocol's steps in order; the process is killed
    before and after each of them, each is made to fail, writes are cut short, and the states that a power cut may leave
    are enumerated. What is left is read by every implementation. And what an operation reads is changed behind each of
    its calls. Exit status: 0 when all of it holds, 1 when something does not, 2 when it could not run.
    """
    specs = choose(adapters)
    try:
        require_writable(*_places(json_file, folder))
    except ReportError as error:
        raise CannotRunError(str(error)) from None
    with _Progress() as progress:
        scenarios = {name: one.scenarios() for name, one in some(formats).items()}
        results = run_campaign(specs, list(own_adapters().values()), scenarios, progress.hear)
    _print(Console(), results)
    written = _reports(results, json_file, folder)
    try:
        for path, data in written.items():
            write_whole(path, data)
    except ReportError as error:
        raise CannotRunError(str(error)) from None
    for path in written:
        click.echo(f"written: {path}", err=True)
    if all(result.error is not None for result in results):
        raise CannotRunError("no adapter could be started; see above")
    sys.exit(0 if all(result.passed for result in results) else 1)


class _Progress:
    """A line to stderr for each adapter and format that is done; what goes on meanwhile in a line that changes.

    Where there is no terminal that is a line of its own now and then.
    """

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._status = self._console.status("starting the adapters") if self._console.is_terminal else None
        self._pace = Pace()

    def __enter__(self) -> _Progress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._status is not None:
            self._status.stop()

    def hear(self, message: AdapterCrashes | list[Activity]) -> None:
        """Show one step of the campaign."""
        if isinstance(message, AdapterCrashes):
            trials = sum(message.counts().values())
            line = f"{message.name}, {message.format}: {trials} trials in {message.seconds:.0f} s"
            self._console.print(visible(line), markup=False, soft_wrap=True)
            return
        doing = (f"{each.adapter} in {each.scenario} for {each.seconds:.0f} s" for each in message)
        line = visible(f"{self._pace.seconds:.0f} s: {', '.join(doing)}")
        if self._status is not None:
            self._status.update(escape(line))
        elif self._pace.due():
            click.echo(line, err=True)


def _places(json_file: Path | None, folder: Path | None) -> list[Path]:
    return [*([json_file] if json_file else []), *([folder / "crash.json"] if folder else [])]


def _reports(results: Sequence[AdapterCrashes], json_file: Path | None, folder: Path | None) -> dict[Path, bytes]:
    text = json.dumps(document(results, SUITE_VERSION), indent=2, allow_nan=False).encode("ascii") + b"\n"
    files = {json_file: text} if json_file is not None else {}
    if folder is not None:
        files |= {
            folder / "crash.json": text,
            folder / "crash.md": markdown(results).encode(),
            folder / "crash.html": html_page(results, SUITE_VERSION).encode(),
        }
    return files


def _print(console: Console, results: Sequence[AdapterCrashes]) -> None:
    for result in results:
        for line in problems(result, _SHOWN):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for name in HEAD:
        # The names are what a row is found by, and the verdict what it is for: a narrow terminal folds the numbers.
        is_word = name in {"format", "adapter", "result"}
        table.add_column(name.replace("-", "\n"), justify="left" if is_word else "right", no_wrap=is_word)
    for row in rows(results):
        style = "red" if not row.passed else "bold" if row.is_sum else None
        table.add_row(*map(escape, row.cells), style=style, end_section=row.is_sum)
    console.print(table)
    for line in (*exposures(results), summary(results)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
