"""Strict JSON: the five classes of fault, their order, and texts meant to break a reader."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_py.json_text import MAX_DEPTH, JsonNumber, JsonValue, parse, pointer
from reference_py.rejection import Rejection

MEGABYTE = 1 << 20


def reason(text: bytes, prefix: str = "manifest-") -> str:
    with pytest.raises(Rejection) as caught:
        parse(text, prefix)
    assert caught.value.at is None
    return caught.value.reason


def test_every_kind_of_value_is_read() -> None:
    assert parse(b' \t\r\n{"a" : [ true,false , null ] , "": {}, "b":[],"n":-0.5E+1}\n', "metadata-") == {
        "a": [True, False, None],
        "": {},
        "b": [],
        "n": JsonNumber("-0.5E+1"),
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (rb'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
        (rb'"\u0000"', "\x00"),
        (rb'"\uFFFE\uffff"', "\ufffe\uffff"),
        (rb'"x\ud83d\uDE00y"', "x\U0001f600y"),
        (rb'"\ud800\udc00\udbff\udfff"', "\U00010000\U0010ffff"),
        ('"\u2028\x7f\U0001f600"'.encode(), "\u2028\x7f\U0001f600"),
        (b'"__proto__"', "__proto__"),
    ],
)
def test_strings_are_unescaped(text: bytes, value: str) -> None:
    assert parse(text, "manifest-") == value


@pytest.mark.parametrize(
    "text",
    [
        b'"\xc0\x80"',  # overlong NUL
        b'"\xed\xa0\x80"',  # U+D800
        b'"\xed\xbf\xbf"',  # U+DFFF
        b'"\xf4\x90\x80\x80"',  # U+110000
        b'"\xe2\x82"',  # cut within the string
        b'{"a":1}\xe2\x82',  # cut at the end
        b"\xff",
        b'"\xc3("',
        b"[[[ not json \x80",
    ],
)
def test_bytes_that_are_not_utf8(text: bytes) -> None:
    assert reason(text) == "manifest-not-utf8"
    assert reason(text, "metadata-") == "metadata-not-utf8"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"\xef\xbb\xbf1",
        b"1 2",
        b"[1]]",
        b"[1,]",
        b"[,1]",
        b"[1 2]",
        b'{"a":1,}',
        b'{"a"}',
        b'{"a":}',
        b'{"a" 1}',
        b'{"a":1 "b":2}',
        b"{1:2}",
        b"{a:1}",
        b"{,}",
        b"[}",
        b"{]",
        b"[1}",
        b'{"a":1]',
        b"[1:2]",
        b'{"a",1}',
        b"'a'",
        b"// x\n1",
        b"/* */1",
        b"1 // x",
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"-NaN",
        b"True",
        b"nul",
        b"nulll",
        b"truefalse",
        b"+1",
        b"01",
        b"-01",
        b"-",
        b"--1",
        b"1.",
        b".5",
        b"1.e5",
        b"1e",
        b"1e+",
        b"0x10",
        b"1_000",
        "\u0661".encode(),  # an Arabic-Indic digit
        b"1\x00",
        b"\x0b1",
        b"\x0c1",
        "\u00a01".encode(),
        "\u20281".encode(),
        b'"',
        b'"a',
        b'"\\',
        b'"\\"',
        b'"a\nb"',
        b'"a\x1fb"',
        b'"\x00"',
        b'"\\x41"',
        b'"\\u12"',
        b'"\\u12G4"',
        b'"\\U0041"',
        b'"\\\n"',
        '"\\u\u0661\u0661\u0661\u0661"'.encode(),
        rb'"\ud800"',
        rb'"\udc00"',
        rb'"\udc00\ud800"',
        rb'"\ud800\ud800\udc00"',
        rb'"\ud800x\udc00"',
        rb'"\ud800\n"',
        rb'"\ud800\u0041"',
        b'"\\ud800',
        rb'{"\udfff":1}',
    ],
)
def test_text_that_is_not_one_json_value(text: bytes) -> None:
    assert reason(text) == "manifest-not-json"


def test_a_grammar_fault_is_located_in_bytes() -> None:
    with pytest.raises(Rejection) as caught:
        parse('["é", x]'.encode(), "manifest-")
    assert "at byte 7 of 9" in caught.value.detail
    assert "'x'" in caught.value.detail


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def test_depth_counts_arrays_and_objects_together() -> None:
    assert MAX_DEPTH == 127
    parse(nested(127), "manifest-")
    parse(b'{"a":' * 63 + nested(64) + b"}" * 63, "manifest-")
    assert reason(nested(128)) == "manifest-too-deep"
    assert reason(b'{"a":' * 64 + nested(64) + b"}" * 64) == "manifest-too-deep"
    assert reason(b"[" + nested(126) + b"," + nested(127) + b"]") == "manifest-too-deep"


def test_many_siblings_are_not_deep() -> None:
    parse(b"[" + b"[],{}," * 500 + b"1]", "manifest-")


def test_depth_can_be_lifted() -> None:
    value = parse(nested(5000), "", max_depth=None)
    for _ in range(5000):
        assert isinstance(value, list)
        value = value[0] if value else None
    assert value is None


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1,"a":1}',
        rb'{"a":1,"\u0061":2}',
        rb'{"\ud83d\ude00":1,"' + "\U0001f600".encode() + b'":2}',
        b'[{"x":{"":1,"b":2,"":3}}]',
        b'{"__proto__":1,"__proto__":2}',
        b'{"a":{"b":1},"a":[]}',
    ],
)
def test_repeated_names(text: bytes) -> None:
    assert reason(text) == "manifest-duplicate-key"


def test_names_that_are_only_alike_are_different() -> None:
    text = '{"a":1,"A":2,"a ":3,"é":4,"e\u0301":5,"":6,"__proto__":7,"constructor":8,"toString":9}'.encode()
    assert len(dict(parse(text, "manifest-"))) == 9  # type: ignore[arg-type] # an object, or dict() fails
    parse(b'[{"a":1},{"a":{"a":1}}]', "manifest-")


@pytest.mark.parametrize(
    "token", [b"1.7976931348623159e308", b"1e400", b"-1e400", b"9" * 400, b"1e99999999999999999999", b"1" * MEGABYTE]
)
def test_numbers_beyond_binary64(token: bytes) -> None:
    assert reason(token) == "manifest-number-not-finite"
    assert reason(b'[{"a":' + token + b"}]") == "manifest-number-not-finite"


@pytest.mark.parametrize(
    ("token", "value"),
    [
        (b"1.7976931348623157e308", 1.7976931348623157e308),
        (b"1.7976931348623158e308", 1.7976931348623157e308),
        (b"1e-400", 0.0),
        (b"0e99999999999999999999", 0.0),
        (b"1e-99999999999999999999", 0.0),
        (b"0." + b"0" * MEGABYTE + b"1", 0.0),
        (b"9007199254740993", 9007199254740992.0),
        (b"9007199254740993." + b"0" * 1000 + b"1", 9007199254740994.0),
    ],
)
def test_finite_numbers_round_correctly(token: bytes, value: float) -> None:
    number = parse(token, "manifest-")
    assert isinstance(number, JsonNumber)
    assert number.as_float() == value


@pytest.mark.parametrize(
    ("token", "is_integer"),
    [("5", True), ("-0", True), ("-12", True), ("5.0", False), ("1e0", False), ("1E2", False), ("-0.0", False)],
)
def test_spelling_decides_what_an_integer_is(token: str, is_integer: bool) -> None:
    assert JsonNumber(token).is_integer is is_integer


def test_the_class_of_the_reason_is_the_first_over_the_whole_text() -> None:
    deep, twice, infinite = nested(128), b'{"a":1,"a":2}', b"1e400"
    assert reason(b"[" + b",".join([infinite, twice, deep]) + b",x,\xff]") == "manifest-not-utf8"
    assert reason(b"[" + b",".join([infinite, twice, deep]) + b",x]") == "manifest-not-json"
    assert reason(b"[" + b",".join([infinite, twice, deep]) + b"] ]") == "manifest-not-json"
    assert reason(b"[" + b",".join([infinite, twice, deep]) + b"]") == "manifest-too-deep"
    assert reason(b"[" + b",".join([infinite, twice]) + b"]") == "manifest-duplicate-key"
    assert reason(b'{"a":1e400,"a":1}') == "manifest-duplicate-key"
    assert reason(b"[" * MEGABYTE) == "manifest-not-json"
    assert reason(b'{"a":' * 200_000) == "manifest-not-json"
    assert reason(nested(MEGABYTE // 2)) == "manifest-too-deep"


def test_pointer_escapes() -> None:
    assert pointer() == ""
    assert pointer("payloads", 1) == "/payloads/1"
    assert pointer("", "a/b", "~", "~1") == "//a~1b/~0/~01"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)


def plain(value: JsonValue) -> object:
    if isinstance(value, JsonNumber):
        return value.as_int()
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return value


def outcome(text: str) -> JsonValue | Rejection:
    try:
        return parse(text.encode(), "manifest-")
    except Rejection as rejection:
        return rejection


@given(json_values, st.booleans(), st.sampled_from([None, 1]))
def test_what_the_standard_library_writes_is_read_back(value: object, escaped: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    assert plain(parse(text.encode(), "manifest-")) == value


@given(json_values, st.data())
def test_a_text_cut_short_or_broken_gives_a_rejection_or_what_the_standard_library_reads(
    value: object, data: st.DataObject
) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + data.draw(st.sampled_from(["", "x", '"', "]", "}", ",", "0", "\\", "\n"])) + text[at + 1 :]
    found = outcome(broken)
    try:
        expected = json.loads(broken)
    except ValueError:
        assert isinstance(found, Rejection)
        return
    if isinstance(found, Rejection):
        # The standard library takes what we refuse: repeated names, and half surrogate pairs.
        assert found.reason == "manifest-duplicate-key" or "surrogate" in found.detail
    else:
        assert plain(found) == expected
