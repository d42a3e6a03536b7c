"""``adapter.toml``, handshakes, and that page, schema and code describe one protocol."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from harness import wire
from harness.adapter_file import AdapterFileError, load_adapter
from harness.model import Limits, Outcome

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SCHEMA: dict[str, Any] = json.loads((ROOT / "harness" / "protocol.schema.json").read_text(encoding="utf-8"))
EXCHANGE = re.findall(r"^([<>]) (\{.*)$", PAGE, re.MULTILINE)
GREETING: dict[str, Any] = {
    "protocol": 1,
    "implementation": {"name": "n", "version": "v", "language": "l", "runtime": "r"},
    "operations": ["lmdl.hash"],
}


OPERATIONS: dict[str, Any] = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8"))
    for path in ROOT.glob("conformance/formats/*/operations.schema.json")
}
REGISTRY: Registry[Any] = Registry().with_resources(
    [
        ("protocol.schema.json", Resource.from_contents(SCHEMA)),
        *((name, Resource.from_contents(schema)) for name, schema in OPERATIONS.items()),
    ]
)


def schema_of(kind: str, operation: str) -> Draft202012Validator:
    """What an operation is asked (``input``) or answers (``ok``)."""
    reference = f"{operation.partition('.')[0]}#/$defs/{kind}:{operation}"
    return Draft202012Validator({"$ref": reference}, registry=REGISTRY)


@pytest.mark.parametrize("schema", [SCHEMA, *OPERATIONS.values()], ids=["protocol", *OPERATIONS])
def test_the_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_the_exchange_on_the_page_obeys_the_schema() -> None:
    assert len(EXCHANGE) > 10
    operations: dict[str, str] = {}
    for side, text in EXCHANGE:
        line = json.loads(text)
        malformed = line.get("id") == "7" and side == ">"
        fits = Draft202012Validator(SCHEMA).is_valid(line)
        if side == ">" and "op" in line:
            operations[line["id"]] = line["op"]
            known = f"input:{line['op']}" in OPERATIONS[line["op"].partition(".")[0]]["$defs"]
            fits = fits and known and schema_of("input", line["op"]).is_valid(line["input"])
        assert fits != malformed, text
        if "ok" in line:
            schema_of("ok", operations[line["id"]]).validate(line["ok"])


def test_the_exchange_on_the_page_is_what_the_harness_writes_and_reads() -> None:
    written = {wire.start_line(), wire.stop_line()}
    for side, text in EXCHANGE:
        line = json.loads(text)
        if side == ">" and line["cmd"] == "run":
            written.add(wire.run_line(line["id"], line["op"], line["input"]))
        elif side == "<" and "id" in line:
            found = wire.parse_answer(text.encode(), line["id"]).outcome
            assert found is {"ok": Outcome.ACCEPTED, "reject": Outcome.REJECTED, "error": Outcome.BROKEN}[list(line)[1]]
        elif side == "<":
            assert wire.parse_handshake(text.encode()).name == "my-formats"
    assert written == {text.encode() + b"\n" for side, text in EXCHANGE if side == ">"}


def test_the_bytes_on_the_page_are_those_of_the_first_line() -> None:
    assert wire.start_line().hex(" ") in PAGE


def test_page_and_schema_have_the_same_operations() -> None:
    on_page = set(re.findall(r"^\| `([a-z0-9]+\.[a-z_.]+)` \|", PAGE, re.MULTILINE))
    described = {name for schema in OPERATIONS.values() for name in schema["$defs"] if ":" in name}
    assert {f"{kind}:{name}" for name in on_page for kind in ("input", "ok")} == described


def test_the_limits_on_the_page_are_the_harness_s() -> None:
    limits = Limits()
    for text in (
        f"within {limits.deadline:g} seconds",
        f"comes within {limits.start_deadline:g} seconds",
        f"After {limits.restarts} restarts",
        f"last {limits.stderr_tail} bytes",
    ):
        assert text in PAGE
    assert limits.answer_bytes == 67_108_864
    assert (limits.stop_grace, limits.hangs) == (5, 10)


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": "1"},
        {"protocol": 1.0},
        {"implementation": None},
        {"implementation": {"name": "n"}},
        {"implementation": {**GREETING["implementation"], "more": ""}},
        {"implementation": {**GREETING["implementation"], "version": 1}},
        {"operations": "lmdl.hash"},
        {"operations": [1]},
        {"locations": None},
        {"locations": 0},
        {"more": 1},
    ],
)
def test_a_wrong_handshake_is_a_broken_line(change: dict[str, object]) -> None:
    with pytest.raises(wire.BrokenLine):
        wire.parse_handshake(json.dumps(GREETING | change).encode())


def test_a_handshake_may_renounce_locations() -> None:
    assert wire.parse_handshake(json.dumps(GREETING).encode()).locations
    assert not wire.parse_handshake(json.dumps(GREETING | {"locations": False}).encode()).locations


def test_requests_are_utf8_with_no_line_end_inside() -> None:
    line = wire.run_line("1", "x", {"a": "ü\u2028\n"})
    assert line == b'{"cmd":"run","id":"1","op":"x","input":{"a":"' + "ü\u2028".encode() + b'\\n"}}\n'


def write(folder: Path, text: str) -> Path:
    (folder / "adapter.toml").write_text(text, encoding="utf-8")
    return folder


GOOD = 'name = "go"\nlanguage = "Go"\ncommand = ["./run", "-x"]\n'


def test_an_adapter_file_is_read_from_its_folder_or_itself(tmp_path: Path) -> None:
    spec = load_adapter(write(tmp_path, GOOD + 'build = "go build"\n'))
    assert (spec.name, spec.language, spec.command, spec.build) == ("go", "Go", ("./run", "-x"), "go build")
    assert spec.directory == tmp_path.resolve()
    assert load_adapter(tmp_path / "adapter.toml") == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not TOML"),
        (GOOD.replace('"go"', '"a b"'), "name is 'a b'"),
        (GOOD.replace('"Go"', "3"), "language is 3; write a string"),
        (GOOD.replace('language = "Go"\n', ""), "language is missing"),
        (GOOD.replace('["./run", "-x"]', '"./run -x"'), "command is './run -x'; write a list"),
        (GOOD.replace('["./run", "-x"]', "[]"), "command is \\[\\]"),
        (GOOD.replace('"-x"', "1"), "every element is a string"),
        (GOOD + 'env = "x"\n', "unknown member 'env'"),
        (f"name = {'9' * 5000}\n", "not TOML"),
        (f"command = {'[' * 5000}\n", "not TOML"),
        (GOOD + "#" * (1024 * 1024), "larger than 1048576 bytes"),
    ],
)
def test_a_wrong_adapter_file_is_refused_with_what_to_do(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(AdapterFileError, match=message) as caught:
        load_adapter(write(tmp_path, text))
    assert str(tmp_path / "adapter.toml") in str(caught.value)


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "adapter.toml").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo"):
        with pytest.raises(AdapterFileError, match="no regular file"):
            load_adapter(path)


def test_a_missing_adapter_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AdapterFileError, match="no such file; give the folder of an adapter"):
        load_adapter(tmp_path)
    (tmp_path / "adapter.toml").write_bytes(b"\xff")
    with pytest.raises(AdapterFileError, match="not UTF-8 at byte 0"):
        load_adapter(tmp_path)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b'{"a":"\\u0000"}', '\'{"a":"\\\\u0000"}\''),
        ("é\x00".encode(), r"'\xe9\x00'"),
        (b"\xff\x00\\'", 'b"\\xff\\x00\\\\\'"'),
        (("x" * 99 + "é").encode(), f"'{'x' * 99}' … (101 bytes)"),
        (b"x" * 99 + b"\xc3", f"b'{'x' * 99}\\xc3'"),
        (b"x" * 99 + b"\xff" * 2, f"b'{'x' * 99}\\xff' … (101 bytes)"),
    ],
    ids=["escape", "text", "bytes", "cut-in-a-character", "ends-in-a-character", "cut-bytes"],
)
def test_a_line_is_shown_as_text_or_else_as_bytes_and_never_escaped_twice(line: bytes, shown: str) -> None:
    assert wire.excerpt(line) == shown


def test_operations_listed_more_than_once_are_kept() -> None:
    twice = wire.parse_handshake(json.dumps(GREETING | {"operations": ["lmdl.hash", "a.b", "lmdl.hash"]}).encode())
    assert twice.repeated == frozenset({"lmdl.hash"})
    assert twice.operations == {"lmdl.hash", "a.b"}
    assert wire.parse_handshake(json.dumps(GREETING).encode()).repeated is None
