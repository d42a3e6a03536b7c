"""Questions about ``flysess1`` stores: a directory, and the commit of an envelope to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import Dir, Fifo, File, Place, Symlink, TreeEntry, WireValue

_Tree: TypeAlias = "dict[str, TreeEntry]"
_KINDS: Sequence[TreeEntry] = (Dir(), Symlink("gone"), Symlink("../kept/file"), Fifo(), File(b"left"))
"""What may stand where a file is wanted, or in its way."""
_NAMES = ("gen-2", "gen-2.part", "store.json", "store.json.part")
_OTHER_NAMES = ("", ".", "..", "a/b", "a\0", "gen-1", "gen-2", "store.json", ".x", "\u00e9", "x" * 255, "away/../x")


def store_request(source: Source) -> Request:
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
    return Request("flysess1.commit", {"store": Place("store"), **members, **contents}, tree)


_MEMBERS = ("generation", "temporary", "manifest", "manifest_temporary")
_NO_STORE: Sequence[_Tree] = ({}, {"store": File(b"")}, {"store": Symlink("gone")}, {"store": Symlink("kept")})
