"""Writing metadata: the canonical text, and what an encoder refuses."""

from __future__ import annotations

import dataclasses
import math

import pytest

from reference_py.json_text import JsonValue, parse
from reference_py.pfc.canonical import encode_metadata, one_line
from reference_py.pfc.metadata import decode_metadata
from reference_py.pfc.values import BoundaryCondition, Decomposition, Domain, Metadata
from reference_py.rejection import Rejection

SMALL = Metadata(
    accepted_time=5.0,
    accepted_increment=0,
    domain=Domain((1, 2, 3), (0.0, -0.0, 1e15), (0.0001, 1e-05, 1e14), (True, False, True)),
    method_identity='é\t\x1f\x7f"\\/',
)

SMALL_TEXT = """{
  "accepted_increment": 0,
  "accepted_time": 5.0,
  "domain": {
    "global_dimensions": [
      1,
      2,
      3
    ],
    "grid_spacing": [
      0.0001,
      1e-05,
      100000000000000.0
    ],
    "periodic": [
      true,
      false,
      true
    ],
    "physical_origin": [
      0.0,
      -0.0,
      1e+15
    ]
  },
  "format_version": 2,
  "method_identity": "é\\t\\u001f\x7f\\"\\\\/",
  "result_counter": 0
}
"""


def with_condition(config: JsonValue, state: JsonValue = None) -> Metadata:
    return dataclasses.replace(SMALL, boundary_conditions=(BoundaryCondition(config, state),))


def rejection_of(value: Metadata) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        encode_metadata(value)
    return caught.value.reason, caught.value.at


def nested(depth: int) -> JsonValue:
    return parse(b"[" * depth + b"]" * depth, "metadata-", max_depth=None)


def test_text_of_a_small_value() -> None:
    assert encode_metadata(SMALL).decode() == SMALL_TEXT


def test_optional_members_are_written_when_the_value_has_them() -> None:
    value = dataclasses.replace(
        SMALL,
        decomposition=Decomposition(1, (1, 2, 3), (0, 0, 0)),
        fields=(),
        boundary_conditions=(BoundaryCondition({}, [None, "", {"b": False}]),),
    )
    text = encode_metadata(value).decode()
    assert '  "fields": [],\n' in text
    assert '  "decomposition": {\n    "local_offset": [\n      0,\n      0,\n      0\n    ],\n' in text
    assert text.startswith(
        '{\n  "accepted_increment": 0,\n  "accepted_time": 5.0,\n'
        '  "boundary_conditions": [\n    {\n      "config": {},\n      "state": [\n        null,\n        "",\n'
        '        {\n          "b": false\n        }\n      ]\n    }\n  ],\n'
    )


def test_version_1_is_written_as_version_2() -> None:
    assert encode_metadata(dataclasses.replace(SMALL, format_version=1)).decode() == SMALL_TEXT


def test_what_was_written_reads_back() -> None:
    assert decode_metadata(encode_metadata(SMALL)) == SMALL


def test_members_sort_by_utf8_not_utf16() -> None:
    # U+FFFD sorts after U+10000 in UTF-16 (FFFD > D800) and before it in UTF-8 (EF > F0 is false).
    value = parse('{"\U00010000":1,"\ufffd":2,"":3,"B":4,"a":5}'.encode(), "metadata-")
    assert one_line(value) == '{"":3,"B":4,"a":5,"\ufffd":2,"\U00010000":1}'


@pytest.mark.parametrize(
    ("token", "written"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("-0e0", "-0.0"),
        ("1.0", "1.0"),
        ("1E2", "100.0"),
        ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-9223372036854775809", "-9.223372036854776e+18"),
        ("1e-400", "0.0"),
        ("5e-324", "5e-324"),
        ("1" + "0" * 308, "1e+308"),
        ("1424953923781206.25", "1.4249539237812062e+15"),  # the even one of two digits that are equally close
        ("142495392378120.25", "142495392378120.25"),
    ],
)
def test_numbers_in_free_json(token: str, written: str) -> None:
    assert one_line(parse(token.encode(), "metadata-")) == written


def test_escapes() -> None:
    value = parse(b'"\\u0000\\b\\f\\n\\r\\t\\u000b\\"\\\\\\/\\u007f\\u2028\\ud83d\\ude00"', "metadata-")
    assert one_line(value) == '"\\u0000\\b\\f\\n\\r\\t\\u000b\\"\\\\/\x7f\u2028\U0001f600"'


def test_numbers_that_are_not_finite() -> None:
    assert rejection_of(dataclasses.replace(SMALL, accepted_time=math.nan)) == ("member-range", "/accepted_time")
    domain = dataclasses.replace(SMALL.domain, grid_spacing=(1.0, 1.0, -math.inf))
    assert rejection_of(dataclasses.replace(SMALL, domain=domain)) == ("member-range", "/domain/grid_spacing/2")


def test_encoder_judges_in_the_readers_order() -> None:
    domain = dataclasses.replace(SMALL.domain, global_dimensions=(0, 1, 1), physical_origin=(math.nan, 0.0, 0.0))
    decomposition = Decomposition(0, (0, 0, 0), (-1, 0, 0))
    faulty = dataclasses.replace(
        SMALL,
        format_version=3,
        accepted_time=math.inf,
        accepted_increment=-1,
        result_counter=2**31,
        domain=domain,
        decomposition=decomposition,
        fields=("",),
        boundary_conditions=(BoundaryCondition(nested(200), None),),
    )
    expected: list[tuple[str, str | None, dict[str, object]]] = [
        ("version-unsupported", "/format_version", {"format_version": 1}),
        ("member-range", "/accepted_time", {"accepted_time": 5.0}),
        ("member-range", "/accepted_increment", {"accepted_increment": 0}),
        ("member-range", "/result_counter", {"result_counter": 0}),
        (
            "member-range",
            "/domain/global_dimensions/0",
            {"domain": dataclasses.replace(domain, global_dimensions=(1,) * 3)},
        ),
        ("member-range", "/domain/physical_origin/0", {"domain": SMALL.domain}),
        ("member-range", "/decomposition/mpi_size", {"decomposition": Decomposition(1, (0, 0, 0), (-1, 0, 0))}),
        ("member-range", "/decomposition/local_size/0", {"decomposition": Decomposition(1, (1, 1, 1), (-1, 0, 0))}),
        ("member-range", "/decomposition/local_offset/0", {"decomposition": None}),
        ("member-range", "/fields/0", {"fields": None}),
        ("metadata-too-deep", None, {"boundary_conditions": None}),
    ]
    for reason, at, mended in expected:
        assert rejection_of(faulty) == (reason, at)
        faulty = dataclasses.replace(faulty, **mended)  # type: ignore[arg-type]
    assert encode_metadata(faulty).decode() == SMALL_TEXT


def test_depth_counts_the_levels_around_free_json() -> None:
    # The whole object, the list and the entry are three levels: 124 more fit into 127.
    assert decode_metadata(encode_metadata(with_condition(nested(124)))) == with_condition(nested(124))
    assert rejection_of(with_condition(nested(125))) == ("metadata-too-deep", None)
    assert rejection_of(with_condition(None, nested(125))) == ("metadata-too-deep", None)
    assert rejection_of(with_condition(nested(100_000))) == ("metadata-too-deep", None)


def test_deep_values_are_written_without_recursion() -> None:
    assert one_line(nested(100_000)) == "[" * 100_000 + "]" * 100_000
