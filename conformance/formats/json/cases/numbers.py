"""Numbers chosen by their bits: how each spelling must be read, and the digits in which its binary64 must be written.

Every expectation comes from two sources that share nothing and have to agree, or the builder stops: exact rational
arithmetic written here from R-JSON-4 (all with :mod:`fractions`), and CPython's ``float`` and ``repr``.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from conformance.formats.json.model import pfc_form, rfc8785_form, shortest_digits

SMALLEST_NORMAL = 1 << 52
INFINITY = 0x7FF << 52
SAFE = 2**53 - 1
"""The largest magnitude of an integral number in a ``flysess1`` manifest (R-FLY-3)."""


@dataclass(frozen=True)
class Number:
    """A spelling with a point or an exponent, and its binary64 as either canonical form writes it."""

    spelling: str
    rfc8785: str
    pfc: str
    integral_and_large: bool


def value_of(bits: int) -> Fraction:
    """Return the exact value of the positive finite binary64 with these bits."""
    exponent, fraction = bits >> 52, bits & (SMALLEST_NORMAL - 1)
    significand = fraction + (SMALLEST_NORMAL if exponent else 0)
    return significand * Fraction(2) ** (max(exponent, 1) - 1075)


def bits_of(value: Fraction) -> int:
    """Return the bits of the binary64 nearest to a value not below zero, ties to even; infinity from 2^1024 on."""
    if value == 0:
        return 0
    power = value.numerator.bit_length() - value.denominator.bit_length()
    power -= value < Fraction(2) ** power  # now 2^power <= value < 2^(power + 1)
    quantum = max(power - 52, -1074)
    significand = round(value / Fraction(2) ** quantum)  # of a Fraction: exact, ties to even
    return min(significand + ((quantum + 1074) << 52), INFINITY)


def shortest(bits: int) -> tuple[str, int]:
    """Return the digits of a binary64 and n, its value being 0.digits times 10^n (R-JSON-4).

    The fewest digits that lie in the interval that rounds to the value; of those the closest; then the even one.
    """
    value = value_of(bits)
    low, high = (value_of(bits - 1) + value) / 2, (value + value_of(bits + 1)) / 2
    ends_round_here = bits % 2 == 0
    point = len(str(int(value))) if value >= 1 else 1
    while Fraction(10) ** (point - 1) > value:
        point -= 1
    for count in range(1, 18):
        unit = Fraction(10) ** (point - count)
        below = int(value / unit)
        inside = [
            (abs(digits * unit - value), digits % 2, digits)
            for digits in (below, below + 1)
            if low < digits * unit < high or (ends_round_here and digits * unit in (low, high))
        ]
        if inside:
            digits = str(min(inside)[2])
            return digits.rstrip("0"), point + len(digits) - count
    raise AssertionError(f"seventeen digits are enough for every binary64, but not for {bits:016x}")


def seventeen(bits: int) -> str:
    """Spell a binary64 with seventeen significant digits, as ``1.2345678901234567e-5``."""
    value = value_of(bits)
    power = len(str(int(value))) - 1 if value >= 1 else -1
    while Fraction(10) ** power > value:
        power -= 1
    digits = str(round(value / Fraction(10) ** (power - 16)))
    power += len(digits) - 17  # rounded up to the next power of ten
    return f"{digits[0]}.{digits[1:17]}e{power}"


def exact(value: Fraction) -> str:
    """Spell a value, whose denominator is a power of two, with all its digits."""
    places = value.denominator.bit_length() - 1
    return f"{value.numerator * 5**places}e-{places}"


def number(spelling: str) -> Number:
    """Work out what a spelling is read as and written as; raise ``ValueError`` where the two sources disagree."""
    bits = bits_of(abs(Fraction(spelling)))
    read = float(spelling)
    if struct.pack(">d", abs(read)) != bits.to_bytes(8, "big") or bits == INFINITY:
        raise ValueError(f"{spelling}: exact arithmetic reads {bits:016x}, float reads {read!r}")
    negative = spelling.startswith("-")
    sign = "-" if negative else ""
    if bits == 0:
        return Number(spelling, "0", f"{sign}0.0", integral_and_large=False)
    digits = shortest(bits)
    if digits != shortest_digits(read):
        raise ValueError(f"{spelling}: exact arithmetic writes {digits}, repr writes {shortest_digits(read)}")
    large = value_of(bits).denominator == 1 and value_of(bits) > SAFE
    return Number(spelling, sign + rfc8785_form(*digits), sign + pfc_form(*digits), integral_and_large=large)


def _around(bits: Iterable[int]) -> Iterator[str]:
    """Each binary64 and its two neighbours."""
    for one in sorted({near for middle in bits for near in (middle - 1, middle, middle + 1) if 0 < near < INFINITY}):
        yield seventeen(one)


def _of(value: Fraction | int) -> int:
    return bits_of(Fraction(value))


def _power(base: int, power: int) -> int:
    return _of(Fraction(base) ** power)


def _halfway(bits: Iterable[int]) -> Iterator[str]:
    """The exact middle between a binary64 and the next one, and the decimals right below and right above it."""
    for one in bits:
        digits, _, power = exact((value_of(one) + value_of(one + 1)) / 2).partition("e")
        for spelling in (f"{digits}0", f"{int(digits) * 10 - 1}", f"{digits}1"):
            yield f"{spelling}e{int(power) - 1}"


def _chosen(label: str, count: int, first: int, end: int) -> Iterator[int]:
    """``count`` bit patterns from ``first`` to below ``end``, spread by SHA-256 so that nobody picked them."""
    for index in range(count):
        digest = hashlib.sha256(f"{label} {index}".encode()).digest()
        yield first + int.from_bytes(digest, "big") % (end - first)


def _signed(spellings: Iterable[str]) -> Iterator[str]:
    """Every third one negative."""
    for index, spelling in enumerate(spellings):
        yield f"-{spelling}" if index % 3 == 2 else spelling


def _long_ones(count: int) -> Iterator[str]:
    """Binary64 whose shortest digits are seventeen."""
    found = (bits for bits in _chosen("seventeen digits", 40 * count, 1, INFINITY) if len(shortest(bits)[0]) == 17)
    for _ in range(count):
        yield seventeen(next(found))


def _ties(count: int) -> Iterator[str]:
    """Values with a quarter behind the point where two decimals of one digit behind it are equally close."""
    for bits in _chosen("tie", count, 2**49, 2**51):
        for quarter in (1, 3):
            yield f"{bits}.{25 * quarter}"


_THRESHOLDS = (-7, -6, -5, -4, -3, -1, 0, 1, 14, 15, 16, 17, 20, 21, 22, 23)
_MIDDLES = (
    0,
    1,
    2,
    SMALLEST_NORMAL - 2,
    SMALLEST_NORMAL - 1,
    SMALLEST_NORMAL,
    _of(1),
    _of(1) - 1,
    _of(Fraction(1, 10)),
)
_WHOLE_MIDDLES = (_power(2, 53), _power(2, 53) + 1, _power(2, 54), _power(10, 22), _power(10, 23), INFINITY - 2)

GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "powers-of-two": (
        "has no uneven interval below a power of two, or flushes subnormals",
        tuple(seventeen(_power(2, power)) for power in (*range(-1074, -66, 9), *range(-66, 67), *range(67, 1024, 9))),
    ),
    "around-powers-of-two": (
        "finds too many or too few digits beside a power of two",
        tuple(
            _around(_power(2, power) for power in (-1022, -1000, -500, -100, -25, -3, -1, 0, 1, 10, 52, 53, 91, 1000))
        ),
    ),
    "powers-of-ten": ("reads a power of ten one unit off", tuple(f"1e{power}" for power in range(-323, 309))),
    "around-thresholds": (
        "turns to exponents one power early or late, or rounds across the threshold",
        tuple(_around(_power(10, power) for power in _THRESHOLDS)),
    ),
    "subnormals": (
        "flushes subnormals to zero, or writes digits that they do not have",
        tuple(
            seventeen(bits)
            for bits in (*range(1, 13), *(one for power in range(4, 53, 4) for one in (2**power - 1, 2**power + 1)))
        ),
    ),
    "around-two-to-53": (
        "keeps integers apart from binary64, or rounds a tie to zero instead of even",
        tuple(f"{2**53 + step}.0" for step in range(-4, 14))
        + tuple(f"{2**53 - 1 - step}.5" for step in range(4))
        + tuple(f"{2**52 + step}.5" for step in (-2, -1, 0, 1, 2, 3)),
    ),
    "halfway": (
        "cuts a long decimal before it rounds, or breaks a tie another way than to even",
        tuple(_halfway((*_MIDDLES, *_WHOLE_MIDDLES))),
    ),
    "written-ties": ("breaks the tie between two shortest decimals upwards", tuple(_ties(20))),
    "seventeen-digits": ("writes at most sixteen digits, or not the closest seventeen", tuple(_signed(_long_ones(60)))),
    "any-bits": (
        "writes some binary64 with digits that are not the shortest, or not the closest",
        tuple(_signed(map(seventeen, _chosen("any bits", 240, 1, INFINITY)))),
    ),
    "everyday": (
        "writes some binary64 of everyday size with digits that are not the shortest, or not the closest",
        tuple(_signed(map(seventeen, _chosen("everyday", 160, _power(10, -7), _power(10, 16))))),
    ),
}
"""Group → the mistake caught, and the spellings."""

A_CASE = 20
"""Numbers in one case: few enough that the one that is wrong is found in the text."""


def packed(numbers: Iterable[Number]) -> list[list[Number]]:
    """Return the numbers in the lists that make one case each."""
    every = list(numbers)
    return [every[start : start + A_CASE] for start in range(0, len(every), A_CASE)]


def group(name: str) -> list[Number]:
    """Return the numbers of one group."""
    return [number(spelling) for spelling in GROUPS[name][1]]
