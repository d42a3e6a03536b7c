"""Put the mutants of one language to the vectors, one after another."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from conformance.formats import FORMATS
from conformance.paths import VECTORS
from conformance.suite.load import load_suite
from conformance.suite.model import Case
from conformance.suite.sweep import Sweep
from harness.model import AdapterSpec, Question
from harness.runner import AdapterRun
from mutants.explained import load_explained
from mutants.judge import Fate, Finding, put_to
from mutants.listing import Toolbox, list_mutants
from mutants.mutant import Mutant
from mutants.records import Moment, Now, Record, Records, killers
from mutants.scope import Reach, Scope, formats_of, load_reach, load_scope, sources_digests, vectors_digest
from mutants.workshop import BuildError, TypeScriptWorkshop, Workshop, open_workshop

_MOST_KILLERS = 40
_MANY_BYTES = 1 << 16


class BaselineError(Exception):
    """The unchanged implementation does not pass, so that no mutant of it can be judged."""


@dataclass(frozen=True)
class Shard:
    """One of several parts of the mutants: the ``index``-th (from 1) of ``count``."""

    index: int
    count: int

    def has(self, mutant: Mutant) -> bool:
        """Whether a mutant belongs to this part; by its name, so that it stays there."""
        number = int.from_bytes(hashlib.sha256(mutant.name.encode()).digest()[:8], "big")
        return number % self.count == self.index - 1

    def __str__(self) -> str:
        """Name it as part of a file name."""
        return f"{self.index}-of-{self.count}"


def moment_of(language: str, *, sweeps: bool = True) -> Moment:
    """Return what findings depend on at the moment; without ``sweeps``, when only single cases are to be asked.

    Raises :class:`mutants.explained.StaleError`.
    """
    cases = json.loads((VECTORS / "index.json").read_text(encoding="utf-8"))["cases"]
    single = {entry.id for entry in load_suite(FORMATS).cases if not _is_sweep(entry)}
    asked = {case: digest for case, digest in cases.items() if case in single}
    digests = sources_digests(language)
    quick = Now(digests, f"without-sweeps-{vectors_digest()}", cases, asked)
    explained = frozenset(name for entry in load_explained() if entry.language == language for name in entry.mutants)
    return Moment(Now(digests, vectors_digest(), cases, cases) if sweeps else quick, quick, explained)


@dataclass
class Bench:
    """A workshop with the questions that can be put to what is built in it."""

    workshop: Workshop
    scope: Scope
    mutants: list[Mutant]
    operations: frozenset[str]
    entries: tuple[Case, ...]
    _reach: tuple[Reach, ...] = field(default_factory=load_reach)
    _questions: dict[str, list[Question]] = field(default_factory=dict)
    _killers: defaultdict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))

    def question_all(
        self, records: Records, moment: Moment, shard: Shard, tell: Callable[[Mutant, Finding], None]
    ) -> None:
        """Judge every mutant of a shard whose finding does not stand yet."""
        for mutant in self.mutants:
            now = moment.of(mutant.name)
            before = records.of(mutant.name, now)
            if before is not None and before.still_holds(now):
                self._killers[mutant.change.file].append(before)
        for mutant in filter(shard.has, self.mutants):
            now = moment.of(mutant.name)
            before = records.of(mutant.name, now)
            if before is not None and before.still_holds(now):
                continue
            left = now.asked.keys() - (records.cases_asked(before, now) if before is not None else frozenset())
            finding = self.judge(mutant, self._plan(mutant, before, left))
            record = Record.of(mutant.name, finding, now)
            records.add(record, now, str(shard))
            self._killers[mutant.change.file].append(record)
            tell(mutant, finding)

    def judge(self, mutant: Mutant, entries: Sequence[Case]) -> Finding:
        """Make one change, build, ask, and undo it."""
        questions = self._expanded(entries)
        if isinstance(self.workshop, TypeScriptWorkshop):
            return put_to(self.workshop.switched(mutant.change.switch), questions)
        source = self.workshop.read(mutant.change.file)
        self.workshop.write(mutant.change.file, mutant.change.applied(source))
        try:
            self.workshop.build()
            return put_to(self.workshop.adapter(), questions)
        except BuildError as error:
            return Finding(Fate.NOT_BUILT, how=str(error)[:400])
        finally:
            self.workshop.write(mutant.change.file, source)

    def check_unchanged(self) -> None:
        """Raise :class:`BaselineError` unless the copy passes all single cases."""
        finding = put_to(self.workshop.adapter(), self._expanded([e for e in self.entries if not _is_sweep(e)]))
        if finding.fate is not Fate.SURVIVED:
            raise BaselineError(f"the unchanged copy is {finding.fate.value} by {finding.case} {finding.how}")

    def _plan(self, mutant: Mutant, before: Record | None, left: Set[str]) -> list[Case]:
        """Order the cases left to ask: what killed this mutant before, what killed its neighbours, then by cost."""
        formats = formats_of(mutant.change.file)
        operations = next(
            (each.operations for each in self._reach if mutant.change.file in each.files), self.operations
        )
        first = killers([before]) if before is not None else []
        first += killers(self._killers[mutant.change.file])[:_MOST_KILLERS]
        rank = {case: place for place, case in reversed(list(enumerate(first)))}
        entries = [
            entry
            for entry in self.entries
            if entry.format in formats and entry.operation in operations and entry.id in left
        ]
        return sorted(entries, key=lambda entry: (rank.get(entry.id, len(first)), self._cost(entry), entry.id))

    def _cost(self, entry: Case) -> int:
        """Few bytes are asked fastest, then files on disk, some of them synced, then many bytes, then whole sweeps."""
        if _is_sweep(entry):
            return 3
        questions = list(self._expanded([entry]))
        if any(_bytes_of(question) > _MANY_BYTES for question in questions):
            return 2
        return 1 if any(question.tree is not None for question in questions) else 0

    def _expanded(self, entries: Sequence[Case]) -> Iterator[Question]:
        """Expand cases; those of single cases are kept, since every mutant meets them."""
        for entry in entries:
            if _is_sweep(entry):
                yield from entry.questions()
            else:
                if entry.id not in self._questions:
                    self._questions[entry.id] = list(entry.questions())
                yield from self._questions[entry.id]


def open_bench(language: str, folder: Path, rust_target: Path, tools: Toolbox) -> Bench:
    """Copy and build an implementation and list its mutants."""
    scope = load_scope(language)
    workshop = open_workshop(language, folder, rust_target)
    mutants = list_mutants(scope, workshop, tools)
    workshop.build()
    operations = _operations(workshop.adapter())
    entries = tuple(entry for entry in load_suite(FORMATS).cases if entry.operation in operations)
    return Bench(workshop, scope, mutants, operations, entries)


def _bytes_of(question: Question) -> int:
    return sum(len(value) for value in question.input.values() if isinstance(value, str | bytes))


def _operations(spec: AdapterSpec) -> frozenset[str]:
    with AdapterRun(spec) as run:
        return run.implementation.operations


def _is_sweep(entry: Case) -> bool:
    return isinstance(entry, Sweep)
