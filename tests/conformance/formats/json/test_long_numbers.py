"""What the long numbers are said to be is what exact arithmetic makes of them."""

from fractions import Fraction

import pytest

from conformance.formats.json.cases.long_numbers import LONG_NUMBERS, LongNumber


def nearest(text: str) -> float | None:
    """Return the nearest binary64 to ``text``, None when that is none that is finite.

    No tie between two binary64 has more than 767 digits: of what follows it only matters whether it is all zeros.
    """
    mantissa, _, power = text.lower().partition("e")
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    scale = len(digits) - len(fraction) + int(power or "0")  # the value is 0.digits times ten to this
    kept = digits[:800] + ("1" if digits[800:].strip("0") else "")
    if not kept or scale < -400:
        return 0.0
    if scale > 400:
        return None
    try:
        value = float(Fraction(int(kept), 10 ** len(kept)) * Fraction(10) ** scale)
    except OverflowError:
        return None
    return -value if mantissa.startswith("-") else value


@pytest.mark.parametrize("number", LONG_NUMBERS, ids=lambda number: number.name)
def test_long_number_is_its_nearest_binary64(number: LongNumber) -> None:
    text = b"".join(piece * repeat for piece, repeat in number.pieces).decode()
    wanted = nearest(text)
    assert (number.canonical is None) == (wanted is None)
    if number.canonical is not None:
        assert wanted is not None
        assert number.canonical == (repr(wanted).removesuffix(".0") if wanted else "0")
