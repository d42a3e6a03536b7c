"""Layout of the counter (toy document, section 1)."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.layout import Field, Layouts
from conformance.layout.field import cut, rest
from conformance.suite.edits import Reseal


def counter(data: bytes) -> list[Field]:
    """Cut a counter (rule TOY-COUNTER)."""
    fields = cut(data, (("magic", 1, "ascii"), ("count", 1, "hex")))
    return fields + rest(data, fields)


LAYOUTS = Layouts(
    artefacts={"toy.counter": counter},
    members={("toy.decode", "data"): "toy.counter"},
    fields_of_reason={"toy.counter": {"toy-size": "(end)", "toy-magic": "magic"}},
    constants={"toy-magic": b"T"},
)
RESEALS: Mapping[str, Reseal] = {}
