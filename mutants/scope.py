"""Which files are mutated, and which formats' vectors judge a change in each of them."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from conformance.paths import ROOT, VECTORS
from conformance.rules.data import FORMATS

LANGUAGES = ("python", "rust", "typescript")
_JSON_FORMATS = ("pfc", "flysess1")
_BUILT_FROM = {
    "python": ("reference_py", "adapters/python"),
    "rust": ("adapters/rust/crates", "adapters/rust/Cargo.lock", "adapters/rust/Cargo.toml"),
    "typescript": ("adapters/typescript/src", "adapters/typescript/package-lock.json"),
}
_NOT_BUILT = {"__pycache__", "test", "tests"}


@dataclass(frozen=True)
class Scope:
    """The mutated files of one language, relative to the checkout, and the tool that makes the mutants."""

    language: str
    tool: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Reach:
    """Files that only some operations can reach."""

    operations: frozenset[str]
    files: frozenset[str]


def load_scope(language: str) -> Scope:
    """Return what ``scope.toml`` says of a language."""
    members = cast("dict[str, object]", _load()[language])
    left_out = [str(each["path"]) for each in cast("list[dict[str, str]]", members.get("exclude", []))]
    found = [
        file.relative_to(ROOT).as_posix()
        for folder in cast("list[str]", members["include"])
        for file in sorted((ROOT / folder).rglob(f"*{members['suffix']}"))
    ]
    files = tuple(file for file in found if not any(file == each or file.startswith(f"{each}/") for each in left_out))
    return Scope(language, str(members["tool"]), files)


def load_reach() -> tuple[Reach, ...]:
    """Return what ``scope.toml`` says of files that not every operation of their formats can reach."""
    entries = cast("list[dict[str, list[str]]]", _load()["reach"])
    return tuple(Reach(frozenset(each["operations"]), frozenset(each["files"])) for each in entries)


def formats_of(file: str) -> tuple[str, ...]:
    """Return the formats that a file has a part in: its folder's; JSON and numbers are not for ``lmdl``."""
    for name in FORMATS:
        if f"/{name}/" in file:
            return (name,)
    is_json = "/json/" in file or file.endswith(("/json_text.py", "/numbers.py"))
    return _JSON_FORMATS if is_json else FORMATS


def sources_digests(language: str) -> dict[tuple[str, ...], str]:
    """Return a SHA-256 over the files that an implementation is built from, for each result of :func:`formats_of`.

    What belongs to one format alone has no part in the others, so that a change there leaves their findings alone.
    """
    files = sorted(file for part in _BUILT_FROM[language] for file in _files(ROOT / part))
    members = [(file.relative_to(ROOT).as_posix(), file.read_bytes()) for file in files]
    parts = [(name,) for name in FORMATS] + [_JSON_FORMATS, FORMATS]
    return {part: _digest([each for each in members if set(formats_of(each[0])) & set(part)]) for part in parts}


def vectors_digest() -> str:
    """Return a SHA-256 over the cases of the index: each one's id and the digest of the questions it stands for.

    How a vector file spells a case has no part in it, so a new layout of the files leaves the findings alone.
    """
    cases = json.loads((VECTORS / "index.json").read_bytes())["cases"]
    return hashlib.sha256(json.dumps(cases, sort_keys=True).encode()).hexdigest()


def _load() -> dict[str, object]:
    return tomllib.loads(Path(__file__).with_name("scope.toml").read_text(encoding="utf-8"))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [file for file in path.rglob("*") if file.is_file() and not _NOT_BUILT.intersection(file.parts)]


def _digest(files: Sequence[tuple[str, bytes]]) -> str:
    total = hashlib.sha256()
    for name, data in files:
        total.update(f"{name}\0{len(data)}\0".encode() + data)
    return total.hexdigest()
