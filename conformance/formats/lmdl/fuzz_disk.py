"""Questions about ``lmdl`` streams on disk that are opened and committed to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from conformance.formats.lmdl.fuzz_bytes import batch, meta_and_log
from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import Dir, Fifo, File, Place, Symlink, TreeEntry

_Tree: TypeAlias = "dict[str, TreeEntry]"
_PATH = "run/s.meta"
_LONGEST_LOG = 2048
_KINDS: Sequence[TreeEntry] = (Dir(), Symlink("gone"), Symlink("../kept/file"), Fifo(), File(b"left"))
"""What may stand where a file is wanted, or in its way."""


def open_stream_request(source: Source) -> Request:
    """Draw a stream on disk that is opened."""
    return Request("lmdl.open", {"path": Place(_PATH)}, _stream(source))


def commit_file_request(source: Source) -> Request:
    """Draw a stream on disk and a commit to it."""
    return Request("lmdl.commit_file", {"path": Place(_PATH), **batch(source)}, _stream(source))


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
