"""The reference's answer to a question, in this process, in the form in which expectations are compared."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import tree as trees
from harness.model import Expect, Ok, Place, Question, Reject, Tree, WireValue
from reference_py.operations import MalformedRequest, answer

__all__ = ["MalformedRequest", "as_json", "ask", "reference_answer"]


def reference_answer(operation: str, request: Mapping[str, WireValue]) -> Expect:
    """Ask the reference. Raises :class:`MalformedRequest` when the request is no question at all."""
    reply = answer(operation, {name: as_json(value) for name, value in request.items()})
    if "ok" in reply:
        value: Any = reply["ok"]
        return Ok(value)
    rejection: Any = reply["reject"]
    return Reject(rejection["reason"], rejection.get("at"))


def as_json(value: WireValue) -> Any:
    """Write every ``bytes`` in ``value`` as base64, and every place in a tree as its path there."""
    if isinstance(value, Place):
        return value.path
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {name: as_json(member) for name, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_json(element) for element in value]
    return value


def ask(question: Question) -> tuple[Expect, Tree | None]:
    """Return the reference's answer to ``question`` and, when it has a tree, what stands there afterwards."""
    if question.tree is None:
        return reference_answer(question.operation, question.input), None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        trees.build(root, question.tree)
        places = {name: value.below(root) for name, value in question.input.items() if isinstance(value, Place)}
        found = reference_answer(question.operation, {**question.input, **places})
        return found, trees.read(root)
