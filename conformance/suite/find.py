"""One question by its id."""

from __future__ import annotations

from conformance.suite.errors import SuiteError
from conformance.suite.model import Case
from conformance.suite.pairwise import Pairwise
from harness.model import Question


def find_question(entry: Case, question_id: str) -> Question:
    """Return the one question of a case, or the member that ``question_id`` (``<sweep or pairwise>#<member>``) names.

    Raises :class:`SuiteError` for an unknown member, and for a sweep or list of pairs without one.
    """
    example = ""
    for question in entry.questions():
        if question.id == question_id:
            return question
        example = example or question.id
    if question_id == entry.id:
        kind = "list of pairs" if isinstance(entry, Pairwise) else "sweep"
        raise SuiteError(f"{question_id} is a {kind}: name one member of it, such as {example}")
    raise SuiteError(f"{entry.id} has no member {question_id.partition('#')[2]}; its first is {example}")
