"""What the builders of ``lmdl.open`` and ``lmdl.commit_file`` share: streams as trees, and a case for each."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from conformance.formats.lmdl.model_bytes import FRESH_STATE, PLAIN, Slot, broken, coordinate_json, recovered
from conformance.vectorgen.vector_set import Data, VectorFile, b64, ok

Tree: TypeAlias = Mapping[str, Data]

RULE = "LMDL-DISK"
PATH = "run/s.meta"
"""Where the stream of a case stands, below its tree."""

DIR: Data = {"dir": True}
FIFO: Data = {"fifo": True}
TEBIBYTE = 2**40
"""A log of so many bytes is larger than memory."""

SECOND = Slot(2, 20, {**PLAIN, "shard_id": 2}, 1)
THIRD = Slot(3, 30, {**PLAIN, "shard_id": 3}, 2)
META = THIRD.bytes() + SECOND.bytes()
"""Slot A active with epoch 3 and two hashes: the next commit is epoch 4, in slot B."""

COMMITTED = (0x0807060504030201, 0x1817161514131211)
"""The hashes of ``META``'s log."""

NEW = (0x2827262524232221, 0x3837363534333231, 1)
"""The hashes of the commit that a case asks for."""

FRESH_FORMS: tuple[tuple[str, str, bytes | None], ...] = (
    ("absent", "absent", None),
    ("empty", "empty", b""),
    ("zero", "128 zero bytes", bytes(128)),
)
"""Name, words and bytes of each ``.meta`` that means a fresh start (R-LMDL-1)."""


def file(data: bytes) -> Data:
    """Return a file's entry."""
    return {"file": b64(data)}


def link(target: str) -> Data:
    """Return a symbolic link's entry."""
    return {"symlink": target}


def sparse(length: int) -> Data:
    """Return the entry of a file that is one hole."""
    return {"sparse": length}


def log(hashes: Sequence[int], tail: bytes = b"") -> bytes:
    """Return the bytes of a log (u64 each, little-endian), and of what a crash left behind them."""
    return struct.pack(f"<{len(hashes)}Q", *hashes) + tail


def stream(
    meta: bytes | Data | None = META,
    hashes: bytes | Data | None = log(COMMITTED),  # noqa: B008 - bytes are immutable
    path: str = PATH,
) -> dict[str, Data]:
    """Return the tree of one stream: ``.meta`` and log, each as bytes, as an entry of another kind, or absent."""
    tree = {path.rpartition("/")[0]: DIR} if "/" in path else {}
    for name, content in ((path, meta), (f"{path}.dedup", hashes)):
        if content is not None:
            tree[name] = file(content) if isinstance(content, bytes) else content
    return tree


def state(active: str, slot: Slot, hashes: Sequence[int], a: str = "valid", b: str = "valid") -> Data:
    """Expect an opening with this active slot, the verdict on either slot, and these committed hashes."""
    return ok(**recovered(active, slot, a, b), hashes=[str(value) for value in hashes])


OPENED = state("A", THIRD, COMMITTED)
"""What opening ``stream()`` gives."""

FRESH_START = ok(**FRESH_STATE, hashes=[])
"""What opening a fresh stream gives."""


def committed(slot: str, epoch: int) -> Data:
    """Expect a commit that wrote this slot."""
    return ok(slot=slot, epoch=str(epoch))


def fourth(hashes: Sequence[int] = NEW, batch: int = 40, fields: Mapping[str, int] = PLAIN) -> bytes:
    """Return the ``.meta`` that a commit on ``META`` leaves."""
    return THIRD.bytes() + Slot(4, batch, fields, len(COMMITTED) + len(hashes)).bytes()


def batch(hashes: Sequence[int] = NEW, number: int = 40, fields: Mapping[str, int] = PLAIN) -> Data:
    """Return the request members of a commit besides ``path``."""
    return {
        "batch_id": str(number),
        "coordinate": coordinate_json(fields),
        "hashes": [str(value) for value in hashes],
    }


def add(  # noqa: PLR0913, PLR0917 - the parts of a case
    cases: VectorFile,
    name: str,
    title: str,
    why: str,
    before: Tree,
    expect: Data,
    *,
    after: Tree | None = None,
    path: str = PATH,
    asked: Data | None = None,
    also: Sequence[str] = (),
    **more: Any,
) -> None:
    """Add a case of LMDL-DISK, and of the rules ``also``; without ``after`` the tree must stand as it stood before.

    ``asked`` are the request members besides the path, those of a commit.
    """
    topic = "open" if asked is None else "commit-file"
    cases.case(
        f"lmdl/{topic}/{name}",
        title=title,
        why=why,
        rules=[RULE, *also],
        input={"path": path, **(asked or {})},
        tree=dict(before),
        tree_after=dict(before if after is None else after),
        expect=expect,
        **more,
    )


@dataclass(frozen=True)
class Refused:
    """A state that recovery refuses: its two files, and the rejection."""

    name: str
    title: str
    meta: bytes | Data
    log: bytes | Data | None
    reason: str
    rule: str
    at: str | None = None
    rulings: tuple[str, ...] = ()


def refused_by_recovery() -> tuple[Refused, ...]:
    """Return every state that recovery refuses; behind the committed hashes each log has a rest that must stay."""
    size, version, choice, short = (f"LMDL-RECOVER-{number}" for number in (1, 2, 3, 4))
    whole = log(COMMITTED, b"rest")
    third, second = THIRD.bytes(), SECOND.bytes()
    lost = broken(third) + broken(second)
    wide = Slot(3, 30, PLAIN, 2**29 + 2).bytes() + bytes(64)
    sizes = (
        ("1", "one byte", b"\0", ("R-LMDL-1",)),
        ("64", "one slot", third, ()),
        ("127", "127 bytes", META[:127], ()),
        ("129", "129 bytes", META + b"\0", ()),
        ("zero-256", "256 zero bytes", bytes(256), ("R-LMDL-1",)),
        ("tebibyte", "larger than memory", sparse(TEBIBYTE), ()),
    )
    versions = (
        ("a", "Slot A is", THIRD.bytes(version=2) + second, "slot/A"),
        ("b", "Slot B is", third + SECOND.bytes(version=2), "slot/B"),
        ("both", "Both slots are", THIRD.bytes(version=2) + SECOND.bytes(version=2), "slot/A"),
    )
    shorts = (
        ("log-absent", "The log is gone", META, None),
        ("log-empty", "The log is empty", META, b""),
        ("log-one-byte-short", "The log is a byte too short", META, whole[:15]),
        ("log-fits-the-older", "The log holds what the older slot counts, and no more", META, whole[:8]),
        ("log-32-bits", "2^29+2 hashes are counted; the log's 16 bytes are theirs in 32 bits", wide, log(COMMITTED)),
    )
    return (
        *(
            Refused(f"size-{name}", f".meta is {words}", meta, whole, "meta-size", size, rulings=rulings)
            for name, words, meta, rulings in sizes
        ),
        *(
            Refused(f"version-{name}", f"{words} of version 2", meta, whole, "meta-version", version, at, ("R-LMDL-6",))
            for name, words, meta, at in versions
        ),
        Refused("no-valid-slot", "Neither slot's CRC is right", lost, whole, "meta-no-valid-slot", choice),
        Refused(
            "no-valid-slot-large-log",
            "Neither slot's CRC is right, and the log larger than memory",
            lost,
            sparse(TEBIBYTE),
            "meta-no-valid-slot",
            choice,
        ),
        Refused(
            "one-byte-not-zero",
            ".meta is zero but for its last byte",
            bytes(127) + b"\1",
            whole,
            "meta-no-valid-slot",
            choice,
            rulings=("R-LMDL-1",),
        ),
        *(
            Refused(name, title, meta, left, "dedup-short", short, rulings=("R-LMDL-4",))
            for name, title, meta, left in shorts
        ),
    )


def odd_files() -> tuple[tuple[str, str, str, Data], ...]:
    """Name, words, step of the failure, and entry of whatever is no regular file where one of the two should be.

    What ``elsewhere/`` holds is a good stream: a port that follows the link would take it.
    """
    return tuple(
        (f"{name}-{kind}", f"{what} is {words}", step, entry)
        for name, what, step, target in (
            ("meta", ".meta", "read-meta", "../elsewhere/s.meta"),
            ("log", "The log", "read-log", "../elsewhere/s.meta.dedup"),
        )
        for kind, words, entry in (
            ("link", "a link to a good one", link(target)),
            ("dangling", "a link that leads nowhere", link("gone")),
            ("loop", "a link to itself", link(PATH.rpartition("/")[2] + ("" if name == "meta" else ".dedup"))),
            ("directory", "a directory", DIR),
            ("directory-link", "a link to a directory", link("../elsewhere")),
            ("fifo", "a FIFO", FIFO),
        )
    )


ELSEWHERE = stream(path="elsewhere/s.meta")
"""A good stream beside that of a case."""


NEIGHBOURS = stream(b"torn", log(COMMITTED, b"kept"), "run/s.meta2") | {
    "run/s.dedup": file(b"kept"),
    "run/s.meta.old": file(META),
    "run/dedup": FIFO,
}
"""Other files in the directory of a case's stream, with names like its own."""


def with_odd(step: str, entry: Data) -> dict[str, Data]:
    """Return a good stream in which one of the two files is replaced by ``entry``, beside ``ELSEWHERE``."""
    return ELSEWHERE | (stream(meta=entry) if step == "read-meta" else stream(hashes=entry))


NO_FILE_PATHS: tuple[tuple[str, str, str, str], ...] = (
    ("slash", "ends in a slash", "run/s.meta/", "read-meta"),
    ("new-slash", "ends in a slash, and nothing is there", "run/new/", "read-meta"),
    ("dot", "ends in a dot", "run/.", "read-meta"),
    ("file-dot", "is the file and a dot below it", "run/s.meta/.", "read-meta"),
    ("dot-dot", "ends in two dots", "run/..", "read-meta"),
    ("new-dot", "ends in a dot, and nothing is there", "run/new/.", "read-meta"),
    ("new-dot-dot", "ends in two dots, and nothing is there", "run/new/..", "read-meta"),
    ("empty", "is the directory itself", "", "read-meta"),
    ("nul", "holds a NUL", "run/s.meta\0", "read-meta"),
    ("nul-inside", "holds a NUL behind a good path", "run/s.meta\0.old", "read-meta"),
    ("below-file", "leads through a file", "run/s.meta/s.meta", "read-meta"),
    ("below-loop", "leads through a link to itself", "loop/s.meta", "read-meta"),
    ("directory", "is a directory's", "run", "read-meta"),
    ("name-256", "ends in a name of 256 bytes", f"run/{'x' * 256}", "read-meta"),
    ("name-256-two-bytes-each", "ends in a name of 128 characters, 256 bytes", f"run/{'é' * 128}", "read-meta"),
    ("log-name-256", "ends in a name of 250 bytes, so that the log's has 256", f"run/{'x' * 250}", "read-log"),
)
"""Name, words, path and step of each path that can be no stream's."""

PATHS_TREE = stream() | {"loop": link("loop")}
"""The tree of those paths."""

GOOD_PATHS: tuple[tuple[str, str, str, str], ...] = (
    ("doubled-slash", "has a doubled slash", "run//s.meta", PATH),
    ("dot-inside", "has a dot inside", "run/./s.meta", PATH),
    ("dots-inside", "goes up and down again", "run/../run/s.meta", PATH),
    ("parent-link", "leads through a link to the directory", "link/s.meta", PATH),
    ("top", "has no directory of the tree in it", "s.meta", "s.meta"),
    ("name-spaces", "has a name of a space", "run/ ", "run/ "),
    ("name-dots", "has a name of three dots", "run/...", "run/..."),
    ("name-dash", "has a name that begins with a dash", "run/-rf", "run/-rf"),
    ("name-hidden", "has a name that begins with a dot", "run/.meta", "run/.meta"),
    ("name-line-feed", "has a name with a line feed, a backslash and two-byte characters", "run/é\n\\é",
     "run/é\n\\é"),
    ("name-decomposed", "has a name with a combining accent", "run/e\u0301", "run/e\u0301"),
    ("name-dedup", "has the name of another stream's log", "run/s.dedup", "run/s.dedup"),
    ("name-249", "has a name of 249 bytes, so that the log's has 255", f"run/{'x' * 249}", f"run/{'x' * 249}"),
)  # fmt: skip
"""Name, words, path as asked, and plain path of each path that is a stream's."""
