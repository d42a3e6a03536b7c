"""The JSON corpus is what it says: every production kept and broken, the table's rows, numbers by two sources."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from conformance.formats.json.cases.faults import FAULTS, NOT_JSON, NOT_UTF8, JsonFault
from conformance.formats.json.cases.numbers import (
    GROUPS,
    INFINITY,
    Number,
    bits_of,
    group,
    number,
    seventeen,
    shortest,
    value_of,
)
from conformance.formats.json.cases.productions import PRODUCTIONS, Kept, Production, spelt
from conformance.formats.json.cases.utf8 import BROKEN, ROWS, edges
from conformance.formats.json.cases.valid import NUMBERS, TEXTS
from tests.conformance.formats.json.test_texts import faults

ALL_BROKEN = [fault for production in PRODUCTIONS for fault in production.broken]
ALL_KEPT = [text for production in PRODUCTIONS for text in production.kept]


@pytest.mark.parametrize("production", PRODUCTIONS, ids=lambda production: production.name)
def test_a_production_is_kept_and_broken(production: Production) -> None:
    assert production.kept
    assert production.broken
    assert set(production.broken_elsewhere) <= {fault.name for fault in FAULTS}
    assert set(production.kept_elsewhere) <= {text.name for text in (*TEXTS, *NUMBERS)}


def test_every_broken_text_belongs_to_a_production() -> None:
    listed = [name for production in PRODUCTIONS for name in production.broken_elsewhere]
    assert sorted(listed) == sorted(fault.name for fault in FAULTS if fault.fault == NOT_JSON)


@pytest.mark.parametrize("fault", ALL_BROKEN, ids=lambda fault: fault.name)
def test_a_broken_text_breaks_the_grammar(fault: JsonFault) -> None:
    assert faults(fault.text) == {NOT_JSON}


@pytest.mark.parametrize("text", ALL_KEPT, ids=lambda text: text.name)
def test_a_kept_text_has_no_fault_and_its_canonical_texts_the_same_value(text: Kept) -> None:
    assert faults(text.text.encode()) == set()
    value = json.loads(text.text, parse_int=float)
    assert json.loads(text.rfc8785, parse_int=float) == json.loads(text.pfc, parse_int=float) == value


@pytest.mark.parametrize("fault", BROKEN, ids=lambda fault: fault.name)
def test_a_text_outside_the_table_is_no_utf8(fault: JsonFault) -> None:
    assert faults(fault.text) == {NOT_UTF8}


def test_the_table_is_every_character_once() -> None:
    """Beside the controls, the space, ``!``, the quote and the backslash, which stand in no row here."""
    sizes = [1] * len(ROWS)
    for index, row in enumerate(ROWS):
        for first, last in row:
            sizes[index] *= last - first + 1
    assert sum(sizes) == 0x110000 - 0x800 - 0x20 - 3 - 1
    assert all(faults(text) == set() for _, text in edges())


def test_no_text_and_no_name_is_written_twice() -> None:
    every = [*ALL_BROKEN, *BROKEN, *FAULTS]
    assert len({fault.text for fault in every}) == len(every)
    assert len({fault.name for fault in every}) == len(every)
    assert len({text.name for text in ALL_KEPT}) == len(ALL_KEPT)


def test_texts_are_spelt_in_the_letters_of_an_id() -> None:
    assert spelt('["\\u0041", -1E+5]') == ("open-quote-backslash-u0041-quote-comma-space-minus-1-cap-e-plus-5-close")
    assert spelt("\u2028") == "u2028"


def test_several_hundred_numbers_of_every_kind() -> None:
    assert sum(len(spellings) for _, spellings in GROUPS.values()) > 1500
    for name, (_, spellings) in GROUPS.items():
        assert len(set(spellings)) == len(spellings), name
        assert all("." in spelling or "e" in spelling for spelling in spellings), name


def test_known_witnesses_of_digits() -> None:
    assert shortest(0x43143FF3C1CB0959) == ("14249539237812062", 16)
    for spelling, written in (
        ("2200546244643836.25", "2200546244643836.2"),
        ("599938067598935.25", "599938067598935.2"),
        ("1e23", "1e+23"),
        ("1e21", "1e+21"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        ("4.9406564584124654e-324", "5e-324"),
    ):
        assert number(spelling).rfc8785 == written
    assert number("9007199254740993.0") == Number(
        "9007199254740993.0", "9007199254740992", "9.007199254740992e+15", integral_and_large=True
    )


def test_exact_arithmetic_reads_back_what_it_spells() -> None:
    for bits in (1, 2, 2**52 - 1, 2**52, 2**52 + 1, 0x3FF0000000000000, 0x3FB999999999999A, INFINITY - 1):
        assert bits_of(value_of(bits)) == bits
        assert bits_of(Fraction(seventeen(bits))) == bits
        digits, point = shortest(bits)
        assert bits_of(Fraction(int(digits)) * Fraction(10) ** (point - len(digits))) == bits


def test_ties_go_to_even_and_overflow_to_infinity() -> None:
    middle = (value_of(7) + value_of(8)) / 2
    assert [bits_of(middle - value_of(1) / 9), bits_of(middle), bits_of(middle + value_of(1) / 9)] == [7, 8, 8]
    assert bits_of((value_of(8) + value_of(9)) / 2) == 8
    assert bits_of(Fraction(2) ** 1024 - Fraction(2) ** 970) == INFINITY
    with pytest.raises(ValueError, match="exact arithmetic reads"):
        number("1e400")


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_is_written_in_the_two_forms_of_one_value(name: str) -> None:
    for one in group(name):
        assert float(one.rfc8785) == float(one.pfc) == float(one.spelling)
