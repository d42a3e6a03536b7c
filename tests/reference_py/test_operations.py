"""The protocol's operations in process: shapes of answers, and what is a malformed request instead of a rejection."""

import base64
import math
from pathlib import Path

import pytest

from reference_py.operations import OPERATIONS, MalformedRequest, answer
from reference_py.operations.wire import Node, integer_from_token

ZERO_COORDINATE = {
    "shard_id": 0,
    "byte_offset": "0",
    "row_group_idx": 0,
    "page_idx": 0,
    "row_offset_in_page": 0,
    "global_row_idx": "0",
}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_the_operations_of_both_formats_are_there() -> None:
    assert {name for name in OPERATIONS if not name.startswith("pfc.")} == {
        "lmdl.coordinate.decode",
        "lmdl.coordinate.encode",
        "lmdl.slot.decode",
        "lmdl.slot.encode",
        "lmdl.recover",
        "lmdl.commit",
        "lmdl.hash",
        "lmdl.open",
        "lmdl.commit_file",
        "flysess1.decode",
        "flysess1.encode",
        "flysess1.layout",
        "flysess1.payload",
        "flysess1.commit",
    }


def test_lmdl_answers() -> None:
    assert answer("lmdl.coordinate.decode", {"data": b64(b"\xff" * 32)}) == {
        "ok": {
            "value": {
                "shard_id": 4294967295,
                "byte_offset": "18446744073709551615",
                "row_group_idx": 4294967295,
                "page_idx": 4294967295,
                "row_offset_in_page": 4294967295,
                "global_row_idx": "18446744073709551615",
            },
            "data": b64(b"\xff" * 32),
        }
    }
    assert answer("lmdl.coordinate.encode", {"value": ZERO_COORDINATE}) == {"ok": {"data": b64(bytes(32))}}
    assert answer("lmdl.recover", {"meta": None, "log_length": "8"}) == {
        "ok": {
            "active": None,
            "epoch": "0",
            "committed_batch_id": "0",
            "coordinate": ZERO_COORDINATE,
            "dedup_count": 0,
            "log_length": "0",
            "slots": {"A": "slot-magic", "B": "slot-magic"},
        }
    }
    assert answer("lmdl.hash", {"data": ""}) == {"ok": {"hash": "3244421341483603138"}}


def test_a_commit_answer_can_be_recovered_from_and_its_slot_decoded() -> None:
    request = {"meta": b64(bytes(128)), "log_length": "0", "batch_id": "3", "coordinate": ZERO_COORDINATE}
    committed = answer("lmdl.commit", request | {"hashes": ["1", "2"]})["ok"]
    assert isinstance(committed, dict)
    assert committed | {"meta": None} == {
        "meta": None,
        "log_keep": "0",
        "log_append": b64(bytes.fromhex("0100000000000000 0200000000000000")),
        "slot": "A",
        "epoch": "1",
    }
    value = {"epoch": "1", "committed_batch_id": "3", "coordinate": ZERO_COORDINATE, "dedup_count": 2}
    assert answer("lmdl.recover", {"meta": committed["meta"], "log_length": "20"}) == {
        "ok": {"active": "A", **value, "log_length": "16", "slots": {"A": "valid", "B": "slot-magic"}}
    }
    slot = b64(base64.b64decode(committed["meta"])[:64])
    assert answer("lmdl.slot.decode", {"data": slot}) == {"ok": {"value": value, "data": slot}}
    assert answer("lmdl.slot.encode", {"value": value}) == {"ok": {"data": slot}}


@pytest.mark.parametrize("huge", ["-1", "18446744073709551616", "9" * 5000, "-" + "9" * 5000])
def test_integers_of_any_size_reach_the_rejection(huge: str) -> None:
    reject = answer("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"global_row_idx": huge}})["reject"]
    assert isinstance(reject, dict)
    assert (reject["reason"], reject["at"]) == ("field-out-of-range", "coordinate/global_row_idx")
    number = integer_from_token(huge)
    reject = answer("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"page_idx": number}})["reject"]
    assert isinstance(reject, dict)
    assert (reject["reason"], reject["at"]) == ("field-out-of-range", "coordinate/page_idx")


def test_flysess1_answers() -> None:
    encoded = answer("flysess1.encode", {"manifest": b64(b"[ ]"), "payloads": [{"name": "a", "data": b64(b"xyz")}]})
    ok = encoded["ok"]
    assert isinstance(ok, dict)
    assert answer("flysess1.payload", {"data": ok["data"], "name": "a"}) == {"ok": {"data": b64(b"xyz")}}
    for operation in ("flysess1.decode", "flysess1.layout"):
        reject = answer(operation, {"data": ok["data"]})["reject"]
        assert isinstance(reject, dict)
        assert reject["reason"] == "manifest-not-object"
        assert "at" not in reject


def test_bytes_may_come_from_a_file_or_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    expected = {"ok": {"hash": "3244421341483603138"}}
    assert answer("lmdl.hash", {"data": {"path": str(tmp_path / "data")}}) == expected
    assert answer("lmdl.hash", {"data": b""}) == expected


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("lmdl.nothing", {}),
        ("lmdl.hash", {}),
        ("lmdl.hash", {"data": None}),
        ("lmdl.hash", {"data": 1}),
        ("lmdl.hash", {"data": "YQ"}),
        ("lmdl.hash", {"data": "YQ="}),
        ("lmdl.hash", {"data": "YQ==YQ=="}),
        ("lmdl.hash", {"data": "YQ==\n"}),
        ("lmdl.hash", {"data": "Y Q="}),
        ("lmdl.hash", {"data": "-_-_"}),
        ("lmdl.hash", {"data": "é==="}),
        ("lmdl.hash", {"data": {"path": "relative"}}),
        ("lmdl.hash", {"data": {"path": "/no/such/file"}}),
        ("lmdl.hash", {"data": {"path": "/\x00"}}),
        ("lmdl.hash", {"data": {"path": "/dev/zero"}}),
        ("lmdl.hash", {"data": "YR=="}),
        ("lmdl.hash", {"data": "YWFh="}),
        ("lmdl.hash", {"data": "YWFh===="}),
        ("lmdl.hash", {"data": {}}),
        ("lmdl.coordinate.encode", {"value": []}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"shard_id": "0"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"shard_id": True}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"shard_id": 0.0}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": 0}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": "00"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": "-0"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": "+1"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": " 1"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": "1\n"}}),
        ("lmdl.coordinate.encode", {"value": ZERO_COORDINATE | {"byte_offset": "\u0661"}}),
        ("lmdl.recover", {"log_length": "0"}),
        ("lmdl.recover", {"meta": None, "log_length": "-1"}),
        ("lmdl.recover", {"meta": None, "log_length": "18446744073709551616"}),
        ("flysess1.encode", {"manifest": "", "payloads": {}}),
        ("flysess1.encode", {"manifest": "", "payloads": [{"name": 1, "data": ""}]}),
        ("flysess1.payload", {"data": ""}),
    ],
)
def test_malformed_requests(operation: str, request_: dict[str, object]) -> None:
    with pytest.raises(MalformedRequest):
        answer(operation, request_)


def test_a_malformed_request_is_told_where_and_what() -> None:
    value = ZERO_COORDINATE | {"byte_offset": 7}
    with pytest.raises(MalformedRequest, match=r"^input/value/byte_offset: found 7, expected an integer as a decimal"):
        answer("lmdl.coordinate.encode", {"value": value})


@pytest.mark.parametrize(("text", "value"), [("0.0", 0.0), ("1e-05", 1e-5), ("-1.5e+300", -1.5e300), ("5", 5.0)])
def test_floats(text: str, value: float) -> None:
    assert Node(text).as_binary64() == value


def test_special_floats() -> None:
    assert math.copysign(1, Node("-0.0").as_binary64()) == -1
    assert math.isnan(Node("NaN").as_binary64())
    assert Node("-Infinity").as_binary64() == -math.inf


@pytest.mark.parametrize("text", ["", "nan", "inf", "Infinity ", "+1.0", "1.", ".5", "01.0", "1e400", "0x1p0", "1_0"])
def test_texts_that_are_no_float(text: str) -> None:
    with pytest.raises(MalformedRequest):
        Node(text).as_binary64()


def test_json_text_may_be_of_any_depth() -> None:
    assert Node("[" * 1000 + "]" * 1000).as_json() is not None
    for text in ("", "[", '{"a":1,"a":2}', "1e400", '"\ud800"'):
        with pytest.raises(MalformedRequest):
            Node(text).as_json()
