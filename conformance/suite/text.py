"""The one way in which the suite's JSON files are written, byte for byte the same anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any


class UnwritableError(ValueError):
    """A value that no vector file may hold; the message has its JSON pointer."""


def canonical(value: Any) -> bytes:
    """Write ``value``: sorted keys, two-space indent, LF, ASCII with ``\\u`` escapes, one final LF.

    ASCII, so that an invisible or look-alike character shows in a diff and no editor can change one. Raises
    :class:`UnwritableError` at a float (numbers with a fraction are texts in these files, since languages read them
    differently) and at a lone surrogate (no UTF-8 reader could take it).
    """
    _check(value, "")
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical text of ``value``, in lower-case hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _check(value: Any, where: str) -> None:
    if value is None or isinstance(value, bool | int):
        return
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            _check_text(key, where)
            _check(member, f"{where}/{key}")
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for index, element in enumerate(value):
            _check(element, f"{where}/{index}")
    else:
        raise UnwritableError(f"at {where or '/'}: a {type(value).__name__} cannot stand in a vector file")


def _check_text(text: str, where: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UnwritableError(f"at {where or '/'}: {text!r} holds a lone surrogate; give such bytes as BYTES")
