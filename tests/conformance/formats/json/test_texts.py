"""The JSON texts of the builders are what they say, by readings other than the reference's."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest

from conformance.formats.json.cases.faults import (
    DUPLICATE_KEY,
    FAULTS,
    INFINITY_TIE,
    NOT_FINITE,
    NOT_JSON,
    NOT_UTF8,
    PRECEDENCE,
    TOO_DEEP,
    JsonFault,
)
from conformance.formats.json.cases.valid import NUMBERS, TEXTS, JsonValid

ORDER = (NOT_UTF8, NOT_JSON, TOO_DEEP, DUPLICATE_KEY, NOT_FINITE)
LARGEST = Fraction(2**1024 - 2**971)


@pytest.fixture(autouse=True)
def _deep_enough() -> Iterator[None]:
    """The standard library's reader recurses; the deepest text here has a thousand levels."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(5000)
    yield
    sys.setrecursionlimit(before)


def faults(text: bytes) -> set[str]:
    """Every fault class that the standard library, made strict, finds in ``text``."""
    found: set[str] = set()

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({name for name, _ in pairs}) < len(pairs):
            found.add(DUPLICATE_KEY)
        return dict(enumerate_names(pairs))

    def number(token: str) -> int:
        if float(token) in (float("inf"), float("-inf")):
            found.add(NOT_FINITE)
        return 0

    def constant(token: str) -> object:
        raise ValueError(token)

    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return {NOT_UTF8}
    try:
        value = json.loads(
            decoded, object_pairs_hook=members, parse_int=number, parse_float=number, parse_constant=constant
        )
    except ValueError:
        return {NOT_JSON}
    depth, lone = measure(value)
    return {NOT_JSON} if lone else found | ({TOO_DEEP} if depth > 127 else set())


def enumerate_names(pairs: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """Keep every member of a repeated name, so that all of them are measured."""
    return [(f"{index} {name}", value) for index, (name, value) in enumerate(pairs)]


def measure(value: object) -> tuple[int, bool]:
    """The depth of ``value``, and whether a string or name in it holds a lone surrogate."""
    deepest, lone, waiting = 0, False, [(value, 1)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, dict):
            waiting += [(member, depth + 1) for pair in node.items() for member in pair]
        elif isinstance(node, list):
            waiting += [(element, depth + 1) for element in node]
        if isinstance(node, dict | list):
            deepest = max(deepest, depth)
        lone = lone or (isinstance(node, str) and any("\ud800" <= letter <= "\udfff" for letter in node))
    return deepest, lone


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_the_only_one_in_its_text(fault: JsonFault) -> None:
    assert faults(fault.text) == {fault.fault}


@pytest.mark.parametrize("fault", PRECEDENCE, ids=lambda fault: fault.name)
def test_of_two_faults_the_first_class_is_stated(fault: JsonFault) -> None:
    assert min(faults(fault.text), key=ORDER.index) == fault.fault


@pytest.mark.parametrize("text", [*TEXTS, *NUMBERS], ids=lambda text: text.name)
def test_a_good_text_has_no_fault_and_its_canonical_text_the_same_value(text: JsonValid) -> None:
    assert faults(text.text) == set()
    assert json.loads(text.canonical, parse_int=float) == json.loads(text.text, parse_int=float)


@pytest.mark.parametrize("text", NUMBERS, ids=lambda text: text.name)
def test_canonical_digits_are_the_shortest_then_the_closest_then_even(text: JsonValid) -> None:
    value = json.loads(text.text, parse_int=float)[0]
    token = text.canonical[1:-1].decode()
    digits, ulp = spelt(token)
    exact = abs(Fraction(value))
    assert float(token) == value
    others = [n for n in range(int(digits) - 2, int(digits) + 3) if float(Fraction(n) * ulp) == abs(value)]
    best = min(others, key=lambda n: (abs(n * ulp - exact), n % 2))
    assert best == int(digits)
    shorter = [(int(digits) // 10 + step) * ulp * 10 for step in (0, 1)]
    assert int(digits) < 10 or all(float(candidate) != abs(value) for candidate in shorter)


def spelt(token: str) -> tuple[str, Fraction]:
    """The digits of ``token`` without zeros at either end, and the weight of the last of them."""
    mantissa, _, exponent = token.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    power = int(exponent or "0") - len(fraction) + len(digits) - len(digits.rstrip("0"))
    return digits.rstrip("0").lstrip("0") or "0", Fraction(10) ** power


def test_the_tie_at_infinity_lies_halfway() -> None:
    assert int(INFINITY_TIE) - LARGEST == 2**1024 - int(INFINITY_TIE)


def test_names_are_used_once() -> None:
    names = [fault.name for fault in (*FAULTS, *PRECEDENCE)] + [text.name for text in (*TEXTS, *NUMBERS)]
    assert len(names) == len(set(names))
