"""Mutants that no vector can kill, each with the reason why: ``equivalent.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutants.scope import LANGUAGES

EXPLAINED = Path(__file__).with_name("equivalent.toml")
KINDS = ("equivalent", "native")


class StaleError(Exception):
    """What is written down about mutants is no longer so; the message says what to do."""


@dataclass(frozen=True)
class Explained:
    """Mutants that no vector can kill, and why: ``equivalent`` ones, and ``native`` ones that no answer shows."""

    language: str
    kind: str
    proof: str
    mutants: tuple[str, ...]


def load_explained() -> list[Explained]:
    """Read ``equivalent.toml``. Raises :class:`StaleError` for an entry without a proof, or a mutant named twice."""
    members = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    entries = [
        Explained(each["language"], each["kind"], each["proof"].strip(), tuple(each["mutants"]))
        for each in members.get("explained", [])
    ]
    names: set[str] = set()
    for entry in entries:
        if entry.kind not in KINDS or not entry.proof or entry.language not in LANGUAGES or not entry.mutants:
            raise StaleError(f"{EXPLAINED.name}: an entry needs language, kind ({', '.join(KINDS)}), proof and mutants")
        twice = [name for name in entry.mutants if name in names]
        if twice:
            raise StaleError(f"{EXPLAINED.name}: named twice: {twice[0]}")
        names.update(entry.mutants)
    return entries
