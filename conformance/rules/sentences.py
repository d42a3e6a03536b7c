"""The normative sentences of the formats' documents as data: what holds an implementation to each, or why nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from conformance.rules.data import FORMATS, read_data


@dataclass(frozen=True)
class Sentence:
    """One demand of a document, in our words, and the rules, reasons and rulings that it became."""

    id: str
    section: str
    text: str
    rules: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A sentence that nothing here checks, and why."""

    section: str
    text: str
    why: str


@dataclass(frozen=True)
class Sentences:
    """All sentences of one format's document."""

    covered: tuple[Sentence, ...]
    left_out: tuple[LeftOut, ...]


@cache
def load_sentences() -> Mapping[str, Sentences]:
    """Format → the sentences of its document.

    Raises :class:`conformance.rules.data.RulesError` at a file that cannot be used.
    """
    found: dict[str, Sentences] = {}
    for name in FORMATS:
        data = read_data("sentences", name)
        covered = tuple(
            Sentence(
                entry["id"],
                entry["section"],
                entry["text"],
                *(tuple(entry.get(kind, ())) for kind in ("rules", "reasons", "rulings")),
            )
            for entry in data["sentences"]
        )
        found[name] = Sentences(covered, tuple(LeftOut(**entry) for entry in data["left_out"]))
    return found
