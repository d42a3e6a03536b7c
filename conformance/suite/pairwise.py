"""Pairwise: an operation's faults in judging order; one entry stands for each of them alone and for every two at once.

Faults are edits of one valid question. Their places all count in that question as it stands, so that the edits of two
faults can be put together, and taking one fault's edits away leaves the other fault alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from conformance.suite.edits import Reseals, apply
from conformance.suite.errors import SuiteError
from conformance.suite.model import Case, Data, expectation, tree
from harness.model import Expect, Ok, Question, WireValue


@dataclass(frozen=True)
class Fault:
    """One fault: what it is rejected as, and the changes that make it."""

    data: Data

    @property
    def name(self) -> str:
        """Its name in the members' ids."""
        return str(self.data["name"])

    @property
    def rejection(self) -> Data:
        """``{"reason", "at"?}``."""
        rejection: Data = self.data["reject"]
        return rejection

    @property
    def edits(self) -> Sequence[Data]:
        """Edits of the base, made before the reseals."""
        edits: Sequence[Data] = self.data.get("edits", ())
        return edits

    @property
    def after(self) -> Sequence[Data]:
        """Edits made after the reseals."""
        edits: Sequence[Data] = self.data.get("after", ())
        return edits

    @property
    def members(self) -> Mapping[str, Any]:
        """JSON pointer into the request → the new value there."""
        members: Mapping[str, Any] = self.data.get("set", {})
        return members

    @property
    def tree(self) -> Mapping[str, Data | None]:
        """Path in the tree → its new node; None takes it out; edits alone (``edits``, ``after``) edit what is there."""
        nodes: Mapping[str, Data | None] = self.data.get("tree", {})
        return nodes

    @property
    def kept(self) -> bool:
        """Whether the tree must stand afterwards as it stood before."""
        return bool(self.data.get("kept", False))


@dataclass(frozen=True)
class Pairwise(Case):
    """All faults of one operation on one valid question, in judging order."""

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """The faults, the one that is judged first in front."""
        return tuple(Fault(fault) for fault in self.data["faults"])

    @cached_property
    def apart(self) -> frozenset[tuple[str, str]]:
        """The names of faults that cannot meet although their changes could be put together."""
        return frozenset((first, second) for first, second in self.data["apart"])

    @property
    def outcomes(self) -> Sequence[Data]:
        """The rejection of each fault."""
        return [{"reject": fault.rejection} for fault in self.faults]

    def members(self) -> Iterator[tuple[Fault, ...]]:
        """Yield each fault alone, then every two that can meet, the earlier one in front."""
        for fault in self.faults:
            yield (fault,)
        yield from self.pairs()

    def pairs(self) -> Iterator[tuple[Fault, Fault]]:
        """Yield every two faults whose changes do not touch each other and that are not said to be apart."""
        for first, second in combinations(self.faults, 2):
            if (first.name, second.name) not in self.apart and not clash(first, second):
                yield first, second

    def name(self, faults: Sequence[Fault]) -> str:
        """The id of the member with these faults."""
        return f"{self.id}#{'+'.join(fault.name for fault in faults)}"

    def faults_of(self, question_id: str) -> tuple[Fault, ...]:
        """The faults of the member with that id; none for an id that is no member's."""
        return next((faults for faults in self.members() if self.name(faults) == question_id), ())

    def question(self, faults: Sequence[Fault]) -> Question:
        """The question with these faults; the first of them is the expected answer."""
        return self._asked(self.name(faults), faults, expectation({"reject": faults[0].rejection}))

    def sound(self) -> Question:
        """The question without any fault, which is accepted; what with is not said."""
        return self._asked(self.id, (), Ok({}))

    def _asked(self, name: str, faults: Sequence[Fault], expect: Expect) -> Question:
        base = self.base
        edited = None if base is None else _edited(base, faults, self.data.get("reseal", ()), self.reseals)
        given = {**self.data, "input": _with_members(self.data.get("input", {}), faults)}
        question: dict[str, WireValue] = self.request(given, edited)
        standing = tree(_with_nodes(self.data.get("tree"), faults), self.goldens, self.reseals)
        return Question(
            id=name,
            operation=self.operation,
            input=question,
            expect=expect,
            tree=standing,
            tree_after=standing if faults and faults[0].kept else None,
            sweep=self.id,
        )

    def questions(self) -> Iterator[Question]:
        """Yield a question for every member."""
        for faults in self.members():
            yield self.question(faults)


def clash(first: Fault, second: Fault) -> bool:
    """Whether two faults change the same bytes, the same request member or the same place of the tree."""
    return (
        _edits_touch(first.edits, second.edits)
        or _edits_touch(first.after, second.after)
        or any(_within(a, b) for a in first.members for b in second.members)
        or any(_nodes_touch(a, b, first.tree[a], second.tree[b]) for a in first.tree for b in second.tree)
    )


def _edits_touch(first: Sequence[Data], second: Sequence[Data]) -> bool:
    return any(_touch(_span(a), _span(b)) for a in first for b in second)


def _span(edit: Data) -> tuple[int, int]:
    """The bytes that an edit changes, half-open; an insertion has none, only its place."""
    at: int = edit["at"]
    return at, at + (edit.get("delete") or len(edit.get("set") or edit.get("xor") or "") // 2)


def _touch(first: tuple[int, int], second: tuple[int, int]) -> bool:
    if first[0] == first[1] and second[0] == second[1]:
        return first == second
    return first[0] < second[1] and second[0] < first[1]


def _within(first: str, second: str) -> bool:
    """Whether one of two paths or pointers is the other or lies in it."""
    return f"{first}/".startswith(f"{second}/") or f"{second}/".startswith(f"{first}/")


def _nodes_touch(first: str, second: str, a: Data | None, b: Data | None) -> bool:
    if first == second and a is not None and b is not None and _edits_only(a) and _edits_only(b):
        return any(_edits_touch(a.get(stage, ()), b.get(stage, ())) for stage in ("edits", "after"))
    return _within(first, second)


def _edits_only(node: Data) -> bool:
    return set(node) <= {"edits", "after"}


def from_the_end(edits: Sequence[Data]) -> list[Data]:
    """Order edits whose places count in the same bytes so that none moves another: the last place first.

    Where bytes are replaced and others inserted at one place, the replacement is made first.
    """
    return sorted(edits, key=lambda edit: (-edit["at"], "insert" in edit))


def staged(edits: Sequence[Data], reseals: Sequence[Data], after: Sequence[Data]) -> list[Data]:
    """Put edits, reseals and the edits after them in one order; all places count in the same bytes.

    What guards the bytes stands at the end: there it is found from the end, whatever was inserted before it.
    """
    moved = sum(_growth(edit) for edit in edits)
    return [
        *from_the_end(edits),
        *reseals,
        *({**edit, "at": edit["at"] + moved} for edit in from_the_end(after)),
    ]


def _growth(edit: Data) -> int:
    inserted = len(edit.get("insert", "")) // 2 * int(edit.get("repeat", 1))
    return inserted - int(edit.get("delete", 0))


def _edited(base: bytes, faults: Sequence[Fault], whats: Sequence[str], reseals: Reseals) -> bytes:
    edits = [edit for fault in faults for edit in fault.edits]
    after = [edit for fault in faults for edit in fault.after]
    return apply(base, staged(edits, [{"reseal": what} for what in whats], after), reseals)


def _with_members(members: Mapping[str, Any], faults: Sequence[Fault]) -> dict[str, Any]:
    whole: dict[str, Any] = copy.deepcopy(dict(members))
    for fault in faults:
        for pointer, value in fault.members.items():
            _put(whole, pointer, value)
    return whole


def _put(document: Any, pointer: str, value: Any) -> None:
    *parents, last = pointer.split("/")[1:]
    for part in parents:
        document = document[int(part)] if isinstance(document, list) else document[part]
    if not isinstance(document, list):
        document[last] = value
    elif int(last) == len(document):
        document.append(value)
    else:
        document[int(last)] = value


def _with_nodes(nodes: Mapping[str, Data] | None, faults: Sequence[Fault]) -> dict[str, Data] | None:
    changes = [(path, node) for fault in faults for path, node in fault.tree.items()]
    if nodes is None:
        if changes:
            raise SuiteError("a fault changes a tree, and there is none")
        return None
    whole = dict(nodes)
    edited: dict[str, list[Data]] = {}
    for path, node in changes:
        if node is None:
            del whole[path]
        elif _edits_only(node):
            edited.setdefault(path, []).append(node)
        else:
            whole[path] = node
    return whole | {path: _edited_node(whole[path], nodes) for path, nodes in edited.items()}


def _edited_node(node: Data, changes: Sequence[Data]) -> Data:
    own: Sequence[Data] = node.get("edits", ())
    edits = [edit for change in changes for edit in change.get("edits", ())]
    after = [edit for change in changes for edit in change.get("after", ())]
    reseals = [edit for edit in own if "reseal" in edit]
    return {**node, "edits": staged([*(edit for edit in own if "at" in edit), *edits], reseals, after)}
