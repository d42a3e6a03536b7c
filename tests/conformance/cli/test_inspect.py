"""What ``conformance inspect`` says of the bytes that are at fault, and of the adapters that it asks."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "vectors"
COMMAND = [sys.executable, "-c", "from conformance.cli import main; main()", "inspect"]


def inspect(*arguments: str | Path, adapter: str | Path = "python") -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "--adapter", str(adapter), *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def sealed(envelope: bytearray) -> bytes:
    """The envelope with the digest that its footer must hold."""
    envelope[-40:-8] = hashlib.sha256(envelope[:-48]).digest()
    return bytes(envelope)


def slot(epoch: int, batch: int, dedup_count: int) -> bytes:
    """A valid slot as the coordinate document lays it out in section 2, at coordinate zero."""
    body = b"LMDL" + struct.pack("<IQQ32xI", 1, epoch, batch, dedup_count)
    return body + struct.pack("<I", zlib.crc32(body))


def marked(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The names of the fields that are pointed at."""
    return [line.split()[3] for line in done.stdout.splitlines() if line.startswith("> ")]


@pytest.mark.parametrize("length", [1, 2])
def test_the_length_of_a_field_is_told_in_the_number_that_goes_with_it(tmp_path: Path, length: int) -> None:
    path = written(tmp_path / "long.bin", bytes(32 + length))
    done = inspect("--as", "coordinate", path)
    (told,) = [line for line in done.stdout.splitlines() if "(beyond the layout)" in line]
    assert told.split()[-2:] == [str(length), "byte" if length == 1 else "bytes"]


def test_padding_of_one_byte_is_told_in_the_singular(tmp_path: Path) -> None:
    data = (GOLDEN / "flysess1/golden/alignment.bin").read_bytes()
    done = inspect(written(tmp_path / "e.bin", data))
    told = [line.split() for line in done.stdout.splitlines() if " padding after " in line]
    ones = [words for words in told if words[1] == "1"]
    assert ones
    assert all(words[-2:] == ["1", "byte"] for words in ones)


def test_where_a_reader_stopped_in_a_manifest_is_told_as_a_byte_of_the_file(tmp_path: Path) -> None:
    data = bytearray((GOLDEN / "flysess1/golden/alignment.bin").read_bytes())
    data[32 + 10] = ord("}")  # the first of `null`, after `{"agents":`
    done = inspect(written(tmp_path / "e.bin", sealed(data)))
    assert "rejected as manifest-not-json" in done.stdout
    assert done.stdout.splitlines()[-1] == (
        "first bad byte: at or before byte 42 (0x2a) in manifest, where the reader stopped; "
        "it is byte 10 of the manifest, as readers' details count"
    )


def test_where_a_reader_stopped_in_a_file_of_json_needs_no_other_count(tmp_path: Path) -> None:
    done = inspect(written(tmp_path / "metadata.json", b'{"a":}'))
    assert done.stdout.splitlines()[-1] == "first bad byte: at or before byte 5 (0x5) in /, where the reader stopped"


ANSWERS_HASHES_ALONE = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["cmd"] == "start":
        who = {"name": "mine", "version": "1", "language": "Python", "runtime": "any"}
        print(json.dumps({"protocol": 1, "implementation": who, "operations": ["lmdl.hash"]}), flush=True)
    else:
        break
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """An adapter by path that lists `lmdl.hash` and nothing else."""
    adapter = tmp_path / "mine"
    adapter.mkdir()
    (adapter / "adapter.py").write_text(ANSWERS_HASHES_ALONE)
    (adapter / "adapter.toml").write_text('name = "mine"\nlanguage = "Python"\ncommand = ["python", "adapter.py"]\n')
    return adapter


@pytest.mark.parametrize(("flip", "status", "verdict"), [(0, 0, "accepted"), (1, 1, "rejected as slot-crc")])
def test_an_adapter_that_does_not_list_the_operation_is_not_compared(
    tmp_path: Path, mine: Path, flip: int, status: int, verdict: str
) -> None:
    data = bytearray(slot(1, 7, 0))
    data[20] ^= flip
    done = inspect(written(tmp_path / "s.bin", bytes(data)), "--as", "slot", "--adapter", mine)
    assert done.returncode == status
    assert f"  python      {verdict}" in done.stdout
    assert "  mine was not asked: it does not list lmdl.slot.decode\n" in done.stdout
    assert "only python was asked\n" in done.stdout
    assert "DISAGREE" not in done.stdout


def test_inspect_cannot_run_when_no_adapter_lists_the_operation(tmp_path: Path, mine: Path) -> None:
    done = inspect(written(tmp_path / "s.bin", slot(1, 7, 0)), "--as", "slot", adapter=mine)
    assert (done.returncode, done.stdout) == (2, "")
    assert "mine was not asked: it does not list lmdl.slot.decode; give one that does with --adapter" in done.stderr


def test_the_size_of_a_file_of_one_byte_is_told_in_the_singular(tmp_path: Path) -> None:
    done = inspect(written(tmp_path / "s.bin", b"L"), "--as", "slot")
    assert done.stdout.splitlines()[0].endswith(": slot, 1 byte")
    assert done.stdout.splitlines()[-1].endswith(": the input has 1 byte")


def meta(tmp_path: Path, data: bytes, log: int | None) -> Path:
    if log is not None:
        (tmp_path / "s.meta.dedup").write_bytes(bytes(log))
    return written(tmp_path / "s.meta", data)


def changed(data: bytes, at: int, value: int) -> bytes:
    assert data[at] != value
    return data[:at] + bytes([value]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("field", "change", "words"),
    [
        ("crc32", (20, 0xFF), "slot-crc (does not agree with bytes {start} to {last})"),
        ("magic", (1, 0x00), "slot-magic (byte {at} ({at:#x}) in slot/{slot}/magic: found 00, expected 4d)"),
        ("version", (4, 0x02), "slot-version (byte {at} ({at:#x}) in slot/{slot}/version: found 02, expected 01)"),
    ],
)
@pytest.mark.parametrize("damaged", ["A", "B"])
def test_recovery_beside_a_damaged_slot_is_accepted_and_told(
    tmp_path: Path, field: str, change: tuple[int, int], words: str, damaged: str
) -> None:
    older, newer = slot(2, 20, 3), changed(slot(3, 30, 5), *change)
    start, data = (0, newer + older) if damaged == "A" else (64, older + newer)
    done = inspect(meta(tmp_path, data, 40))
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert f"recovered: slot {'B' if damaged == 'A' else 'A'}, epoch 2, batch 20; log cut to 24 bytes" in lines
    told = words.format(start=start, last=start + 59, at=start + change[0], slot=damaged)
    assert f"slot {damaged}: {told}" in lines
    assert marked(done) == [f"slot/{damaged}/{field}"]
    assert "first bad byte" not in done.stdout


def test_a_meta_file_in_order_points_at_nothing(tmp_path: Path) -> None:
    done = inspect(meta(tmp_path, slot(1, 10, 1) + slot(2, 20, 3), 24))
    assert "recovered: slot B, epoch 2, batch 20; log stays at 24 bytes\n" in done.stdout
    assert (done.returncode, marked(done)) == (0, [])
    assert "slot A:" not in done.stdout


def test_a_slot_that_was_never_written_is_no_damage(tmp_path: Path) -> None:
    done = inspect(meta(tmp_path, bytes(64) + slot(1, 10, 0), 0))
    assert "recovered: slot B, epoch 1, batch 10; log stays at 0 bytes\n" in done.stdout
    assert "slot A: slot-magic (never written: its 64 bytes are all zero)\n" in done.stdout
    assert marked(done) == []


@pytest.mark.parametrize(("log", "told"), [(0, "stays at 0"), (16, "cut to 0")])
def test_a_meta_file_of_zeros_is_fresh(tmp_path: Path, log: int, told: str) -> None:
    done = inspect(meta(tmp_path, bytes(128), log))
    assert f"fresh: no slot is active; log {told} bytes\n" in done.stdout
    assert (done.returncode, marked(done)) == (0, [])
    assert "slot A:" not in done.stdout


@pytest.mark.parametrize("active", ["A", "B"])
def test_a_log_that_is_too_short_is_no_fault_of_the_meta_file(tmp_path: Path, active: str) -> None:
    older, newer = slot(2, 20, 3), slot(3, 30, 5)
    data = newer + older if active == "A" else older + newer
    done = inspect(meta(tmp_path, data, None))
    fault = f"no byte of this file is at fault: slot {active} commits 40 bytes of log, the log has "
    assert done.stdout.splitlines()[-1] == f"{fault}0; give its length with `--log-length`"
    assert (done.returncode, marked(done)) == (1, [])
    assert "recovered" not in done.stdout
    assert inspect("--log-length", "24", tmp_path / "s.meta").stdout.splitlines()[-1] == f"{fault}24"


def test_a_damaged_slot_is_told_also_where_the_log_is_too_short_for_the_other(tmp_path: Path) -> None:
    done = inspect(meta(tmp_path, changed(slot(3, 30, 5), 20, 0xFF) + slot(2, 20, 3), 16))
    assert "slot A: slot-crc (does not agree with bytes 0 to 59)\n" in done.stdout
    assert marked(done) == ["slot/A/crc32"]
    assert done.stdout.splitlines()[-1].endswith(": slot B commits 24 bytes of log, the log has 16")


def test_the_help_says_what_exit_0_means_of_a_meta_file() -> None:
    assert "of a .meta file that it can be recovered" in " ".join(inspect("--help").stdout.split())


RECOVERS_ANOTHER_BATCH = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        who = {"name": "mine", "version": "1", "language": "Python", "runtime": "any"}
        print(json.dumps({"protocol": 1, "implementation": who, "operations": ["lmdl.recover"]}), flush=True)
    elif request["cmd"] == "run":
        found = {"active": "A", "epoch": "1", "committed_batch_id": "11", "log_length": "8"}
        print(json.dumps({"id": request["id"], "ok": found}), flush=True)
    else:
        break
"""


def test_what_each_adapter_recovers_is_told_where_they_disagree(tmp_path: Path, mine: Path) -> None:
    (mine / "adapter.py").write_text(RECOVERS_ANOTHER_BATCH)
    done = inspect(meta(tmp_path, slot(1, 10, 1) + slot(2, 20, 3), 24), "--adapter", mine)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "THE ADAPTERS DISAGREE" in lines
    assert "python: recovered: slot B, epoch 2, batch 20; log stays at 24 bytes" in lines
    assert "mine: recovered: slot A, epoch 1, batch 11; log cut to 8 bytes" in lines
