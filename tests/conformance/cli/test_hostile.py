"""The command in hostile surroundings: files, terminals, signals and full disks. It ends, and without a traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.formats.json.layout import MOST_TOKENS, json_fields
from conformance.paths import ADAPTERS
from reports.write import require_writable

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-c", "from conformance.cli import main; main()"]
ONE_CASE = ("run", "--adapter", "python", "-k", "lmdl/hash")


def conformance(*arguments: str | bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command; a test that fails by its time-out has found a hang."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    return done


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
        b'{"%s":[' % (b"k" * 1_000_000) + b"1," * 100_000,
        b'"' + b'\\"' * 1_000_000,
        b"[" + b"1," * 1_000_000,
    ],
    ids=["arrays", "objects", "long-name", "quotes", "elements"],
)
def test_a_hostile_text_is_cut_into_few_fields_that_cover_it(text: bytes) -> None:
    fields = json_fields(text)
    assert len(fields) <= MOST_TOKENS + 1
    assert all(len(one.name) < 2_000 for one in fields)
    assert fields[0].offset == 0
    assert max(one.end for one in fields) >= len(text) - 1


def test_pointers_of_ordinary_depth_are_whole() -> None:
    fields = json_fields(b'{"a~/b":[0,{"c":[[7]]}],"":null}', prefix="manifest")
    by_value = {one.value: one.name for one in fields}
    assert by_value["7"] == "manifest/a~0~1b/1/c/0/0"
    assert by_value["null"] == "manifest/"


def test_a_megabyte_of_brackets_is_inspected(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_bytes(b"[" * 1_000_000)
    done = conformance("inspect", "--adapter", "python", str(file))
    assert done.returncode == 1
    assert b"rejected as metadata-not-json" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_the_terminal_cannot_show_is_escaped(tmp_path: Path, encoding: str) -> None:
    file = os.fsencode(tmp_path) + b"/\xff\x1b[31m.json"
    Path(os.fsdecode(file)).write_bytes(b'{"\\ud800":"\\u2028", "\x1b[2J\xe2\x82\xac":1}')
    done = conformance("inspect", "--adapter", "python", file, PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert b"\x1b" not in done.stdout
    assert b"\\ud800" in done.stdout
    assert conformance(*ONE_CASE, PYTHONIOENCODING=encoding).returncode == 0


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    name = str(tmp_path / ("n" * 300))
    for arguments in (("inspect", name), ("run", "--adapter", name), (*ONE_CASE, "--json", name)):
        done = conformance(*arguments)
        assert done.returncode == 2
        assert b"File name too long" in done.stderr


def test_a_loop_of_links_is_no_place_for_a_report(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    done = conformance(*ONE_CASE, "--json", str(tmp_path / "loop"))
    assert done.returncode == 2
    assert b"cannot be written" in done.stderr


def test_a_directory_is_no_slot(tmp_path: Path) -> None:
    done = conformance("inspect", "--adapter", "python", "--as", "slot", str(tmp_path))
    assert done.returncode == 2
    assert b"is a directory" in done.stderr


@pytest.mark.parametrize("arguments", [("list",), ONE_CASE], ids=["list", "run"])
def test_a_full_stdout_is_told(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == b"conformance: stdout cannot be written to: No space left on device"
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("list",), ("explain", "slot-crc"), ONE_CASE], ids=["list", "explain", "run"])
def test_a_reader_that_has_seen_enough_is_no_error(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert done.returncode == 128 + signal.SIGPIPE
    told = done.stderr.decode()
    assert "Traceback" not in told
    assert "Broken pipe" not in told
    assert "Exception ignored" not in told


@pytest.mark.parametrize("arguments", [("list",), ONE_CASE], ids=["list", "run"])
def test_a_closed_stdout_is_told(arguments: tuple[str, ...]) -> None:
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *arguments]
    done = subprocess.run(closed, cwd=ROOT, stderr=subprocess.PIPE, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.startswith(b"conformance: stdout is closed")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", ["run", "crash"])
@pytest.mark.parametrize("option", ["--json", "--reports"])
def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path: Path, command: str, option: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    done = conformance(command, "--adapter", "python", option, str(tmp_path / "file" / "new" / "x"))
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"cannot be written" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_the_look_at_a_place_for_reports_leaves_nothing_there(tmp_path: Path) -> None:
    require_writable(tmp_path / "new" / "deep" / "results.json", tmp_path / "results.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["directory", "FIFO"])
def test_a_log_that_is_no_regular_file_is_called_what_it_is(tmp_path: Path, kind: str) -> None:
    meta, log = tmp_path / "a.meta", tmp_path / "a.meta.dedup"
    meta.write_bytes(bytes(128))
    if kind == "FIFO":
        os.mkfifo(log)
    else:
        log.mkdir()
    done = conformance("inspect", "--adapter", "python", str(meta))
    (note,) = [line for line in done.stdout.decode().splitlines() if line.startswith("note: ")]
    assert kind in note
    assert "lmdl.open would answer commit-io at read-log" in note
    assert "there is no" not in note


@pytest.fixture
def sleeper(tmp_path: Path) -> Path:
    """An adapter that takes a question, tells its process id and the judging one's, and sleeps."""
    folder = tmp_path / "sleeper"
    folder.mkdir()
    (folder / "adapter.toml").write_text('name = "sleeper"\nlanguage = "Python"\ncommand = ["python", "sleeper.py"]\n')
    source = (ADAPTERS / "python" / "adapter.py").read_text()
    assert source.count("parents[2]") == 1
    source = source.replace("Path(__file__).resolve().parents[2]", f"Path({str(ROOT)!r})")
    assert source.count("def _run(") == 1
    asleep = 'Path("pids").write_text(f"{os.getpid()} {os.getppid()}"); import time; time.sleep(3600)'
    lines = source.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("def _run(")) + 1
    (folder / "sleeper.py").write_text("\n".join([*lines[:at], f"    {asleep}", *lines[at:]]) + "\n")
    return folder


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (command, what)
        for command in ("run", "inspect", "replay", "crash")
        for what in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
    ],
)
def test_no_process_and_no_file_outlives_a_signal(
    tmp_path: Path, sleeper: Path, command: str, what: signal.Signals
) -> None:
    temporary, reports, slot = tmp_path / "t", tmp_path / "reports", tmp_path / "slot"
    temporary.mkdir()
    slot.write_bytes(bytes(64))
    rest = {
        "run": ["-k", "lmdl/slot*", "--reports", str(reports)],
        "inspect": ["--as", "slot", str(slot)],
        "replay": ["lmdl/slot/encode-max"],
        "crash": ["--format", "lmdl", "--reports", str(reports)],
    }[command]
    process = _begun(temporary, command, "--adapter", str(sleeper), *rest)
    pids = [int(pid) for pid in _content(sleeper / "pids").split()]
    process.send_signal(what)
    _, told = process.communicate(timeout=30)
    assert b"Traceback" not in told
    assert process.returncode == (-signal.SIGKILL if what is signal.SIGKILL else 2)
    assert [pid for pid in pids if not _is_gone(pid)] == []
    assert not reports.exists()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("what", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["run", "crash"])
def test_a_signal_to_the_whole_group_is_told_in_one_line(
    tmp_path: Path, sleeper: Path, command: str, what: signal.Signals
) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    process = _begun(temporary, command, "--adapter", str(sleeper), "--format", "lmdl")
    pids = [int(pid) for pid in _content(sleeper / "pids").split()]
    # As `timeout` does: the program, and then its group, in which the program is once more.
    process.send_signal(what)
    os.killpg(process.pid, what)
    _, told = process.communicate(timeout=60)
    assert told == b"conformance: interrupted\n"
    assert process.returncode == 2
    assert [pid for pid in pids if not _is_gone(pid)] == []
    assert list(temporary.iterdir()) == []


def _begun(temporary: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start the command as the leader of a group; what it leaves for a while it leaves in ``temporary``."""
    # Whoever runs this test may ignore SIGINT, as a shell's background job does, and hand that down.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    return subprocess.Popen(
        [*COMMAND[:-1], heed + COMMAND[-1], *arguments],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        process_group=0,
    )


def _content(file: Path) -> str:
    for _ in range(3000):
        with contextlib.suppress(OSError):
            text = file.read_text()
            if text:
                return text
        time.sleep(0.01)
    raise AssertionError(f"{file} never appeared")


def _is_gone(pid: int) -> bool:
    for _ in range(1000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False
