"""The requests of each format: the example of a number, and the Hypothesis strategy of them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from hypothesis.strategies import SearchStrategy

from conformance.fuzz.request import Request
from conformance.fuzz.source import SeededSource, Source, strategy

Generator: TypeAlias = Callable[[Source], Request]
"""Draws one request."""

Generators: TypeAlias = Mapping[Generator, int]
"""What draws the requests of a format → how often, out of the sum of all, in whole numbers."""


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


def request(format_name: str, generators: Generators, seed: int, number: int) -> Request:
    """Return the example of that number."""
    return either(generators)(numbered_source(format_name, seed, number))


def requests(generators: Generators) -> SearchStrategy[Request]:
    """Return the Hypothesis strategy of a format's requests."""
    return strategy(either(generators))
