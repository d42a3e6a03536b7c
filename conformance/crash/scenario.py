"""What every format's scenarios have in common: one commit, the tree it starts from, and what may stand afterwards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from harness.crash.effect import Effect, Kind
from harness.crash.order import Step
from harness.model import Answer, Json, Ok, Outcome, Question, Reject, Tree, TreeEntry, WireValue


class State(Enum):
    """What a reader finds. ``OLDER`` is from before a commit that was itself cut off ahead of its last step."""

    OLDER = "older"
    OLD = "old"
    NEW = "new"


class WrongStateError(Exception):
    """A tree that holds neither the old state nor the new one; the message says what it holds instead."""


@dataclass(frozen=True)
class Followed:
    """A commit made on what a crash left, its answer, and what must be found after it."""

    operation: str
    input: Mapping[str, WireValue]
    answer: Ok | Reject
    after: Scenario | None
    """The scenario whose new state must then stand; None where the tree must stand as it was."""


@dataclass(frozen=True)
class Scenario(ABC):
    """One commit. Paths are relative to the tree; the tree is complete, with every directory.

    ``bystanders`` stand in the tree before and must stand after whatever happens. ``undurable`` names entries that a
    power cut may still take, left by an earlier commit that was killed.
    """

    id: str
    title: str
    operation: str
    tree: Tree
    input: Mapping[str, WireValue]
    answer: Mapping[str, Json]
    steps: tuple[Step, ...]
    bystanders: Mapping[str, TreeEntry]
    undurable: tuple[str, ...] = ()

    @property
    def format(self) -> str:
        """The format's id."""
        return self.id.partition("/")[0]

    def question(self) -> Question:
        """Return the commit as a question."""
        return Question(self.id, self.operation, self.input, Ok(self.answer), tree=self.tree)

    @property
    @abstractmethod
    def durable(self) -> bool:
        """Whether the format promises that an acknowledged commit outlasts a power cut."""

    @property
    @abstractmethod
    def deciding(self) -> str:
        """The name of the step by which the new state comes to stand."""

    @property
    def changes(self) -> bool:
        """Whether the new state is another than the old one."""
        return True

    @abstractmethod
    def questions(self, tree: Tree) -> tuple[Question, ...]:
        """Return what a reader is asked about ``tree``."""

    @abstractmethod
    def state(self, tree: Tree, answers: Sequence[Answer]) -> State:
        """Return the state that ``answers`` to :meth:`questions` show. Raises :class:`WrongStateError`."""

    @abstractmethod
    def rejections(self, effect: Effect, steps: Sequence[Step], /) -> frozenset[tuple[str, str | None]]:
        """Return what a failing ``effect`` may be told as: (reason, place). ``steps`` are those from it on."""

    @abstractmethod
    def temporaries(self, tree: Tree) -> list[str]:
        """Return what stands in ``tree`` and must not after a rejection."""

    @abstractmethod
    def next(self, tree: Tree, state: State) -> Followed:
        """Return the commit that must work on what was left."""

    def check_bystanders(self, tree: Tree) -> None:
        """Raise :class:`WrongStateError` when something was touched that is not the commit's."""
        for path, entry in self.bystanders.items():
            if tree.get(path) != entry:
                raise WrongStateError(f"{path} is not what it was: the commit touched what is not its own")


def told(answer: Answer) -> str:
    """Say an answer in a few words."""
    if answer.outcome is Outcome.REJECTED:
        return f"{answer.reason} at {answer.at}" if answer.at is not None else str(answer.reason)
    if answer.outcome is Outcome.ACCEPTED:
        return f"accepted {dict(answer.value or {})}"
    return f"{answer.outcome.value}: {answer.message}"


def due_on(path: str, steps: Sequence[Step], writable: bool) -> str | None:
    """Return the name of the first of ``steps`` that is about ``path`` by way of a descriptor."""
    kinds = (Kind.WRITE, Kind.TRUNCATE, Kind.SYNC) if writable else (Kind.SYNC,)
    return next((step.name for step in steps if step.kind in kinds and step.is_about(path)), None)
