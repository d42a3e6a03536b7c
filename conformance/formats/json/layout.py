"""Which JSON pointer each byte of a JSON text belongs to, as far as the text can be followed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from conformance.layout.field import Field, byte_count

# The string is possessive and may lack its end, so that a text of nothing but quotes is still scanned only once.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)

MOST_TOKENS = 20_000
"""Tokens that are told apart; what follows them is one field, since a hostile text has millions."""
_LONGEST_NAME = 512
"""Characters of the longest pointer: a longer one, of deep nesting or huge names, is shortened in its middle."""


@dataclass
class _Level:
    """One open object or array on the way through the text; ``pointer`` is its own."""

    pointer: str
    is_object: bool
    key: str = ""
    index: int = 0
    expects_key: bool = field(default=False)

    def inside(self) -> str:
        """Return the pointer of the value that this level has come to."""
        part = self.key if self.is_object else str(self.index)
        return _shortened(f"{self.pointer}/{part}")


def _name(token: bytes) -> str:
    """Return a member name as a pointer spells it, or its raw text where it cannot be read."""
    try:
        name = str(json.loads(token))
    except ValueError:
        name = token.decode("utf-8", "replace")
    return _shortened(name.replace("~", "~0").replace("/", "~1"))


def _shortened(text: str) -> str:
    half = _LONGEST_NAME // 2
    return text if len(text) <= _LONGEST_NAME else f"{text[:half]}…{text[-half + 1 :]}"


def json_fields(text: bytes, *, start: int = 0, prefix: str = "") -> list[Field]:
    """Cut a JSON text into its scalar tokens and punctuation, each named by its JSON pointer.

    The text may be broken: tokens are followed by nesting alone and nothing is judged. ``start`` is added to every
    offset, ``prefix`` put before every pointer. Time and memory grow with the text's length alone, however it nests.
    """
    fields: list[Field] = []
    levels: list[_Level] = []
    for match in _TOKEN.finditer(text):
        if len(fields) == MOST_TOKENS:
            length = len(text) - match.start()
            name = f"{prefix}(the rest of the JSON)"
            fields.append(Field(start + match.start(), length, name, byte_count(length)))
            break
        token = match.group()
        level = levels[-1] if levels else None
        is_name = level is not None and level.is_object and level.expects_key and token.startswith(b'"')
        if is_name and level is not None:
            level.key, level.expects_key = _name(token), False
        pointer = level.inside() if level else prefix
        if token in (b"}", b"]") and levels:
            pointer = levels.pop().pointer
        value = token.decode("utf-8", "replace")
        suffix = " (name)" if is_name else ""
        fields.append(Field(start + match.start(), len(token), (pointer or "/") + suffix, value))
        if token in (b"{", b"["):
            levels.append(_Level(pointer, is_object=token == b"{", expects_key=token == b"{"))
        elif token == b"," and level is not None:
            level.index += 1
            level.expects_key = level.is_object
    return fields
