"""The protocol's pfc operations: requests in, answers out, malformed requests apart from rejections."""

from __future__ import annotations

import base64
import copy
from pathlib import Path
from typing import Any

import pytest

from reference_py.operations import MalformedRequest, answer

META: dict[str, Any] = {
    "format_version": 2,
    "accepted_time": "-0.0",
    "accepted_increment": 1,
    "result_counter": 2,
    "domain": {
        "global_dimensions": [1, 1, 2],
        "physical_origin": ["0.0", "1e-05", "1e+15"],
        "grid_spacing": ["1.0", "1.0", "1.0"],
        "periodic": [True, True, False],
    },
    "method_identity": "m",
    "boundary_conditions": [{"config": '{"b":[1,1.0,-0.0],"c":{}}', "state": "null"}],
}


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def data_of(result: dict[str, object]) -> bytes:
    ok = result["ok"]
    assert isinstance(ok, dict)
    return base64.b64decode(ok["data"], validate=True)


def reject_of(operation: str, request: dict[str, Any]) -> tuple[object, object]:
    reject = answer(operation, request)["reject"]
    assert isinstance(reject, dict)
    return reject["reason"], reject.get("at")


def test_encode_then_decode_gives_the_value_back() -> None:
    data = data_of(answer("pfc.metadata.encode", {"value": META}))
    assert b'"accepted_time": -0.0,' in data
    assert answer("pfc.metadata.decode", {"data": base64_of(data)}) == {"ok": {"value": META, "data": base64_of(data)}}


def test_optional_members_of_a_request() -> None:
    short = {name: META[name] for name in ("accepted_time", "accepted_increment", "domain", "method_identity")}
    data = data_of(answer("pfc.metadata.encode", {"value": short}))
    value = answer("pfc.metadata.decode", {"data": base64_of(data)})["ok"]
    assert isinstance(value, dict)
    assert value["value"] == short | {"format_version": 2, "result_counter": 0}


@pytest.mark.parametrize(
    ("name", "value", "reason", "at"),
    [
        ("format_version", 3, "version-unsupported", "/format_version"),
        ("accepted_time", "NaN", "member-range", "/accepted_time"),
        ("accepted_time", "-Infinity", "member-range", "/accepted_time"),
        ("accepted_increment", 10**400, "member-range", "/accepted_increment"),
        ("fields", ["a", "a"], "member-range", "/fields/1"),
        (
            "boundary_conditions",
            [{"config": "[" * 125 + "]" * 125, "state": "null"}],
            "metadata-too-deep",
            None,
        ),
        ("boundary_conditions", [{"config": "1", "state": "[" * 500 + "]" * 500}], "metadata-too-deep", None),
    ],
)
def test_rejections_of_encode(name: str, value: object, reason: str, at: str | None) -> None:
    assert reject_of("pfc.metadata.encode", {"value": META | {name: value}}) == (reason, at)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accepted_time", 1.0),
        ("accepted_time", "1,0"),
        ("accepted_increment", 1.0),
        ("accepted_increment", True),
        ("method_identity", "\ud800"),
        ("boundary_conditions", [{"config": "{", "state": "null"}]),
        ("boundary_conditions", [{"config": '{"a":1,"a":1}', "state": "null"}]),
        ("boundary_conditions", [{"config": "1"}]),
        ("fields", "a"),
    ],
)
def test_malformed_metadata(name: str, value: object) -> None:
    with pytest.raises(MalformedRequest):
        answer("pfc.metadata.encode", {"value": META | {name: value}})


def test_a_short_list_is_malformed() -> None:
    value = copy.deepcopy(META)
    value["domain"]["periodic"] = [True, True]
    with pytest.raises(MalformedRequest, match="/value/domain/periodic"):
        answer("pfc.metadata.encode", {"value": value})


def test_restore_check() -> None:
    metadata = base64_of(data_of(answer("pfc.metadata.encode", {"value": META})))
    condition = {"config": '{ "c": {}, "b": [1, 1e0, -0.0] }', "stateful": False}
    wanted: dict[str, Any] = {**META["domain"], "method_identity": None, "boundary_conditions": [condition]}
    assert answer("pfc.restore_check", {"metadata": metadata, "request": wanted}) == {"ok": {}}
    for changes, expected in (
        ({"physical_origin": ["NaN", "1e-05", "1e+15"]}, ("restore-grid", None)),
        ({"method_identity": "other"}, ("restore-method", None)),
        (
            {"boundary_conditions": [condition | {"stateful": True}]},
            ("restore-boundary-state", "/boundary_conditions/0"),
        ),
        (
            {"boundary_conditions": [condition | {"config": "[" * 999 + "]" * 999}]},
            ("restore-boundary", "/boundary_conditions/0"),
        ),
    ):
        assert reject_of("pfc.restore_check", {"metadata": metadata, "request": wanted | changes}) == expected
    assert reject_of("pfc.restore_check", {"metadata": "", "request": wanted}) == ("metadata-not-json", None)


def test_bricks() -> None:
    cells = [bytes([number]) * 8 for number in range(4)]
    parts = [
        {"offset": [1, 0, 0], "size": [1, 2, 1], "data": base64_of(cells[1] + cells[3])},
        {"offset": [0, 0, 0], "size": [1, 2, 1], "data": base64_of(cells[0] + cells[2])},
    ]
    whole = {"global_dimensions": [2, 2, 1], "parts": parts}
    assert data_of(answer("pfc.brick.assemble", whole)) == b"".join(cells)
    assert reject_of("pfc.brick.assemble", whole | {"parts": parts + parts[:1]}) == ("parts-overlap", "parts/2")
    wanted = {
        "global_dimensions": [2, 2, 1],
        "data": base64_of(b"".join(cells)),
        "offset": [0, 1, 0],
        "size": [2, 1, 1],
    }
    assert data_of(answer("pfc.brick.extract", wanted)) == cells[2] + cells[3]
    assert reject_of("pfc.brick.extract", wanted | {"size": [2**70, 1, 1]}) == ("part-outside", None)
    for operation, request in (("pfc.brick.assemble", whole), ("pfc.brick.extract", wanted)):
        with pytest.raises(MalformedRequest, match="global_dimensions"):
            answer(operation, request | {"global_dimensions": [2, 0, 1]})


def test_publish_then_open(tmp_path: Path) -> None:
    final = str(tmp_path / "step_1")
    fields = [{"id": "psi", "data": base64_of(bytes(16))}]
    request = {"directory": final, "metadata": META, "fields": fields}
    failing = request | {"fail": {"field": "psi"}}
    assert reject_of("pfc.publish", failing) == ("publish-failed", "fields/psi")
    assert list(tmp_path.iterdir()) == []
    assert answer("pfc.publish", request) == {"ok": {}}
    assert reject_of("pfc.publish", request) == ("publish-exists", None)
    opened = answer("pfc.open", {"directory": final})
    assert opened == {
        "ok": {
            "value": META | {"fields": ["psi"]},
            "data": base64_of((tmp_path / "step_1" / "metadata.json").read_bytes()),
            "fields": [{"id": "psi", "byteLength": "16"}],
        }
    }
