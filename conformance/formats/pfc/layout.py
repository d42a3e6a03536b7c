"""Layout of the ``pfc`` artefacts (bundle document, "On-disk layout")."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from conformance.formats.json.layout import json_fields
from conformance.layout import Field, Layouts
from conformance.suite.edits import Reseal


def metadata(data: bytes) -> list[Field]:
    """Cut ``metadata.json`` by JSON pointer."""
    return json_fields(data)


def cells(data: bytes) -> list[Field]:
    """Cut a field file or brick: float64 little-endian cells, in file order."""
    fields = []
    for offset in range(0, len(data), 8):
        part = data[offset : offset + 8]
        value = repr(struct.unpack("<d", part)[0]) if len(part) == 8 else f"(cut: {len(part)} of 8 bytes)"
        fields.append(Field(offset, len(part), f"cells/{offset // 8}", value))
    return fields


LAYOUTS = Layouts(
    artefacts={"pfc.metadata": metadata, "pfc.cells": cells},
    members={
        ("pfc.metadata.decode", "data"): "pfc.metadata",
        ("pfc.metadata.encode", "data"): "pfc.metadata",
        ("pfc.restore_check", "metadata"): "pfc.metadata",
        ("pfc.open", "data"): "pfc.metadata",
        ("pfc.brick.assemble", "data"): "pfc.cells",
        ("pfc.brick.extract", "data"): "pfc.cells",
    },
    tree_files={"metadata.json": "pfc.metadata", ".bin": "pfc.cells"},
    fields_of_reason={"pfc.metadata": {"metadata-not-object": "/", "*": "{at}"}},
)

RESEALS: Mapping[str, Reseal] = {}
"""Nothing in a bundle guards its bytes."""
