"""From a rejection to the byte it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.anatomy import flysess1, lmdl, pfc
from conformance.anatomy.field import Field

FIELD_OF_REASON: Mapping[str, Mapping[str, str]] = {
    **lmdl.FIELD_OF_REASON,
    **pfc.FIELD_OF_REASON,
    **flysess1.FIELD_OF_REASON,
}
"""Artefact → reason → the field it is about; ``{at}`` stands for the rejection's place, ``*`` for any other reason."""

CONSTANTS: Mapping[str, bytes] = {
    "bad-magic": b"FLYSESS1",
    "bad-footer-magic": b"FLYSESSF",
    "slot-magic": b"LMDL",
}
"""Reasons about a field that has one right value, so that the very byte can be told."""


@dataclass(frozen=True)
class Suspect:
    """The first bad byte as far as it can be told: its offset, the field it lies in, and what is known about it."""

    offset: int
    field: str
    note: str


def suspect(  # noqa: PLR0913 - the parts of one rejection, and the bytes that it is about
    artefact: str, data: bytes, fields: Sequence[Field], *, reason: str, at: str | None, byte: int | None = None
) -> Suspect | None:
    """Return the byte that a rejection points at, or None where it is about no byte (an absent file, say).

    ``byte`` is the offset in the artefact that the reader itself told, when it did.
    """
    if byte is not None:
        return Suspect(byte, _covering(fields, byte), "where the reader stopped")
    names = FIELD_OF_REASON.get(artefact, {})
    name = names.get(reason, names.get("*", ""))
    if name == "(end)":
        return Suspect(len(data), "(end of the input)", f"the input has {len(data)} bytes")
    if name == "(padding)":
        return _first_nonzero_padding(data, fields)
    wanted = name.format(at=at or "")
    field = _named(fields, wanted)
    if field is None:
        return None
    part = data[field.offset : field.end]
    right = CONSTANTS.get(reason)
    if right is None or len(part) != len(right):
        return Suspect(field.offset, field.name, "the field that is at fault, or that no longer agrees with the rest")
    inside = next((i for i, (found, due) in enumerate(zip(part, right, strict=True)) if found != due), 0)
    note = f"found {part[inside]:02x}, expected {right[inside]:02x}"
    return Suspect(field.offset + inside, field.name, note)


def _covering(fields: Sequence[Field], offset: int) -> str:
    return next((field.name for field in fields if field.offset <= offset < field.end), "(no field)")


def _named(fields: Sequence[Field], wanted: str) -> Field | None:
    """Return the field called ``wanted``: its last token (a value follows its name), or the nearest place above it."""
    while wanted:
        matches = [field for field in fields if field.name == wanted]
        values = [field for field in matches if field.value not in (":", ",")]
        if values:
            return values[0]
        wanted = wanted.rpartition("/")[0]
    return None


def _first_nonzero_padding(data: bytes, fields: Sequence[Field]) -> Suspect | None:
    for field in fields:
        if not field.name.startswith("padding"):
            continue
        for offset in range(field.offset, field.end):
            if data[offset]:
                return Suspect(offset, field.name, f"found {data[offset]:02x}, expected 00")
    return None
