"""Sweeps over coordinates and slots beside flips and cuts: bytes taken out and put in, every field at its limits."""

from __future__ import annotations

from conformance.formats.lmdl.cases.coordinate import GOLDENS as COORDINATES
from conformance.formats.lmdl.cases.slot import GOLDENS as SLOTS
from conformance.formats.lmdl.model import coordinate as coordinate_outcome
from conformance.formats.lmdl.model import slot as slot_outcome
from conformance.formats.lmdl.model_bytes import coordinate
from conformance.vectorgen.sweep_tables import add_sweep
from conformance.vectorgen.vector_set import Model, VectorSet

SLOT_FIELDS = [[0, 4], [4, 4], [8, 8], [16, 8], [24, 4], [28, 8], [36, 4], [40, 4], [44, 4], [48, 8], [56, 4], [60, 4]]
"""Offset and width of every field of a slot, those of its coordinate among them (coordinate document, section 2)."""

COORDINATE_FIELDS = [[at - 24, width] for at, width in SLOT_FIELDS if 24 <= at < 56]


def build(vectors: VectorSet) -> None:
    """Write the sweeps of ``lmdl.coordinate.decode`` and ``lmdl.slot.decode``."""
    for name, (fields, _) in COORDINATES.items():
        _sweeps(vectors, "coordinate", name, coordinate(fields), COORDINATE_FIELDS, coordinate_outcome)
    for name, (slot, _) in SLOTS.items():
        _sweeps(vectors, "slot", name, slot.bytes(), SLOT_FIELDS, slot_outcome)


def _sweeps(  # noqa: PLR0913, PLR0917 - what differs between the artefacts
    vectors: VectorSet, artefact: str, name: str, data: bytes, fields: list[list[int]], model: Model
) -> None:
    file = vectors.file(f"edges-{name}", operation=f"lmdl.{artefact}.decode", title=f"Sweeps over the edges of {name}")
    topic = name.removeprefix(f"{artefact}-")
    size = len(data)
    places = sorted({0, size, *(at for at, _ in fields)})
    size_why = "reads as many bytes as it needs and leaves the length alone"
    field_why = "a field held signed, too narrow or in another byte order, or a check that only the CRC stands in for"
    for kind, label, title, why, how, seal in (
        ("deletions", "deletions", f"A {artefact} without one of its bytes", size_why, {}, None),
        (
            "insertions",
            "insertions",
            f"A {artefact} with one byte more at an edge of its fields",
            size_why,
            {"places": places, "values": ["00-ff"]},
            None,
        ),
        (
            "field-values",
            "fields",
            f"Every field of a {artefact} at its limits and beside its value",
            field_why,
            {"fields": fields},
            None,
        ),
        (
            "field-values",
            "resealed-fields",
            f"Every field of a {artefact} at its limits and beside its value, the CRC recomputed",
            field_why,
            {"fields": fields},
            "slot",
        ),
    ):
        if seal is None or artefact == "slot":
            add_sweep(
                file,
                f"lmdl/{artefact}/{label}-{topic}",
                title=title,
                why=why,
                rules=["LMDL-SLOT" if artefact == "slot" else "LMDL-COORDINATE"],
                base=f"lmdl/golden/{name}.bin",
                data=data,
                kind=kind,
                how=how,
                reseal=seal,
                model=model,
            )
