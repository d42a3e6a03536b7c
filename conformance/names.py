"""Names that were misspelt, and those that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message that proposes the closest of ``known``; empty when none is close."""
    close = get_close_matches(name, sorted(known), n=3)
    return f"; did you mean {', '.join(close)}?" if close else ""
