"""The anatomy of an artefact: which field each byte belongs to, also when the bytes are broken.

Reports and ``conformance inspect`` name the field of a byte with it. It never judges and never fails: fields that the
bytes are too short for are cut, and what no field claims is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conformance.anatomy import flysess1, lmdl, pfc
from conformance.anatomy.field import Field, label

DISSECT: Mapping[str, Callable[[bytes], list[Field]]] = {**lmdl.ARTEFACTS, **pfc.ARTEFACTS, **flysess1.ARTEFACTS}
"""Artefact name → its dissection."""

MEMBERS: Mapping[tuple[str, str], str] = {**lmdl.MEMBERS, **pfc.MEMBERS, **flysess1.MEMBERS}
"""(operation, name of a BYTES member in its request or answer) → the artefact that the member holds."""


def labeller(operation: str, member: str) -> Callable[[bytes], Callable[[int], str]]:
    """Return what names the field at an offset of the bytes in ``member`` of a request or answer of ``operation``."""
    artefact = MEMBERS.get((operation, member))

    def of(data: bytes) -> Callable[[int], str]:
        if artefact is None:
            return lambda _offset: ""
        fields = DISSECT[artefact](data)
        return lambda offset: label(fields, offset)

    return of


__all__ = ["DISSECT", "MEMBERS", "Field", "label", "labeller"]
