"""The durable commit of one envelope into a store directory (FLY-COMMIT; envelope document section 5).

The rename of the store manifest is the commit point: until then the generation is a file that nothing refers to.
"""

from __future__ import annotations

import os
from dataclasses import astuple, dataclass
from pathlib import Path

from reference_py.durable import StepNames, Steps, path_from, put_in_place, remove_leftover, sync_directory
from reference_py.rejection import Rejection

_GENERATION = StepNames(write="write-generation", sync="sync-generation", rename="rename-generation")
_MANIFEST = StepNames(write="write-manifest", sync="sync-manifest", rename="rename-manifest")


@dataclass(frozen=True, slots=True)
class StoreNames:
    """The four file names of a commit, each one plain component within the store directory."""

    generation: str
    temporary: str  # of the generation, until it is renamed
    manifest: str
    manifest_temporary: str


def commit(store: str, names: StoreNames, envelope: bytes, store_manifest: bytes) -> None:
    """Commit an envelope's bytes and the store manifest that refers to them; durable once this returns.

    Rule FLY-COMMIT, envelope document section 5. What the two files say is the caller's matter. Rejections, in this
    order: `commit-name` and `commit-exists`, without a place; `commit-io` at the failing step: `write-generation`,
    `sync-generation`, `rename-generation`, `sync-directory-1`, `write-manifest`, `sync-manifest`, `rename-manifest`,
    `sync-directory-2`. Up to and including `rename-manifest` the old store manifest stands; after it either may.
    """
    _judge_names(names)
    with Steps() as steps:
        steps.begin(_GENERATION.write, store)
        directory = path_from(store)
        _refuse_taken_name(directory / names.generation)
        _remove_leftovers(steps, directory, names)
        put_in_place(steps, _GENERATION, directory / names.temporary, directory / names.generation, envelope)
        steps.begin("sync-directory-1", directory)
        sync_directory(directory)
        put_in_place(steps, _MANIFEST, directory / names.manifest_temporary, directory / names.manifest, store_manifest)
        steps.begin("sync-directory-2", directory)
        sync_directory(directory)


def _judge_names(names: StoreNames) -> None:
    """`commit-name`: a name must stay within the directory, and no file may stand in for another."""
    given: tuple[str, ...] = astuple(names)
    for name in given:
        if not _is_plain_component(name):
            raise Rejection("commit-name", detail=f"{name[:80]!a} is no plain file name within the store directory")
    if len(set(given)) != len(given):
        raise Rejection("commit-name", detail=f"two of the four names are equal: {', '.join(map(ascii, given))}")


def _is_plain_component(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # half a surrogate pair: no file name at all
        return False
    return name not in ("", ".", "..") and "/" not in name and "\0" not in name


def _refuse_taken_name(generation: Path) -> None:
    """`commit-exists`: a generation is never replaced, and a link of its name, a dangling one too, takes the name."""
    try:
        generation.lstat()
    except FileNotFoundError:
        return
    detail = f"{str(generation)!a} is there already; commit under a new generation name"
    raise Rejection("commit-exists", detail=detail)


def _remove_leftovers(steps: Steps, directory: Path, names: StoreNames) -> None:
    """Ahead of both writes, so that one that cannot be removed is told while nothing has changed."""
    for names_of_steps, leftover in ((_GENERATION, names.temporary), (_MANIFEST, names.manifest_temporary)):
        steps.begin(names_of_steps.write, directory / leftover)
        remove_leftover(directory / leftover)
