"""``conformance crash``: what a commit leaves when the process is killed, a call fails or the power goes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from conformance.adapters import choose, own_adapters
from conformance.cli.options import adapter_option, format_option
from conformance.crash.campaign import FORMATS, run_campaign
from conformance.crash.result import PHASES, AdapterCrashes, document
from conformance.errors import CannotRunError
from conformance.version import SUITE_VERSION
from reports.write import ReportError, write_whole

_SHOWN = 10
"""Findings of one adapter and format that are printed; all are in the JSON."""


@click.command()
@adapter_option
@format_option
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the results here.")
def crash(adapters: tuple[str, ...], formats: tuple[str, ...], json_file: Path | None) -> None:
    """Watch every commit's system calls, and crash it at each of them.

    Each commit operation runs under strace: its calls must be the protocol's steps in order; the process is killed
    before and after each of them, each is made to fail, writes are cut short, and the states that a power cut may leave
    are enumerated. What is left is read by every implementation. And what an operation reads is changed behind each of
    its calls. Exit status: 0 when all of it holds, 1 when something does not, 2 when it could not run.
    """
    specs = choose(adapters)
    results = run_campaign(specs, list(own_adapters().values()), sorted(set(formats)) or FORMATS, _hear)
    _print(Console(), results)
    if json_file is not None:
        text = json.dumps(document(results, SUITE_VERSION), indent=2, allow_nan=False)
        try:
            write_whole(json_file, text.encode("ascii") + b"\n")
        except ReportError as error:
            raise CannotRunError(str(error)) from None
        click.echo(f"written: {json_file}", err=True)
    if all(result.error is not None for result in results):
        raise CannotRunError("no adapter could be started; see above")
    sys.exit(0 if all(result.passed for result in results) else 1)


def _hear(result: AdapterCrashes) -> None:
    trials = sum(result.counts().values())
    click.echo(f"{result.name}, {result.format}: {trials} trials in {result.seconds:.0f} s", err=True)


def _print(console: Console, results: Sequence[AdapterCrashes]) -> None:
    for result in results:
        for line in _problems(result):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("format", "adapter", "scenes", *PHASES, "exposed", "result"):
        table.add_column(
            name.replace("-", "\n"), justify="left" if name in ("format", "adapter", "result") else "right"
        )
    # The names are what a row is found by: a narrow terminal folds the numbers' heads instead.
    table.columns[1].min_width = max((len(result.name) for result in results), default=0)
    for result in results:
        table.add_row(*map(escape, _row(result)), style=None if result.passed else "red")
    console.print(table)
    for result in results:
        for what, count in sorted(result.exposed().items()):
            line = f"{result.format}, {result.name}: {count} states that a power cut may leave are {what}"
            console.print(f"{line}; the format promises nothing else", markup=False, highlight=False, soft_wrap=True)


def _row(result: AdapterCrashes) -> list[str]:
    counts, findings = result.counts(), len(result.findings())
    numbers = [str(counts[phase]) for phase in PHASES]
    exposed = str(sum(result.exposed().values()))
    return [result.format, result.name, str(len(result.scenes)), *numbers, exposed, _verdict(result, findings)]


def _verdict(result: AdapterCrashes, findings: int) -> str:
    if result.error is not None:
        return "not started"
    if findings:
        return f"{findings} findings"
    return "passed" if result.passed else "unsupported"


def _problems(result: AdapterCrashes) -> list[str]:
    if result.error is not None:
        return [f"NOT STARTED {result.error}"]
    unsupported = Counter(scene.operation for scene in result.scenes if scene.unsupported)
    lines = [f"UNSUPPORTED {result.name} does not list {name}: {count} scenes" for name, count in unsupported.items()]
    findings = result.findings()
    for finding in findings[:_SHOWN]:
        place = f", {finding.place}" if finding.place else ""
        lines.append(f"FAILED {result.name} {finding.scene} ({finding.phase}{place}): {finding.message}")
        lines += [f"    {call}" for call in finding.trace]
    if len(findings) > _SHOWN:
        lines.append(f"… and {len(findings) - _SHOWN} findings more of {result.name}, {result.format}; see --json")
    return lines
