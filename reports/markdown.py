"""Markdown for the summary page of a continuous-integration run: the matrix, and as many failures as it may hold."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from harness.results import AdapterResult, RunResult
from reports.matrix import matrix
from reports.text import (
    adapter_head,
    adapter_problems,
    count,
    failure_lines,
    failures,
    run_problems,
    stderr_lines,
    summary,
    unsupported,
    visible,
)

LARGEST = 512 * 1024
"""Characters of failures that are written in full; a summary page may hold 1 MiB."""


def markdown(result: RunResult) -> str:
    """Return the report: the verdict, who was judged, the matrix, then each adapter's failures folded away."""
    lines = ["# Checkpoint conformance", "", f"**{inline(summary(result))}**", ""]
    lines += [f"- the run: {inline(problem)}" for problem in run_problems(result)]
    for adapter in result.adapters:
        lines.append(f"- **{inline(adapter.name)}**: {inline(adapter_head(adapter))}")
        lines += [f"  - note: {inline(note)}" for note in adapter.notes]
    lines += ["", *_matrix(result)]
    room = LARGEST
    for adapter in result.adapters:
        section = list(_failures(result, adapter, room))
        room -= sum(map(len, section))
        lines += section
    return "\n".join(lines).rstrip("\n") + "\n"


def inline(text: str) -> str:
    """Return foreign text for a line or a table cell, where it stands for itself and for nothing else."""
    escaped = re.sub(r"([\\`*_\[\]|~#!])", r"\\\1", visible(text))
    return html.escape(escaped, quote=False)


def _matrix(result: RunResult) -> Iterator[str]:
    whole = matrix(result)
    if not result.adapters:
        return
    yield f"| cases | {' | '.join(inline(adapter.name) for adapter in result.adapters)} |"
    yield f"| :-- |{' --: |' * len(result.adapters)}"
    for row in whole.rows:
        yield f"| {inline(row.operation)} | {' | '.join(inline(cell.text) for cell in row.cells)} |"
    yield f"| **all cases** | {' | '.join(inline(cell.text) for cell in whole.cases)} |"
    yield f"| **all questions** | {' | '.join(f'{one.passed}/{one.total}' for one in whole.questions)} |"
    yield ""
    yield ", ".join(f"{inline(mark)} {meaning}" for mark, meaning in whole.marks)
    yield ""


def _failures(result: RunResult, adapter: AdapterResult, room: int) -> Iterator[str]:
    failed, problems = failures(result, adapter), adapter_problems(result, adapter) + unsupported(result, adapter)
    if not failed and not problems:
        return
    yield f"## What {inline(adapter.name)} did not pass"
    yield ""
    yield from (f"- {inline(problem)}" for problem in problems)
    yield ""
    if adapter.stderr:
        yield from _fenced(stderr_lines(adapter.stderr))
    for number, (info, case) in enumerate(failed):
        block = _folded(f"{info.id}: {info.title}", failure_lines(info, case, adapter.name, adapter.argument))
        room -= sum(map(len, block))
        if room < 0:
            yield f"{count(len(failed) - number, 'more case')}, in full in `report.html`:"
            yield ""
            yield from (f"- {inline(rest.id)}" for rest, _ in failed[number:])
            return
        yield from block


def _folded(title: str, lines: list[str]) -> list[str]:
    return [f"<details><summary>{html.escape(visible(title))}</summary>", "", *_fenced(lines), "</details>", ""]


def _fenced(lines: list[str]) -> list[str]:
    """Return a code block whose fence is longer than any run of backticks in it."""
    runs = (len(run) for line in lines for run in re.findall("`+", line))
    fence = "`" * max(3, 1 + max(runs, default=0))
    return [f"{fence}text", *lines, fence, ""]
