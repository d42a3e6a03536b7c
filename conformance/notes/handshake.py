"""What is odd in a handshake and yet no fault: it is said, and fails nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from conformance.names import did_you_mean
from conformance.rules import load_rules
from harness.model import Implementation

_NAMED = 8


def handshake_notes(said: Implementation) -> tuple[str, ...]:
    """Return a line on listed operations that this protocol does not have, and one on those listed more than once.

    Neither is a failure: an unknown operation may be one of a newer protocol, and only ones that we know are asked.
    Raises :class:`conformance.rules.data.RulesError` when the rules, which list the operations, cannot be read.
    """
    known = {operation for book in load_rules().formats.values() for operation in book.operations}
    unknown = sorted(said.operations - known)
    notes = []
    if unknown:
        close = did_you_mean(unknown[0], known) if len(unknown) == 1 else ""
        notes.append(f"the handshake lists {_names(unknown)}, which this suite does not know and never asks{close}")
    if said.repeated:
        notes.append(f"the handshake lists {_names(sorted(said.repeated))} more than once")
    return tuple(notes)


def _names(names: Collection[str]) -> str:
    shown: Iterable[str] = list(names)[:_NAMED]
    more = len(names) - _NAMED
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
