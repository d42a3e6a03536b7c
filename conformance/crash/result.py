"""What a campaign found, and its JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.model import Implementation, Json

CRASHES = ("order", "kill", "fault", "short-write", "power-cut")
"""The kinds of question that a commit is put to, in the order in which they are made."""
PHASES = (*CRASHES, "change")
"""All kinds of question; the last is for operations that read what another program changes meanwhile."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. ``place`` says at which call; ``trace`` shows the system calls where they tell why."""

    scenario: str
    phase: str
    place: str
    message: str
    trace: tuple[str, ...] = ()


@dataclass
class ScenarioResult:
    """One scenario on one adapter: how many trials of each kind, and what was wrong.

    ``exposed`` counts states after a power cut that a format does not promise to survive; ``unsupported`` is set when
    the adapter does not list the operation, and then nothing was judged.
    """

    id: str
    title: str
    operation: str
    counts: Counter[str] = field(default_factory=Counter)
    exposed: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    unsupported: bool = False

    @property
    def passed(self) -> bool:
        """Whether it was judged and nothing was wrong."""
        return not self.unsupported and not self.findings

    def to_json(self) -> dict[str, Json]:
        """Return the scenario's part of the document."""
        findings: list[Json] = [
            {"phase": each.phase, "place": each.place, "message": each.message, "trace": list(each.trace)}
            for each in self.findings
        ]
        return {
            "id": self.id,
            "title": self.title,
            "operation": self.operation,
            "passed": self.passed,
            "unsupported": self.unsupported,
            "counts": {phase: self.counts[phase] for phase in PHASES},
            "exposed": dict(sorted(self.exposed.items())),
            "findings": findings,
        }


@dataclass
class AdapterCrashes:
    """One adapter's scenarios of one format. ``error`` is set when no conversation could begin."""

    name: str
    format: str
    implementation: Implementation | None = None
    scenarios: list[ScenarioResult] = field(default_factory=list)
    error: str | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether every scenario was judged and passed."""
        return self.error is None and bool(self.scenarios) and all(scenario.passed for scenario in self.scenarios)

    def counts(self) -> Counter[str]:
        """Return how many trials of each kind there were."""
        return sum((scenario.counts for scenario in self.scenarios), Counter())

    def exposed(self) -> Counter[str]:
        """Return how many states a power cut may leave that the format does not promise to survive."""
        return sum((scenario.exposed for scenario in self.scenarios), Counter())

    def findings(self) -> list[Finding]:
        """Return everything that was wrong."""
        return [finding for scenario in self.scenarios for finding in scenario.findings]

    def to_json(self) -> dict[str, Json]:
        """Return the adapter's part of the document."""
        said = self.implementation
        names = ("name", "version", "language", "runtime")
        implementation: Json = None if said is None else {name: getattr(said, name) for name in names}
        counts = self.counts()
        return {
            "name": self.name,
            "format": self.format,
            "implementation": implementation,
            "passed": self.passed,
            "error": self.error,
            "counts": {phase: counts[phase] for phase in PHASES},
            "exposed": dict(sorted(self.exposed().items())),
            "scenarios": [scenario.to_json() for scenario in self.scenarios],
        }


def document(results: Sequence[AdapterCrashes], suite_version: str) -> dict[str, Json]:
    """Return the JSON document of a whole campaign."""
    return {
        "crash": 1,
        "suite_version": suite_version,
        "passed": bool(results) and all(result.passed for result in results),
        "adapters": [result.to_json() for result in results],
    }
