"""Edits: how a golden file becomes the bytes of a case, so that a person sees which byte is changed.

Edits apply in the order written, each to the bytes as the one before left them. ``vectors/README.md`` says the same
for readers without this code.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Edit: TypeAlias = Mapping[str, Any]
"""One edit as written in a vector file."""

FOOTER = 48
"""Bytes of an envelope's footer (envelope document, section 2)."""

TABLE_ENTRY = 112
"""Bytes of one entry of an envelope's payload table (envelope document, section 2)."""

SLOT = 64
"""Bytes of one slot (coordinate document, section 2)."""


class EditError(ValueError):
    """An edit does not fit the bytes it is applied to."""


def apply(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Apply ``edits`` to ``data`` in order; raise :class:`EditError` naming the first edit that does not fit."""
    for index, edit in enumerate(edits):
        try:
            data = apply_one(data, edit)
        except EditError as error:
            raise EditError(f"edit {index} ({dict(edit)}): {error}") from None
    return data


def apply_one(data: bytes, edit: Edit) -> bytes:
    """Apply one edit, whichever it is."""
    if "reseal" in edit:
        return reseal(data, edit["reseal"])
    if "truncate" in edit:
        length: int = edit["truncate"]
        return data[: _within(length, len(data), "truncate to")]
    at = _within(edit["at"], len(data), "start at")
    if "insert" in edit:
        repeat: int = edit.get("repeat", 1)
        return data[:at] + bytes.fromhex(edit["insert"]) * repeat + data[at:]
    if "delete" in edit:
        return data[:at] + data[_within(at + edit["delete"], len(data), "delete up to") :]
    if "set" in edit:
        return overwrite(data, at, bytes.fromhex(edit["set"]))
    if "xor" in edit:
        mask = bytes.fromhex(edit["xor"])
        old = data[at : at + len(mask)].ljust(len(mask), b"\0")
        return overwrite(data, at, bytes(a ^ b for a, b in zip(old, mask, strict=True)))
    raise EditError("no such edit; use xor, set, insert, delete, truncate or reseal")


def overwrite(data: bytes, at: int, new: bytes) -> bytes:
    """Put ``new`` over the bytes from ``at`` on; the length stays."""
    end = _within(at + len(new), len(data), "write up to")
    return data[:at] + new + data[end:]


def reseal(data: bytes, what: str) -> bytes:
    """Recompute what guards the bytes: ``envelope``, ``payloads``, ``slot``, ``slot/A`` or ``slot/B``."""
    if what not in RESEALS:
        raise EditError(f"cannot reseal {what!r}; use one of {', '.join(RESEALS)}")
    return RESEALS[what](data)


def _within(place: int, length: int, verb: str) -> int:
    if not 0 <= place <= length:
        raise EditError(f"cannot {verb} byte {place}: there are {length} bytes")
    return place


def _reseal_envelope(data: bytes) -> bytes:
    footer = _within(len(data) - FOOTER, len(data), "find a footer at")
    digest = hashlib.sha256(data[:footer]).digest()
    return overwrite(data, footer, len(data).to_bytes(8, "little") + digest)


def _reseal_payloads(data: bytes) -> bytes:
    footer = _within(len(data) - FOOTER, len(data), "find a footer at")
    count = int.from_bytes(data[20:24], "little")
    entry = int.from_bytes(data[24:28], "little")
    for _ in range(count):
        if entry + TABLE_ENTRY > footer:
            break
        start = int.from_bytes(data[entry + 64 : entry + 72], "little")
        end = start + int.from_bytes(data[entry + 72 : entry + 80], "little")
        if end <= footer:
            data = overwrite(data, entry + 80, hashlib.sha256(data[start:end]).digest())
        entry += TABLE_ENTRY
    return _reseal_envelope(data)


def _reseal_slot(start: int, length: int) -> Callable[[bytes], bytes]:
    def sealed(data: bytes) -> bytes:
        if len(data) != length:
            raise EditError(f"a slot is resealed in {length} bytes, not in {len(data)}")
        crc = zlib.crc32(data[start : start + SLOT - 4])
        return overwrite(data, start + SLOT - 4, crc.to_bytes(4, "little"))

    return sealed


RESEALS: dict[str, Callable[[bytes], bytes]] = {
    "envelope": _reseal_envelope,
    "payloads": _reseal_payloads,
    "slot": _reseal_slot(0, SLOT),
    "slot/A": _reseal_slot(0, 2 * SLOT),
    "slot/B": _reseal_slot(SLOT, 2 * SLOT),
}
"""What a reseal recomputes → how."""
