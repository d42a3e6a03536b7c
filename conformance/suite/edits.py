"""Edits: how a golden file becomes the bytes of a case, so that a person sees which byte is changed.

Edits apply in the order written, each to the bytes as the one before left them. ``vectors/README.md`` says the same
for readers without this code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Edit: TypeAlias = Mapping[str, Any]
"""One edit as written in a vector file."""

Reseal: TypeAlias = Callable[[bytes], bytes]
"""Recomputes what guards the bytes, a checksum or a length; each format states its own."""

Reseals: TypeAlias = Mapping[str, Reseal]
"""What a reseal recomputes → how."""


class EditError(ValueError):
    """An edit does not fit the bytes it is applied to."""


def apply(data: bytes, edits: Sequence[Edit], reseals: Reseals) -> bytes:
    """Apply ``edits`` to ``data`` in order; raise :class:`EditError` naming the first edit that does not fit.

    ``reseals`` are those of the format that the bytes belong to.
    """
    for index, edit in enumerate(edits):
        try:
            data = apply_one(data, edit, reseals)
        except EditError as error:
            raise EditError(f"edit {index} ({dict(edit)}): {error}") from None
    return data


def apply_one(data: bytes, edit: Edit, reseals: Reseals) -> bytes:
    """Apply one edit, whichever it is."""
    if "reseal" in edit:
        return reseal(data, edit["reseal"], reseals)
    if "truncate" in edit:
        length: int = edit["truncate"]
        return data[: within(length, len(data), "truncate to")]
    at = within(edit["at"], len(data), "start at")
    if "insert" in edit:
        repeat: int = edit.get("repeat", 1)
        return data[:at] + bytes.fromhex(edit["insert"]) * repeat + data[at:]
    if "delete" in edit:
        return data[:at] + data[within(at + edit["delete"], len(data), "delete up to") :]
    if "set" in edit:
        return overwrite(data, at, bytes.fromhex(edit["set"]))
    if "xor" in edit:
        mask = bytes.fromhex(edit["xor"])
        old = data[at : at + len(mask)].ljust(len(mask), b"\0")
        return overwrite(data, at, bytes(a ^ b for a, b in zip(old, mask, strict=True)))
    raise EditError("no such edit; use xor, set, insert, delete, truncate or reseal")


def overwrite(data: bytes, at: int, new: bytes) -> bytes:
    """Put ``new`` over the bytes from ``at`` on; the length stays."""
    end = within(at + len(new), len(data), "write up to")
    return data[:at] + new + data[end:]


def reseal(data: bytes, what: str, reseals: Reseals) -> bytes:
    """Recompute what guards the bytes, as the format's reseal ``what`` does."""
    if what not in reseals:
        known = f"use one of {', '.join(reseals)}" if reseals else "this format has nothing to reseal"
        raise EditError(f"cannot reseal {what!r}; {known}")
    return reseals[what](data)


def within(place: int, length: int, verb: str) -> int:
    """Return ``place`` when it lies in the bytes or just past them; raise :class:`EditError` otherwise."""
    if not 0 <= place <= length:
        raise EditError(f"cannot {verb} byte {place}: there are {length} bytes")
    return place
