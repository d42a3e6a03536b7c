"""Canonical number text in both forms, against the rules' witnesses and against exact fractions."""

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference_py.numbers import ecmascript, pfc_float, shortest_digits

WITNESS = struct.unpack(">d", bytes.fromhex("43143ff3c1cb0959"))[0]


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        # RFC 8785, appendix B
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555554", "333333333.33333325"),
        ("41b3de4355555555", "333333333.3333333"),
        ("41b3de4355555556", "333333333.3333334"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_rfc_8785_numbers(bits: str, text: str) -> None:
    assert ecmascript(struct.unpack(">d", bytes.fromhex(bits))[0]) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-5.0, "-5.0"),
        (0.1, "0.1"),
        (123.456, "123.456"),
        (1e14, "100000000000000.0"),
        (123456789012345.6, "123456789012345.6"),
        (999999999999999.0, "999999999999999.0"),
        (1e15, "1e+15"),
        (1234567890123456.0, "1.234567890123456e+15"),
        (1e22, "1e+22"),
        (1e100, "1e+100"),
        (0.0001, "0.0001"),
        (0.00012, "0.00012"),
        (0.00001, "1e-05"),
        (0.000012, "1.2e-05"),
        (-1.5e-7, "-1.5e-07"),
        (1e-100, "1e-100"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (2200546244643836.25, "2.2005462446438362e+15"),
        (599938067598935.25, "599938067598935.2"),
        (WITNESS, "1.4249539237812062e+15"),
        (2.0**91, "2.4758800785707605e+27"),
        (2.0**-25, "2.9802322387695312e-08"),
        (117.63331139400017, "117.63331139400017"),
    ],
)
def test_pfc_numbers(value: float, text: str) -> None:
    assert pfc_float(value) == text


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_only_finite_values_have_digits(value: float) -> None:
    with pytest.raises(ValueError, match="no decimal digits"):
        shortest_digits(value)


def test_zeros_keep_their_sign() -> None:
    assert shortest_digits(0.0) == (False, "0", 1)
    assert shortest_digits(-0.0) == (True, "0", 1)


def round_trips(value: float, digits: int, exponent: int) -> bool:
    return digits > 0 and float(f"{digits}e{exponent}") == value


def decimals_near(value: float, count: int, n: int) -> list[tuple[Fraction, int]]:
    """All decimals of at most `count` digits around the value that round back, as (distance, digits as integer)."""
    exact = Fraction(value)
    found: list[tuple[Fraction, int]] = []
    unit = Fraction(10) ** (n - count)
    below = int(exact / unit)
    for digits in (below - 1, below, below + 1, below + 2):
        if round_trips(value, digits, n - count):
            found.append((abs(digits * unit - exact), digits))
    return found


@given(st.floats(min_value=5e-324, max_value=1.7976931348623157e308))
@example(WITNESS)
@example(2200546244643836.25)
@example(599938067598935.25)
@example(5e-324)
@example(9.5367431640625e-07)
@example(2.0**-44)
@example(2.0**91)
def test_digits_are_the_shortest_then_closest_then_even(value: float) -> None:
    _, digits, n = shortest_digits(value)
    assert digits[0] != "0"
    assert digits[-1] != "0"
    assert Fraction(10) ** (n - 1) <= int(digits) * Fraction(10) ** (n - len(digits)) < Fraction(10) ** n
    assert not decimals_near(value, len(digits) - 1, n), "fewer digits would do"
    distance, _, best = min((distance, found % 2, found) for distance, found in decimals_near(value, len(digits), n))
    assert best == int(digits), f"{best} is {distance} away and closer, or even"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_both_forms_read_back_to_the_same_bits(value: float) -> None:
    assert struct.pack("<d", float(pfc_float(value))) == struct.pack("<d", value)
    assert float(ecmascript(value)) == value
