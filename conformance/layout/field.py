"""A named run of bytes, and the layouts that fixed structures are cut along."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["ascii", "u32", "u64", "hex", "f64", "bytes"]


@dataclass(frozen=True)
class Field:
    """One field: where it lies (bytes), what it is called, and its value as a person reads it."""

    offset: int
    length: int
    name: str
    value: str = ""

    @property
    def end(self) -> int:
        """The offset just past the field."""
        return self.offset + self.length


def byte_count(number: int) -> str:
    """Return ``1 byte``, ``2 bytes`` and so on."""
    return f"{number} byte" if number == 1 else f"{number} bytes"


Layout: TypeAlias = Sequence[tuple[str, int, Kind]]
"""(name, length in bytes, kind) of consecutive fields."""


def render(data: bytes, kind: Kind) -> str:
    """Return the value of a field's bytes as text; numbers are unsigned little-endian."""
    if kind == "ascii":
        return repr(data.decode("latin-1"))
    if kind == "hex":
        return data.hex()
    if kind in ("u32", "u64"):
        return str(int.from_bytes(data, "little"))
    return byte_count(len(data))


def cut(data: bytes, layout: Layout, *, start: int = 0, prefix: str = "") -> list[Field]:
    """Cut ``data`` from ``start`` on along ``layout``; fields past the end are left out, the last may be short."""
    fields: list[Field] = []
    offset = start
    for name, length, kind in layout:
        part = data[offset : offset + length]
        if not part and length:
            break
        short = f" (cut: {len(part)} of {length} bytes)" if len(part) < length else ""
        fields.append(Field(offset, len(part), prefix + name, render(part, kind) + short))
        offset += length
    return fields


def rest(data: bytes, fields: Sequence[Field], name: str = "(beyond the layout)") -> list[Field]:
    """Return the field for the bytes after the last of ``fields``, if there are any."""
    end = max((field.end for field in fields), default=0)
    return [Field(end, len(data) - end, name, byte_count(len(data) - end))] if end < len(data) else []


def label(fields: Sequence[Field], offset: int) -> str:
    """Return ``name + n`` for the byte at ``offset`` (``n`` counts from the field's start; nothing for its first)."""
    index = bisect_right([field.offset for field in fields], offset) - 1
    if index < 0:
        return "(before the first field)"
    inside = offset - fields[index].offset
    if offset >= fields[index].end:
        return f"(after {fields[index].name})"
    return f"{fields[index].name} + {inside}" if inside else fields[index].name
