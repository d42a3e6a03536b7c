"""Vectors in memory: what a case and a sweep say, and the questions that they stand for."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from conformance.layout import Layouts
from conformance.operations import Operations
from conformance.suite.edits import Reseals, apply
from harness.model import (
    Dir,
    Expect,
    Fifo,
    File,
    Ok,
    Place,
    Question,
    Reject,
    Sparse,
    Symlink,
    Tree,
    TreeEntry,
    WireValue,
)

Data: TypeAlias = Mapping[str, Any]
"""A JSON object as it stands in a vector file."""

Goldens: TypeAlias = Mapping[str, bytes]
"""Path below ``vectors/`` → the bytes of a golden file."""


class FormatParts(Protocol):
    """What cases need of the format that they belong to."""

    @property
    def id(self) -> str:
        """The format's name, that of its folder."""

    @property
    def layouts(self) -> Layouts:
        """Which field each byte belongs to."""

    @property
    def reseals(self) -> Reseals:
        """How what guards the bytes is recomputed."""

    @property
    def operations(self) -> Operations:
        """Which members of requests and answers are more than JSON."""


@dataclass(frozen=True)
class Header:
    """What all entries of one vector file share; ``file`` is its path below ``vectors/``."""

    file: str
    parts: FormatParts
    operation: str
    title: str


@dataclass(frozen=True)
class Case:
    """What a case and a sweep have in common. ``data`` is the JSON object, ``goldens`` what its bases name."""

    header: Header
    data: Data
    goldens: Goldens

    @property
    def id(self) -> str:
        """The stable name, ``<format>/<topic>/<name>``."""
        return str(self.data["id"])

    @property
    def title(self) -> str:
        """What the input is, in one line."""
        return str(self.data["title"])

    @property
    def why(self) -> str:
        """The mistake in a port that this entry catches, in one line."""
        return str(self.data["why"])

    @property
    def format(self) -> str:
        """The format's name."""
        return self.header.parts.id

    @property
    def layouts(self) -> Layouts:
        """The layouts of its format."""
        return self.header.parts.layouts

    @property
    def reseals(self) -> Reseals:
        """The reseals of its format."""
        return self.header.parts.reseals

    @property
    def operation(self) -> str:
        """The protocol operation that every question asks for."""
        return self.header.operation

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it rests on."""
        return tuple(self.data["rules"])

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings that it rests on."""
        return tuple(self.data["rulings"])

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags: ``golden``, ``corruption``, ``precedence``, ``boundary``."""
        return tuple(self.data["tags"])

    @property
    def base_path(self) -> str | None:
        """The golden file that is edited, as a path below ``vectors/``."""
        return self.data.get("base")

    @property
    def base(self) -> bytes | None:
        """The bytes of the golden file that is edited."""
        return None if self.base_path is None else self.goldens[self.base_path]

    @property
    def into(self) -> str:
        """The request member that the edited bytes become."""
        return str(self.data.get("into", "data"))

    @property
    def outcomes(self) -> Sequence[Data]:
        """Every outcome that the entry states: objects with ``ok`` or ``reject``."""
        raise NotImplementedError

    def request(self, data: Data, edited: bytes | None) -> dict[str, WireValue]:
        """The request's members: the literal ones of ``data``, and the edited bytes as the member ``into``."""
        members: dict[str, WireValue] = dict(data.get("input", {}))
        if data.get("tree") is not None:
            places = self.header.parts.operations.places
            members |= {name: Place(str(members[name])) for name in places if name in members}
        if edited is not None:
            members[self.into] = edited
        return members

    def expects(self, reason: str) -> bool:
        """Whether one of the outcomes is a rejection for ``reason``."""
        return any(outcome.get("reject", {}).get("reason") == reason for outcome in self.outcomes)

    def questions(self) -> Iterator[Question]:
        """Yield the questions with their expected answers."""
        raise NotImplementedError


@dataclass(frozen=True)
class SingleCase(Case):
    """One case: one question and its one right answer."""

    @property
    def edits(self) -> tuple[Data, ...]:
        """The edits that turn the base into the input."""
        return tuple(self.data.get("edits", ()))

    @property
    def outcomes(self) -> Sequence[Data]:
        """The one expectation."""
        return (self.data["expect"],)

    @property
    def tree_given(self) -> bool:
        """Whether the question is about files on disk."""
        return "tree" in self.data

    def edited(self) -> bytes | None:
        """The edited golden bytes; None for a case given by ``input`` alone."""
        return None if self.base is None else apply(self.base, self.edits, self.reseals)

    def question(self) -> Question:
        """The one question with its expected answer."""
        edited = self.edited()
        return Question(
            id=self.id,
            operation=self.operation,
            input=self.request(self.data, edited),
            expect=expectation(self.data["expect"]),
            tree=tree(self.data.get("tree"), self.goldens, self.reseals),
            tree_after=tree(self.data.get("tree_after"), self.goldens, self.reseals),
        )

    def questions(self) -> Iterator[Question]:
        """Yield the one question."""
        yield self.question()


def expectation(outcome: Data) -> Expect:
    """The harness' form of an ``ok`` or ``reject`` object."""
    if "ok" in outcome:
        return Ok(outcome["ok"])
    return Reject(outcome["reject"]["reason"], outcome["reject"].get("at"))


def tree(entries: Mapping[str, Data] | None, goldens: Goldens, reseals: Reseals) -> Tree | None:
    """The harness' form of a ``tree`` object."""
    if entries is None:
        return None
    return {path: _tree_entry(entry, goldens, reseals) for path, entry in entries.items()}


def _tree_entry(entry: Data, goldens: Goldens, reseals: Reseals) -> TreeEntry:
    if "file" in entry:
        return File(base64.b64decode(entry["file"], validate=True))
    if "base" in entry:
        return File(apply(goldens[entry["base"]], entry.get("edits", ()), reseals))
    if "symlink" in entry:
        return Symlink(entry["symlink"])
    if "sparse" in entry:
        return Sparse(entry["sparse"])
    return Fifo() if "fifo" in entry else Dir()
