"""The durable commit into a store directory, whatever call fails or is the last."""

from __future__ import annotations

import base64
import dataclasses
import errno
import os
from pathlib import Path

import pytest

from reference_py.flysess1 import StoreNames, commit
from reference_py.operations import MalformedRequest, answer
from reference_py.rejection import Rejection
from tests.reference_py.system_calls import Killed, SystemCalls, is_told_as, tree

NAMES = StoreNames("g2", "g2.part", "store.json", "store.json.part")
ENVELOPE = b"an envelope is not judged here"
OLD: dict[str, bytes | str] = {"g1": b"generation 1", "store.json": b'{"current":"g1"}'}
MANIFEST = b'{"current":"g2"}'

CALLS = (
    ("unlink g2.part", "write-generation"),
    ("unlink store.json.part", "write-manifest"),
    ("open g2.part", "write-generation"),
    ("pwrite g2.part 30@0", "write-generation"),
    ("fsync g2.part", "sync-generation"),
    ("close g2.part", "sync-generation"),
    ("rename g2.part g2", "rename-generation"),
    ("open .", "sync-directory-1"),
    ("fsync .", "sync-directory-1"),
    ("close .", "sync-directory-1"),
    ("open store.json.part", "write-manifest"),
    ("pwrite store.json.part 16@0", "write-manifest"),
    ("fsync store.json.part", "sync-manifest"),
    ("close store.json.part", "sync-manifest"),
    ("rename store.json.part store.json", "rename-manifest"),
    ("open .", "sync-directory-2"),
    ("fsync .", "sync-directory-2"),
    ("close .", "sync-directory-2"),
)
GENERATION_VISIBLE = 6  # index of the call that gives the generation its name
DECIDED = 14  # index of the call that makes the commit
EVERY_CALL = pytest.mark.parametrize("index", range(len(CALLS)))


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here cuts the power, so what a sync costs buys nothing; that and when it is asked for is what counts."""
    monkeypatch.setattr(os, "fsync", os.fstat)  # still fails on a number that is no open file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    for name, content in OLD.items():
        assert isinstance(content, bytes)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def commit_in(store: Path | str, names: StoreNames = NAMES) -> None:
    commit(str(store), names, ENVELOPE, MANIFEST)


def rejection_of(store: Path | str, names: StoreNames = NAMES) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        commit_in(store, names)
    return caught.value.reason, caught.value.at


def expected_tree(*, generation: bool, manifest: bool) -> dict[str, bytes | str]:
    expected = dict(OLD)
    if generation:
        expected["g2"] = ENVELOPE
    if manifest:
        expected["store.json"] = MANIFEST
    return expected


def test_a_commit_makes_these_calls_in_this_order(store: Path) -> None:
    with SystemCalls(store) as calls:
        commit_in(store)
    assert calls.made == [call for call, _ in CALLS]
    assert tree(store) == expected_tree(generation=True, manifest=True)


@EVERY_CALL
def test_a_failing_call_is_told_at_its_step(store: Path, index: int) -> None:
    with SystemCalls(store, fail_at=index) as calls, pytest.raises(Rejection) as caught:
        commit_in(store)
    assert calls.made[index] == CALLS[index][0]
    assert (caught.value.reason, caught.value.at) == ("commit-io", CALLS[index][1])
    assert is_told_as(errno.EIO, caught.value)
    assert calls.open_files == {}
    # A call that failed had no effect here, and the temporary files are gone after any failure.
    assert tree(store) == expected_tree(generation=index > GENERATION_VISIBLE, manifest=index > DECIDED)
    assert_the_next_commit_works(store)


@EVERY_CALL
@pytest.mark.parametrize("takes_effect", [False, True])
def test_a_kill_leaves_the_old_manifest_or_the_new_one(store: Path, index: int, takes_effect: bool) -> None:
    with SystemCalls(store, kill_at=index, takes_effect=takes_effect), pytest.raises(Killed):
        commit_in(store)
    done = index if takes_effect else index - 1
    found = tree(store)
    temporaries = {NAMES.temporary, NAMES.manifest_temporary} & set(found)
    assert {name: content for name, content in found.items() if name not in temporaries} == expected_tree(
        generation=done >= GENERATION_VISIBLE, manifest=done >= DECIDED
    )
    assert_the_next_commit_works(store)


def assert_the_next_commit_works(store: Path) -> None:
    """Under a new generation name: after the rename the first one is taken, and that is never undone."""
    before = tree(store)
    if "g2" in before:
        assert rejection_of(store) == ("commit-exists", None)
    assert tree(store) == before
    commit_in(store, dataclasses.replace(NAMES, generation="g3"))
    found = tree(store)
    assert (found["g3"], found["store.json"]) == (ENVELOPE, MANIFEST)
    assert not {NAMES.temporary, NAMES.manifest_temporary} & set(found)


@pytest.mark.parametrize("most_bytes", [1, 7])
def test_short_writes_are_carried_on(store: Path, most_bytes: int) -> None:
    with SystemCalls(store, most_bytes=most_bytes):
        commit_in(store)
    assert tree(store) == expected_tree(generation=True, manifest=True)


@pytest.mark.parametrize(
    ("call", "step"), [("pwrite g2.part 23@7", "write-generation"), ("pwrite store.json.part 9@7", "write-manifest")]
)
def test_a_write_that_stops_midway_is_no_commit(store: Path, call: str, step: str) -> None:
    with SystemCalls(store, most_bytes=7, fail_on=call):
        assert rejection_of(store) == ("commit-io", step)
    assert tree(store) == expected_tree(generation=step == "write-manifest", manifest=False)


def test_a_first_commit_of_empty_files(tmp_path: Path) -> None:
    commit(str(tmp_path), NAMES, b"", b"")
    assert tree(tmp_path) == {"g2": b"", "store.json": b""}


def test_a_chain_of_ten_commits(tmp_path: Path) -> None:
    for number in range(10):
        manifest = b"current: %d" % number
        commit(str(tmp_path), dataclasses.replace(NAMES, generation=f"g{number}"), b"%d" % number, manifest)
        assert (tmp_path / "store.json").read_bytes() == manifest
    assert tree(tmp_path) == {f"g{number}": b"%d" % number for number in range(10)} | {"store.json": b"current: 9"}


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(StoreNames)])
@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "/a", "a/", "a\0", "\ud800"])
def test_names_that_are_no_plain_component(store: Path, field: str, name: str) -> None:
    (store / "g2").write_bytes(b"taken: the names are judged first")
    before = tree(store)
    assert rejection_of(store, dataclasses.replace(NAMES, **{field: name})) == ("commit-name", None)
    assert tree(store) == before


@pytest.mark.parametrize("names", ["aabc", "abac", "abca", "abbc", "abcb", "abcc"])
def test_two_equal_names(store: Path, names: str) -> None:
    assert rejection_of(store, StoreNames(*names)) == ("commit-name", None)
    assert tree(store) == OLD


def test_unusual_names_that_are_plain_components(tmp_path: Path) -> None:
    names = StoreNames("...", " ", "-r", "é\n\\")
    commit(str(tmp_path), names, b"1", b"2")
    assert tree(tmp_path) == {"...": b"1", "-r": b"2"}


def make(path: Path, kind: str) -> None:
    if kind == "file":
        path.write_bytes(b"leftover")
    elif kind.endswith("link"):
        path.symlink_to("g1" if kind == "link" else "nowhere")
    elif kind == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)


@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "directory", "fifo"])
def test_a_taken_generation_name_is_left_as_it_is(store: Path, kind: str) -> None:
    make(store / "g2", kind)
    make(store / "g2.part", "file")
    before = tree(store)
    assert rejection_of(store) == ("commit-exists", None)
    assert tree(store) == before


@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "fifo"])
def test_leftover_temporaries_are_unlinked_and_never_followed(store: Path, kind: str) -> None:
    make(store / "g2.part", kind)
    make(store / "store.json.part", kind)
    commit_in(store)
    assert tree(store) == expected_tree(generation=True, manifest=True)


@pytest.mark.parametrize(("name", "step"), [("g2.part", "write-generation"), ("store.json.part", "write-manifest")])
def test_a_directory_under_a_temporary_name_is_anothers(store: Path, name: str, step: str) -> None:
    (store / name).mkdir()
    (store / name / "theirs").write_bytes(b"theirs")
    before = tree(store)
    assert rejection_of(store) == ("commit-io", step)
    assert tree(store) == before


def test_a_link_under_the_manifest_name_is_replaced_and_not_followed(store: Path) -> None:
    (store / "store.json").unlink()
    (store / "store.json").symlink_to("g1")
    commit_in(store)
    assert tree(store) == expected_tree(generation=True, manifest=True)


def test_a_directory_under_the_manifest_name_stays(store: Path) -> None:
    (store / "store.json").unlink()
    (store / "store.json").mkdir()
    assert rejection_of(store) == ("commit-io", "rename-manifest")
    assert tree(store) == {"g1": b"generation 1", "g2": ENVELOPE, "store.json": "dir"}


@pytest.mark.parametrize("path", ["missing", "g1", "g1/below", "", "a\0b", "\ud800"])
def test_stores_that_are_no_directory(store: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(store)
    assert rejection_of(path) == ("commit-io", "write-generation")
    assert tree(store) == OLD


def test_a_name_too_long_for_the_file_system(store: Path) -> None:
    for names, step in (
        (dataclasses.replace(NAMES, generation="g" * 300), "write-generation"),
        (dataclasses.replace(NAMES, temporary="g" * 300), "write-generation"),
        (dataclasses.replace(NAMES, manifest_temporary="g" * 300), "write-manifest"),
    ):
        assert rejection_of(store, names) == ("commit-io", step)
        assert tree(store) == OLD


def test_the_operation_answers_as_the_protocol_says(store: Path) -> None:
    request = {
        "store": str(store),
        "generation": "g2",
        "temporary": "g2.part",
        "manifest": "store.json",
        "manifest_temporary": "store.json.part",
        "envelope": base64.b64encode(ENVELOPE).decode(),
        "store_manifest": base64.b64encode(MANIFEST).decode(),
    }
    for name in request:
        with pytest.raises(MalformedRequest):
            answer("flysess1.commit", request | {name: 1})
    assert answer("flysess1.commit", request) == {"ok": {}}
    assert tree(store) == expected_tree(generation=True, manifest=True)
    reject = answer("flysess1.commit", request)["reject"]
    assert isinstance(reject, dict)
    assert reject["reason"] == "commit-exists"
    assert "at" not in reject
