"""The Python adapter as a process: the lines of protocol 1, well-formed and not."""

import json
import subprocess
import sys
from pathlib import Path

ADAPTER = Path(__file__).parents[2] / "adapters" / "python"
START = '{"cmd":"start","protocol":1}'


def converse(*lines: str | bytes) -> tuple[list[dict[str, object]], int, str]:
    """Send all lines at once; return the answers, the exit status and stderr."""
    sent = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "adapter.py"], cwd=ADAPTER, input=sent, capture_output=True, check=False, timeout=60
    )
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr.decode()


def run(identity: str, operation: str, **members: object) -> str:
    return json.dumps({"cmd": "run", "id": identity, "op": operation, "input": members})


def test_handshake_and_stop() -> None:
    (handshake,), status, stderr = converse(START, '{"cmd":"stop"}', run("1", "lmdl.hash", data=""))
    assert set(handshake) == {"protocol", "implementation", "operations"}
    assert handshake["protocol"] == 1
    implementation = handshake["implementation"]
    assert isinstance(implementation, dict)
    assert set(implementation) == {"name", "version", "language", "runtime"}
    operations = handshake["operations"]
    assert isinstance(operations, list)
    assert "flysess1.decode" in operations
    assert {"lmdl.open", "lmdl.commit_file", "flysess1.commit"} <= set(operations)
    assert (status, stderr) == (0, "")


def test_the_end_of_input_ends_the_adapter() -> None:
    assert converse() == ([], 0, "")


def test_another_protocol_is_refused() -> None:
    for version in ("2", "0", '"1"', "null"):
        (answer,), status, _ = converse(f'{{"cmd":"start","protocol":{version}}}', START)
        assert set(answer) == {"error"}
        assert status != 0


def test_answers_come_in_order_with_their_ids() -> None:
    lines = [run(str(index), "lmdl.hash", data="") for index in range(500)]
    answers, status, _ = converse(START, *lines)
    assert [answer["id"] for answer in answers[1:]] == [str(index) for index in range(500)]
    assert all(answer["ok"] == {"hash": "3244421341483603138"} for answer in answers[1:])
    assert status == 0


def test_half_a_surrogate_pair_is_no_text_and_no_byte_of_a_path(tmp_path: Path) -> None:
    path = json.dumps(str(tmp_path / "s"))[:-1] + '\\udcff"'
    line = f'{{"cmd":"run","id":"1","op":"lmdl.commit_file","input":{{"path":{path},"batch_id":"1","hashes":[],'
    line += '"coordinate":{"shard_id":0,"byte_offset":"0","row_group_idx":0,"page_idx":0,"row_offset_in_page":0,'
    answers, status, _ = converse(START, line + '"global_row_idx":"0"}}}', run("2", "lmdl.hash", data=""))
    assert "error" in answers[1]
    assert answers[2]["ok"] == {"hash": "3244421341483603138"}
    assert list(tmp_path.iterdir()) == []
    assert status == 0


def test_accepted_rejected_and_malformed_are_kept_apart() -> None:
    answers, status, stderr = converse(
        START,
        run("a", "lmdl.hash", data=""),
        run("b", "lmdl.coordinate.decode", data=""),
        run("c", "lmdl.hash", data="?"),
        run("d", "lmdl.unheard-of"),
        '{"cmd":"run","id":"e","op":"lmdl.hash"}',
        '{"cmd":"run","id":"f","op":7,"input":{}}',
        '{"cmd":"dance","id":"g"}',
    )
    kinds = [(answer["id"], *sorted(set(answer) - {"id"})) for answer in answers[1:]]
    assert kinds == [
        ("a", "ok"),
        ("b", "reject"),
        ("c", "error"),
        ("d", "error"),
        ("e", "error"),
        ("f", "error"),
        ("g", "error"),
    ]
    assert (status, stderr) == (0, "")


def test_lines_that_are_no_request_do_not_stop_it() -> None:
    lines: list[str | bytes] = ["", "{", "[]", "null", b"\xff", "[" * 200_000, '{"cmd":"run"}']
    answers, status, stderr = converse(START, *lines, run("z", "lmdl.hash", data=""))
    assert [set(answer) for answer in answers[1:-1]] == [{"id", "error"}] * len(lines)
    assert answers[-1]["id"] == "z"
    assert "ok" in answers[-1]
    assert (status, stderr) == (0, "")


def test_only_line_feed_ends_a_line() -> None:
    identity = "a\u2028b\u2029c\x85d"
    line = json.dumps({"cmd": "run", "id": identity, "op": "lmdl.hash", "input": {"data": ""}}, ensure_ascii=False)
    answers, _, _ = converse(START, line)
    assert [answer.get("id") for answer in answers[1:]] == [identity]


def test_a_number_of_thousands_of_digits_is_out_of_range_and_not_an_error() -> None:
    value = (
        '{"shard_id":%s,"byte_offset":"0","row_group_idx":0,"page_idx":0,"row_offset_in_page":0,"global_row_idx":"0"}'
    )
    line = '{"cmd":"run","id":"1","op":"lmdl.coordinate.encode","input":{"value":%s}}'
    answers, _, _ = converse(START, line % (value % ("1" * 10_000)), line % (value % ("-" + "1" * 10_000)))
    for answer in answers[1:]:
        reject = answer["reject"]
        assert isinstance(reject, dict)
        assert (reject["reason"], reject["at"]) == ("field-out-of-range", "coordinate/shard_id")


def test_an_answer_comes_before_the_next_request_is_sent() -> None:
    with subprocess.Popen(
        [sys.executable, "adapter.py"], cwd=ADAPTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (START, run("1", "lmdl.hash", data=""), run("2", "lmdl.hash", data="")):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().endswith(b"\n")
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_reader_that_goes_away_leaves_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "adapter.py"],
        cwd=ADAPTER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, stderr = process.communicate(START.encode() + b"\n", timeout=60)
        assert (process.returncode, stderr) == (1, b"")
