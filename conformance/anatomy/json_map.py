"""Which JSON pointer each byte of a JSON text belongs to, as far as the text can be followed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from conformance.anatomy.field import Field

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|"', re.DOTALL)


@dataclass
class _Level:
    """One open object or array on the way through the text."""

    is_object: bool
    key: str | None = None
    index: int = 0
    expects_key: bool = field(default=False)

    def step(self) -> str:
        part = (self.key or "") if self.is_object else str(self.index)
        return "/" + part.replace("~", "~0").replace("/", "~1")


def _name(token: bytes) -> str:
    """Return a member name as a reader would, or its raw text where it cannot be read."""
    try:
        return str(json.loads(token))
    except ValueError:
        return token.decode("utf-8", "replace")


def json_fields(text: bytes, *, start: int = 0, prefix: str = "") -> list[Field]:
    """Cut a JSON text into its scalar tokens and punctuation, each named by its JSON pointer.

    The text may be broken: tokens are followed by nesting alone and nothing is judged. ``start`` is added to every
    offset, ``prefix`` put before every pointer.
    """
    fields: list[Field] = []
    levels: list[_Level] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        level = levels[-1] if levels else None
        is_name = level is not None and level.is_object and level.expects_key and token.startswith(b'"')
        if is_name and level is not None:
            level.key, level.expects_key = _name(token), False
        if token in (b"}", b"]") and levels:
            levels.pop()
        pointer = prefix + "".join(one.step() for one in levels)
        value = token.decode("utf-8", "replace")
        suffix = " (name)" if is_name else ""
        fields.append(Field(start + match.start(), len(token), (pointer or "/") + suffix, value))
        if token in (b"{", b"["):
            levels.append(_Level(is_object=token == b"{", expects_key=token == b"{"))
        elif token == b"," and level is not None:
            level.index += 1
            level.expects_key = level.is_object
    return fields
