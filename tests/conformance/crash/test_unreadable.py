"""Files and directories that a user may not read or write, put to every adapter as a process that may not either.

Root may read everything, so where the tests run as root the adapters run as a root without the two capabilities that
make it so. The same checkout, the same interpreters, and no user has to be made.
"""

from __future__ import annotations

import base64
import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conformance.formats.lmdl.model_bytes import Slot, coordinate_json
from conformance.formats.pfc.cases.texts import MINIMAL_META, canonical, changed
from harness import tree as trees
from harness.model import Dir, File, Json, Outcome, Tree, TreeEntry
from tests.conformance.crash.asking import Asked

_DROPPED = "-dac_override,-dac_read_search"


@pytest.fixture(scope="module")
def unprivileged(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return what to put before a command so that modes bind it; skip where it cannot be had."""
    if os.geteuid() != 0:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("run as root, and setpriv is missing; install it: apt-get install util-linux")
    prefix = (setpriv, f"--bounding-set={_DROPPED}", f"--inh-caps={_DROPPED}", "--")
    probe = tmp_path_factory.mktemp("probe") / "file"
    probe.write_bytes(b"readable")
    probe.chmod(0)
    done = subprocess.run([*prefix, "cat", probe], capture_output=True, text=True, check=False)
    if "Permission denied" not in done.stderr:
        pytest.skip(f"run as root, which may not give up its right to read everything: {done.stderr.strip()}")
    return prefix


@pytest.fixture(scope="module", params=["python", "rust", "typescript"])
def adapter(request: pytest.FixtureRequest, unprivileged: tuple[str, ...]) -> Iterator[Asked]:
    started = Asked(request.param, unprivileged)
    yield started
    started.end()


@dataclass(frozen=True)
class Case:
    """What stands, with which modes, the question, and the rejection (None: accepted).

    ``added`` are the entries that are there, or are other ones, afterwards.
    """

    name: str
    operation: str
    tree: Tree
    modes: Mapping[str, int]
    reject: tuple[str, str | None] | None
    input: Mapping[str, Json] = field(default_factory=dict)
    added: Tree = field(default_factory=dict)


_META = changed(MINIMAL_META, domain={"global_dimensions": [2, 1, 1]})
_CELLS = File(bytes(16))


def _bundle(listed: bool = True) -> dict[str, TreeEntry]:
    meta = changed(_META, fields=["psi"]) if listed else _META
    text = File(canonical(meta))
    return {"b": Dir(), "b/metadata.json": text, "b/fields": Dir(), "b/fields/psi.bin": _CELLS}


def _opening(
    name: str, modes: Mapping[str, int], reject: tuple[str, str | None] | None, *, listed: bool = True, at: str = ""
) -> Case:
    tree: dict[str, TreeEntry] = {f"{at}{path}": entry for path, entry in _bundle(listed).items()}
    if at:
        tree[at.rstrip("/")] = Dir()
    return Case(f"pfc.open-{name}", "pfc.open", tree, modes, reject, {"directory": f"{at}b"})


_MISSING = ("field-missing", "fields/psi")
_OPENINGS = (
    _opening("metadata", {"b/metadata.json": 0}, ("metadata-unreadable", None)),
    _opening("bundle", {"b": 0}, ("metadata-unreadable", None)),
    _opening("parent", {"up": 0}, ("bundle-missing", None), at="up/"),
    _opening("fields", {"b/fields": 0}, _MISSING),
    _opening("fields-not-listed", {"b/fields": 0}, ("field-missing", "fields"), listed=False),
    _opening("fields-listed-not-entered", {"b/fields": 0o444}, _MISSING, listed=False),
    _opening("field", {"b/fields/psi.bin": 0}, None),
    _opening("field-not-listed", {"b/fields/psi.bin": 0}, None, listed=False),
    _opening("bundle-not-listed", {"b": 0o111, "b/fields": 0o111}, None),
    _opening("read-only", {"b/metadata.json": 0o444, "b/fields/psi.bin": 0o444, "b/fields": 0o555, "b": 0o555}, None),
)

_NAMES = ("shard_id", "byte_offset", "row_group_idx", "page_idx", "row_offset_in_page", "global_row_idx")
_PLACE = {name: number for number, name in enumerate(_NAMES, 11)}
_EIGHTH = Slot(8, 800, _PLACE, 1).bytes()
_SEVENTH = Slot(7, 700, _PLACE, 0).bytes()
_FIRST = Slot(1, 100, _PLACE, 0).bytes()
_LOG = bytes(range(1, 9))


def _stream(meta: bytes | None, log: bytes | None = None) -> dict[str, TreeEntry]:
    tree: dict[str, TreeEntry] = {"d": Dir()}
    if meta is not None:
        tree["d/m"] = File(meta)
    if log is not None:
        tree["d/m.dedup"] = File(log)
    return tree


def _starting(name: str, log: bytes, modes: Mapping[str, int], step: str | None) -> Case:
    reject = ("commit-io", step) if step is not None else None
    return Case(f"lmdl.open-{name}", "lmdl.open", _stream(_SEVENTH + _EIGHTH, log), modes, reject, {"path": "d/m"})


_STARTS = (
    _starting("meta", _LOG, {"d/m": 0}, "read-meta"),
    _starting("meta-write-only", _LOG, {"d/m": 0o222}, "read-meta"),
    _starting("log", _LOG, {"d/m.dedup": 0}, "read-log"),
    _starting("both", _LOG, {"d/m": 0, "d/m.dedup": 0}, "read-meta"),
    _starting("directory", _LOG, {"d": 0}, "read-meta"),
    _starting("log-to-cut", _LOG + b"x", {"d/m.dedup": 0o444}, "cut-log"),
    _starting("read-only", _LOG, {"d/m": 0o444, "d/m.dedup": 0o444, "d": 0o555}, None),
)


def _commit(name: str, tree: Tree, modes: Mapping[str, int], step: str, hashes: tuple[str, ...] = ()) -> Case:
    question: dict[str, Json] = {"path": "d/m", "batch_id": "9", "hashes": list(hashes)}
    question["coordinate"] = dict(coordinate_json(_PLACE))
    return Case(f"lmdl.commit_file-{name}", "lmdl.commit_file", tree, modes, ("commit-io", step), question)


_COMMITS = (
    _commit("slot", _stream(_SEVENTH + _EIGHTH, _LOG), {"d/m": 0o444}, "write-slot"),
    _commit("log", _stream(_SEVENTH + _EIGHTH, _LOG), {"d/m.dedup": 0o444}, "append-log", ("5",)),
    _commit("log-to-cut", _stream(_SEVENTH + _EIGHTH, _LOG + b"x"), {"d/m.dedup": 0o444}, "cut-log", ("5",)),
    _commit("first", _stream(None), {"d": 0o555}, "write-meta"),
    _commit("first-with-hashes", _stream(None), {"d": 0o555}, "append-log", ("5",)),
    _commit("directory", _stream(_SEVENTH + _EIGHTH, _LOG), {"d": 0}, "read-meta"),
    # A directory that may be written and not read cannot be synced, and what is not durable is not acknowledged.
    _commit("directory-not-read", _stream(_FIRST + bytes(64)), {"d": 0o333}, "sync-directory"),
)


def _store(name: str, modes: Mapping[str, int], step: str | None, more: Tree | None = None) -> Case:
    question: dict[str, Json] = {
        "store": "s",
        "generation": "g-2",
        "temporary": "g.tmp",
        "manifest": "m",
        "manifest_temporary": "m.tmp",
        "envelope": base64.b64encode(b"new").decode(),
        "store_manifest": base64.b64encode(b"g-2").decode(),
    }
    tree = {"s": Dir(), "s/g-1": File(b"old"), "s/m": File(b"g-1"), **(more or {})}
    made: dict[str, TreeEntry] = {"s/g-2": File(b"new")}
    if step is None:
        made["s/m"] = File(b"g-2")
    added = made if step in (None, "sync-directory-1") else {}
    reject = ("commit-io", step) if step is not None else None
    return Case(f"flysess1.commit-{name}", "flysess1.commit", tree, modes, reject, question, added)


_STORES = (
    _store("store-read-only", {"s": 0o555}, "write-generation"),
    _store("store", {"s": 0}, "write-generation"),
    _store("store-not-read", {"s": 0o333}, "sync-directory-1"),
    _store("leftover-that-stays", {"s": 0o555}, "write-generation", {"s/g.tmp": File(b"x")}),
    _store("leftover", {"s/g.tmp": 0}, None, {"s/g.tmp": File(b"x")}),
    _store("manifest", {"s/m": 0}, None),
)


def _publishing(name: str, tree: Tree, modes: Mapping[str, int], directory: str = "p/b") -> Case:
    fields: Json = [{"id": "psi", "data": base64.b64encode(bytes(16)).decode()}]
    question: dict[str, Json] = {"directory": directory, "metadata": dict(_META), "fields": fields}
    return Case(f"pfc.publish-{name}", "pfc.publish", tree, modes, ("publish-failed", None), question)


_LEFTOVER: dict[str, TreeEntry] = {"p": Dir(), "p/b.publishing": Dir(), "p/b.publishing/theirs": File(b"x")}
_PUBLICATIONS = (
    _publishing("parent-read-only", {"p": Dir()}, {"p": 0o555}),
    _publishing("parent", {"p": Dir()}, {"p": 0}),
    _publishing("parents-to-be-made", {"p": Dir()}, {"p": 0o555}, "p/q/r/b"),
    _publishing("leftover-not-to-be-cleared", _LEFTOVER, {"p/b.publishing": 0o555}),
    _publishing("leftover-not-to-be-listed", _LEFTOVER, {"p/b.publishing": 0}),
    _publishing("leftover-in-read-only-parent", {"p": Dir(), "p/b.publishing": Dir()}, {"p": 0o555}),
)
CASES = (*_OPENINGS, *_STARTS, *_COMMITS, *_STORES, *_PUBLICATIONS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_modes_forbid_is_told_as_the_rules_say(case: Case, adapter: Asked, tmp_path: Path) -> None:
    root = tmp_path / "root"
    trees.build(root, case.tree)
    paths = {"directory", "path", "store"}
    members = {name: f"{root}/{value}" if name in paths else value for name, value in case.input.items()}
    with _modes(root, case.modes):
        answer = adapter.ask(case.operation, members)
    found = (answer.reason, answer.at) if answer.outcome is Outcome.REJECTED else None
    assert answer.outcome in (Outcome.ACCEPTED, Outcome.REJECTED), answer.message
    assert found == case.reject
    wanted = {path: entry for path, entry in case.tree.items() if case.reject is not None or path != "s/g.tmp"}
    assert trees.read(root) == {**wanted, **case.added}


@contextlib.contextmanager
def _modes(root: Path, modes: Mapping[str, int]) -> Iterator[None]:
    """Set modes, the deepest first, and give them back, the highest first."""
    before = {path: stat.S_IMODE((root / path).stat().st_mode) for path in sorted(modes)}
    for path in sorted(modes, reverse=True):
        (root / path).chmod(modes[path])
    try:
        yield
    finally:
        for path in sorted(modes):
            if (root / path).exists():
                (root / path).chmod(before[path])
