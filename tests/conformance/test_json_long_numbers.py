"""What the long numbers are said to be is what exact arithmetic makes of them."""

import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest

from conformance.build.json_long_numbers import LONG_NUMBERS, LongNumber


@pytest.fixture(autouse=True)
def _digits_without_limit() -> Iterator[None]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(limit)


def nearest(text: str) -> float | None:
    """Return the nearest binary64 to ``text``, None when that is none that is finite."""
    mantissa, _, power = text.lower().partition("e")
    exponent = int(power or "0")
    if abs(exponent) > 10**6:
        if Fraction(mantissa) == 0 or exponent < 0:
            return 0.0
        return None
    try:
        return float(Fraction(mantissa) * Fraction(10) ** exponent)
    except OverflowError:
        return None


@pytest.mark.parametrize("number", LONG_NUMBERS, ids=lambda number: number.name)
def test_long_number_is_its_nearest_binary64(number: LongNumber) -> None:
    text = b"".join(piece * repeat for piece, repeat in number.pieces).decode()
    wanted = nearest(text)
    assert (number.canonical is None) == (wanted is None)
    if number.canonical is not None:
        assert wanted is not None
        assert number.canonical == (repr(wanted).removesuffix(".0") if wanted else "0")
