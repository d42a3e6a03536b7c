"""Reading metadata: every row of the member table, its order, its places."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from reference_py.json_text import JsonNumber
from reference_py.pfc.metadata import decode_metadata
from reference_py.pfc.values import BoundaryCondition, Decomposition, Domain, Metadata
from reference_py.rejection import Rejection

WHOLE: dict[str, Any] = {
    "format_version": 2,
    "accepted_time": 1.5,
    "accepted_increment": 7,
    "result_counter": 3,
    "domain": {
        "global_dimensions": [4, 3, 2],
        "physical_origin": [0.0, -0.5, 1e-05],
        "grid_spacing": [1.0, 0.1, 2.5],
        "periodic": [True, False, True],
    },
    "decomposition": {"mpi_size": 2, "local_size": [2, 3, 2], "local_offset": [2, 0, 0]},
    "method_identity": "euler",
    "fields": ["psi", "phi"],
    "boundary_conditions": [{"config": {"type": "fixed"}, "state": None}],
}

ABSENT = object()


def changed(*path: str | int, to: Any) -> bytes:
    """The whole metadata with one place set to a value or, for ABSENT, taken out."""
    document = copy.deepcopy(WHOLE)
    container: Any = document
    for part in path[:-1]:
        container = container[part]
    if to is ABSENT:
        del container[path[-1]]
    else:
        container[path[-1]] = to
    return json.dumps(document).encode()


def rejection_of(text: bytes) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        decode_metadata(text)
    return caught.value.reason, caught.value.at


def test_every_member_is_read() -> None:
    assert decode_metadata(json.dumps(WHOLE).encode()) == Metadata(
        format_version=2,
        accepted_time=1.5,
        accepted_increment=7,
        result_counter=3,
        domain=Domain((4, 3, 2), (0.0, -0.5, 1e-05), (1.0, 0.1, 2.5), (True, False, True)),
        decomposition=Decomposition(2, (2, 3, 2), (2, 0, 0)),
        method_identity="euler",
        fields=("psi", "phi"),
        boundary_conditions=(BoundaryCondition({"type": "fixed"}, None),),
    )


def test_optional_members_are_absent_not_empty() -> None:
    document = {k: v for k, v in WHOLE.items() if k in ("format_version", "accepted_time", "accepted_increment")}
    document |= {"domain": WHOLE["domain"], "method_identity": ""}
    value = decode_metadata(json.dumps(document).encode())
    assert (value.result_counter, value.decomposition, value.fields, value.boundary_conditions) == (0, None, None, None)


def test_version_1_reads_as_fully_periodic() -> None:
    document = copy.deepcopy(WHOLE) | {"format_version": 1}
    del document["domain"]["periodic"]
    value = decode_metadata(json.dumps(document).encode())
    assert value.format_version == 1
    assert value.domain.periodic == (True, True, True)


@pytest.mark.parametrize("flags", [[True, True, True], None, "x"])
def test_version_1_must_not_carry_periodic(flags: Any) -> None:
    document = json.loads(changed("domain", "periodic", to=flags)) | {"format_version": 1}
    assert rejection_of(json.dumps(document).encode()) == ("version-1-periodic", "/domain/periodic")


@pytest.mark.parametrize("text", [b"[]", b"null", b'"x"', b"1", b"true"])
def test_top_level_must_be_an_object(text: bytes) -> None:
    assert rejection_of(text) == ("metadata-not-object", None)


def test_json_faults_come_before_members() -> None:
    assert rejection_of(b"{") == ("metadata-not-json", None)
    assert rejection_of(b'{"a":1,"a":1}') == ("metadata-duplicate-key", None)
    assert rejection_of(b'{"dropped":1e400}') == ("metadata-number-not-finite", None)


@pytest.mark.parametrize(
    "path",
    [
        ("format_version",),
        ("accepted_time",),
        ("accepted_increment",),
        ("domain",),
        ("domain", "global_dimensions"),
        ("domain", "physical_origin"),
        ("domain", "grid_spacing"),
        ("domain", "periodic"),
        ("decomposition", "mpi_size"),
        ("decomposition", "local_size"),
        ("decomposition", "local_offset"),
        ("method_identity",),
        ("boundary_conditions", 0, "config"),
        ("boundary_conditions", 0, "state"),
    ],
)
def test_required_members(path: tuple[str | int, ...]) -> None:
    assert rejection_of(changed(*path, to=ABSENT)) == ("member-missing", "/" + "/".join(map(str, path)))


@pytest.mark.parametrize(
    ("path", "value", "at"),
    [
        (("format_version",), 2.0, "/format_version"),
        (("format_version",), True, "/format_version"),
        (("format_version",), "2", "/format_version"),
        (("accepted_time",), None, "/accepted_time"),
        (("accepted_time",), True, "/accepted_time"),
        (("accepted_increment",), 5.0, "/accepted_increment"),
        (("accepted_increment",), False, "/accepted_increment"),
        (("result_counter",), None, "/result_counter"),
        (("domain",), None, "/domain"),
        (("domain",), [], "/domain"),
        (("domain", "global_dimensions"), {}, "/domain/global_dimensions"),
        (("domain", "global_dimensions"), [1, 1], "/domain/global_dimensions"),
        (("domain", "global_dimensions"), ["x", 1, 1, 1], "/domain/global_dimensions"),
        (("domain", "global_dimensions"), [0, 1, 1.0], "/domain/global_dimensions/2"),
        (("domain", "physical_origin"), [0, None, 0], "/domain/physical_origin/1"),
        (("domain", "grid_spacing"), [0, 0, []], "/domain/grid_spacing/2"),
        (("domain", "periodic"), [True, 1, False], "/domain/periodic/1"),
        (("domain", "periodic"), None, "/domain/periodic"),
        (("decomposition",), [], "/decomposition"),
        (("decomposition", "mpi_size"), 1.5, "/decomposition/mpi_size"),
        (("decomposition", "local_size"), None, "/decomposition/local_size"),
        (("decomposition", "local_offset"), [0, 0, "0"], "/decomposition/local_offset/2"),
        (("method_identity",), None, "/method_identity"),
        (("fields",), None, "/fields"),
        (("fields",), {}, "/fields"),
        (("fields",), ["-bad", 1], "/fields/1"),
        (("boundary_conditions",), None, "/boundary_conditions"),
        (("boundary_conditions",), [{}, None], "/boundary_conditions/1"),
    ],
)
def test_wrong_types(path: tuple[str, ...], value: Any, at: str) -> None:
    assert rejection_of(changed(*path, to=value)) == ("member-type", at)


@pytest.mark.parametrize(
    ("path", "value", "at"),
    [
        (("accepted_increment",), -1, "/accepted_increment"),
        (("accepted_increment",), 2**31, "/accepted_increment"),
        (("accepted_increment",), 10**300, "/accepted_increment"),
        (("result_counter",), -1, "/result_counter"),
        (("domain", "global_dimensions"), [1, 0, 1], "/domain/global_dimensions/1"),
        (("domain", "global_dimensions"), [2**31, 1, 1], "/domain/global_dimensions/0"),
        (("domain", "global_dimensions"), [2**20, 2**20, 2**20], "/domain/global_dimensions"),
        (("decomposition", "mpi_size"), 0, "/decomposition/mpi_size"),
        (("decomposition", "local_size"), [1, 1, 0], "/decomposition/local_size/2"),
        (("decomposition", "local_offset"), [0, -1, 0], "/decomposition/local_offset/1"),
        (("fields",), ["psi", "-psi"], "/fields/1"),
        (("fields",), ["psi", "phi", "psi"], "/fields/2"),
        (("fields",), ["a", "a", "-"], "/fields/1"),
        (("fields",), ["psi\n"], "/fields/0"),
        (("fields",), [".psi"], "/fields/0"),
        (("fields",), [""], "/fields/0"),
        (("fields",), ["a" * 129], "/fields/0"),
        (("fields",), ["p\u017fi"], "/fields/0"),
    ],
)
def test_out_of_range(path: tuple[str, ...], value: Any, at: str) -> None:
    assert rejection_of(changed(*path, to=value)) == ("member-range", at)


@pytest.mark.parametrize("version", [0, 3, -1, 10**300])
def test_other_versions(version: int) -> None:
    assert rejection_of(changed("format_version", to=version)) == ("version-unsupported", "/format_version")


def test_largest_values_are_taken() -> None:
    # 2^60 - 2^30 cells: one row of cells less than the limit of 2^63 bytes.
    value = decode_metadata(changed("domain", "global_dimensions", to=[2**30, 2**30 - 1, 1]))
    assert value.domain.field_bytes == 2**63 - 2**33
    assert decode_metadata(changed("accepted_increment", to=2**31 - 1)).accepted_increment == 2**31 - 1
    assert decode_metadata(changed("fields", to=["a" * 128, "_.-"])).fields == ("a" * 128, "_.-")


def test_minus_zero_is_an_integer_zero() -> None:
    text = json.dumps(WHOLE).encode().replace(b'"result_counter": 3', b'"result_counter": -0')
    assert decode_metadata(text).result_counter == 0


def test_null_decomposition_is_absent() -> None:
    assert decode_metadata(changed("decomposition", to=None)).decomposition is None


def test_rows_are_judged_in_order_and_whole() -> None:
    # Range of an earlier row before the type of a later one; the domain before the decomposition.
    text = json.loads(changed("accepted_increment", to=-1)) | {"result_counter": "x", "domain": None}
    assert rejection_of(json.dumps(text).encode()) == ("member-range", "/accepted_increment")
    text = json.loads(changed("decomposition", "mpi_size", to=0))
    del text["decomposition"]["local_size"]
    assert rejection_of(json.dumps(text).encode()) == ("member-range", "/decomposition/mpi_size")
    text = json.loads(changed("boundary_conditions", to=[{"config": 1}, 5]))
    assert rejection_of(json.dumps(text).encode()) == ("member-type", "/boundary_conditions/1")


def test_free_json_keeps_numbers_as_spelt() -> None:
    text = changed("boundary_conditions", to=[{"config": "C", "state": None, "note": 1}]).replace(b'"C"', b"[1E2,-0.0]")
    value = decode_metadata(text)
    assert value.boundary_conditions == (BoundaryCondition([JsonNumber("1E2"), JsonNumber("-0.0")], None),)


def test_unknown_members_are_dropped_at_every_level() -> None:
    document = copy.deepcopy(WHOLE) | {"__proto__": {}, "extra": 1}
    document["domain"]["extra"] = document["decomposition"]["extra"] = None
    document["boundary_conditions"][0]["extra"] = []
    assert decode_metadata(json.dumps(document).encode()) == decode_metadata(json.dumps(WHOLE).encode())
