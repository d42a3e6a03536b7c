"""The result of a run on a terminal: who was judged, the matrix, the failures in groups, and one line in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.model import Status
from harness.results import AdapterResult, RunResult
from reports.groups import Group, groups
from reports.matrix import Cell, Matrix, matrix
from reports.text import (
    adapter_head,
    adapter_problems,
    count,
    failure_lines,
    failures,
    none_started,
    run_problems,
    stderr_lines,
    summary,
    unsupported,
    visible,
)

GROUPS_SHOWN = 5
"""Groups of one adapter's failures of which one case is printed in full."""
GROUPS_NAMED = 20
"""Further groups that get a line each; how many more there are is said."""

_STYLES = {
    Status.PASSED: "green",
    Status.FAILED: "bold red",
    Status.UNSUPPORTED: "yellow",
    Status.BROKEN: "bold magenta",
    Status.TIMED_OUT: "bold magenta",
}
_LINE_STYLES = {"  - ": "green", "  + ": "red"}
_GAP = 2


def print_result(console: Console, result: RunResult, *, folder: Path | None = None) -> None:
    """Print everything a person needs first; ``folder`` is where the whole reports are, if they were written."""
    for adapter in result.adapters:
        _print_head(console, adapter)
    if not none_started(result):
        _print_matrix(console, result)
    for adapter in result.adapters:
        _print_failures(console, result, adapter, folder)
    console.print()
    for problem in run_problems(result):
        _line(console, f"the run: {problem}", "bold red")
    _line(console, summary(result), "bold green" if result.passed else "bold red")


def _print_matrix(console: Console, result: RunResult) -> None:
    console.print()
    whole = matrix(result)
    for table in _tables(result, whole, console.width):
        console.print(table)
    _line(console, ", ".join(f"{mark} {meaning}" for mark, meaning in whole.marks), "dim")


def _line(console: Console, text: str, style: str = "") -> None:
    """Print one line as it is: a line of a hex dump that is broken in the middle can no longer be read or copied."""
    console.print(Text(text, style=style), soft_wrap=True, highlight=False)


def _print_head(console: Console, adapter: AdapterResult) -> None:
    line = Text.assemble((visible(adapter.name), "bold"), f": {adapter_head(adapter)}; {adapter.seconds:.1f} s")
    console.print(line, soft_wrap=True, highlight=False)
    for note in adapter.notes:
        _line(console, visible(f"{adapter.name}: note: {note}"), "yellow")


def _tables(result: RunResult, whole: Matrix, width: int) -> Iterator[Table]:
    """Yield the matrix, as several tables one below the other when it is wider than the terminal."""
    names = [visible(adapter.name) for adapter in result.adapters]
    sums = [_questions(whole, index) for index in range(len(names))]
    widths = [
        max(map(len, (name, sums[index], *(row.cells[index].text for row in whole.rows)))) + _GAP
        for index, name in enumerate(names)
    ]
    room = width - max((len(row.operation) for row in whole.rows), default=0) - _GAP
    chunk: list[int] = []
    for index, needed in enumerate(widths):
        if chunk and sum(widths[one] for one in chunk) + needed > room:
            yield _table(whole, names, chunk)
            chunk = []
        chunk.append(index)
    if chunk:
        yield _table(whole, names, chunk)


def _table(whole: Matrix, names: list[str], chunk: list[int]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    table.add_column("cases", overflow="fold")
    for index in chunk:
        table.add_column(Text(names[index]), justify="right", overflow="fold")
    for row in whole.rows:
        table.add_row(Text(row.operation), *(_cell(row.cells[index]) for index in chunk))
    table.add_row(Text("all cases", style="bold"), *(_cell(whole.cases[index]) for index in chunk))
    table.add_row(Text("all questions", style="bold"), *(Text(_questions(whole, index)) for index in chunk))
    return table


def _cell(cell: Cell) -> Text:
    return Text(cell.text, style="dim" if cell.status is None else _STYLES[cell.status])


def _questions(whole: Matrix, index: int) -> str:
    counts = whole.questions[index]
    return f"{counts.passed}/{counts.total}"


def _print_failures(console: Console, result: RunResult, adapter: AdapterResult, folder: Path | None) -> None:
    name = visible(adapter.name)
    problems = adapter_problems(result, adapter) + unsupported(result, adapter)
    if problems:
        console.print()
    for problem in problems:
        _line(console, f"{name}: {problem}", "bold red")
    for line in stderr_lines(adapter.stderr):
        _line(console, line)
    failed = failures(result, adapter)
    found = groups(failed)
    for group in found[:GROUPS_SHOWN]:
        _print_group(console, group, name, adapter.argument)
    named = found[GROUPS_SHOWN : GROUPS_SHOWN + GROUPS_NAMED]
    if named:
        console.print()
    for group in named:
        _line(console, f"{name}: {group.headline()}, such as {visible(group.example[0].id)}", "bold")
    more = len(failed) - min(len(found), GROUPS_SHOWN)
    if more > 0:
        page = visible(str(folder / "report.html")) if folder else ""
        where = f"all {len(failed):,} are in {page}" if folder else "--reports FOLDER writes each in full"
        console.print()
        sums = f"{count(len(failed), 'case')} in {count(len(found), 'group')}"
        _line(console, f"{name}: {sums} did not pass; {where}", "bold")


def _print_group(console: Console, group: Group, name: str, argument: str) -> None:
    console.print()
    _line(console, f"{name}: {group.headline()}", "bold")
    info, case = group.example
    # Of a sweep one member is enough here: the next ones mostly show the same.
    head, *lines = failure_lines(info, replace(case, shown=case.shown[:1]), name, argument)
    _line(console, head, "bold red")
    for line in [*lines, *group.others(argument or name)]:
        _line(console, line, _LINE_STYLES.get(line[:4], ""))
