"""From a rejection to the byte it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.layout import Layouts
from conformance.layout.field import Field, byte_count


@dataclass(frozen=True)
class Suspect:
    """The first bad byte as far as it can be told: its offset, the field it lies in, and what is known about it.

    ``covered`` is set when that field is a checksum: the bytes that it covers, any of which may be the bad one.
    ``stopped`` says that the reader went wrong there, which what stands before may have led it to.
    """

    offset: int
    field: str
    note: str
    covered: range | None = None
    stopped: bool = False

    def moved(self, start: int, prefix: str) -> Suspect:
        """Return it as part of something larger: ``start`` bytes further on, its field named with ``prefix``."""
        covered = self.covered and range(self.covered.start + start, self.covered.stop + start)
        return Suspect(self.offset + start, prefix + self.field, self.note, covered, self.stopped)

    def in_words(self) -> str:
        """Say what is wrong, for a line that has named the rejection already."""
        if self.covered:
            return f"does not agree with bytes {self.covered[0]} to {self.covered[-1]}"
        return f"byte {self.offset} (0x{self.offset:x}) in {self.field}: {self.note}"

    def __str__(self) -> str:
        """Say it in a line."""
        place = f"{self.offset} (0x{self.offset:x}) in {self.field}"
        if self.stopped:
            return f"first bad byte: at or before byte {place}, {self.note}"
        if not self.covered:
            return f"first bad byte: {place}: {self.note}"
        span = f"bytes {self.covered[0]} to {self.covered[-1]}"
        return (
            f"first bad byte: not known; {self.field} (from byte {self.offset} on) does not agree: "
            f"the damage may be anywhere in {span}, which this field covers, or in the field itself"
        )


def suspect(  # noqa: PLR0913 - the parts of one rejection, and the bytes that it is about
    layouts: Layouts, artefact: str, data: bytes, *, reason: str, at: str | None, byte: int | None = None
) -> Suspect | None:
    """Return the byte that a rejection points at, or None where it is about no byte (an absent file, say).

    ``byte`` is the offset in the artefact that the reader itself told, when it did.
    """
    fields = layouts.artefacts[artefact](data)
    if byte is not None:
        return Suspect(byte, _field_at(fields, byte), _where_stopped(layouts, artefact, byte), stopped=True)
    names = layouts.fields_of_reason.get(artefact, {})
    name = names.get(reason, names.get("*", ""))
    if name == "(end)":
        return Suspect(len(data), "(end of the input)", f"the input has {byte_count(len(data))}")
    if name == "(padding)":
        return _first_nonzero_padding(data, fields)
    wanted = name.format(at=at or "")
    field = _named(fields, wanted)
    if field is None:
        return None
    part = data[field.offset : field.end]
    right = layouts.constants.get(reason)
    if right is None or len(part) != len(right):
        note = "the field that is at fault, or that no longer agrees with the rest"
        return Suspect(field.offset, field.name, note, _covered(layouts, fields, reason, at))
    inside = next((i for i, (found, due) in enumerate(zip(part, right, strict=True)) if found != due), 0)
    note = f"found {part[inside]:02x}, expected {right[inside]:02x}"
    return Suspect(field.offset + inside, field.name, note)


def _where_stopped(layouts: Layouts, artefact: str, byte: int) -> str:
    note = "where the reader stopped"
    if artefact not in layouts.inner:
        return note
    # Readers are given the inner part by itself, and so their details count from its start.
    name, start = layouts.inner[artefact]
    return f"{note}; it is byte {byte - start} of the {name}, as readers' details count"


def _covered(layouts: Layouts, fields: Sequence[Field], reason: str, at: str | None) -> range | None:
    """Return the bytes that the checksum which ``reason`` is about covers; None when it is about none."""
    checksum = layouts.checksums.get(reason)
    if checksum is None:
        return None
    if checksum.before:
        end = _named(fields, checksum.before)
        return range(end.offset) if end else None
    covered = _named(fields, at or "")
    return range(covered.offset, covered.end) if covered else None


def _field_at(fields: Sequence[Field], offset: int) -> str:
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
