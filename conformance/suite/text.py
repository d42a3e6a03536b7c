"""The one way in which the suite's JSON files are written, byte for byte the same anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


class UnwritableError(ValueError):
    """A value that no vector file may hold; the message has its JSON pointer."""


WIDTH = 120
"""An object or list that fits in so many columns stands on one line."""

_FIRST = (
    *("$schema", "format", "suite", "operation", "id", "name", "title", "why", "rules", "rulings", "tags", "kind"),
    *("base", "into", "edits", "after", "input", "tree"),
)
"""What a person looks for first stands first; all other keys are sorted."""


def canonical(value: Any) -> bytes:
    """Write ``value``: keys in one order, two-space indent, LF, ASCII with ``\\u`` escapes, one final LF.

    ASCII, so that an invisible or look-alike character shows in a diff and no editor can change one. Raises
    :class:`UnwritableError` at a float (numbers with a fraction are texts in these files, since languages read them
    differently) and at a lone surrogate (no UTF-8 reader could take it).
    """
    _check(value, "")
    return (_written(_ordered(value), 0, 0) + "\n").encode("ascii")


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value, key=_rank)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_ordered(element) for element in value]
    return value


def _rank(key: str) -> tuple[int, str]:
    return (_FIRST.index(key) if key in _FIRST else len(_FIRST), key)


def _written(value: Any, indent: int, taken: int) -> str:
    """Return the text of ``value``, its lines from ``indent`` on; the first has ``taken`` more columns around it."""
    line = json.dumps(value, ensure_ascii=True, allow_nan=False)
    if not isinstance(value, dict | list) or not value or indent + taken + len(line) <= WIDTH:
        return line
    inner = indent + 2
    pad = " " * inner
    if isinstance(value, dict):
        keys = [f"{json.dumps(key)}: " for key in value]
        lines = [key + _written(member, inner, len(key) + 1) for key, member in zip(keys, value.values(), strict=True)]
        return "{\n" + ",\n".join(pad + each for each in lines) + "\n" + " " * indent + "}"
    lines = [_written(element, inner, 1) for element in value]
    return "[\n" + ",\n".join(pad + each for each in lines) + "\n" + " " * indent + "]"


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
