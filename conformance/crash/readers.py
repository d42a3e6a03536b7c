"""Every implementation's reader, asked what a tree holds; equal questions are put once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TypeAlias

from conformance.crash.scenario import Scenario, State, WrongStateError, told
from conformance.errors import CannotRunError
from harness.model import AdapterSpec, Answer, File, Limits, Outcome, Question, Symlink, Tree
from harness.runner import AdapterRun, AdapterStartError

_Key: TypeAlias = tuple[str, str, str, str]
_LIMITS = Limits(restarts=10_000)


class Readers:
    """A context manager: the adapters as readers, each in one process that lasts."""

    def __init__(self, specs: Sequence[AdapterSpec]) -> None:
        """Start nothing yet."""
        self._specs = specs
        self._stack = ExitStack()
        self._runs: dict[str, AdapterRun] = {}
        self._known: dict[_Key, Answer] = {}

    def __enter__(self) -> Readers:
        """Start them. Raises :class:`CannotRunError`: an implementation that cannot read cannot agree."""
        try:
            for spec in self._specs:
                self._runs[spec.name] = self._stack.enter_context(AdapterRun(spec, _LIMITS))
        except AdapterStartError as error:
            self._stack.close()
            raise CannotRunError(f"{error}; every implementation's reader is needed") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End them."""
        self._stack.__exit__(kind, error, where)

    def states(self, scenario: Scenario, trees: Sequence[Tree]) -> list[State | str]:
        """Return for each tree the state that all readers find, or in words what is wrong."""
        questions = [scenario.questions(tree) for tree in trees]
        asked = {
            name: self._answers(name, [question for each in questions for question in each]) for name in self._runs
        }
        found: list[State | str] = []
        at = 0
        for tree, own in zip(trees, questions, strict=True):
            answers = {name: given[at : at + len(own)] for name, given in asked.items()}
            found.append(_agreed(scenario, tree, answers))
            at += len(own)
        return found

    def ask(self, name: str, question: Question) -> Answer:
        """Put any question to one of them."""
        return self._answers(name, [question])[0]

    def _answers(self, name: str, questions: Sequence[Question]) -> list[Answer]:
        keys = [_key(name, question) for question in questions]
        new = {key: question for key, question in zip(keys, questions, strict=True) if key not in self._known}
        answers = self._runs[name].ask(new.values())
        for key, (_, answer) in zip(new, answers, strict=True):
            self._known[key] = answer
        return [self._known[key] for key in keys]


def _agreed(scenario: Scenario, tree: Tree, answers: dict[str, list[Answer]]) -> State | str:
    states: dict[str, State] = {}
    for name, given in answers.items():
        try:
            states[name] = scenario.state(tree, given)
        except WrongStateError as error:
            return f"{error} (read by {name})"
    first, *others = answers
    for other in others:
        for one, two in zip(answers[first], answers[other], strict=True):
            if _comparable(one) != _comparable(two):
                return f"the readers disagree: {first} says {told(one)}, {other} says {told(two)}"
    return states[first]


def _comparable(answer: Answer) -> object:
    if answer.outcome is Outcome.ACCEPTED:
        return answer.value
    return answer.outcome, answer.reason, answer.at


def _key(name: str, question: Question) -> _Key:
    tree = repr(sorted((question.tree or {}).items()))
    return name, question.operation, repr(question.input), tree


def same_tree(one: Tree, two: Tree) -> str | None:
    """Return in words where two trees differ, or None."""
    for path in sorted(one.keys() | two.keys()):
        if one.get(path) != two.get(path):
            return f"{path or 'the directory'} is {_entry(two, path)}, expected {_entry(one, path)}"
    return None


def _entry(tree: Tree, path: str) -> str:
    match tree.get(path):
        case None:
            return "not there"
        case File(data):
            return f"a file of {len(data)} bytes"
        case Symlink(target):
            return f"a link to {target}"
        case entry:
            return type(entry).__name__.lower()
