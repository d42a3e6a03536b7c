"""The questions of each format: the example of a number, and the Hypothesis strategy of them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypothesis.strategies import SearchStrategy

from conformance.fuzz.disk import commit_file_question, open_stream_question, store_question
from conformance.fuzz.flysess1 import flysess1_question
from conformance.fuzz.lmdl import lmdl_question
from conformance.fuzz.pfc_bricks import assemble_question, extract_question
from conformance.fuzz.pfc_metadata import decode_question, encode_question, restore_question
from conformance.fuzz.pfc_trees import open_question, publish_question
from conformance.fuzz.question import Question
from conformance.fuzz.source import SeededSource, Source, strategy

_PFC = (
    *(decode_question,) * 36,
    *(encode_question,) * 20,
    *(restore_question,) * 20,
    *(assemble_question,) * 14,
    *(extract_question,) * 8,
    open_question,
    open_question,
    publish_question,
)
"""Those that need a directory cost as much as ten others."""


_LMDL = (*(lmdl_question,) * 48, open_stream_question, commit_file_question)
_FLYSESS1 = (*(flysess1_question,) * 40, store_question)


def _either(generators: Sequence[Callable[[Source], Question]]) -> Callable[[Source], Question]:
    return lambda source: source.take(generators)(source)


GENERATORS: Mapping[str, Callable[[Source], Question]] = {
    "flysess1": _either(_FLYSESS1),
    "lmdl": _either(_LMDL),
    "pfc": _either(_PFC),
}
"""Format → what draws one of its questions."""


def numbered_source(format_name: str, seed: int, number: int) -> SeededSource:
    """Return the choices of one example: they hang on these three alone, not on what else was asked."""
    return SeededSource(f"{seed}/{format_name}/{number}")


def question(format_name: str, seed: int, number: int) -> Question:
    """Return the example of that number."""
    return GENERATORS[format_name](numbered_source(format_name, seed, number))


def questions(format_name: str) -> SearchStrategy[Question]:
    """Return the Hypothesis strategy of a format's questions."""
    return strategy(GENERATORS[format_name])
