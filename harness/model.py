"""The plain values that pass between the harness and its callers.

A :class:`Question` is one question with its expected answer; an :class:`Answer` is what an adapter made of it; a
:class:`Verdict` is the judge's finding. All are frozen: nothing here starts a process or touches a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A JSON value as ``json.loads`` gives it."""


@dataclass(frozen=True)
class Place:
    """A path in the question's tree, kept as text: the harness sends it with the tree's directory in front."""

    path: str

    def below(self, root: Path | str) -> str:
        """Return the path below ``root``, joined as text, so that a trailing slash or "/." arrives as it is."""
        return f"{root}/{self.path}"


WireValue: TypeAlias = "bool | int | float | str | bytes | Place | Sequence[WireValue] | Mapping[str, WireValue] | None"
"""A request value: JSON, in which ``bytes`` stand for BYTES (the harness sends base64, or a path from 1 MiB on)."""


@dataclass(frozen=True)
class AdapterSpec:
    """One implementation under test, as its ``adapter.toml`` describes it.

    ``command`` is the argument list; the child's working directory is ``directory``.
    """

    name: str
    language: str
    command: tuple[str, ...]
    directory: Path
    build: str = ""


@dataclass(frozen=True)
class Limits:
    """What an adapter may take before the run stops waiting for it.

    ``deadline`` (for a case), ``start_deadline`` (for the handshake) and ``stop_grace`` are seconds; ``answer_bytes``,
    ``in_flight_bytes`` and ``stderr_tail`` are bytes. A run gives up after ``restarts`` restarts, or after ``hangs``
    passed deadlines: what is left is then broken.
    """

    deadline: float = 30.0
    start_deadline: float = 30.0
    stop_grace: float = 5.0
    answer_bytes: int = 64 * 1024 * 1024
    in_flight_bytes: int = 8 * 1024 * 1024
    in_flight_requests: int = 256
    restarts: int = 200
    hangs: int = 10
    stderr_tail: int = 4096


@dataclass(frozen=True)
class Implementation:
    """What an adapter says of itself in the handshake, and the operations it answers.

    ``repeated`` are those that it lists more than once, None when there are none.
    """

    name: str
    version: str
    language: str
    runtime: str
    operations: frozenset[str]
    locations: bool = True
    repeated: frozenset[str] | None = None


@dataclass(frozen=True)
class Dir:
    """A directory in a tree."""


@dataclass(frozen=True)
class File:
    """A regular file in a tree, with its bytes."""

    data: bytes


@dataclass(frozen=True)
class Symlink:
    """A symbolic link in a tree; ``target`` is relative and need not exist."""

    target: str


@dataclass(frozen=True)
class Fifo:
    """A named pipe in a tree."""


@dataclass(frozen=True)
class Sparse:
    """A regular file of ``length`` zero bytes that occupies no space."""

    length: int


@dataclass(frozen=True)
class Other:
    """What only a found tree can hold: something that is none of the above, or that cannot be read; in words."""

    what: str


TreeEntry: TypeAlias = Dir | File | Symlink | Fifo | Sparse | Other
Tree: TypeAlias = Mapping[str, TreeEntry]
"""Relative POSIX path → entry. Missing parents are directories."""


@dataclass(frozen=True)
class Ok:
    """The expectation that the input is accepted with exactly this value."""

    value: Mapping[str, Json]


@dataclass(frozen=True)
class Reject:
    """The expectation of one rejection; ``at`` None means that the answer must carry no ``at``."""

    reason: str
    at: str | None = None


Expect: TypeAlias = Ok | Reject


@dataclass(frozen=True)
class Question:
    """One question with its expected answer.

    ``id`` is the case id, or for a member of a sweep ``<sweep id>#<member>``. ``tree`` is built in a fresh temporary
    directory before the question is put; ``tree_after``, when given, is what must stand there afterwards, exactly.
    """

    id: str
    operation: str
    input: Mapping[str, WireValue]
    expect: Expect
    tree: Tree | None = None
    tree_after: Tree | None = None
    sweep: str | None = None


class Outcome(Enum):
    """The five outcomes that are kept apart."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    BROKEN = "broken"
    TIMED_OUT = "timed-out"


NOT_ASKED = "not asked: "
"""How the message begins of what is broken without having been put to the adapter, since the run gave up."""


@dataclass(frozen=True)
class Answer:
    """What an adapter made of one question.

    ``value`` is set when accepted; ``reason``, ``at`` and ``detail`` when rejected; ``message`` says what happened when
    broken or timed out (crash with its exit status or signal, noise, wrong id, broken line …); ``stderr`` is the tail
    of what the adapter wrote there, for the last two outcomes. ``tree`` is the tree found after the answer, where the
    question has one.
    """

    outcome: Outcome
    value: Mapping[str, Json] | None = None
    reason: str | None = None
    at: str | None = None
    detail: str | None = None
    message: str = ""
    stderr: str = ""
    tree: Tree | None = None


class Status(Enum):
    """The judge's finding on one question."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    BROKEN = "broken"
    TIMED_OUT = "timed-out"


@dataclass(frozen=True)
class Difference:
    """One place where an answer is not what was expected.

    ``where`` is a JSON pointer into the answer (``/ok/data``, ``/reject/reason``) or ``tree/<path>``. When both sides
    are bytes, ``expected_bytes`` and ``found_bytes`` hold them and ``offset`` is the first byte that differs; ``field``
    is the name of the field at that byte, where the caller could tell it.
    """

    where: str
    expected: str
    found: str
    expected_bytes: bytes | None = None
    found_bytes: bytes | None = None
    offset: int | None = None
    field: str | None = None


@dataclass(frozen=True)
class Verdict:
    """The judge's finding on one question: its status, the answer it rests on, and every difference."""

    question: Question
    status: Status
    answer: Answer
    differences: tuple[Difference, ...] = ()
