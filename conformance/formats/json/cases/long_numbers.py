"""Numbers of more digits than a library's own exponents can count, in few bytes on disk: pieces that are repeated."""

from __future__ import annotations

from dataclasses import dataclass

from conformance.vectorgen.vector_set import Data, insert, truncate

_MANY = 70_000
"""Above the 16-bit limits that readers of decimals have for digits."""

_MORE = 700_000
"""Above 655 359, the largest power that a reader counts which takes digits of an exponent while it is below 2^16."""

_FAR = b"9" * 25
"""An exponent beyond 64 bits."""


@dataclass(frozen=True)
class LongNumber:
    """A number as its pieces with how often each stands, and its canonical text, or `None` when it is not finite."""

    name: str
    pieces: tuple[tuple[bytes, int], ...]
    canonical: str | None
    why: str

    @property
    def edits(self) -> list[Data]:
        """The edits that put the number in the place of any bytes."""
        return [truncate(0), *(insert(0, data, repeat) for data, repeat in reversed(self.pieces))]


def _power(number: int) -> tuple[bytes, int]:
    return (f"e{number}".encode(), 1)


_DIGITS = (b"1", _MANY)
_MORE_DIGITS = (b"1", _MORE)
_ZEROS = (b"0", _MANY)
_MORE_ZEROS = (b"0", _MORE)
_TIE = b"1.00000000000000011102230246251565404236316680908203125"
"""1 + 2^-53, half-way between two binary64."""

LONG_NUMBERS = (
    LongNumber(
        "digits-up", (_MORE_DIGITS, _power(1 - _MORE)), "1.1111111111111112", "stops counting an exponent too soon"
    ),
    LongNumber(
        "digits-up-negative",
        ((b"-", 1), _MORE_DIGITS, _power(1 - _MORE)),
        "-1.1111111111111112",
        "takes the sign as a digit",
    ),
    LongNumber("digits-down", (_DIGITS, _power(-_MANY)), "0.1111111111111111", "puts the point one digit off"),
    LongNumber(
        "digits-with-point",
        ((b"2", _MANY), (b".", 1), (b"2", _MANY), _power(1 - _MANY)),
        "2.2222222222222223",
        "counts the digits behind the point too",
    ),
    LongNumber("zeros-up", ((b"1", 1), _MORE_ZEROS, _power(-_MORE)), "1", "drops zeros without counting them"),
    LongNumber("zeros-up-plus", ((b"0.", 1), _MORE_ZEROS, (b"125e+700001", 1)), "1.25", "takes no plus sign here"),
    LongNumber(
        "zeros-up-capital", ((b"0.", 1), _ZEROS, (b"125E70002", 1)), "12.5", "knows a small e only in long numbers"
    ),
    LongNumber("zeros-behind-point", ((b"7.25", 1), _ZEROS), "7.25", "counts the zeros at the end"),
    LongNumber("tie-exact", ((_TIE, 1), _ZEROS), "1", "rounds a tie away from the even one"),
    LongNumber(
        "tie-and-a-little", ((_TIE, 1), _ZEROS, (b"1", 1)), "1.0000000000000002", "cuts off digits that break a tie"
    ),
    LongNumber(
        "tie-and-a-little-early", ((_TIE, 1), (b"0", 700), (b"1", 1), _ZEROS), "1.0000000000000002", "keeps few digits"
    ),
    LongNumber("all-zeros", ((b"0.", 1), _ZEROS), "0", "takes the logarithm of zero"),
    LongNumber(
        "all-zeros-far", ((b"-0.", 1), _ZEROS, (b"e" + _FAR, 1)), "0", "lets the exponent decide before the digits"
    ),
    LongNumber("too-small", ((b"0.", 1), _ZEROS, (b"1", 1)), "0", "refuses what rounds to zero"),
    LongNumber("too-small-far", (_DIGITS, (b"e-" + _FAR, 1)), "0", "lets an exponent beyond 64 bits overflow"),
    LongNumber("too-large", (_DIGITS,), None, "stops counting digits"),
    LongNumber("too-large-power", (_DIGITS, _power(310 - _MANY)), None, "stops counting an exponent too soon"),
    LongNumber("too-large-far", ((b"0.", 1), _ZEROS, (b"1e" + _FAR, 1)), None, "lets an exponent overflow to zero"),
)
