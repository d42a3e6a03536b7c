"""Binary64 values as text, in the two canonical forms (JSON-DIGITS).

Both forms share the digits: the shortest decimal that rounds back to the value; among those the closest to the exact
value; then the one with the even last digit (R-JSON-4, as RFC 8785 section 3.2.2.3 requires). They differ in where the
point stands and when an exponent is written.
"""

from __future__ import annotations

import math

import rfc8785


def shortest_digits(value: float) -> tuple[bool, str, int]:
    """Split a finite value into (sign bit, digits d1d2…, n) with |value| = 0.d1d2… x 10^n (JSON-DIGITS, R-JSON-4).

    d1 is not 0 and the last digit is not 0, except for both zeros, which are "0" with n = 1.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} has no decimal digits; check for finiteness before writing")
    negative = math.copysign(1.0, value) < 0
    if value == 0:
        return negative, "0", 1
    # CPython's repr yields exactly the digits the rule asks for; a test checks it against exact fractions.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole) + len(fraction) - len(digits)
    return negative, digits.rstrip("0"), len(whole) - leading_zeros + int(exponent or "0")


def ecmascript(value: float) -> str:
    """Write a finite value as RFC 8785 (section 3.2.2.3) does: `1e+21`, `0.000001`, `1e-7`; both zeros are `0`."""
    return rfc8785.dumps(float(value)).decode("ascii")


def pfc_float(value: float) -> str:
    """Write a finite value as `pfc` canonical text does (PFC-CANONICAL): `0.0`, `-0.0`, `1e-05`, `1e+15`.

    With |value| = 0.d1d2… x 10^n: plain decimal for -4 < n <= 15, else scientific with at least two exponent digits.
    """
    negative, digits, n = shortest_digits(value)
    sign = "-" if negative else ""
    if not -4 < n <= 15:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{n - 1:+03d}"
    if n <= 0:
        return f"{sign}0.{'0' * -n}{digits}"
    return f"{sign}{digits[:n].ljust(n, '0')}.{digits[n:] or '0'}"
