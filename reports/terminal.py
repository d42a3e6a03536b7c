"""The result of a run on a terminal: who was judged, the matrix, the first failures, and one line in the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.model import Status
from harness.results import AdapterResult, RunResult
from reports.matrix import Cell, Matrix, matrix
from reports.text import (
    adapter_head,
    adapter_problems,
    count,
    failure_lines,
    failures,
    foremost,
    run_problems,
    stderr_lines,
    summary,
    unsupported,
    visible,
)

FAILURES_SHOWN = 5
"""Failures of one adapter that are printed in full; how many more there are is said."""

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
    console.print()
    whole = matrix(result)
    for table in _tables(result, whole, console.width):
        console.print(table)
    _line(console, ", ".join(f"{mark} {meaning}" for mark, meaning in whole.marks), "dim")
    for adapter in result.adapters:
        _print_failures(console, result, adapter, folder)
    console.print()
    for problem in run_problems(result):
        _line(console, f"the run: {problem}", "bold red")
    _line(console, summary(result), "bold green" if result.passed else "bold red")


def _line(console: Console, text: str, style: str = "") -> None:
    """Print one line as it is: a line of a hex dump that is broken in the middle can no longer be read or copied."""
    console.print(Text(text, style=style), soft_wrap=True, highlight=False)


def _print_head(console: Console, adapter: AdapterResult) -> None:
    line = Text.assemble((visible(adapter.name), "bold"), f": {adapter_head(adapter)}; {adapter.seconds:.1f} s")
    console.print(line, soft_wrap=True, highlight=False)


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
    for info, case in foremost(failed, FAILURES_SHOWN):
        console.print()
        head, *lines = failure_lines(info, case, adapter.argument or adapter.name)
        _line(console, head, "bold red")
        for line in lines:
            _line(console, line, _LINE_STYLES.get(line[:4], ""))
    more = len(failed) - FAILURES_SHOWN
    if more > 0:
        page = visible(str(folder / "report.html")) if folder else ""
        where = f"all are in {page}" if folder else "--reports FOLDER writes all of them"
        console.print()
        _line(console, f"{name}: {count(more, 'more case')} did not pass; {where}", "bold")
