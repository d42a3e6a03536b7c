"""How a case is spelled in a vector file, beside the full form that it stands for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.formats import FORMATS
from conformance.paths import VECTORS
from conformance.suite.errors import SuiteError
from conformance.suite.spelling import LISTS, Speller, full, text_of
from conformance.suite.text import canonical
from tests.conformance.making import Data

GOLDENS = {"f/golden/text.json": b'{"a":1}\n', "f/golden/slot.bin": bytes(63) + b"\xff"}
TEXT = "eyJhIjoxfQo="
"""The base64 of {"a":1} and a line feed, by `printf '{"a":1}\\n' | base64`."""

CASES = [
    pytest.param({"rulings": [], "tags": []}, {}, id="what is empty by default is left out"),
    pytest.param({"tags": ["golden"]}, {"tags": ["golden"]}, id="what is not empty stays"),
    pytest.param({"tree": {}, "tree_after": {}}, {"tree": {}, "tree_after": {}}, id="an empty tree says something"),
    pytest.param({"input": {"data": TEXT}}, {"input": {"data": {"text": '{"a":1}\n'}}}, id="bytes that are text"),
    pytest.param({"input": {"data": "AAEC"}}, {"input": {"data": "AAEC"}}, id="bytes that are none"),
    pytest.param({"input": {"data": ""}}, {"input": {"data": ""}}, id="no bytes"),
    pytest.param({"input": {"name": TEXT}}, {"input": {"name": TEXT}}, id="a member that is no bytes"),
    pytest.param(
        {"input": {"parts": [{"data": TEXT}]}}, {"input": {"parts": [{"data": {"text": '{"a":1}\n'}}]}}, id="deeper"
    ),
    pytest.param(
        {"expect": {"ok": {"data": TEXT}}}, {"expect": {"ok": {"data": {"text": '{"a":1}\n'}}}}, id="an expectation"
    ),
    pytest.param(
        {"repair": {"data": TEXT}}, {"repair": {"data": {"golden": "f/golden/text.json"}}}, id="a golden repair"
    ),
    pytest.param({"tree": {"a": {"file": TEXT}}}, {"tree": {"a": {"text": '{"a":1}\n'}}}, id="a text file in a tree"),
    pytest.param({"tree": {"a": {"file": "AAEC"}}}, {"tree": {"a": {"file": "AAEC"}}}, id="another file in a tree"),
    pytest.param({"base": "f/golden/text.json", "edits": []}, {"base": "f/golden/text.json"}, id="no edits"),
    pytest.param(
        {"base": "f/golden/text.json", "edits": [{"at": 1, "set": "22"}, {"at": 2, "insert": "6162", "repeat": 2}]},
        {
            "base": "f/golden/text.json",
            "edits": [{"at": 1, "set_text": '"'}, {"at": 2, "insert_text": "ab", "repeat": 2}],
        },
        id="edits of a text",
    ),
    pytest.param(
        {
            "base": "f/golden/slot.bin",
            "edits": [{"at": 1, "set": "22"}, {"at": 2, "set": "6162"}, {"at": 3, "xor": "41"}],
        },
        {
            "base": "f/golden/slot.bin",
            "edits": [{"at": 1, "set": "22"}, {"at": 2, "set_text": "ab"}, {"at": 3, "xor": "41"}],
        },
        id="edits of what is no text",
    ),
    pytest.param(
        {"faults": [{"set": {"/a/data": TEXT}, "reject": {"reason": "r"}}]},
        {"faults": [{"set": {"/a/data": {"text": '{"a":1}\n'}}, "reject": {"reason": "r"}}]},
        id="a fault",
    ),
]


@pytest.mark.parametrize(("long", "short"), CASES)
def test_a_case_has_a_short_and_a_full_form(long: Data, short: Data) -> None:
    assert Speller({"data"}, GOLDENS).case("cases", long) == short
    (read,) = full({"cases": [short]}, GOLDENS)["cases"]
    assert read == {"rulings": [], "tags": [], **long}


@pytest.mark.parametrize("member", [{"text": "a"}, {"golden": "f/golden/text.json"}])
def test_an_input_that_would_be_read_as_bytes_is_refused(member: dict[str, str]) -> None:
    with pytest.raises(SuiteError, match="the member value is "):
        Speller({"data"}, GOLDENS).case("cases", {"input": {"value": member}})


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\xc3\xa9", "a\u00e9"),
        (b"a\tb\r\n", "a\tb\r\n"),
        (b"", None),
        (b"\xff", None),
        (b"\xed\xa0\x80", None),
        (b"1234567\x00", "1234567\x00"),
        (b"123456\x00", None),
        (b"123456\x7f", None),
        (b"12345\xc2\x80", None),
    ],
)
def test_text_is_what_a_person_can_read(data: bytes, text: str | None) -> None:
    assert text_of(data) == text


def test_every_standing_file_has_the_short_form_and_the_layout() -> None:
    goldens = {path.relative_to(VECTORS).as_posix(): path.read_bytes() for path in VECTORS.glob("*/golden/*")}
    files = sorted(path for path in VECTORS.glob("*/*.json") if path.parent.name in FORMATS)
    assert files
    for path in files:
        document: dict[str, Any] = json.loads(path.read_bytes())
        long = full(document, goldens)
        speller = Speller(FORMATS[document["format"]].operations.bytes_of[document["operation"]], goldens)
        spelled = {kind: [speller.case(kind, case) for case in long[kind]] for kind in LISTS}
        assert {kind: cases for kind, cases in spelled.items() if cases} == {
            kind: document[kind] for kind in LISTS if kind in document
        }, path
        assert canonical(document) == path.read_bytes(), path
