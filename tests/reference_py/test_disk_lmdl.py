"""`lmdl` on real files, whatever call fails or is the last. The expectations are in lmdl_scenes.py."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from reference_py.lmdl import Recovered, TooManyHashes, commit_file, open_meta, recover
from reference_py.operations import MalformedRequest, answer
from reference_py.rejection import Rejection
from tests.reference_py.lmdl_scenes import (
    COORDINATE,
    LOG,
    META,
    ONE,
    READ_LOG,
    READ_META,
    SCENES,
    SYNC_LOG,
    TEMPORARY,
    TWO,
    Scene,
    log_bytes,
    slot_bytes,
    write,
)
from tests.reference_py.system_calls import Killed, SystemCalls, is_told_as, tree

ROOM = 1000


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here cuts the power, so what a sync costs buys nothing; that and when it is asked for is what counts."""
    monkeypatch.setattr(os, "fsync", os.fstat)  # still fails on a number that is no open file


def commit_in(directory: Path, batch: int, *hashes: int) -> tuple[str, int]:
    change = commit_file(str(directory / META), batch, COORDINATE, hashes)
    return change.slot, change.epoch


def recovered(directory: Path) -> tuple[int, int, tuple[int, ...]]:
    """Epoch, batch and hashes, as a start finds them."""
    opened = open_meta(str(directory / META), ROOM)
    assert opened.state.value.dedup_count == len(opened.hashes)
    assert opened.state.log_length == 8 * len(opened.hashes)
    return opened.state.value.epoch, opened.state.value.committed_batch_id, opened.hashes


EVERY_SCENE = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
EVERY_CALL = pytest.mark.parametrize(
    ("scene", "index"),
    [pytest.param(scene, i, id=f"{name}-{i}") for name, scene in SCENES.items() for i in range(len(scene.calls))],
)


@EVERY_SCENE
def test_a_commit_makes_these_calls_in_this_order(tmp_path: Path, scene: Scene) -> None:
    scene.lay_out(tmp_path)
    with SystemCalls(tmp_path) as calls:
        commit_in(tmp_path, 9, *scene.hashes)
    assert calls.made == [call for call, _ in scene.calls]
    assert tree(tmp_path) == scene.after
    assert recovered(tmp_path) == scene.new


@EVERY_CALL
def test_a_failing_call_is_told_at_its_step(tmp_path: Path, scene: Scene, index: int) -> None:
    scene.lay_out(tmp_path)
    call, step = scene.calls[index]
    with SystemCalls(tmp_path, fail_at=index) as calls, pytest.raises(Rejection) as caught:
        commit_in(tmp_path, 9, *scene.hashes)
    assert (caught.value.reason, caught.value.at) == ("commit-io", step)
    assert is_told_as(errno.EIO, caught.value)
    assert calls.made[index] == call
    assert calls.open_files == {}
    names = [name for name, _ in scene.calls]
    # A call that failed had no effect here, so the deciding one leaves the old commit.
    decided = names.index(scene.decided_by) < index
    assert recovered(tmp_path) == (scene.new if decided else scene.old)
    assert not (tmp_path / TEMPORARY).exists()
    assert_the_next_commit_works(tmp_path)


@EVERY_CALL
@pytest.mark.parametrize("takes_effect", [False, True])
def test_a_kill_leaves_the_old_commit_or_the_new_one(
    tmp_path: Path, scene: Scene, index: int, takes_effect: bool
) -> None:
    scene.lay_out(tmp_path)
    with SystemCalls(tmp_path, kill_at=index, takes_effect=takes_effect), pytest.raises(Killed):
        commit_in(tmp_path, 9, *scene.hashes)
    decision = [name for name, _ in scene.calls].index(scene.decided_by)
    decided = decision < index or (decision == index and takes_effect)
    assert recovered(tmp_path) == (scene.new if decided else scene.old)
    assert_the_next_commit_works(tmp_path)


def assert_the_next_commit_works(directory: Path) -> None:
    epoch, _, hashes = recovered(directory)
    commit_in(directory, 10, 77)
    assert recovered(directory) == (epoch + 1, 10, (*hashes, 77))
    assert sorted(tree(directory)) == [META, LOG]


@EVERY_SCENE
@pytest.mark.parametrize("most_bytes", [1, 7])
def test_short_writes_and_reads_are_carried_on(tmp_path: Path, scene: Scene, most_bytes: int) -> None:
    scene.lay_out(tmp_path)
    with SystemCalls(tmp_path, most_bytes=most_bytes):
        commit_in(tmp_path, 9, *scene.hashes)
        assert recovered(tmp_path) == scene.new
    assert tree(tmp_path) == scene.after


@pytest.mark.parametrize("written", range(65))
def test_a_torn_slot_write_leaves_the_older_commit(tmp_path: Path, written: int) -> None:
    after = slot_bytes(3, 9, 3)
    write(tmp_path, after[:written] + ONE[written:] + TWO, log_bytes(1, 2, 3))
    new_stands = after[:written] + ONE[written:] == after
    assert recovered(tmp_path) == ((3, 9, (1, 2, 3)) if new_stands else (2, 6, (1, 2)))


def test_a_write_that_stops_midway_is_no_commit(tmp_path: Path) -> None:
    """ENOSPC after some bytes: both the log and the slot are torn, and neither counts."""
    scene = SCENES["later commit over a torn tail"]
    for call in (f"pwrite {LOG} 5@19", f"pwrite {META} 61@3"):
        directory = tmp_path / call.split(" ")[1]
        directory.mkdir()
        scene.lay_out(directory)
        with SystemCalls(directory, most_bytes=3, fail_on=call), pytest.raises(Rejection) as caught:
            commit_in(directory, 9, *scene.hashes)
        assert caught.value.at == ("append-log" if LOG in call else "write-slot")
        assert recovered(directory) == scene.old
        assert_the_next_commit_works(directory)


def test_a_write_of_no_bytes_is_a_failure_and_not_a_hang(tmp_path: Path) -> None:
    with SystemCalls(tmp_path, most_bytes=0), pytest.raises(Rejection) as caught:
        commit_in(tmp_path, 1, 1)
    assert (caught.value.reason, caught.value.at) == ("commit-io", "append-log")
    assert recovered(tmp_path) == (0, 0, ())


def test_a_chain_of_ten_commits(tmp_path: Path) -> None:
    hashes: tuple[int, ...] = ()
    for epoch in range(1, 11):
        new = tuple(range(epoch % 3))
        hashes += new
        assert commit_in(tmp_path, 100 + epoch, *new) == ("A" if epoch % 2 else "B", epoch)
        assert recovered(tmp_path) == (epoch, 100 + epoch, hashes)
    assert tree(tmp_path) == {
        META: slot_bytes(9, 109, 9) + slot_bytes(10, 110, 10),
        LOG: log_bytes(0, 0, 1, 0, 0, 1, 0, 0, 1, 0),
    }


def test_a_commit_without_hashes_creates_no_log(tmp_path: Path) -> None:
    for batch in (1, 2, 3):
        commit_in(tmp_path, batch)
    assert tree(tmp_path) == {META: slot_bytes(3, 3, 0) + slot_bytes(2, 2, 0)}


@pytest.mark.parametrize("meta", [None, b"", bytes(128)])
@pytest.mark.parametrize("log", [None, b"", b"12345678stray"])
def test_opening_a_fresh_stream_creates_nothing(tmp_path: Path, meta: bytes | None, log: bytes | None) -> None:
    write(tmp_path, meta, log)
    (tmp_path / TEMPORARY).write_bytes(slot_bytes(1, 1, 0) + bytes(64))
    before = tree(tmp_path)
    assert recovered(tmp_path) == (0, 0, ())
    assert tree(tmp_path) == before | ({LOG: b""} if log is not None else {})


OPENED = (
    *READ_META,
    *READ_LOG,
    (f"open {LOG}", "read-log"),
    (f"fstat {LOG}", "read-log"),
    (f"pread {LOG} 16@0", "read-log"),
    (f"close {LOG}", "read-log"),
)
CUT = (
    (f"open {LOG}", "cut-log"),
    (f"fstat {LOG}", "cut-log"),
    (f"ftruncate {LOG} 16", "cut-log"),
    *SYNC_LOG,
)


@pytest.mark.parametrize(("tail", "expected"), [(b"", OPENED), (b"t", OPENED + CUT), (bytes(8), OPENED + CUT)])
def test_opening_reads_the_committed_hashes_and_cuts_the_rest(
    tmp_path: Path, tail: bytes, expected: tuple[tuple[str, str], ...]
) -> None:
    write(tmp_path, ONE + TWO, log_bytes(1, 2) + tail)
    with SystemCalls(tmp_path) as calls:
        assert recovered(tmp_path) == (2, 6, (1, 2))
    assert calls.made == [call for call, _ in expected]
    assert tree(tmp_path) == {META: ONE + TWO, LOG: log_bytes(1, 2)}


@pytest.mark.parametrize("index", range(len(OPENED + CUT)))
def test_an_opening_that_fails_is_told_at_its_step(tmp_path: Path, index: int) -> None:
    write(tmp_path, ONE + TWO, log_bytes(1, 2) + b"tail")
    with SystemCalls(tmp_path, fail_at=index) as calls, pytest.raises(Rejection) as caught:
        recovered(tmp_path)
    assert (caught.value.reason, caught.value.at) == ("commit-io", (OPENED + CUT)[index][1])
    assert calls.open_files == {}
    assert recovered(tmp_path) == (2, 6, (1, 2))


@pytest.mark.parametrize(
    ("meta", "log", "expected"),
    [
        (bytes(127), None, ("meta-size", None)),
        (bytes(129), None, ("meta-size", None)),
        (bytes(127) + b"x", None, ("meta-no-valid-slot", None)),
        (TWO + slot_bytes(1, 1, 0, version=2), log_bytes(1, 2, 3), ("meta-version", "slot/B")),
        (ONE + TWO, log_bytes(1, 2)[:15], ("dedup-short", None)),
        (ONE + TWO, None, ("dedup-short", None)),
        (ONE + TWO[:4] + bytes(60), b"", ("dedup-short", None)),
    ],
)
def test_what_recovery_refuses_is_left_as_it_is(
    tmp_path: Path, meta: bytes, log: bytes | None, expected: tuple[str, str | None]
) -> None:
    write(tmp_path, meta, log)
    before = tree(tmp_path)
    assert refusals(tmp_path) == [expected, expected]
    assert tree(tmp_path) == before


def refusals(directory: Path) -> list[tuple[str, str | None]]:
    """How opening and then committing refuse."""
    found = []
    for use in (lambda: recovered(directory), lambda: commit_in(directory, 9, 3)):
        with pytest.raises(Rejection) as caught:
            use()
        found.append((caught.value.reason, caught.value.at))
    return found


@pytest.mark.parametrize(
    ("meta", "batch", "hashes", "expected"),
    [
        (slot_bytes(2**64 - 1, 1, 0) + bytes(64), 2**64, (), ("epoch-exhausted", None)),
        (bytes(64) + ONE, 2**64, (), ("dedup-short", None)),
        (bytes(64) + slot_bytes(1, 1, 0), 2**64, (), ("commit-would-overwrite-active", "slot/B")),
        (None, 2**64, (-1,), ("field-out-of-range", "batch_id")),
        (None, 1, (1, 2**64), ("field-out-of-range", "hashes/1")),
    ],
)
def test_what_a_commit_refuses_is_left_as_it_is(
    tmp_path: Path, meta: bytes | None, batch: int, hashes: tuple[int, ...], expected: tuple[str, str | None]
) -> None:
    write(tmp_path, meta, None)
    before = tree(tmp_path)
    with pytest.raises(Rejection) as caught:
        commit_in(tmp_path, batch, *hashes)
    assert (caught.value.reason, caught.value.at) == expected
    assert tree(tmp_path) == before


@pytest.mark.parametrize("kind", ["link", "dangling link", "directory", "fifo"])
@pytest.mark.parametrize(("name", "step"), [(META, "read-meta"), (LOG, "read-log")])
def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path, name: str, step: str, kind: str) -> None:
    write(tmp_path, None if name == META else ONE + TWO, None if name == LOG else log_bytes(1, 2))
    (tmp_path / "elsewhere").write_bytes(ONE + TWO)
    make(tmp_path / name, kind)
    before = tree(tmp_path)
    assert refusals(tmp_path) == [("commit-io", step), ("commit-io", step)]
    assert tree(tmp_path) == before


def make(path: Path, kind: str) -> None:
    if kind.endswith("link"):
        path.symlink_to("elsewhere" if kind == "link" else "nowhere")
    elif kind == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)


def test_both_files_are_looked_at_before_recovery_judges(tmp_path: Path) -> None:
    write(tmp_path, bytes(127), None)
    make(tmp_path / LOG, "fifo")
    assert refusals(tmp_path) == [("commit-io", "read-log"), ("commit-io", "read-log")]


@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "fifo"])
def test_a_leftover_temporary_is_unlinked_and_never_followed(tmp_path: Path, kind: str) -> None:
    (tmp_path / "elsewhere").write_bytes(b"kept")
    if kind == "file":
        (tmp_path / TEMPORARY).write_bytes(bytes(500))
    else:
        make(tmp_path / TEMPORARY, kind)
    commit_in(tmp_path, 9)
    assert tree(tmp_path) == {META: slot_bytes(1, 9, 0) + bytes(64), "elsewhere": b"kept"}


def test_a_file_that_takes_the_temporary_name_meanwhile_is_not_written_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").write_bytes(b"kept")
    (tmp_path / TEMPORARY).hardlink_to(tmp_path / "elsewhere")
    with monkeypatch.context() as patches:
        patches.setattr(os, "unlink", lambda _: None)  # as if the name came back at once
        with pytest.raises(Rejection) as caught:
            commit_in(tmp_path, 9)
    assert (caught.value.reason, caught.value.at) == ("commit-io", "write-meta")
    assert tree(tmp_path) == {"elsewhere": b"kept", TEMPORARY: b"kept"}


def test_a_directory_under_the_temporary_name_is_anothers(tmp_path: Path) -> None:
    (tmp_path / TEMPORARY).mkdir()
    with pytest.raises(Rejection) as caught:
        commit_in(tmp_path, 9)
    assert (caught.value.reason, caught.value.at) == ("commit-io", "write-meta")
    assert tree(tmp_path) == {TEMPORARY: "dir"}


def test_a_later_commit_leaves_a_file_of_the_temporary_name(tmp_path: Path) -> None:
    write(tmp_path, ONE + TWO, log_bytes(1, 2))
    (tmp_path / TEMPORARY).write_bytes(b"x")
    commit_in(tmp_path, 9)
    assert tree(tmp_path)[TEMPORARY] == b"x"


@pytest.mark.parametrize("path", ["", "/", "a/", "a/.", "a/..", ".", "..", "a\0b", "\ud800", "file/s"])
def test_paths_that_name_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    for use in (lambda: open_meta(path, ROOM), lambda: commit_file(path, 1, COORDINATE, (1,))):
        with pytest.raises(Rejection) as caught:
            use()
        assert (caught.value.reason, caught.value.at) == ("commit-io", "read-meta")
    assert tree(tmp_path) == {"file": b""}


def test_a_missing_directory_is_a_fresh_stream_that_cannot_be_committed_to(tmp_path: Path) -> None:
    assert recovered(tmp_path / "missing") == (0, 0, ())
    for hashes, step in (((1,), "append-log"), ((), "sync-directory")):
        with pytest.raises(Rejection) as caught:
            commit_in(tmp_path / "missing", 1, *hashes)
        assert caught.value.at == step
    assert tree(tmp_path) == {}


def test_a_log_that_shrinks_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, ONE + TWO, log_bytes(1, 2))

    def recover_and_be_overtaken(meta: bytes | None, log_length: int) -> Recovered:
        state = recover(meta, log_length)
        os.truncate(tmp_path / LOG, 9)
        return state

    monkeypatch.setattr("reference_py.lmdl.disk.recover", recover_and_be_overtaken)
    with pytest.raises(Rejection) as caught:
        recovered(tmp_path)
    assert (caught.value.reason, caught.value.at) == ("commit-io", "read-log")
    assert (tmp_path / LOG).stat().st_size == 9


def test_a_log_larger_than_memory_is_cut_unread(tmp_path: Path) -> None:
    write(tmp_path, ONE + TWO, log_bytes(1, 2))
    os.truncate(tmp_path / LOG, 1 << 42)
    assert recovered(tmp_path) == (2, 6, (1, 2))
    assert (tmp_path / LOG).stat().st_size == 16


def test_a_metadata_file_larger_than_memory_is_not_read_whole(tmp_path: Path) -> None:
    write(tmp_path, ONE + TWO, None)
    os.truncate(tmp_path / META, 1 << 42)
    with pytest.raises(Rejection, match="found 4398046511104 bytes"):
        recovered(tmp_path)


def test_more_committed_hashes_than_there_is_room_for(tmp_path: Path) -> None:
    write(tmp_path, slot_bytes(1, 1, 2**32 - 1) + bytes(64), b"")
    length = 8 * (2**32 - 1) + 5
    os.truncate(tmp_path / LOG, length)
    with pytest.raises(TooManyHashes):
        recovered(tmp_path)
    with pytest.raises(MalformedRequest, match=r"at most 2000000 can be given; ask lmdl\.recover"):
        answer("lmdl.open", {"path": str(tmp_path / META)})
    assert (tmp_path / LOG).stat().st_size == length, "nothing is cut by an answer that could not be given"
    with pytest.raises(Rejection) as caught:
        commit_in(tmp_path, 2, 1)
    assert caught.value.reason == "dedup-count-overflow"


def test_the_operations_answer_as_the_protocol_says(tmp_path: Path) -> None:
    path = str(tmp_path / META)
    coordinate = {
        "shard_id": 1,
        "byte_offset": "2",
        "row_group_idx": 3,
        "page_idx": 4,
        "row_offset_in_page": 5,
        "global_row_idx": "6",
    }
    request = {"path": path, "batch_id": "9", "coordinate": coordinate, "hashes": ["18446744073709551615", "0"]}
    assert answer("lmdl.commit_file", request) == {"ok": {"slot": "A", "epoch": "1"}}
    assert answer("lmdl.open", {"path": path}) == {
        "ok": {
            "active": "A",
            "epoch": "1",
            "committed_batch_id": "9",
            "coordinate": coordinate,
            "dedup_count": 2,
            "log_length": "16",
            "slots": {"A": "valid", "B": "slot-magic"},
            "hashes": ["18446744073709551615", "0"],
        }
    }
    for operation, malformed in (("lmdl.open", {}), ("lmdl.commit_file", request | {"hashes": None})):
        with pytest.raises(MalformedRequest):
            answer(operation, malformed)
