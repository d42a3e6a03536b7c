"""A directory that another program changes while an operation reads it: what may then be answered, and the trials.

The process is held behind each of its calls on the directory in turn, the change is made, and it is let go. So every
place between a look and the use of what was seen is tried, without a race.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.crash.readers import same_tree
from conformance.crash.result import Finding, ScenarioResult
from conformance.crash.scenario import told
from harness.crash.call import Call
from harness.crash.edits import Edit
from harness.crash.session import Changed, TracedAdapter
from harness.crash.target import Target, target_of
from harness.model import Answer, Ok, Outcome, Question, Tree, WireValue

_ATTEMPTS = 3
_MOST_HANGS = 3
"""After so many passed deadlines a scenario is given up: what is left would take as long."""


@dataclass(frozen=True)
class Change:
    """What another program does, and what may be answered then beside the old state's answer.

    ``rejections`` are pairs of reason and place, ``values`` the answers that the new state has if it is accepted.
    """

    title: str
    edits: tuple[Edit, ...]
    rejections: frozenset[tuple[str, str | None]] = frozenset()
    values: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class ChangeScenario:
    """One operation, put once for each change and each call; ``value`` is the answer when nothing changes."""

    id: str
    title: str
    operation: str
    tree: Tree
    input: Mapping[str, WireValue]
    value: Mapping[str, Any]
    changes: tuple[Change, ...]

    @property
    def format(self) -> str:
        """The format's id."""
        return self.id.partition("/")[0]

    def question(self) -> Question:
        """Return it as a question."""
        return Question(self.id, self.operation, self.input, Ok(self.value), tree=self.tree)

    def is_over(self, _call: Call) -> bool:
        """Whether a change behind this call would come too late to say anything about the operation."""
        return False

    def comparable(self, value: Mapping[str, object]) -> dict[str, object]:
        """Return the members of an accepted answer that are judged."""
        return dict(value)

    def wrongly_left(self, _answer: Answer, before: Tree, after: Tree) -> str | None:
        """Say what the operation did to the directory and must not have; a reader does nothing to it."""
        return same_tree(before, after)


def told_at(reason: str, *places: str) -> frozenset[tuple[str, str | None]]:
    """Return a rejection at each of ``places``, or one without a place."""
    return frozenset((reason, place) for place in places) if places else frozenset({(reason, None)})


@dataclass(frozen=True)
class ChangeTrials:
    """The trials of one scenario on one adapter."""

    scenario: ChangeScenario
    adapter: TracedAdapter
    result: ScenarioResult

    def run(self) -> None:
        """Make every change behind every call, and note in the result what was wrong."""
        question, hangs = self.scenario.question(), 0
        unchanged = self.adapter.ask(question)
        if not self._is_one_of(unchanged, (self.scenario.value,)):
            self._find("nothing changes", f"{told(unchanged)}, expected {self.scenario.value}")
            return
        for target in self._targets(*self.adapter.looks(question)):
            for change in self.scenario.changes:
                place = f"{change.title}, behind {target}"
                found = self._hit(target, change)
                if found is None:
                    self._find(place, f"this call was not made again in {_ATTEMPTS} runs of the same question")
                    continue
                self.result.counts["change"] += 1
                self._judge(place, change, found)
                hangs += found.answer.outcome is Outcome.TIMED_OUT
                if hangs == _MOST_HANGS:
                    self._find(place, f"{hangs} deadlines have passed; the trials that are left were not made")
                    return

    def _targets(self, calls: Sequence[Call], root: str) -> Iterator[Target]:
        """Yield every call on the directory once, in order."""
        seen = set()
        for call in calls:
            target = _target(calls, call, root)
            if target is None or target in seen or call.result is None:
                continue
            if self.scenario.is_over(call):
                return
            seen.add(target)
            yield target

    def _hit(self, target: Target, change: Change) -> Changed | None:
        for _ in range(_ATTEMPTS):
            found = self.adapter.change_after(self.scenario.question(), target, change.edits)
            if found.hit:
                return found
        return None

    def _judge(self, place: str, change: Change, found: Changed) -> None:
        answer = found.answer
        rejected = answer.outcome is Outcome.REJECTED and (answer.reason, answer.at) in change.rejections
        if not rejected and not self._is_one_of(answer, (self.scenario.value, *change.values)):
            allowed = " or ".join(sorted(f"{reason} at {at}" if at else reason for reason, at in change.rejections))
            self._find(place, f"{told(answer)}, expected the old state, the new one{f', {allowed}' if allowed else ''}")
        wrong = self.scenario.wrongly_left(answer, found.before, found.tree)
        if wrong is not None:
            self._find(place, f"the directory was touched: {wrong}")
        for stray in found.strays:
            self._find(place, f"made {stray}, outside the directory")

    def _is_one_of(self, answer: Answer, values: Sequence[Mapping[str, Any]]) -> bool:
        if answer.outcome is not Outcome.ACCEPTED:
            return False
        given = self.scenario.comparable(answer.value or {})
        return any(given == self.scenario.comparable(value) for value in values)

    def _find(self, place: str, message: str) -> None:
        self.result.findings.append(Finding(self.scenario.id, "change", place, message))


def _target(calls: Sequence[Call], call: Call, root: str) -> Target | None:
    """Return how to find a call again, None for one that is not on the directory."""
    inside = any(_is_inside(call, index, root) for index in range(min(4, len(call.arguments))))
    return target_of(calls, call, root) if inside else None


def _is_inside(call: Call, index: int, root: str) -> bool:
    path = call.descriptor(index).path
    if call.arguments[index].startswith('"'):
        path = call.text(index).decode("utf-8", "surrogateescape")
    return path == root or path.startswith(f"{root}/")
