"""What became of each mutant, kept line by line as it is found, so that a run can be broken off and taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from mutants.judge import Fate, Finding
from mutants.scope import formats_of


@dataclass(frozen=True)
class Now:
    """What a finding depends on: the implementation's sources, and the vectors as a whole and case by case."""

    sources: Mapping[tuple[str, ...], str]
    """SHA-256 of the sources that serve some formats, as :func:`mutants.scope.sources_digests` gives them."""
    vectors: str
    cases: Mapping[str, str]
    """Case id → SHA-256, as the index has it."""
    asked: Mapping[str, str]
    """The same of the cases that are put to a mutant now."""

    def sources_of(self, name: str) -> str:
        """Return the digest of the sources that a mutant, by its name, is judged with."""
        return self.sources[formats_of(name.partition(": ")[0])]


@dataclass(frozen=True)
class Moment:
    """What findings depend on: all vectors, or the single cases where a proof stands for the sweeps."""

    whole: Now
    single: Now
    explained: frozenset[str]

    def of(self, name: str) -> Now:
        """Return what the finding on a mutant depends on."""
        return self.single if name in self.explained else self.whole


@dataclass(frozen=True)
class Record:
    """A finding on one mutant (by name), with what it depends on; ``case_digest`` is that of the killing case."""

    name: str
    sources: str
    vectors: str
    fate: str
    case: str | None
    case_digest: str | None
    how: str

    @classmethod
    def of(cls, name: str, finding: Finding, now: Now) -> Record:
        """Make the record of a finding made now."""
        digest = now.cases.get(_case(finding.case))
        return cls(name, now.sources_of(name), now.vectors, finding.fate.value, finding.case, digest, finding.how)

    def still_holds(self, now: Now) -> bool:
        """Whether asking again would find the same: a kill lives as long as its case, a survival as all vectors."""
        if self.sources != now.sources_of(self.name):
            return False
        if self.fate == Fate.KILLED.value:
            return self.case_digest is not None and now.cases.get(_case(self.case)) == self.case_digest
        return self.fate == Fate.NOT_BUILT.value or self.vectors == now.vectors

    @property
    def finding(self) -> Finding:
        """The finding itself."""
        return Finding(Fate(self.fate), self.case, self.how)


class Records:
    """The records of one language: ``<language>*.jsonl`` in a folder, one file for each shard."""

    def __init__(self, folder: Path, language: str) -> None:
        """Read what there is, whatever the shards that it was found in."""
        self._folder = folder
        self._language = language
        self._found: dict[str, list[Record]] = {}
        self._snapshots: dict[str, Mapping[str, str]] = {}
        for file in sorted(folder.glob(f"{language}*.jsonl")):
            for record in map(_parse, file.read_text(encoding="utf-8").splitlines()):
                if record is not None:
                    self._found.setdefault(record.name, []).append(record)

    def of(self, name: str, now: Now) -> Record | None:
        """Return the record of a mutant that still holds, or else the last one, which does not."""
        found = self._found.get(name)
        if not found:
            return None
        return next((record for record in reversed(found) if record.still_holds(now)), found[-1])

    def add(self, record: Record, now: Now, shard: str) -> None:
        """Append a record to the file of a shard, and keep the digests of the cases it was found with."""
        self._folder.mkdir(parents=True, exist_ok=True)
        snapshot = self._snapshot_file(now.vectors)
        if not snapshot.exists():
            snapshot.write_text(json.dumps(dict(now.asked)), encoding="utf-8")
        with (self._folder / f"{self._language}.{shard}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record)) + "\n")
        self._found.setdefault(record.name, []).append(record)

    def cases_asked(self, record: Record, now: Now) -> frozenset[str]:
        """Return the cases that a mutant which survived has survived already, unchanged since."""
        if record.sources != now.sources_of(record.name) or record.fate != Fate.SURVIVED.value:
            return frozenset()
        if record.vectors not in self._snapshots:
            file = self._snapshot_file(record.vectors)
            self._snapshots[record.vectors] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        asked = self._snapshots[record.vectors]
        return frozenset(case for case, digest in now.asked.items() if asked.get(case) == digest)

    def _snapshot_file(self, vectors: str) -> Path:
        return self._folder / f"vectors-{vectors}.json"


def killers(records: Iterable[Record]) -> list[str]:
    """Return the cases that have killed, the deadliest first."""
    counts: dict[str, int] = {}
    for record in records:
        if record.fate == Fate.KILLED.value:
            counts[_case(record.case)] = counts.get(_case(record.case), 0) + 1
    return sorted(counts, key=lambda case: (-counts[case], case))


def _case(question: str | None) -> str:
    """Return the id of the case that a question belongs to: a member of a sweep is ``<sweep>#<member>``."""
    return (question or "").split("#", 1)[0]


def _parse(line: str) -> Record | None:
    """Read one line; one that a killed run has left half written is no record."""
    try:
        return Record(**json.loads(line))
    except (ValueError, TypeError):
        return None
