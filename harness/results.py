"""The result of a whole run as frozen values, and their JSON: the one document from which every report is made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from harness.hexdump import aligned_dump
from harness.model import Implementation, Json, Status
from harness.plain import from_plain, to_plain

SCHEMA = 1
_WORST_FIRST = (Status.BROKEN, Status.TIMED_OUT, Status.FAILED, Status.UNSUPPORTED, Status.PASSED)


class ResultsError(Exception):
    """A document that holds no results of a run; the message names the place and what is wrong there."""


@dataclass(frozen=True)
class CaseInfo:
    """What a case or sweep is, whoever is judged by it."""

    id: str
    format: str
    operation: str
    title: str
    why: str = ""
    rules: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sweep: bool = False


@dataclass(frozen=True)
class Counts:
    """How many of something met each finding."""

    passed: int = 0
    failed: int = 0
    unsupported: int = 0
    broken: int = 0
    timed_out: int = 0

    @property
    def total(self) -> int:
        """The number of all of them."""
        return self.passed + self.failed + self.unsupported + self.broken + self.timed_out

    @classmethod
    def of(cls, statuses: Iterable[Status]) -> Counts:
        """Count ``statuses``."""
        seen = Counter(status.name.lower() for status in statuses)
        return cls(**seen)

    def __add__(self, other: Counts) -> Counts:
        """Return the sums, finding by finding."""
        return Counts(*(left + right for left, right in zip(astuple(self), astuple(other), strict=True)))

    def worst(self) -> Status:
        """Return the gravest finding that was met. Raises ``ValueError`` for an empty count: nothing was judged."""
        for status in _WORST_FIRST:
            if getattr(self, status.name.lower()):
                return status
        raise ValueError("nothing was judged, so there is no finding; put at least one question")


@dataclass(frozen=True)
class DifferenceResult:
    """One difference, with bytes cut to what surrounds it.

    ``where``, ``expected``, ``found``, ``offset`` and ``field`` are as in :class:`harness.model.Difference`; the two
    excerpts begin at byte ``start`` of their sides, whose whole lengths are ``expected_length`` and ``found_length``.
    """

    where: str
    expected: str
    found: str
    field: str | None = None
    offset: int | None = None
    start: int = 0
    expected_bytes: bytes | None = None
    found_bytes: bytes | None = None
    expected_length: int = 0
    found_length: int = 0

    def dump(self) -> str:
        """Return the aligned hex dump of both sides, or the empty text when they are no bytes."""
        if self.expected_bytes is None or self.found_bytes is None:
            return ""

        def label(offset: int) -> str | None:
            return self.field if offset == self.offset else None

        lengths = (self.expected_length, self.found_length)
        return aligned_dump(self.expected_bytes, self.found_bytes, label=label, start=self.start, lengths=lengths)


@dataclass(frozen=True)
class QuestionResult:
    """One question that did not pass, with everything a report says about it.

    ``expected`` and ``found`` are one line each; ``message`` and ``stderr`` are set for broken and timed out;
    ``input`` says in a line what the input is, where the caller could tell (which golden file, which byte is changed);
    ``order`` where a wrong reason stands among the operation's checks.
    """

    id: str
    status: Status
    expected: str
    found: str
    message: str = ""
    stderr: str = ""
    detail: str | None = None
    input: str = ""
    order: str = ""
    differences: tuple[DifferenceResult, ...] = ()


@dataclass(frozen=True)
class CaseResult:
    """One case on one adapter. ``questions`` counts the members of a sweep, or the one question of a case.

    ``status`` is that of the gravest question; ``shown`` holds the first questions that did not pass, at most five.
    """

    id: str
    status: Status
    questions: Counts
    shown: tuple[QuestionResult, ...] = ()


@dataclass(frozen=True)
class AdapterResult:
    """One adapter's run. ``error`` is set, and ``cases`` empty, when no conversation could begin.

    ``troubles`` are what went wrong outside any case; one is enough to fail the run. ``notes`` are what is odd and
    fails nothing. ``counts`` are of cases, ``questions`` of single questions. ``argument`` is what names the adapter on
    the command line.
    """

    name: str
    language: str
    build: str = ""
    argument: str = ""
    implementation: Implementation | None = None
    error: str | None = None
    stderr: str = ""
    troubles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    restarts: int = 0
    cases: tuple[CaseResult, ...] = ()
    seconds: float = 0.0

    @property
    def counts(self) -> Counts:
        """Cases by finding."""
        return Counts.of(case.status for case in self.cases)

    @property
    def questions(self) -> Counts:
        """Single questions by finding."""
        return sum((case.questions for case in self.cases), Counts())

    @property
    def passed(self) -> bool:
        """Whether every case passed, at least one was there, and nothing else went wrong."""
        counts = self.counts
        return self.error is None and not self.troubles and 0 < counts.total == counts.passed


@dataclass(frozen=True)
class RunResult:
    """A whole run: the cases that were selected, and what each adapter made of them, in the same order.

    ``complete`` is False when the run was broken off, so that some cases were not put to some adapter.
    """

    suite_version: str
    cases: tuple[CaseInfo, ...]
    adapters: tuple[AdapterResult, ...]
    seconds: float
    complete: bool = True

    @property
    def passed(self) -> bool:
        """Whether the run was complete, and every adapter was judged by every case and passed it."""
        selected = [case.id for case in self.cases]
        judged = all([case.id for case in adapter.cases] == selected for adapter in self.adapters)
        return self.complete and judged and bool(self.adapters) and all(adapter.passed for adapter in self.adapters)

    def to_json(self) -> dict[str, Json]:
        """Return the document that ``results.schema.json`` describes."""
        document = cast("dict[str, Json]", to_plain(self))
        adapters = cast("list[dict[str, Json]]", document["adapters"])
        for adapter, written in zip(self.adapters, adapters, strict=True):
            written["passed"] = adapter.passed
            written["counts"] = to_plain(adapter.counts)
            written["questions"] = to_plain(adapter.questions)
        return {"results": SCHEMA, "passed": self.passed, **document}

    @classmethod
    def from_json(cls, document: Json) -> RunResult:
        """Return the run that ``document`` holds; sums are computed anew. Raises :class:`ResultsError`."""
        fault = best_match(Draft202012Validator(results_schema()).iter_errors(document))
        if fault is not None:
            raise ResultsError(f"not a results document at {fault.json_path}: {fault.message[:200]}")
        return cast(RunResult, from_plain(cls, document))


def results_schema() -> dict[str, Json]:
    """Return the JSON Schema (2020-12) of a results document."""
    text = Path(__file__).with_name("results.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Json]", json.loads(text))
