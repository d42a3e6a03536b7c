"""Questions about ``pfc`` bundles on disk: what opens, what does not, and what a publication leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

from conformance.formats.json.fuzz_edits import token_edited
from conformance.formats.json.fuzz_value import spelt
from conformance.formats.pfc.fuzz_metadata import FIELD_IDS, WRONG_IDS, Meta, document, metadata, metadata_text
from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import Dir, Fifo, File, Place, Sparse, Symlink, TreeEntry, WireValue

_Tree: TypeAlias = "dict[str, TreeEntry]"
_ENDINGS = ("", "/", "/.", "//", "/./", "/./.")
_NO_FIELDS = ("psi.bin.tmp", ".hidden.bin", "other.bin", "-a.bin", "x.BIN", "\u00e9.bin", "a b.bin", ".bin")
_FINAL = (
    "step_5", "step_5/", "step_5//", "results/step_5", "step_5.publishing", ".", "..", "step_5/..", "a/.publishing",
    "file/step_5", "link/step_5", "loop/step_5", "step.publishing.1", "-x", "..x",
)  # fmt: skip


def open_request(source: Source) -> Request:
    """Draw a bundle, or what stands in its place."""
    meta = metadata(source)
    if source.chance(60):
        meta["fields"] = list(dict.fromkeys(source.take(FIELD_IDS) for _ in range(source.integer(1, 3))))
    broken = source.chance(12)
    text = metadata_text(source, meta) if broken else spelt(source, document(meta)).encode()
    listed = meta.get("fields")
    ids = [str(name) for name in listed] if isinstance(listed, list) else [source.take(FIELD_IDS)]
    name = source.take((*("step_5",) * 8, "step_5.publishing", "a.publishing.x"))
    tree: _Tree = {f"{name}/metadata.json": File(text), f"{name}/fields": Dir()}
    for field in ids:
        tree[f"{name}/fields/{field}.bin"] = Sparse(8 * _cells(meta))
    for _ in range(source.take((0, 1, 1, 1, 2))):
        source.take(_BUNDLE_CHANGES)(source, tree, name, ids)
    directory = name + source.take(_ENDINGS)
    if source.chance(15):
        tree["link"] = Symlink(source.take((name, "gone", "link", f"{name}/metadata.json")))
        directory = "link" + source.take(_ENDINGS)
    elif source.chance(8):
        directory = source.take(("gone", f"{name}/metadata.json", f"{name}/fields", "gone.publishing", f"{name}/x/y"))
    return Request("pfc.open", {"directory": Place(directory)}, tree)


def publish_request(source: Source) -> Request:
    """Draw a publication and what already stands where it goes."""
    meta = metadata(source, wild=source.chance(20))
    fields: list[tuple[str, bytes]] = []
    for _ in range(source.integer(0, 3)):
        name = source.take((*FIELD_IDS, *WRONG_IDS)) if source.chance(15) else source.take(FIELD_IDS)
        fields.append((name, _brick(source, meta)))
    if source.chance(80):
        fields = list(dict(fields).items())
    directory = source.take(_FINAL) if source.chance(40) else "step_5"
    listed: list[WireValue] = [{"id": name, "data": data} for name, data in fields]
    request: dict[str, WireValue] = {"directory": Place(directory), "metadata": meta, "fields": listed}
    if fields and source.chance(25):
        request["fail"] = {"field": source.take([*(name for name, _ in fields), "other"])}
    tree: _Tree = {"kept/file": File(b"kept"), "file": File(b""), "link": Symlink("kept"), "loop": Symlink("loop")}
    if source.chance(30):
        tree |= source.take(_STANDING)
    return Request("pfc.publish", request, tree)


_STANDING: Sequence[_Tree] = (
    {"step_5.publishing/fields/psi.bin": Symlink("../../kept/file"), "step_5.publishing/metadata.json": File(b"{")},
    {"step_5.publishing": Symlink("kept")},
    {"step_5.publishing": File(b"x")},
    {"step_5": Dir()},
    {"step_5": File(b"x")},
    {"step_5": Symlink("gone")},
    {"step_5": Symlink("kept")},
    {"step_5/metadata.json": File(b"{}"), "step_5.publishing": Dir()},
)
"""What may stand at the final path or in the way of staging."""


def _cells(meta: Meta) -> int:
    domain = meta["domain"]
    assert isinstance(domain, dict)
    dimensions = domain["global_dimensions"]
    assert isinstance(dimensions, list)
    return prod(dimensions)


def _brick(source: Source, meta: Meta) -> bytes:
    cells = _cells(meta)
    length = 8 * cells if 0 < cells < 200 else 8
    if source.chance(12):
        length += source.take((-1, 1, -8, 8))
    return bytes([source.integer(0, 255)]) * max(length, 0)


def _drop_entry(source: Source, tree: _Tree, name: str, ids: list[str]) -> None:
    """Take the metadata, the folder of the fields or one field away."""
    path = source.take([*(f"{name}/fields/{field}.bin" for field in ids), f"{name}/metadata.json", f"{name}/fields"])
    if path == f"{name}/fields":
        _drop_folder(tree, name)
    tree.pop(path, None)


def _other_kind(source: Source, tree: _Tree, name: str, ids: list[str]) -> None:
    """Put something else in a file's place."""
    field = f"fields/{source.take(ids)}.bin" if ids else "metadata.json"
    path = f"{name}/{source.take((field, field, 'metadata.json'))}"
    if path in tree:
        kinds: tuple[TreeEntry, ...] = (Dir(), Symlink("elsewhere"), Symlink(f"../../{name}/metadata.json"), Fifo())
        tree[path] = source.take(kinds)


def _other_size(source: Source, tree: _Tree, name: str, ids: list[str]) -> None:
    path = f"{name}/fields/{source.take(ids)}.bin" if ids else ""
    entry = tree.get(path)
    if isinstance(entry, Sparse):
        tree[path] = Sparse(max(entry.length + source.take((1, -1, 8, -8, -(2**40))), 0))


def _more_files(source: Source, tree: _Tree, name: str, _ids: list[str]) -> None:
    """Add what is no field, or a field that is not listed."""
    if isinstance(tree.get(f"{name}/fields"), Dir):
        extra = source.take(_NO_FIELDS)
        tree[f"{name}/fields/{extra}"] = File(b"12345678")


def _linked_folder(_source: Source, tree: _Tree, name: str, ids: list[str]) -> None:
    """Move the fields elsewhere and put a link in their place."""
    if name in tree:
        return
    _drop_folder(tree, name)
    tree["elsewhere/psi.bin"] = Sparse(8)
    tree[f"{name}/fields"] = Symlink("../elsewhere")
    ids.clear()


def _drop_folder(tree: _Tree, name: str) -> None:
    for path in [path for path in tree if path.startswith(f"{name}/fields")]:
        del tree[path]


def _broken_text(source: Source, tree: _Tree, name: str, _ids: list[str]) -> None:
    entry = tree.get(f"{name}/metadata.json")
    if isinstance(entry, File):
        tree[f"{name}/metadata.json"] = File(token_edited(source, entry.data))


def _no_directory(source: Source, tree: _Tree, name: str, ids: list[str]) -> None:
    """Put something else in the bundle's place."""
    tree.clear()
    ids.clear()
    kinds: tuple[TreeEntry, ...] = (File(b""), Dir(), Fifo(), Symlink(name))
    tree[name] = source.take(kinds)


_BUNDLE_CHANGES: Sequence[Callable[[Source, _Tree, str, list[str]], None]] = (
    _drop_entry,
    _drop_entry,
    _other_kind,
    _other_kind,
    _other_kind,
    _other_size,
    _other_size,
    _more_files,
    _linked_folder,
    _broken_text,
    _no_directory,
)
