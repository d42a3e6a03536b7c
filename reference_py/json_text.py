"""Strict JSON: one reader for the manifest of `flysess1` and the metadata of `pfc`.

Five classes of fault are tried in a fixed order over the whole text (R-JSON-1): bytes that are not UTF-8, text that is
not JSON, nesting that is too deep, a repeated member name, a number beyond binary64. No library reports them in this
order, so the reader is our own. It keeps its open arrays and objects on a list of its own: a megabyte of `[` costs
memory in proportion, never a call stack.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from reference_py.rejection import Rejection

MAX_DEPTH = 127
"""How many arrays and objects may be nested, the outermost counting 1 (R-JSON-3)."""


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A number as it was spelt; the spelling decides whether it counts as an integer."""

    token: str

    @property
    def is_integer(self) -> bool:
        """Whether the token has neither fraction nor exponent: true of `5` and `-0`, false of `5.0` and `1e0`."""
        return self.token.lstrip("-").isdigit()

    def as_float(self) -> float:
        """The nearest binary64, ties to even; infinite beyond its range."""
        return float(self.token)

    def as_int(self) -> int:
        """The exact value of an integer token; ValueError for any other. A parsed one has at most 309 digits."""
        return int(self.token)


JsonValue = None | bool | str | JsonNumber | list["JsonValue"] | dict[str, "JsonValue"]


def parse(text: bytes, prefix: str, max_depth: int | None = MAX_DEPTH) -> JsonValue:
    """Read exactly one RFC 8259 value (rules JSON-UTF8, JSON-GRAMMAR, JSON-DEPTH, JSON-UNIQUE, JSON-FINITE).

    `prefix` is `metadata-` or `manifest-` and starts every reason. Rejections, in this order over the whole text, none
    with a place: `…not-utf8`, `…not-json`, `…too-deep`, `…duplicate-key`, `…number-not-finite`. `max_depth` None lifts
    the limit on nesting, for text that is judged again once it has been put inside another one.
    """
    parser = _Parser(_decode_utf8(text, prefix), max_depth)
    try:
        value = parser.parse()
    except _GrammarError as fault:
        byte = parser.byte(fault.position)
        detail = f"{fault.message}, at byte {byte} of {len(text)}"
        raise Rejection(f"{prefix}not-json", detail=detail, byte=byte) from None
    if parser.first_too_deep is not None:
        detail = f"{parser.deepest} nested arrays and objects, at most {max_depth} are allowed"
        raise Rejection(f"{prefix}too-deep", detail=detail, byte=parser.byte(parser.first_too_deep))
    if parser.duplicate_key is not None:
        key, position = parser.duplicate_key
        detail = f"an object has two members named {_shown(key)}"
        raise Rejection(f"{prefix}duplicate-key", detail=detail, byte=parser.byte(position))
    if parser.infinite_number is not None:
        token, position = parser.infinite_number
        detail = f"{_shown(token)} rounds to an infinite binary64"
        raise Rejection(f"{prefix}number-not-finite", detail=detail, byte=parser.byte(position))
    return value


def pointer(*parts: str | int) -> str:
    """Join member names and list indexes into an RFC 6901 JSON pointer: `~` is written `~0`, `/` is written `~1`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def _decode_utf8(text: bytes, prefix: str) -> str:
    """Rule JSON-UTF8. Python's strict decoder refuses overlong forms, surrogates and values above U+10FFFF."""
    try:
        return text.decode("utf-8", errors="strict")
    except UnicodeDecodeError as fault:
        detail = f"byte {fault.start} (0x{text[fault.start]:02x}): {fault.reason}"
        raise Rejection(f"{prefix}not-utf8", detail=detail, byte=fault.start) from None


def _shown(text: str, limit: int = 40) -> str:
    return ascii(text if len(text) <= limit else text[:limit] + "…")


class _GrammarError(Exception):
    """Where the text (in characters) stops being JSON, and why."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(position, message)
        self.position = position
        self.message = message


# A value's first token. A string with an escape in it stops at the backslash and is read on by `_rest_of_string`.
_VALUE_START = re.compile(
    r"[ \t\n\r]*(?:"
    r'(?P<string>"[^"\\\x00-\x1f]*["\\])'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<open>[\[{])"
    r"|(?P<literal>true|false|null))"
)
_KEY_START = re.compile(r'[ \t\n\r]*(?P<string>"[^"\\\x00-\x1f]*["\\])')
_PUNCTUATION = re.compile(r"[ \t\n\r]*([\]},:])")
_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN_CHARACTERS = re.compile(r'[^"\\\x00-\x1f]*')
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))')
_SHORT_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}


class _Parser:
    """Reads one text; afterwards tells the first fault of each class that does not break the grammar."""

    def __init__(self, text: str, max_depth: int | None) -> None:
        self.text = text
        self.deepest = 0
        self.first_too_deep: int | None = None
        self.duplicate_key: tuple[str, int] | None = None
        self.infinite_number: tuple[str, int] | None = None
        self._max_depth = max_depth
        self._position = 0
        self._open: list[list[JsonValue] | dict[str, JsonValue]] = []
        self._pending_keys: list[str] = []  # one for each open object: the member whose value is being read

    def byte(self, position: int) -> int:
        """The offset in bytes of the character at `position`."""
        return len(self.text[:position].encode())

    def parse(self) -> JsonValue:
        """Rule JSON-GRAMMAR: one value, surrounded only by space, tab, LF and CR."""
        while True:
            match = _VALUE_START.match(self.text, self._position)
            if match is None:
                raise self._unexpected("a value")
            self._position = match.end()
            if match.lastgroup == "open":
                if not self._enter(match[match.lastindex or 0]):
                    continue
                value: JsonValue = self._open.pop()
            else:
                value = self._scalar(match)
            while self._open:
                if self._attach(value):
                    break
                value = self._open.pop()
            else:
                self._require_end()
                return value

    def _enter(self, bracket: str) -> bool:
        """Open an array or object and read up to its first value; True if it is empty and so complete already."""
        self._open.append([] if bracket == "[" else {})
        self.deepest = max(self.deepest, len(self._open))
        if self._max_depth is not None and self.first_too_deep is None and self.deepest > self._max_depth:
            self.first_too_deep = self._position - 1
        match = _PUNCTUATION.match(self.text, self._position)
        if match is not None and match[1] == ("]" if bracket == "[" else "}"):
            self._position = match.end()
            return True
        if bracket == "{":
            self._read_key()
        return False

    def _attach(self, value: JsonValue) -> bool:
        """Put a complete value into the innermost container; False if the container is complete with it."""
        container = self._open[-1]
        if isinstance(container, list):
            container.append(value)
            return self._separator("]")
        container[self._pending_keys.pop()] = value
        if self._separator("}"):
            self._read_key()
            return True
        return False

    def _separator(self, closing: str) -> bool:
        match = _PUNCTUATION.match(self.text, self._position)
        if match is None or match[1] not in (",", closing):
            raise self._unexpected(f'"," or "{closing}"')
        self._position = match.end()
        return match[1] == ","

    def _read_key(self) -> None:
        """Rule JSON-UNIQUE: names are compared after unescaping; every string is an ordinary name."""
        match = _KEY_START.match(self.text, self._position)
        if match is None:
            raise self._unexpected("a member name in double quotes")
        self._position = match.end()
        key = self._string(match["string"])
        container = self._open[-1]
        if self.duplicate_key is None and key in container:
            self.duplicate_key = (key, match.start("string"))
        self._pending_keys.append(key)
        colon = _PUNCTUATION.match(self.text, self._position)
        if colon is None or colon[1] != ":":
            raise self._unexpected('":" after a member name')
        self._position = colon.end()

    def _scalar(self, match: re.Match[str]) -> JsonValue:
        token: str = match[match.lastindex or 0]
        if match.lastgroup == "number":
            return self._number(token, match.start("number"))
        if match.lastgroup == "string":
            return self._string(token)
        return _LITERALS[token]

    def _number(self, token: str, position: int) -> JsonNumber:
        """Rule JSON-FINITE: judged on the correctly rounded binary64. Underflow to zero is fine."""
        if self.infinite_number is None and math.isinf(float(token)):
            self.infinite_number = (token, position)
        return JsonNumber(token)

    def _string(self, start: str) -> str:
        return start[1:-1] if start[-1] == '"' else self._rest_of_string(start[1:-1])

    def _rest_of_string(self, beginning: str) -> str:
        """Read on from the first backslash of a string, which has just been passed, to its closing quote."""
        pieces = [beginning]
        self._position -= 1
        while True:
            plain = _PLAIN_CHARACTERS.match(self.text, self._position)
            if plain is not None:  # always: the pattern matches the empty string
                pieces.append(plain[0])
                self._position = plain.end()
            if self.text.startswith('"', self._position):
                self._position += 1
                return "".join(pieces)
            pieces.append(self._escape())

    def _escape(self) -> str:
        match = _ESCAPE.match(self.text, self._position)
        if match is None:
            raise self._unexpected("a character above U+001F, a valid escape or the closing quote of a string")
        if match[1] is not None:
            self._position = match.end()
            return _SHORT_ESCAPES[match[1]]
        unit = int(match[2], 16)
        if not 0xD800 <= unit <= 0xDFFF:
            self._position = match.end()
            return chr(unit)
        # R-JSON-2: half of a pair names no character, so no UTF-8 text could carry it on.
        low = _ESCAPE.match(self.text, match.end())
        if unit >= 0xDC00 or low is None or low[2] is None or not 0xDC00 <= int(low[2], 16) <= 0xDFFF:
            raise _GrammarError(self._position, f"the surrogate escape {match[0]} is unpaired")
        self._position = low.end()
        return chr(0x10000 + ((unit - 0xD800) << 10) + (int(low[2], 16) - 0xDC00))

    def _require_end(self) -> None:
        space = _SPACE.match(self.text, self._position)
        if space is not None and space.end() != len(self.text):
            raise self._unexpected("the end of the text")

    def _unexpected(self, expected: str) -> _GrammarError:
        space = _SPACE.match(self.text, self._position)
        position = space.end() if space is not None else self._position
        found = _shown(self.text[position]) if position < len(self.text) else "the end of the text"
        return _GrammarError(position, f"found {found}, expected {expected}")
