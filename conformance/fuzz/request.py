"""One example: a request to an implementation, without the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.model import Tree, WireValue


@dataclass(frozen=True)
class Request:
    """An operation of protocol 1 and its input; ``tree`` is what stands on disk before it is asked, if anything."""

    operation: str
    input: Mapping[str, WireValue]
    tree: Tree | None = None

    @property
    def format(self) -> str:
        """The format that the operation belongs to."""
        return self.operation.partition(".")[0]
