"""From a request to a question: the reference's answer is what every adapter is held to."""

from __future__ import annotations

from conformance.fuzz.request import Request
from conformance.fuzz.requests import Generators, request
from conformance.suite.reference import MalformedRequest, ask
from harness.model import Expect, Ok, Question, Reject, Tree
from harness.tree import TreeError

REFERENCE_FAULT = "reference-fault"
"""Stands for the reason when the reference itself fails, which is a finding like any other; no format has it."""


def numbered_question(format_name: str, generators: Generators, seed: int, number: int) -> Question:
    """Return the example of that number with its expectation; its id says which one it is."""
    return question_of(request(format_name, generators, seed, number), f"{format_name}/{number}")


def question_of(asked: Request, question_id: str) -> Question:
    """Return ``asked`` with the reference's answer, and with the tree that the reference leaves.

    Raises ``MalformedRequest`` when the generator has made a request that no implementation need answer, and
    :class:`harness.tree.TreeError` when it has drawn a tree that cannot be.
    """
    expect, standing = _answered(Question(question_id, asked.operation, asked.input, Ok({}), asked.tree))
    return Question(question_id, asked.operation, asked.input, expect, asked.tree, standing)


def _answered(question: Question) -> tuple[Expect, Tree | None]:
    try:
        return ask(question)
    except (MalformedRequest, TreeError):
        raise
    except Exception:  # whatever it is, a reference that fails on an input is what we are here to find
        return Reject(REFERENCE_FAULT), None
