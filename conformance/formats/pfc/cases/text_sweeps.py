"""Sweeps over metadata texts beside flips and cuts: bytes taken out and put in, and a config with the whole grammar."""

from __future__ import annotations

from conformance.formats.json.cases.text_sweeps import (
    EVERY_BYTE,
    GRAMMAR,
    RULES,
    RULINGS,
    TELLING_BYTES,
    add_text_sweeps,
    edges,
)
from conformance.formats.pfc.cases.goldens import GOLDENS
from conformance.formats.pfc.model import outcome
from conformance.vectorgen.vector_set import VectorSet

HEAD = (
    b'{"format_version":2,"accepted_time":1,"accepted_increment":0,"method_identity":"g","domain":{"global_dimensions":'
    b'[1,1,1],"physical_origin":[0,0,0],"grid_spacing":[1,1,1],"periodic":[true,true,true]},"boundary_conditions":'
    b'[{"state":0,"config":'
)
TEXT = HEAD + GRAMMAR + b"}]}"

_RULES = ("PFC-MEMBERS", "PFC-CANONICAL", *RULES)
_RULINGS = (*RULINGS, "R-PFC-1", "R-PFC-2", "R-PFC-3", "R-PFC-7")


def build(vectors: VectorSet) -> None:
    """Write the sweeps of ``pfc.metadata.decode``."""
    base = vectors.golden("pfc/golden/metadata-grammar.json", TEXT)
    title = "Every one-byte change of a config that holds the whole JSON grammar"
    file = vectors.file("sweep-metadata-grammar", operation="pfc.metadata.decode", title=title)
    add_text_sweeps(
        file,
        "pfc/sweep/metadata-grammar",
        base=base,
        text=TEXT,
        model=outcome,
        places=range(len(HEAD), len(HEAD) + len(GRAMMAR) + 1),
        values=EVERY_BYTE,
        rules=_RULES,
        rulings=_RULINGS,
    )
    for golden, text in GOLDENS.items():
        name = golden.rsplit("/", 1)[1].removesuffix(".json")
        title = f"Bytes taken out of {golden}, and put in at the edges of its tokens"
        file = vectors.file(f"edges-{name}", operation="pfc.metadata.decode", title=title)
        add_text_sweeps(
            file,
            f"pfc/sweep/{name}",
            base=golden,
            text=text,
            model=outcome,
            places=edges(text),
            values=TELLING_BYTES,
            rules=_RULES,
            rulings=_RULINGS,
            kinds=("deletions", "insertions"),
        )
