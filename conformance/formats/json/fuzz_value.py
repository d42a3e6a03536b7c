"""JSON values and their spellings: numbers where readers go wrong, odd names, deep nesting, every way to write them."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from conformance.fuzz.source import Source
from reference_py.numbers import ecmascript, pfc_float


@dataclass(frozen=True)
class Raw:
    """A piece of JSON text that is copied as it stands: every number, and nesting too deep to be held as a value."""

    text: str


@dataclass(frozen=True)
class Members:
    """A JSON object as its members in order; a name may come twice."""

    pairs: tuple[tuple[str, Value], ...]

    def get(self, name: str) -> Value:
        """Return the first member of that name, null if there is none."""
        return next((value for key, value in self.pairs if key == name), None)

    def with_member(self, name: str, value: Value) -> Members:
        """Return the object with one member replaced, or added at the end."""
        if all(key != name for key, _ in self.pairs):
            return Members((*self.pairs, (name, value)))
        return Members(tuple((key, value if key == name else old) for key, old in self.pairs))

    def without(self, *names: str) -> Members:
        """Return the object without the members of these names."""
        return Members(tuple(pair for pair in self.pairs if pair[0] not in names))


Value: TypeAlias = "bool | str | Raw | Sequence[Value] | Members | None"
"""A JSON value to be spelt; a list is any sequence but ``str``."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_INTEGERS = (
    0,
    1,
    2,
    5,
    2**31 - 1,
    2**31,
    2**32,
    2**53 - 1,
    2**53,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    10**21,
)
_TOKENS = (
    "-0", "0.0", "-0.0", "1E2", "1e0", "5.0", "1e+2", "1e-7", "1e-06", "0.0001", "0.00001", "1e15", "1e16", "1e21",
    "123456789012345680000", "1e20", "999999999999999900000", "5e-324", "2.4703282292062327e-324", "1e-400",
    "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623158e308", "9007199254740993.0",
    "9007199254740991", "-9007199254740991", "4.35", "0.1", "1424953923781206.25", "2200546244643836.25",
    "599938067598935.25", "2475880078570760549798248448", "2.9802322387695312e-8", "117.63331139400017",
    "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809",
    "0." + "0" * 30 + "1", "1" + "0" * 30, "0.1000000000000000055511151231257827021181583404541015625",
)  # fmt: skip
"""Number tokens at which readers and writers have gone wrong, all finite."""

_STRINGS = (
    "", "a", "b", "x-", "__proto__", "constructor", "toString", "length", '"', "\\", "/", "\x00", "\x1f", "\x7f",
    "\u00e9", "e\u0301", "\u2028", "\u2029", "\ufeff", "\uffff", "\ufb33", "\U0001f600", "\U00010000", "\U0010ffff",
    "\r\n", "\t", "\b\f", "<script>", "10", "9", "~/", "\u0080", "\u20ac", "\ufdd0",
)  # fmt: skip
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def text(source: Source) -> str:
    """Draw a string without lone surrogates."""
    return "".join(source.take(_STRINGS) for _ in range(source.take((1, 1, 1, 2, 0, 3))))


def integer_token(source: Source) -> str:
    """Draw an integer token near a width's edge."""
    value = source.take(_INTEGERS) + source.take((0, 0, -1, 1))
    return str(-value) if source.chance(25) else str(value)


def number_token(source: Source) -> str:
    """Draw a number token whose value is finite in binary64."""
    kind = source.integer(0, 5)
    if kind <= 1:
        return integer_token(source)
    if kind == 2:
        return source.take(_TOKENS)
    if kind == 3:
        return _digits(source)
    number = double(source)
    rounded = f"{number:.{source.integer(0, 20)}e}"
    return rounded if source.chance(50) and math.isfinite(float(rounded)) else repr(number)


def double(source: Source) -> float:
    """Draw a finite binary64: any bits, one beside a power of two or ten, or a quarter beyond 2^50."""
    kind = source.integer(0, 3)
    if kind == 0:
        value = float(f"1e{source.integer(-30, 30)}")
    elif kind == 1:
        value = math.ldexp(1.0, source.integer(-1074, 1023))
    elif kind == 2:
        value = source.integer(2**50, 2**54) / 4
    else:
        (value,) = struct.unpack("<d", source.data(8, 8))
        return value if math.isfinite(value) else 1.5
    return math.nextafter(value, source.take((value, 0.0, math.inf))) if value < 1e308 else value


def _digits(source: Source) -> str:
    """Draw up to 19 digits with the point anywhere and perhaps an exponent."""
    whole = str(source.integer(0, 10 ** source.integer(0, 19)))
    point = source.integer(0, len(whole))
    token = f"{whole[:point]}.{whole[point:]}" if 0 < point < len(whole) else whole
    token = token if _NUMBER.fullmatch(token) else f"1.{whole}"
    sign = "-" if source.chance(20) else ""
    exponent = f"{source.take('eE')}{source.take(('', '+', '-'))}{source.integer(0, 30)}" if source.chance(40) else ""
    return sign + token + exponent


def nested(source: Source, depth: int) -> Raw:
    """Draw ``depth`` arrays and objects within each other."""
    kinds = source.integer(0, 2)
    if depth <= 0 or kinds == 0:
        return Raw("[" * max(depth, 0) + "0" * (depth <= 0) + "]" * max(depth, 0))
    if kinds == 1:
        return Raw('{"a":' * depth + "1" + "}" * depth)
    return Raw('[{"a":' * (depth // 2) + "[]" * (depth % 2) + "1" * (1 - depth % 2) + "}]" * (depth // 2))


def value(source: Source, depth: int = 2) -> Value:
    """Draw a value of at most ``depth`` levels, names unique in each object, numbers finite."""
    kind = source.integer(0, 7 if depth > 0 else 4)
    if kind == 0:
        return source.take((None, True, False))
    if kind <= 2:
        return Raw(number_token(source))
    if kind <= 4:
        return text(source)
    if kind == 5:
        return [value(source, depth - 1) for _ in range(source.integer(0, 3))]
    names = dict.fromkeys(text(source) for _ in range(source.integer(0, 3)))
    return Members(tuple((name, value(source, depth - 1)) for name in names))


def compact(root: Value) -> str:
    """Spell a value without spaces, members in their order, numbers as they stand."""
    if isinstance(root, Raw):
        return root.text
    if isinstance(root, Members):
        return "{" + ",".join(f"{_plain(name)}:{compact(member)}" for name, member in root.pairs) + "}"
    if isinstance(root, str | bool) or root is None:
        return _plain(root)
    return "[" + ",".join(map(compact, root)) + "]"


def rfc8785_text(root: Value) -> str:
    """Spell a value as RFC 8785 does; what no such text can hold (a :class:`Raw` that is no number) stays."""
    return compact(_arranged(root, _rfc8785_number, lambda name: name.encode("utf-16-be")))


def pfc_line(root: Value) -> str:
    """Spell a value as ``pfc``'s canonical text does, but on one line."""
    return compact(_arranged(root, _pfc_number, str.encode))


def _arranged(root: Value, number: Callable[[str], str], order: Callable[[str], bytes]) -> Value:
    if isinstance(root, Raw):
        return Raw(number(root.text)) if _NUMBER.fullmatch(root.text) else root
    if isinstance(root, Members):
        pairs = sorted(root.pairs, key=lambda pair: order(pair[0]))
        return Members(tuple((name, _arranged(member, number, order)) for name, member in pairs))
    if isinstance(root, str | bool) or root is None:
        return root
    return [_arranged(element, number, order) for element in root]


def _rfc8785_number(token: str) -> str:
    number = float(token)
    return ecmascript(number) if math.isfinite(number) else token


def _pfc_number(token: str) -> str:
    if token.lstrip("-").isdigit() and -(2**63) <= int(token) < 2**64:
        return str(int(token))
    number = float(token)
    return pfc_float(number) if math.isfinite(number) else token


_plain = json.JSONEncoder(ensure_ascii=False).encode
"""Spell a scalar with the shortest escapes."""


def spelt(source: Source, root: Value) -> str:
    """Spell a value with spaces, escapes and, where it keeps the value, another order of members."""
    space = source.take(("", " ", "\n  ", "\t", "\r\n"))
    quote = source.take(_QUOTATIONS)
    order = source.chance(50)

    def wild(node: Value) -> str:
        if isinstance(node, Raw):
            return node.text
        if isinstance(node, Members):
            pairs = source.shuffled(node.pairs) if order else node.pairs
            parts = [f"{quote(source, name)}{space}:{space}{wild(member)}" for name, member in pairs]
            return f"{{{space}" + f"{space},{space}".join(parts) + f"{space}}}"
        if isinstance(node, str):
            return quote(source, node)
        if isinstance(node, bool) or node is None:
            return _plain(node)
        return f"[{space}" + f"{space},{space}".join(map(wild, node)) + f"{space}]"

    return space + wild(root) + space


def _shortest(_source: Source, string: str) -> str:
    return _plain(string)


def _short(_source: Source, string: str) -> str:
    return '"' + "".join(_SHORT.get(character) or _plain(character)[1:-1] for character in string) + '"'


def _as_units(_source: Source, string: str) -> str:
    return '"' + "".join(map(_units, string)) + '"'


def _mixed(source: Source, string: str) -> str:
    """Spell one character as its UTF-16 units, in either case, or shortly."""
    if not string:
        return _plain(string)
    at = source.integer(0, len(string) - 1)
    units = _units(string[at])
    units = source.take((units, units.upper().replace("U", "u"), _SHORT.get(string[at], units)))
    return _plain(string[:at])[:-1] + units + _plain(string[at + 1 :])[1:]


def _units(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


_QUOTATIONS: Sequence[Callable[[Source, str], str]] = (_shortest, _short, _mixed, _mixed, _mixed, _as_units)
