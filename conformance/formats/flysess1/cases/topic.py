"""How the builders of ``flysess1`` write a case that is a golden envelope with edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.formats.flysess1.cases.goldens import Golden
from conformance.vectorgen.vector_set import Data, VectorFile, ok, reject, reseal

SEAL = reseal("envelope")
"""The edit that lets a fault pass step 2."""


def refused(  # noqa: PLR0913 - one keyword for each thing a case says
    file: VectorFile,
    name: str,
    base: Golden,
    edits: Sequence[Data],
    reason: str,
    *,
    title: str,
    why: str,
    rule: str,
    at: str | None = None,
    rulings: Sequence[str] = (),
    tags: Sequence[str] = ("corruption",),
    input: Data | None = None,  # noqa: A002 - the member's name in the vector file
    joint: str | None = None,
) -> None:
    """Add ``flysess1/<name>``: ``base`` with ``edits`` is refused for ``reason``."""
    more: dict[str, Any] = {} if input is None else {"input": input}
    file.case(
        f"flysess1/{name}",
        title=title,
        why=why,
        rules=[rule],
        rulings=rulings,
        tags=tags,
        base=base.path,
        edits=edits,
        joint=joint,
        expect=reject(reason, at),
        **more,
    )


def taken(  # noqa: PLR0913 - one keyword for each thing a case says
    file: VectorFile,
    name: str,
    base: Golden,
    edits: Sequence[Data],
    answer: Data,
    *,
    title: str,
    why: str,
    rule: str,
    rulings: Sequence[str] = (),
    tags: Sequence[str] = ("boundary",),
    input: Data | None = None,  # noqa: A002 - the member's name in the vector file
) -> None:
    """Add ``flysess1/<name>``: ``base`` with ``edits`` is taken and gives ``answer``."""
    more: dict[str, Any] = {} if input is None else {"input": input}
    file.case(
        f"flysess1/{name}",
        title=title,
        why=why,
        rules=[rule],
        rulings=rulings,
        tags=tags,
        base=base.path,
        edits=edits,
        expect=ok(**answer),
        **more,
    )
