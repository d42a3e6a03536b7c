"""Cases and sweeps of ``toy.decode``."""

from __future__ import annotations

from conformance.vectorgen.sweep_tables import add_sweep
from conformance.vectorgen.vector_set import VectorSet, b64, insert, ok, reject, xor

from ..model import decoded

SEVEN = b"T\x07"


def build(vectors: VectorSet) -> None:
    """Add one golden counter, its two faults, and its sweeps."""
    base = vectors.golden("toy/golden/seven.bin", SEVEN)
    file = vectors.file("decode", operation="toy.decode", title="Counters")
    rules = ["TOY-COUNTER"]
    file.case(
        "toy/decode/seven",
        title="The count seven",
        why="counts from another byte",
        rules=rules,
        tags=["golden"],
        base=base,
        expect=ok(count=7, data=b64(SEVEN)),
    )
    for name, edit in (("magic", xor(0, "20")), ("size", insert(2, b"\0"))):
        file.case(
            f"toy/decode/{name}",
            title=f"Another {name}",
            why=f"does not look at the {name}",
            rules=rules,
            tags=["corruption"],
            base=base,
            edits=[edit],
            expect=reject(f"toy-{name}"),
        )
    for kind in ("bit-flips", "truncations"):
        add_sweep(
            file,
            f"toy/decode/{kind}",
            title=f"All {kind} of a counter",
            why="lets a damaged counter pass",
            rules=rules,
            base=base,
            data=SEVEN,
            kind=kind,
            model=decoded,
        )
