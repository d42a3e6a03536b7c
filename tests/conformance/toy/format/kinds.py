"""The toy files that can be inspected: counters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conformance.inspection import Kind

from .layout import LAYOUTS


class CounterKind(Kind):
    """A counter."""

    def likeness(self, _path: Path, data: bytes) -> int:
        """A counter has its magic."""
        return 5 * int(data.startswith(b"T"))


KINDS: Sequence[Kind] = (CounterKind("counter", "toy.counter", "toy.decode", LAYOUTS),)
