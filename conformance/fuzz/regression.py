"""A finding as a vector: a file of one case that ``vectors/`` could hold, and the builder's call that makes it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from pprint import pformat
from typing import Any

from conformance.errors import CannotRunError
from conformance.fuzz.expected import REFERENCE_FAULT
from conformance.fuzz.finding import Finding
from conformance.rules import load_rules
from conformance.suite.reference import as_json
from conformance.suite.text import canonical
from conformance.version import SUITE_VERSION
from harness import tree as trees
from harness.model import Dir, Fifo, File, Ok, Question, Sparse, Symlink, Tree, TreeEntry


def write_finding(finding: Finding, folder: Path) -> Path:
    """Write the vector and, beside it, the builder's call; return the vector's path.

    Raises :class:`CannotRunError` when the folder cannot be written to.
    """
    case = case_data(finding)
    question = finding.question
    path = folder / question.operation.partition(".")[0] / f"{case['id'].rpartition('/')[2]}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, vector_file(question.operation, case))
        _write_whole(path.with_suffix(".txt"), builder_call(question.operation, case).encode())
    except OSError as error:
        raise CannotRunError(f"{path}: cannot be written: {error.strerror}; name another folder with --out") from error
    return path


def vector_file(operation: str, case: Mapping[str, Any]) -> bytes:
    """Return the vector file that holds this case alone."""
    return canonical(
        {
            "$schema": "../schema/cases.schema.json",
            "format": operation.partition(".")[0],
            "suite": SUITE_VERSION,
            "operation": operation,
            "title": "Found by fuzzing",
            "cases": [case],
            "sweeps": [],
        }
    )


def case_data(finding: Finding) -> dict[str, Any]:
    """Return the case as a vector file holds it. Its expectation is the reference's, and the title says so."""
    question = finding.question
    found = hashlib.sha256(json.dumps(as_json(question.input), sort_keys=True).encode()).hexdigest()[:12]
    operation = question.operation.partition(".")[2].replace(".", "-").replace("_", "-")
    case: dict[str, Any] = {
        "id": f"{question.operation.partition('.')[0]}/fuzz/{operation}-{found}",
        "title": f"found by fuzzing, {finding.what}",
        "why": _why(finding),
        "rules": list(_rules(question)),
        "rulings": [],
        "tags": [],
        "input": as_json(question.input),
        "expect": _expect(question),
    }
    if question.tree is not None:
        case["tree"] = _tree(question.tree)
    if question.tree_after is not None and _tells(finding):
        case["tree_after"] = _tree(question.tree_after)
    return case


def builder_call(operation: str, case: Mapping[str, Any]) -> str:
    """Return the call by which a builder adds the case, as Python source."""
    members = {name: value for name, value in case.items() if name not in ("id", "expect") and value != []}
    lines = [f'# book.file(…, operation="{operation}", …)', "cases.case(", f"    {case['id']!r},"]
    for name, value in members.items():
        text = pformat(value, width=100, sort_dicts=False).replace("\n", "\n" + " " * (5 + len(name)))
        lines.append(f"    {name}={text},")
    expect = case["expect"]
    if "ok" in expect:
        lines.append(f"    expect=ok(**{pformat(expect['ok'], width=100, sort_dicts=False)}),")
    else:
        lines.append(f"    expect=reject({', '.join(map(repr, expect['reject'].values()))}),")
    return "\n".join([*lines, ")", ""])


def _why(finding: Finding) -> str:
    others = ", ".join(sorted(finding.verdicts))
    again = "" if finding.shrunk else "; asked again alone it was answered as expected"
    expect = finding.question.expect
    fault = isinstance(expect, Ok) or expect.reason != REFERENCE_FAULT
    judge = "say which rule decides" if fault else "the reference failed: state the expectation from the rules"
    return f"disagreement of {others} with the reference ({finding.origin}{again}); {judge}"


def _rules(question: Question) -> tuple[str, ...]:
    rules = load_rules().formats[question.operation.partition(".")[0]]
    reason = None if isinstance(question.expect, Ok) else rules.reasons.get(question.expect.reason)
    return rules.accepting[question.operation] if reason is None else (reason.rule,)


def _expect(question: Question) -> dict[str, Any]:
    if isinstance(question.expect, Ok):
        return {"ok": as_json(question.expect.value)}
    reason: dict[str, Any] = {"reason": question.expect.reason}
    return {"reject": reason if question.expect.at is None else reason | {"at": question.expect.at}}


def _tells(finding: Finding) -> bool:
    """Whether the tree afterwards says anything: it changed, or should not have."""
    question = finding.question
    differences = [each for verdict in finding.verdicts.values() for each in verdict.differences]
    changed = trees.with_parents(question.tree or {}) != question.tree_after
    return changed or any(each.where.startswith("tree/") for each in differences)


def _tree(tree: Tree) -> dict[str, Any]:
    """Return a tree as a vector writes it, without the directories that other entries imply."""
    return {
        path: _entry(entry)
        for path, entry in tree.items()
        if not (isinstance(entry, Dir) and any(other.startswith(f"{path}/") for other in tree))
    }


def _entry(entry: TreeEntry) -> dict[str, Any]:
    match entry:
        case File(data):
            return {"file": base64.b64encode(data).decode("ascii")}
        case Symlink(target):
            return {"symlink": target}
        case Sparse(length):
            return {"sparse": length}
        case Fifo():
            return {"fifo": True}
        case _:
            return {"dir": True}


def _write_whole(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
