"""Commits of `lmdl` on disk, told by hand: bytes before and after, and each system call with the step it belongs to."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from reference_py.lmdl import StreamCoordinate

META, LOG, TEMPORARY = "s.meta", "s.meta.dedup", "s.meta.tmp"
COORDINATE = StreamCoordinate(1, 2, 3, 4, 5, 6)
COORDINATE_BYTES = struct.pack("<IQIIIQ", 1, 2, 3, 4, 5, 6)


def slot_bytes(epoch: int, batch: int, dedup: int, version: int = 1) -> bytes:
    body = b"LMDL" + struct.pack("<IQQ", version, epoch, batch) + COORDINATE_BYTES + struct.pack("<I", dedup)
    return body + struct.pack("<I", zlib.crc32(body))


def log_bytes(*hashes: int) -> bytes:
    return struct.pack(f"<{len(hashes)}Q", *hashes)


def write(directory: Path, meta: bytes | None, log: bytes | None) -> None:
    if meta is not None:
        (directory / META).write_bytes(meta)
    if log is not None:
        (directory / LOG).write_bytes(log)


@dataclass(frozen=True)
class Scene:
    """One commit of batch 9: what stands before and after, and every system call with the step it belongs to."""

    meta: bytes | None
    log: bytes | None
    hashes: tuple[int, ...]
    old: tuple[int, int, tuple[int, ...]]
    new: tuple[int, int, tuple[int, ...]]
    after: dict[str, bytes]
    calls: tuple[tuple[str, str], ...]
    decided_by: str  # the call after which the new commit may be what recovery gives

    def lay_out(self, directory: Path) -> None:
        write(directory, self.meta, self.log)


READ_META = (
    (f"open {META}", "read-meta"),
    (f"fstat {META}", "read-meta"),
    (f"pread {META} 129@0", "read-meta"),
    (f"pread {META} 1@128", "read-meta"),
    (f"fstat {META}", "read-meta"),
    (f"close {META}", "read-meta"),
)
READ_LOG = (
    (f"open {LOG}", "read-log"),
    (f"fstat {LOG}", "read-log"),
    (f"fstat {LOG}", "read-log"),
    (f"close {LOG}", "read-log"),
)
SYNC_LOG = ((f"fsync {LOG}", "sync-log"), (f"close {LOG}", "sync-log"))
SYNC_DIRECTORY = (("open .", "sync-directory"), ("fsync .", "sync-directory"), ("close .", "sync-directory"))
SYNC_META = ((f"fsync {META}", "sync-meta"), (f"close {META}", "sync-meta"))
OPEN_SLOT = ((f"open {META}", "write-slot"), (f"fstat {META}", "write-slot"))
FIRST_META = (
    (f"unlink {TEMPORARY}", "write-meta"),
    (f"open {TEMPORARY}", "write-meta"),
    (f"pwrite {TEMPORARY} 128@0", "write-meta"),
    (f"fsync {TEMPORARY}", "sync-meta"),
    (f"close {TEMPORARY}", "sync-meta"),
    (f"rename {TEMPORARY} {META}", "rename-meta"),
    *SYNC_DIRECTORY,
)

ONE = slot_bytes(1, 5, 2)
TWO = slot_bytes(2, 6, 2)
THREE = slot_bytes(3, 7, 3)

SCENES = {
    "first commit": Scene(
        meta=None,
        log=None,
        hashes=(11, 12),
        old=(0, 0, ()),
        new=(1, 9, (11, 12)),
        after={META: slot_bytes(1, 9, 2) + bytes(64), LOG: log_bytes(11, 12)},
        calls=(
            (f"open {META}", "read-meta"),
            (f"open {LOG}", "read-log"),
            (f"open {LOG}", "append-log"),
            (f"fstat {LOG}", "append-log"),
            (f"pwrite {LOG} 16@0", "append-log"),
            *SYNC_LOG,
            *SYNC_DIRECTORY,
            *FIRST_META,
        ),
        decided_by=f"rename {TEMPORARY} {META}",
    ),
    "first commit over zeros and a stray log": Scene(
        meta=bytes(128),
        log=b"stray",
        hashes=(),
        old=(0, 0, ()),
        new=(1, 9, ()),
        after={META: slot_bytes(1, 9, 0) + bytes(64), LOG: b""},
        calls=(
            *READ_META,
            *READ_LOG,
            (f"open {LOG}", "cut-log"),
            (f"fstat {LOG}", "cut-log"),
            (f"ftruncate {LOG} 0", "cut-log"),
            *SYNC_LOG,
            *SYNC_DIRECTORY,
            *FIRST_META,
        ),
        decided_by=f"rename {TEMPORARY} {META}",
    ),
    "second commit": Scene(
        meta=ONE + bytes(64),
        log=log_bytes(1, 2),
        hashes=(3,),
        old=(1, 5, (1, 2)),
        new=(2, 9, (1, 2, 3)),
        after={META: ONE + slot_bytes(2, 9, 3), LOG: log_bytes(1, 2, 3)},
        calls=(
            *READ_META,
            *READ_LOG,
            (f"open {LOG}", "append-log"),
            (f"fstat {LOG}", "append-log"),
            (f"pwrite {LOG} 8@16", "append-log"),
            *SYNC_LOG,
            *SYNC_DIRECTORY,
            *OPEN_SLOT,
            (f"pwrite {META} 64@64", "write-slot"),
            *SYNC_META,
        ),
        decided_by=f"pwrite {META} 64@64",
    ),
    "later commit over a torn tail": Scene(
        meta=ONE + TWO,
        log=log_bytes(1, 2, 99) + b"torn",
        hashes=(3,),
        old=(2, 6, (1, 2)),
        new=(3, 9, (1, 2, 3)),
        after={META: slot_bytes(3, 9, 3) + TWO, LOG: log_bytes(1, 2, 3)},
        calls=(
            *READ_META,
            *READ_LOG,
            (f"open {LOG}", "cut-log"),
            (f"fstat {LOG}", "cut-log"),
            (f"ftruncate {LOG} 16", "cut-log"),
            (f"pwrite {LOG} 8@16", "append-log"),
            *SYNC_LOG,
            *OPEN_SLOT,
            (f"pwrite {META} 64@0", "write-slot"),
            *SYNC_META,
        ),
        decided_by=f"pwrite {META} 64@0",
    ),
    "later commit without hashes": Scene(
        meta=ONE + TWO,
        log=log_bytes(1, 2),
        hashes=(),
        old=(2, 6, (1, 2)),
        new=(3, 9, (1, 2)),
        after={META: slot_bytes(3, 9, 2) + TWO, LOG: log_bytes(1, 2)},
        calls=(*READ_META, *READ_LOG, *OPEN_SLOT, (f"pwrite {META} 64@0", "write-slot"), *SYNC_META),
        decided_by=f"pwrite {META} 64@0",
    ),
    "later commit of a stream that has no log": Scene(
        meta=slot_bytes(3, 7, 0) + slot_bytes(2, 6, 0),
        log=None,
        hashes=(),
        old=(3, 7, ()),
        new=(4, 9, ()),
        after={META: slot_bytes(3, 7, 0) + slot_bytes(4, 9, 0)},
        calls=(
            *READ_META,
            (f"open {LOG}", "read-log"),
            *OPEN_SLOT,
            (f"pwrite {META} 64@64", "write-slot"),
            *SYNC_META,
        ),
        decided_by=f"pwrite {META} 64@64",
    ),
    "first hashes of a later commit": Scene(
        meta=slot_bytes(3, 7, 0) + slot_bytes(2, 6, 0),
        log=None,
        hashes=(3,),
        old=(3, 7, ()),
        new=(4, 9, (3,)),
        after={META: slot_bytes(3, 7, 0) + slot_bytes(4, 9, 1), LOG: log_bytes(3)},
        calls=(
            *READ_META,
            (f"open {LOG}", "read-log"),
            (f"open {LOG}", "append-log"),
            (f"fstat {LOG}", "append-log"),
            (f"pwrite {LOG} 8@0", "append-log"),
            *SYNC_LOG,
            *SYNC_DIRECTORY,
            *OPEN_SLOT,
            (f"pwrite {META} 64@64", "write-slot"),
            *SYNC_META,
        ),
        decided_by=f"pwrite {META} 64@64",
    ),
}
