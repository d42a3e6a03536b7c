"""Protocol values as typed Python values and back.

A request is read through `Node`, which knows its place in the request, so that a malformed one is told where and what.
Ranges are not judged here: an integer of any size passes, so that the formats' own rejections are reached.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reference_py.json_text import JsonValue, parse, pointer
from reference_py.rejection import Rejection

_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_LONGEST_EXACT_INTEGER = 400
_U64_MAX = 2**64 - 1


class MalformedRequest(Exception):  # noqa: N818 - named after what it is about, like Rejection
    """A request that is not of the operation's shape: the asker's fault, and never a rejection of an artefact."""


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a request and its JSON pointer in it. Every reader raises MalformedRequest."""

    value: object
    where: str = ""

    def member(self, name: str) -> Node:
        """A member that must be present, even if null."""
        members = self._object()
        if name not in members:
            raise self._malformed(f"an object with the member {name!r}")
        return Node(members[name], self.where + pointer(name))

    def optional(self, name: str) -> Node | None:
        """A member, or None when it is absent or null."""
        value = self._object().get(name)
        return None if value is None else Node(value, self.where + pointer(name))

    def elements(self) -> list[Node]:
        """A list's elements."""
        if not isinstance(self.value, list | tuple):
            raise self._malformed("a list")
        return [Node(element, f"{self.where}/{index}") for index, element in enumerate(self.value)]

    def as_text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self._malformed("a string")
        return self.value

    def as_boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self._malformed("true or false")
        return self.value

    def as_integer(self) -> int:
        """A JSON number without fraction and exponent, of any size."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self._malformed("an integer")
        return self.value

    def as_u64(self) -> int:
        """A decimal string, of any size and sign."""
        if not isinstance(self.value, str) or _INTEGER.fullmatch(self.value) is None:
            raise self._malformed("an integer as a decimal string")
        return integer_from_token(self.value)

    def as_length(self) -> int:
        """A decimal string that really is a U64: 0 to 2^64-1."""
        length = self.as_u64()
        if not 0 <= length <= _U64_MAX:
            raise self._malformed(f"a decimal string from 0 to {_U64_MAX}")
        return length

    def as_binary64(self) -> float:
        """FLOAT: a decimal number as a string, or `NaN`, `Infinity`, `-Infinity`."""
        text = self.as_text()
        if text in _NOT_FINITE:
            return _NOT_FINITE[text]
        if _FLOAT.fullmatch(text) is None or abs(float(text)) == float("inf"):
            raise self._malformed("a binary64 as a decimal string")
        return float(text)

    def as_json(self) -> JsonValue:
        """JSONTEXT: strict JSON as a string, of any depth."""
        try:
            return parse(self.as_text().encode(), "", max_depth=None)
        except (Rejection, UnicodeEncodeError) as fault:
            raise self._malformed(f"JSON as a string ({fault})") from None

    def as_bytes(self) -> bytes:
        """BYTES: standard padded base64, or `{"path": absolute}`; within one process also plain bytes."""
        if isinstance(self.value, bytes):
            return self.value
        if isinstance(self.value, Mapping):
            return self._file(self.member("path").as_text())
        text = self.as_text()
        try:
            data = binascii.a2b_base64(text, strict_mode=True)
        except ValueError as fault:  # binascii.Error is one, and so is text that is not ASCII
            raise self._malformed(f"padded base64 ({fault})") from None
        # Even strict, the decoder takes padding after whole groups, and bits that no byte holds.
        if bytes_text(data) != text:
            raise self._malformed("padded base64 in its one spelling")
        return data

    def _file(self, path: str) -> bytes:
        if not Path(path).is_absolute():
            raise self._malformed("an absolute path")
        try:
            # A pipe might never end, and neither does /dev/zero.
            if not Path(path).is_file():
                raise self._malformed("the path of a regular file")
            return Path(path).read_bytes()
        except (OSError, ValueError) as fault:  # ValueError: a path with NUL or half a surrogate pair in it
            raise self._malformed(f"a readable file ({fault})") from None

    def _object(self) -> Mapping[str, object]:
        if not isinstance(self.value, Mapping):
            raise self._malformed("an object")
        return self.value

    def _malformed(self, expected: str) -> MalformedRequest:
        shown = repr(self.value) if isinstance(self.value, str | int | float | None) else type(self.value).__name__
        if len(shown) > 60:
            shown = shown[:60] + "…"
        return MalformedRequest(f"input{self.where}: found {shown}, expected {expected}")


def integer_from_token(token: str) -> int:
    """The value of a decimal integer token.

    Beyond 400 digits it is a stand-in of the same sign, out of every field's range as well: the exact value would cost
    time that grows with the square of the digits.
    """
    if len(token) <= _LONGEST_EXACT_INTEGER:
        return int(token)
    stand_in = 1 << 2048
    return -stand_in if token.startswith("-") else stand_in


def bytes_text(data: bytes) -> str:
    """BYTES in an answer."""
    return base64.b64encode(data).decode("ascii")
