"""Sweeps over a manifest's text before it is written: every one-byte change of a text with every JSON production."""

from __future__ import annotations

from conformance.formats.flysess1.model import encode
from conformance.formats.json.cases.text_sweeps import EVERY_BYTE, GRAMMAR, RULES, RULINGS, add_text_sweeps
from conformance.vectorgen.vector_set import VectorSet


def build(vectors: VectorSet) -> None:
    """Write the sweeps of ``flysess1.encode``."""
    base = vectors.golden("flysess1/golden/manifest-grammar.json", GRAMMAR)
    title = "Every one-byte change of a manifest that holds the whole JSON grammar"
    file = vectors.file("sweep-manifest-grammar", operation="flysess1.encode", title=title)
    add_text_sweeps(
        file,
        "flysess1/sweep/manifest-grammar",
        base=base,
        text=GRAMMAR,
        model=encode,
        places=range(len(GRAMMAR) + 1),
        values=EVERY_BYTE,
        rules=(*RULES, "FLY-ENCODE", "FLY-MANIFEST"),
        rulings=(*RULINGS, "R-FLY-3"),
        into="manifest",
        input={"payloads": []},
    )
