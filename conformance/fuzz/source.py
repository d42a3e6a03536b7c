"""Where a generator's choices come from: a cheap seeded source, or Hypothesis.

Every generator of this package takes a :class:`Source` and draws all its choices from it. With :class:`SeededSource`
that costs next to nothing, so that thousands of examples a second can be put to the adapters. With
:class:`HypothesisSource` the same generator is a Hypothesis strategy, and what one source chose can be replayed and
shrunk by the other: both make the same choices, one for one.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

_T = TypeVar("_T")
_EXACT = 1 << 53


class Source(ABC):
    """What generators draw from. The first or lowest choice is the simplest: shrinking moves towards it."""

    def integer(self, low: int, high: int) -> int:
        """Draw an integer from ``low`` to ``high``, both included."""
        return low if low == high else self._integer(low, high)

    def data(self, low: int, high: int) -> bytes:
        """Draw from ``low`` to ``high`` bytes, both included."""
        return b"" if high == 0 else self._data(low, high)

    def take(self, options: Sequence[_T]) -> _T:
        """Draw one of ``options``, the simplest of which stands first."""
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """Draw True in about ``percent`` of a hundred times; False is the simpler choice."""
        return self.integer(0, 99) >= 100 - percent

    def shuffled(self, elements: Sequence[_T]) -> list[_T]:
        """Draw an order of ``elements``; theirs is the simplest."""
        rest = list(elements)
        return [rest.pop(self.integer(0, len(rest) - 1)) for _ in elements]

    @abstractmethod
    def _integer(self, low: int, high: int) -> int:
        """Draw from a range of at least two integers."""

    @abstractmethod
    def _data(self, low: int, high: int) -> bytes:
        """Draw bytes of which there may be at least one."""


class SeededSource(Source):
    """Choices of a seeded generator, each range uniformly. ``choices`` records them, for a replay by Hypothesis."""

    def __init__(self, seed: str) -> None:
        """Begin the sequence that belongs to ``seed``, the same on every machine."""
        self.choices: list[int | bytes] = []
        self._random = random.Random(seed)  # noqa: S311 - repeatable is what it must be

    def _integer(self, low: int, high: int) -> int:
        # Of `random`'s methods only these two are promised to give the same sequence in every version of Python.
        span = high - low + 1
        if span <= _EXACT:
            value = low + int(self._random.random() * span)
        else:
            value = low + self._random.getrandbits(span.bit_length() + 16) % span
        self.choices.append(value)
        return value

    def _data(self, low: int, high: int) -> bytes:
        length = low + int(self._random.random() * (high - low + 1))
        value = self._random.getrandbits(8 * length).to_bytes(length, "little") if length else b""
        self.choices.append(value)
        return value


class HypothesisSource(Source):
    """Choices of Hypothesis, drawn within a composite strategy."""

    def __init__(self, draw: DrawFn) -> None:
        """Draw with ``draw``."""
        self._draw = draw

    def _integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def _data(self, low: int, high: int) -> bytes:
        return self._draw(st.binary(min_size=low, max_size=high))


def strategy(generator: Callable[[Source], _T]) -> SearchStrategy[_T]:
    """Return the Hypothesis strategy that ``generator`` is."""

    @st.composite
    def drawn(draw: DrawFn) -> _T:
        return generator(HypothesisSource(draw))

    return drawn()
