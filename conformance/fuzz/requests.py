"""The questions of each format: the example of a number, and the Hypothesis strategy of them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from hypothesis.strategies import SearchStrategy

from conformance.fuzz.question import Question
from conformance.fuzz.source import SeededSource, Source, strategy

Generator: TypeAlias = Callable[[Source], Question]
"""Draws one question."""

Generators: TypeAlias = Mapping[Generator, int]
"""What draws the questions of a format → how often, out of the sum of all, in whole numbers."""


@cache
def _rows(generators: tuple[tuple[Generator, int], ...]) -> Sequence[Generator]:
    return [generator for generator, weight in generators for _ in range(weight)]


def either(generators: Generators) -> Generator:
    """Return what draws from all of these, each as often as its weight says."""
    rows = _rows(tuple(generators.items()))
    return lambda source: source.take(rows)(source)


def numbered_source(format_name: str, seed: int, number: int) -> SeededSource:
    """Return the choices of one example: they depend on these three alone, not on what else was asked."""
    return SeededSource(f"{seed}/{format_name}/{number}")


def question(format_name: str, generators: Generators, seed: int, number: int) -> Question:
    """Return the example of that number."""
    return either(generators)(numbered_source(format_name, seed, number))


def questions(generators: Generators) -> SearchStrategy[Question]:
    """Return the Hypothesis strategy of a format's questions."""
    return strategy(either(generators))
