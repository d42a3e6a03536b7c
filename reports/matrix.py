"""The matrix: operations down, adapters across, and in each cell how many of the selected cases passed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.model import Status
from harness.results import CaseInfo, CaseResult, Counts, RunResult
from reports.text import MARKS, NOT_JUDGED, visible


@dataclass(frozen=True)
class Cell:
    """What one adapter made of some cases. ``selected`` counts them; ``counts`` are of those that were judged."""

    selected: int
    counts: Counts

    @property
    def status(self) -> Status | None:
        """The gravest finding; None when not all of them were judged, which is no pass whatever the others are."""
        if self.counts.total == 0 or (self.counts.total < self.selected and self.counts.worst() is Status.PASSED):
            return None
        return self.counts.worst()

    @property
    def mark(self) -> str:
        """The sign that tells the finding without colour."""
        return NOT_JUDGED if self.status is None else MARKS[self.status]

    @property
    def text(self) -> str:
        """The sign, and passed/selected."""
        return f"{self.mark} {self.counts.passed}/{self.selected}"


@dataclass(frozen=True)
class Row:
    """One operation of one format; the cells are in the order of the run's adapters."""

    format: str
    operation: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Matrix:
    """The rows in the order of their names, and the sums: of cases, and of single questions."""

    rows: tuple[Row, ...]
    cases: tuple[Cell, ...]
    questions: tuple[Counts, ...]

    @property
    def marks(self) -> list[tuple[str, str]]:
        """The signs that occur, each with its meaning, passed first."""
        found = {cell.mark for row in self.rows for cell in row.cells}
        known = [*((mark, status.value) for status, mark in MARKS.items()), (NOT_JUDGED, "not judged")]
        return [(mark, meaning) for mark, meaning in known if mark in found]


def matrix(result: RunResult) -> Matrix:
    """Return the matrix of a run. Every selected case is in it, whether an adapter was judged by it or not."""
    findings = [{case.id: case for case in adapter.cases} for adapter in result.adapters]
    groups: dict[tuple[str, str], list[CaseInfo]] = {}
    for info in result.cases:
        groups.setdefault((visible(info.format), visible(info.operation)), []).append(info)
    rows = [Row(*key, tuple(_cell(infos, known) for known in findings)) for key, infos in sorted(groups.items())]
    return Matrix(
        rows=tuple(rows),
        cases=tuple(_cell(result.cases, known) for known in findings),
        questions=tuple(adapter.questions for adapter in result.adapters),
    )


def _cell(infos: Sequence[CaseInfo], known: dict[str, CaseResult]) -> Cell:
    judged: Iterable[CaseResult] = (known[info.id] for info in infos if info.id in known)
    return Cell(len(infos), Counts.of(case.status for case in judged))
