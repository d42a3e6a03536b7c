"""A topic of ``pfc.metadata.decode`` cases: edits of one golden text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from conformance.formats.pfc.cases.texts import FULL, FULL_TEXT, remade
from conformance.vectorgen.vector_set import Data, VectorFile

Change: TypeAlias = "Sequence[tuple[str, str | None]] | list[Data]"
"""Members with their new values (None takes one out), or edits."""


@dataclass(frozen=True)
class Topic:
    """What the cases of one topic share."""

    cases: VectorFile
    topic: str
    base: str = FULL
    text: bytes = FULL_TEXT

    def add(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        title: str,
        why: str,
        change: Change,
        expect: Data,
        *rulings: str,
        tag: str = "",
        rules: Sequence[str] = ("PFC-MEMBERS",),
        alone: Sequence[tuple[Data, Change]] = (),
    ) -> None:
        """Add a case whose change is either members and their new values, or edits.

        ``alone`` are the two faults of a precedence case: rejection and change of each.
        """
        self.cases.case(
            f"pfc/{self.topic}/{name}",
            title=title,
            why=why,
            rules=rules,
            rulings=rulings,
            tags=(tag or ("corruption" if "reject" in expect else "boundary"),),
            base=self.base,
            edits=self._edits(change),
            expect=expect,
            faults=[{**rejection, "edits": self._edits(one)} for rejection, one in alone] or None,
        )

    def _edits(self, change: Change) -> list[Data]:
        edits = [part for part in change if isinstance(part, dict)]
        return edits or remade(self.text, *(part for part in change if isinstance(part, tuple)))
