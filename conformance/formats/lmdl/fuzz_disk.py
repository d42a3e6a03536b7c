"""Questions about files: ``lmdl`` streams that are opened and committed to, and ``flysess1`` stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from conformance.fuzz.lmdl import batch, meta_and_log
from conformance.fuzz.question import Question
from conformance.fuzz.source import Source
from harness.model import Dir, Fifo, File, Symlink, TreeEntry, WireValue

_Tree: TypeAlias = "dict[str, TreeEntry]"
_PATH = "run/s.meta"
_LONGEST_LOG = 2048
_KINDS: Sequence[TreeEntry] = (Dir(), Symlink("gone"), Symlink("../kept/file"), Fifo(), File(b"left"))
"""What may stand where a file is wanted, or in its way."""
_NAMES = ("gen-2", "gen-2.part", "store.json", "store.json.part")
_OTHER_NAMES = ("", ".", "..", "a/b", "a\0", "gen-1", "gen-2", "store.json", ".x", "\u00e9", "x" * 255, "away/../x")


def open_stream_question(source: Source) -> Question:
    """Draw a stream on disk that is opened."""
    return Question("lmdl.open", {"path": _PATH}, _stream(source))


def commit_file_question(source: Source) -> Question:
    """Draw a stream on disk and a commit to it."""
    return Question("lmdl.commit_file", {"path": _PATH, **batch(source)}, _stream(source))


def store_question(source: Source) -> Question:
    """Draw a store directory and a commit of an envelope to it."""
    names = list(_NAMES)
    if source.chance(25):
        names[source.integer(0, 3)] = source.take(_OTHER_NAMES)
    tree: _Tree = {"kept/file": File(b"kept"), "store": Dir(), "store/gen-1": File(b"1")}
    if source.chance(70):
        tree["store/store.json"] = File(b"old")
    for name in _NAMES:
        if source.chance(15):
            tree[f"store/{name}"] = source.take(_KINDS)
    if source.chance(6):
        tree = {"kept/file": File(b"kept"), **source.take(_NO_STORE)}
    members: dict[str, WireValue] = dict(zip(_MEMBERS, names, strict=True))
    contents = {"envelope": source.data(0, 40), "store_manifest": source.data(0, 9)}
    return Question("flysess1.commit", {"store": "store", **members, **contents}, tree)


_MEMBERS = ("generation", "temporary", "manifest", "manifest_temporary")
_NO_STORE: Sequence[_Tree] = ({}, {"store": File(b"")}, {"store": Symlink("gone")}, {"store": Symlink("kept")})


def _stream(source: Source) -> _Tree:
    """Draw a stream, whose files may be of another kind, and a leftover of an earlier commit."""
    meta, log_length = meta_and_log(source)
    tree: _Tree = {"kept/file": File(b"kept"), "run": Dir()}
    if meta is not None:
        tree[_PATH] = File(meta)
    if log_length or source.chance(50):
        tree[f"{_PATH}.dedup"] = File(_log(source, min(log_length, _LONGEST_LOG)))
    for suffix, percent in (("", 5), (".dedup", 5), (".tmp", 15)):
        if source.chance(percent):
            tree[_PATH + suffix] = source.take(_KINDS)
    return tree


def _log(source: Source, length: int) -> bytes:
    return (source.data(1, 9) * length)[:length]
