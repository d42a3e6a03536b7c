"""The reference held to every expectation: where the two disagree, one of them is wrong and nothing is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from conformance.suite.edits import EditError
from conformance.suite.errors import SuiteError
from conformance.suite.model import Case, SingleCase, expectation
from conformance.suite.reference import MalformedRequest, as_json, ask
from conformance.suite.sweep import Sweep
from conformance.vectorgen.vector_set import Model
from harness import tree as trees
from harness.judge import differences
from harness.model import Dir, Expect, Fifo, File, Ok, Question, Reject, Sparse, Symlink, Tree

SHOWN = 5
"""Disagreements told per entry; a wrong row of a sweep would otherwise fill the screen."""


@dataclass(frozen=True)
class Proof:
    """What proving an entry gave: how many questions it stands for, their digest, and every problem."""

    questions: int
    digest: str
    problems: tuple[str, ...]


def prove(entry: Case, model: Model | None = None) -> Proof:
    """Ask the reference every question of ``entry``; compare with what is stated, and with the builder's model."""
    problems: list[str] = []
    hashing = hashlib.sha256()
    count = 0
    try:
        for question in entry.questions():
            count += 1
            hashing.update(_digestible(question))
            problems += _disagreements(question, model, entry.header.parts.operations.answer_bytes)
    except (SuiteError, EditError, MalformedRequest) as error:
        problems.append(f"{entry.id}: {error}")
    except Exception as error:  # a crash is the reference's own fault, and one more problem to be told with the others
        problems.append(f"{entry.id}: the reference crashed after {count} questions: {type(error).__name__}: {error}")
    if count == 0 and not problems:
        problems.append(f"{entry.id}: stands for no question at all")
    if isinstance(entry, Sweep) and not problems:
        problems += _unmet_rows(entry)
    if len(problems) > SHOWN:
        problems = [*problems[:SHOWN], f"{entry.id}: and {len(problems) - SHOWN} more"]
    return Proof(count, hashing.hexdigest(), tuple(problems))


def _digestible(question: Question) -> bytes:
    """Everything that is asked and compared, as one line: titles and reasons-why may be reworded in a release."""
    expect = question.expect
    outcome = {"ok": expect.value} if isinstance(expect, Ok) else {"reason": expect.reason, "at": expect.at}
    whole = {
        "id": question.id,
        "operation": question.operation,
        "input": as_json(question.input),
        "expect": outcome,
        "tree": _tree_text(question.tree),
        "tree_after": _tree_text(question.tree_after),
    }
    return json.dumps(whole, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def _tree_text(tree: Tree | None) -> Mapping[str, Any] | None:
    if tree is None:
        return None
    text: dict[str, Any] = {}
    for path, entry in tree.items():
        match entry:
            case File(data):
                text[path] = ["file", hashlib.sha256(data).hexdigest()]
            case Symlink(target):
                text[path] = ["symlink", target]
            case Sparse(length):
                text[path] = ["sparse", length]
            case Fifo():
                text[path] = ["fifo"]
            case Dir():
                text[path] = ["dir"]
            case _:
                raise SuiteError(f"{path}: a vector's tree cannot hold {entry}")
    return text


def _disagreements(question: Question, model: Model | None, answer_bytes: Collection[str]) -> list[str]:
    # A sweep's accepted member has the reference's own answer as its expectation: asking again would prove nothing.
    own = question.sweep is not None and isinstance(question.expect, Ok)
    found, standing = (question.expect, None) if own else ask(question)
    problems: list[str] = []
    if found != question.expect:
        problems.append(f"{question.id}: {_apart('the vector expects', question.expect, found, answer_bytes)}")
    if question.tree_after is not None and standing != trees.with_parents(question.tree_after):
        problems.append(
            f"{question.id}: the vector expects the tree {question.tree_after}, the reference leaves {standing}"
        )
    if model is not None:
        stated = expectation(model(_changed(question)))
        if stated != found:
            problems.append(f"{question.id}: {_apart('the builder works out', stated, found, answer_bytes)}")
    return problems


def _apart(whose: str, stated: Expect, found: Expect, answer_bytes: Collection[str]) -> str:
    """Say in one line how an answer differs: of two accepted values, the first place alone."""
    if isinstance(stated, Ok) and isinstance(found, Ok):
        first, *others = differences("/ok", stated.value, found.value, answer_bytes)
        more = f" (and {len(others)} more)" if others else ""
        return f"{first.where}: {whose} {first.expected}, the reference answers {first.found}{more}"
    return f"{whose} {shown(stated)}, the reference answers {shown(found)}"


def _changed(question: Question) -> bytes:
    """The one changed input of a sweep's member."""
    [data] = [value for value in question.input.values() if isinstance(value, bytes)]
    return data


def shown(expect: Expect) -> str:
    """Say an expectation or answer in one line."""
    if isinstance(expect, Reject):
        return f"{expect.reason} at {expect.at}" if expect.at is not None else f"{expect.reason} (no place)"
    text = json.dumps(expect.value, sort_keys=True)
    return f"ok {text}" if len(text) <= 600 else f"ok {text[:600]}…"


def _unmet_rows(sweep: Sweep) -> list[str]:
    """A row that no member meets, or that begins or ends outside the sweep, is a slip in the table."""
    members = list(sweep.members())
    stray = sweep.ends() - {member.place for member in members}
    if stray:
        return [f"{sweep.id}: the table speaks for {sorted(stray)[:8]}, which no member is"]
    met = {id(sweep.row(member)) for member in members}
    return [f"{sweep.id}: no member meets the row {row}" for row in sweep.table if id(row) not in met]


def accepts(case: SingleCase, **changes: object) -> Expect:
    """Return the reference's answer to a case with some of its data changed (a lint's what-if)."""
    changed = replace(case, data={**case.data, **changes})
    return ask(changed.question())[0]
