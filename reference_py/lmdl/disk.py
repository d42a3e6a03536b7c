"""The metadata file and its log on a real file system (LMDL-DISK; coordinate document sections 2 and 3).

The log of `<path>` is `<path>.dedup`. After a kill or a power cut at any point, recovery gives the previous commit or
the new one; a commit that has returned survives. Writers at the same time are out of scope.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reference_py.durable import (
    StepNames,
    Steps,
    open_regular,
    path_from,
    put_in_place,
    read_at,
    remove_leftover,
    sync_directory,
    write_at,
)
from reference_py.lmdl.commit import Commit, commit
from reference_py.lmdl.coordinate import StreamCoordinate
from reference_py.lmdl.recover import (
    HASH_BYTES,
    META_BYTES,
    SLOT_OFFSETS,
    Recovered,
    is_fresh,
    recover,
    wrong_meta_size,
)
from reference_py.lmdl.slot import SLOT_BYTES

_NEW_META = StepNames(write="write-meta", sync="sync-meta", rename="rename-meta")


@dataclass(frozen=True, slots=True)
class Opened:
    """A stream's state after a start, and the committed hashes in the order of the log."""

    state: Recovered
    hashes: tuple[int, ...]  # u64 each, `state.value.dedup_count` of them


class TooManyHashes(Exception):  # noqa: N818 - the caller's own limit, no malfunction
    """More committed hashes than the caller has room for; nothing was changed."""


@dataclass(frozen=True, slots=True)
class _Files:
    """The paths of one stream. All are in one directory, so one fsync makes every name durable."""

    meta: Path
    log: Path
    temporary: Path

    @property
    def directory(self) -> Path:
        return self.meta.parent


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands on disk before a judgement: what `recover` and `commit` take."""

    meta: bytes | None
    log_length: int | None  # bytes; None: there is no log, which counts as length 0


def open_meta(path: str, most_hashes: int) -> Opened:
    """Recover a stream and cut its log to the committed hashes (LMDL-DISK, coordinate document section 3).

    Creates nothing and never writes to `.meta`; the log is cut only after every check, and what is cut is never read.
    Raises TooManyHashes, with nothing changed, when more than `most_hashes` are committed. Rejections, in this order:
    `commit-io` at `read-meta`, `read-log`; those of `recover`; `commit-io` at `read-log`, `cut-log`, `sync-log`.
    """
    with Steps() as steps:
        files = _name_files(steps, path)
        found = _read(steps, files)
        state = recover(found.meta, found.log_length or 0)
        hashes = _read_hashes(steps, files.log, state.value.dedup_count, most_hashes)
        if found.log_length is not None:
            _change_log(steps, files.log, found.log_length, keep=state.log_length, append=b"")
        return Opened(state, hashes)


def commit_file(path: str, batch_id: int, coordinate: StreamCoordinate, hashes: Sequence[int]) -> Commit:
    """Commit a batch on disk (LMDL-DISK, coordinate document section 2); durable once this returns.

    Rejections, in this order: `commit-io` at `read-meta`, `read-log`; those of `commit`; then `commit-io` at the
    failing step: `cut-log`, `append-log`, `sync-log`, `sync-directory`, then `write-slot`, `sync-meta`, or for the
    first commit `write-meta`, `sync-meta`, `rename-meta`, `sync-directory`.
    """
    with Steps() as steps:
        files = _name_files(steps, path)
        found = _read(steps, files)
        change = commit(found.meta, found.log_length or 0, batch_id, coordinate, hashes)
        _change_log(steps, files.log, found.log_length, keep=change.log_keep, append=change.log_append)
        if _names_may_not_be_durable(change):
            _sync_names(steps, files)
        if found.meta is None or is_fresh(found.meta):
            _write_first_meta(steps, files, change.meta)
        else:
            _write_slot(steps, files.meta, change)
        return change


def _name_files(steps: Steps, path: str) -> _Files:
    """A path that ends in no file name would put the log and the temporary file under surprising ones."""
    steps.begin("read-meta", path)
    meta = path_from(path)
    name = path.rpartition("/")[2]
    if name in ("", ".", ".."):
        raise OSError(errno.EISDIR, "the path ends in no file name")
    return _Files(meta, meta.with_name(f"{name}.dedup"), meta.with_name(f"{name}.tmp"))


def _read(steps: Steps, files: _Files) -> _Found:
    """Both files are looked at before either is judged, since recovery is a judgement of the two together."""
    steps.begin("read-meta", files.meta)
    meta, meta_size = _read_meta(files.meta)
    steps.begin("read-log", files.log)
    log_length = _length(files.log)
    if meta_size > META_BYTES:  # recovery's first rejection, here since only the start of the file is in memory
        raise wrong_meta_size(meta_size)
    return _Found(meta, log_length)


def _read_meta(path: Path) -> tuple[bytes | None, int]:
    """The file's bytes (None: absent), at most one more than it may have, and its size in bytes."""
    try:
        with open_regular(path, os.O_RDONLY) as file:
            meta = read_at(file, META_BYTES + 1, 0)
            return meta, max(len(meta), os.fstat(file).st_size)
    except FileNotFoundError:
        return None, 0


def _length(path: Path) -> int | None:
    try:
        with open_regular(path, os.O_RDONLY) as file:
            return os.fstat(file).st_size
    except FileNotFoundError:
        return None


def _read_hashes(steps: Steps, log: Path, count: int, most: int) -> tuple[int, ...]:
    if count > most:
        raise TooManyHashes(f"{str(log)!a} has {count} committed hashes, at most {most} can be given")
    if count == 0:
        return ()
    steps.begin("read-log", log)
    with open_regular(log, os.O_RDONLY) as file:
        data = read_at(file, count * HASH_BYTES, 0)
    if len(data) != count * HASH_BYTES:
        raise OSError(errno.EIO, f"found {len(data)} bytes, and {count * HASH_BYTES} a moment ago")
    return struct.unpack(f"<{count}Q", data)


def _change_log(steps: Steps, log: Path, length: int | None, *, keep: int, append: bytes) -> None:
    """Cut, append, sync; a log that stays as it is, or absent, is not opened."""
    is_cut = length is not None and length > keep
    if not is_cut and not append:
        return
    steps.begin("cut-log" if is_cut else "append-log", log)
    with open_regular(log, os.O_WRONLY | (os.O_CREAT | os.O_EXCL if length is None else 0)) as file:
        if is_cut:
            os.ftruncate(file, keep)
        if append:
            steps.begin("append-log", log)
            write_at(file, append, keep)
        steps.begin("sync-log", log)
        os.fsync(file)


def _names_may_not_be_durable(change: Commit) -> bool:
    """Whether the slot could become durable ahead of a file name that it needs.

    Recovered epoch 0 or 1: an earlier first commit may have been killed ahead of its last step. No committed hash yet,
    and some appended: the log may be new.
    """
    return change.epoch <= 2 or (change.log_keep == 0 and bool(change.log_append))


def _sync_names(steps: Steps, files: _Files) -> None:
    steps.begin("sync-directory", files.directory)
    sync_directory(files.directory)


def _write_first_meta(steps: Steps, files: _Files, meta: bytes) -> None:
    """There is no older slot to fall back to yet, so the whole file must appear at once."""
    steps.begin("write-meta", files.temporary)
    remove_leftover(files.temporary)
    put_in_place(steps, _NEW_META, files.temporary, files.meta, meta)
    _sync_names(steps, files)


def _write_slot(steps: Steps, path: Path, change: Commit) -> None:
    """Only these 64 bytes change: the other slot is what recovery falls back to when this write is torn."""
    start = SLOT_OFFSETS[change.slot]
    steps.begin("write-slot", path)
    with open_regular(path, os.O_WRONLY) as file:
        write_at(file, change.meta[start : start + SLOT_BYTES], start)
        steps.begin("sync-meta", path)
        os.fsync(file)
