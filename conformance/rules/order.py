"""The judging order of every operation as data, and which two of its checks cannot fail in one input.

``conformance/rules/order/<format>.toml`` lists the checks of each operation, the first one first. A check is a reason,
or a reason at one place (``member-type /accepted_time``) where the rules say which place is judged first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "order"
"""Where the data files stand."""


@dataclass(frozen=True)
class Apart:
    """Checks of which no two, one of either list, can fail in one input; ``why`` says why not."""

    first: tuple[str, ...]
    then: tuple[str, ...]
    why: str

    def holds(self, first: str, second: str) -> bool:
        """Whether it speaks of these two; ``*`` in its lists stands for any text."""
        return _any(self.first, first) and _any(self.then, second)


@dataclass(frozen=True)
class Order:
    """One operation's checks in judging order."""

    operation: str
    checks: tuple[str, ...]
    apart: tuple[Apart, ...]

    def check(self, rejection: Mapping[str, Any]) -> str | None:
        """The check that ``{"reason", "at"?}`` comes from: the one at its place, or the reason's at any place."""
        placed = f"{rejection['reason']} {rejection.get('at', '')}".strip()
        return next((check for check in (placed, str(rejection["reason"])) if check in self.checks), None)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every two checks, the one that is judged first in front."""
        return combinations(self.checks, 2)

    def why_apart(self, first: str, second: str) -> str | None:
        """Why no input fails both; None when one can."""
        return next((apart.why for apart in self.apart if apart.holds(first, second)), None)


def _any(patterns: tuple[str, ...], check: str) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)


@cache
def load_order() -> Mapping[str, Order]:
    """Operation → its order, for all formats."""
    found: dict[str, Order] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["operations"]:
            for operation in entry["names"]:
                found[operation] = _order(operation, entry)
    return found


def _order(operation: str, entry: Mapping[str, Any]) -> Order:
    apart = tuple(Apart(tuple(one["first"]), tuple(one["then"]), one["why"]) for one in entry.get("apart", ()))
    return Order(operation, tuple(entry["checks"]), apart)
