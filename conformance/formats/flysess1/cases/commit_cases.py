"""What the builders of ``flysess1.commit`` share: stores as trees, and a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from conformance.vectorgen.vector_set import Data, VectorFile, b64

Tree: TypeAlias = Mapping[str, Data]

DIR: Data = {"dir": True}
FIFO: Data = {"fifo": True}

NAMES = {
    "generation": "gen-2",
    "temporary": "gen-2.part",
    "manifest": "store.json",
    "manifest_temporary": "store.json.part",
}
"""The four names of a commit, by request member."""

ENVELOPE = bytes(range(256)) * 2
"""What a commit is asked to store: its content is the caller's, and this is no envelope."""

MANIFEST = b'{"current":"gen-2"}\n'


def file(data: bytes) -> Data:
    """Return a file's entry."""
    return {"file": b64(data)}


def link(target: str) -> Data:
    """Return a symbolic link's entry."""
    return {"symlink": target}


def store(entries: Tree, name: str = "store") -> dict[str, Data]:
    """Return the tree of a store directory that holds ``entries``."""
    return {name: DIR} | {f"{name}/{path}": entry for path, entry in entries.items()}


OLD: dict[str, Data] = {"gen-1": file(b"generation 1"), "store.json": file(b'{"current":"gen-1"}\n')}
"""A store's entries after an earlier commit."""

NEW: dict[str, Data] = OLD | {"gen-2": file(ENVELOPE), "store.json": file(MANIFEST)}
"""The same after the commit that a case asks for."""

OUTSIDE: dict[str, Data] = {"outside": file(b"kept"), "away/file": file(b"kept too")}
"""What stands beside the store."""

UNNAMED: dict[str, Data] = OLD | {"gen-2": file(ENVELOPE)}
"""The same when the generation has its name, and the old store manifest stands."""


def add(  # noqa: PLR0913, PLR0917 - the parts of a case
    cases: VectorFile,
    name: str,
    title: str,
    why: str,
    before: Tree,
    expect: Data,
    *,
    after: Tree | None = None,
    names: Mapping[str, str] = NAMES,
    where: str = "store",
    data: bytes | None = ENVELOPE,
    manifest: bytes = MANIFEST,
    tags: Sequence[str] = ("corruption",),
    **more: Any,
) -> None:
    """Add a case of FLY-COMMIT; without ``after`` the tree must stand as it stood before.

    With ``data`` None the envelope is an edited golden file, given by ``base``.
    """
    envelope = {} if data is None else {"envelope": b64(data)}
    cases.case(
        f"flysess1/commit/{name}",
        title=title,
        why=why,
        rules=["FLY-COMMIT"],
        tags=tags,
        input={"store": where, **names, "store_manifest": b64(manifest), **envelope},
        tree=OUTSIDE | dict(before),
        tree_after=OUTSIDE | dict(before if after is None else after),
        expect=expect,
        **more,
    )
