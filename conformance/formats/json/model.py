"""A second reading of strict JSON, over Python's own ``json``, and a second writer of RFC 8785 text.

It shares nothing with ``reference_py``; generation compares the two on every member of every sweep.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from conformance.formats.json.cases.faults import DUPLICATE_KEY, NOT_FINITE, NOT_JSON, NOT_UTF8, TOO_DEEP
from conformance.vectorgen.vector_set import Data, reject

_SURROGATE = re.compile("[\ud800-\udfff]")


class RefusedError(Exception):
    """The rejection that an model has worked out."""

    def __init__(self, reason: str, at: str | None = None) -> None:
        """Hold reason and place."""
        super().__init__(reason)
        self.reason, self.at = reason, at

    @property
    def outcome(self) -> Data:
        """The rejection as a vector states it."""
        return reject(self.reason, self.at)


class Token(str):
    """A number, digit for digit as it stands in the text."""

    __slots__ = ()


class Members(list[tuple[str, Any]]):
    """An object as its members in writing order, so that a repeated name is still seen."""


def strict(text: bytes, prefix: str) -> Any:
    """Read ``text``: null, booleans, str, :class:`Token`, list, :class:`Members` (JSON-UTF8 to JSON-FINITE).

    Raises :class:`RefusedError` with the first fault class that the text has, behind ``prefix``.
    """
    try:
        document = text.decode("utf-8", errors="strict")
    except UnicodeDecodeError:
        raise RefusedError(prefix + NOT_UTF8) from None
    try:
        value = json.loads(
            document, object_pairs_hook=Members, parse_int=Token, parse_float=Token, parse_constant=_no_constant
        )
    except ValueError:
        raise RefusedError(prefix + NOT_JSON) from None
    parts = _inside(value)
    # json takes unpaired surrogate escapes: a string that holds one cannot be written as UTF-8.
    if any(_SURROGATE.search(part) for part, _ in parts if isinstance(part, str)):
        raise RefusedError(prefix + NOT_JSON)
    if any(depth > 127 for part, depth in parts if isinstance(part, list)):
        raise RefusedError(prefix + TOO_DEEP)
    objects = [part for part, _ in parts if isinstance(part, Members)]
    if any(len({name for name, _ in members}) != len(members) for members in objects):
        raise RefusedError(prefix + DUPLICATE_KEY)
    if any(math.isinf(float(part)) for part, _ in parts if isinstance(part, Token)):
        raise RefusedError(prefix + NOT_FINITE)
    return value


def _no_constant(token: str) -> NoReturn:
    raise ValueError(token)


def _inside(value: Any) -> list[tuple[Any, int]]:
    """Return every value and name inside ``value``, itself included, with the number of containers down to it."""
    parts = [(value, 1)]
    for part, depth in parts:  # the list grows while it is walked
        if isinstance(part, Members):
            parts += [(child, depth + 1) for member in part for child in member]
        elif isinstance(part, list):
            parts += [(child, depth + 1) for child in part]
    return parts


def numbers(value: Any) -> list[Token]:
    """Return every number inside ``value``."""
    return [part for part, _ in _inside(value) if isinstance(part, Token)]


def rfc8785(value: Any) -> str:
    """Write what :func:`strict` has read as RFC 8785 text (envelope document, section 2)."""
    match value:
        case Token():
            return rfc8785_number(float(value))
        case Members():
            members = sorted(value, key=lambda member: member[0].encode("utf-16-be"))
            return "{" + ",".join(f"{_quoted(name)}:{rfc8785(member)}" for name, member in members) + "}"
        case list():
            return "[" + ",".join(map(rfc8785, value)) + "]"
        case _:
            return _quoted(value)


def _quoted(value: Any) -> str:
    # json.dumps escapes exactly what RFC 8785 escapes once non-ASCII stays raw, in the same short forms.
    return json.dumps(value, ensure_ascii=False)


def rfc8785_number(value: float) -> str:
    """Write a binary64 as RFC 8785 does, from the digits of ``repr`` (shortest and closest in CPython)."""
    if value == 0:
        return "0"
    return ("-" if value < 0 else "") + rfc8785_form(*shortest_digits(value))


def rfc8785_form(digits: str, point: int) -> str:
    """Write 0.``digits`` times 10^``point`` as RFC 8785 does: plain from 1e-6 to below 1e21."""
    if not -6 < point <= 21:
        power = point - 1
        tail = f".{digits[1:]}" if digits[1:] else ""
        return f"{digits[0]}{tail}e{'-' if power < 0 else '+'}{abs(power)}"
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    tail = digits[point:]
    return digits[:point].ljust(point, "0") + (f".{tail}" if tail else "")


def pfc_form(digits: str, point: int) -> str:
    """Write 0.``digits`` times 10^``point`` as canonical ``pfc`` text does: plain from 1e-4 to below 1e15."""
    if not -4 < point <= 15:
        power = point - 1
        tail = f".{digits[1:]}" if digits[1:] else ""
        return f"{digits[0]}{tail}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    return f"{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"


def shortest_digits(value: float) -> tuple[str, int]:
    """Return the digits of a binary64 other than zero by ``repr``, and n: the value is 0.digits times 10^n."""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + int(exponent or 0) - (len(digits) - len(digits.lstrip("0")))
    return digits.strip("0"), point
