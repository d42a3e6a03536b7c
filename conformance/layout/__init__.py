"""The anatomy of an artefact: which field each byte belongs to, also when the bytes are broken.

Reports and ``conformance inspect`` name the field of a byte with it. It never judges and never fails: fields that the
bytes are too short for are cut, and what no field claims is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conformance.anatomy import flysess1, lmdl, pfc
from conformance.anatomy.field import Field, label
from harness.model import Trial

DISSECT: Mapping[str, Callable[[bytes], list[Field]]] = {**lmdl.ARTEFACTS, **pfc.ARTEFACTS, **flysess1.ARTEFACTS}
"""Artefact name → its dissection."""

MEMBERS: Mapping[tuple[str, str], str] = {**lmdl.MEMBERS, **pfc.MEMBERS, **flysess1.MEMBERS}
"""(operation, name of a BYTES member of its request or answer) → the artefact that the member holds."""


REQUEST_MEMBERS: Mapping[tuple[str, str], str] = {**MEMBERS, **flysess1.REQUEST_MEMBERS}
"""The same for requests, where a member of the same name may be another artefact than in the answer."""

TREE_FILES: Mapping[str, str] = {".meta": "lmdl.meta", "metadata.json": "pfc.metadata", ".bin": "pfc.cells"}
"""End of a file's name in a trial's tree → the artefact that the file is."""


def field_name(trial: Trial, where: str, data: bytes, offset: int) -> str | None:
    """Name the field of the byte at ``offset`` of the bytes found at ``where`` in an answer; None where it has none.

    ``where`` is ``/ok/<member>`` or ``tree/<path>``, as in :class:`harness.model.Difference`.
    """
    if where.startswith("tree/"):
        artefact = next((name for end, name in TREE_FILES.items() if where.endswith(end)), None)
    else:
        artefact = MEMBERS.get((trial.operation, where.removeprefix("/ok/")))
    return label(DISSECT[artefact](data), offset) if artefact else None


def input_field(operation: str, member: str, data: bytes, offset: int) -> str | None:
    """Name the field of the byte at ``offset`` of the request member ``member``; None where it has none."""
    artefact = REQUEST_MEMBERS.get((operation, member))
    return label(DISSECT[artefact](data), offset) if artefact else None


__all__ = ["DISSECT", "MEMBERS", "REQUEST_MEMBERS", "TREE_FILES", "Field", "field_name", "input_field", "label"]
