"""HTML in one file that needs nothing from anywhere else, and no script: it can be opened from an archived CI run."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.model import Status
from harness.results import CaseInfo, RunResult
from reports.matrix import Matrix, matrix
from reports.text import (
    MARKS,
    NOT_JUDGED,
    adapter_head,
    adapter_problems,
    failure_lines,
    failures,
    run_problems,
    stderr_lines,
    summary,
    unsupported,
    visible,
)


@dataclass(frozen=True)
class Mark:
    """One adapter's finding on one case: its sign, its name, and the id of the failure's text on the page, if any."""

    sign: str
    name: str
    anchor: str = ""


@dataclass(frozen=True)
class CaseLine:
    """One case with a mark for each adapter; ``passed`` when all adapters passed it."""

    info: CaseInfo
    marks: tuple[Mark, ...]
    passed: bool


@dataclass(frozen=True)
class Failure:
    """One case that did not pass, in full."""

    anchor: str
    id: str
    title: str
    status: str
    text: str


@dataclass(frozen=True)
class Section:
    """One adapter: its head line, notes on it, what it did not pass in one line each, and its failures in full."""

    name: str
    head: str
    passed: bool
    seconds: float
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    stderr: str
    failures: tuple[Failure, ...]


def html_page(result: RunResult) -> str:
    """Return the page: verdict, adapters, matrix, failures, and every case with each adapter's finding."""
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = visible
    whole: Matrix = matrix(result)
    return environment.get_template("report.html.j2").render(
        result=result,
        summary=summary(result),
        problems=run_problems(result),
        matrix=whole,
        sections=[_section(result, index) for index in range(len(result.adapters))],
        operations=_operations(result),
    )


def _anchor(adapter: int, case: int) -> str:
    return f"adapter{adapter}-case{case}"


def _section(result: RunResult, index: int) -> Section:
    adapter = result.adapters[index]
    numbers = {info.id: number for number, info in enumerate(result.cases)}
    shown = tuple(
        Failure(
            anchor=_anchor(index, numbers[info.id]),
            id=info.id,
            title=info.title,
            status=case.status.value,
            text="\n".join(failure_lines(info, case, adapter.name, adapter.argument)),
        )
        for info, case in failures(result, adapter)
    )
    return Section(
        name=adapter.name,
        head=adapter_head(adapter),
        passed=adapter.passed,
        seconds=adapter.seconds,
        notes=tuple(map(visible, adapter.notes)),
        problems=(*adapter_problems(result, adapter), *unsupported(result, adapter)),
        stderr="\n".join(stderr_lines(adapter.stderr)),
        failures=shown,
    )


def _operations(result: RunResult) -> dict[str, list[CaseLine]]:
    """Return every selected case below its operation, in the order of the run."""
    findings = [{case.id: case.status for case in adapter.cases} for adapter in result.adapters]
    operations: dict[str, list[CaseLine]] = {}
    for number, info in enumerate(result.cases):
        statuses = [known.get(info.id) for known in findings]
        marks = tuple(_mark(status, _anchor(index, number)) for index, status in enumerate(statuses))
        passed = all(status is Status.PASSED for status in statuses)
        operations.setdefault(info.operation, []).append(CaseLine(info, marks, passed))
    return operations


def _mark(status: Status | None, anchor: str) -> Mark:
    if status is None:
        return Mark(NOT_JUDGED, "not-judged")
    return Mark(MARKS[status], status.value, "" if status in (Status.PASSED, Status.UNSUPPORTED) else anchor)
