"""Reading ``vectors/``: every file against the index, every entry into memory, and the choice of some of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.names import did_you_mean
from conformance.paths import VECTORS
from conformance.suite.errors import SuiteError
from conformance.suite.model import Case, FormatParts, Header, SingleCase
from conformance.suite.pairwise import Pairwise
from conformance.suite.spelling import full
from conformance.suite.sweep import Sweep

INDEX = "index.json"
"""The index's name in ``vectors/``."""


@dataclass(frozen=True)
class Suite:
    """A version of the suite: all its cases and sweeps, in the order of their ids."""

    version: str
    cases: tuple[Case, ...]

    def case(self, case_id: str) -> Case:
        """Return the case or sweep of that id; a member of a sweep (``…#byte3.bit0``) names its sweep.

        Raises :class:`SuiteError` for an unknown id.
        """
        wanted = case_id.split("#", 1)[0]
        for entry in self.cases:
            if entry.id == wanted:
                return entry
        close = did_you_mean(wanted, (entry.id for entry in self.cases))
        raise SuiteError(f"there is no case {wanted}{close or '; `conformance list` shows all'}")

    def select(self, formats: Collection[str] = (), globs: Sequence[str] = ()) -> tuple[Case, ...]:
        """Return the entries of any of ``formats`` that match any of ``globs``; none given means all.

        A glob matches a whole id or operation; a word without wildcards matches anywhere in them, or a whole tag; the
        name of an operation matches that operation alone.
        Raises :class:`SuiteError` when a format or a glob meets nothing, or when both together leave nothing.
        """
        for name in formats:
            if not any(entry.format == name for entry in self.cases):
                known = ", ".join(sorted({entry.format for entry in self.cases}))
                raise SuiteError(f"there is no format {name}; the suite has {known}")
        operations = {entry.operation for entry in self.cases}
        for glob in globs:
            if not any(_matches(entry, glob, operations) for entry in self.cases):
                hint = "a pattern with * ? [ must match a whole id or operation; `conformance list` shows all"
                raise SuiteError(f"no case matches {glob}; {hint}")
        chosen = tuple(
            entry
            for entry in self.cases
            if (not formats or entry.format in formats)
            and (not globs or any(_matches(entry, glob, operations) for glob in globs))
        )
        if not chosen:
            raise SuiteError("nothing is selected: no case of these formats matches these patterns")
        return chosen


def _matches(entry: Case, glob: str, operations: Collection[str]) -> bool:
    if glob in operations:
        return entry.operation == glob
    if not any(character in glob for character in "*?["):
        return glob in entry.id or glob in entry.operation or glob in entry.tags
    return fnmatchcase(entry.id, glob) or fnmatchcase(entry.operation, glob)


def load_suite(formats: Mapping[str, FormatParts], root: Path | None = None) -> Suite:
    """Read the vectors below ``root`` (the checkout's ``vectors/`` by default); ``formats`` are all that there are.

    Every file is compared with its SHA-256 in the index, so that a byte gone bad on disk is not judged by. Raises
    :class:`SuiteError` naming the file otherwise.
    """
    root = VECTORS if root is None else root
    index = _read_index(root)
    contents = {path: _read_file(root, path, entry["sha256"]) for path, entry in index["files"].items()}
    return Suite(index["suite"], parse_entries(formats, contents))


def _read_index(root: Path) -> Mapping[str, Any]:
    path = root / INDEX
    try:
        index: Mapping[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise SuiteError(f"{path}: not found; run `conformance vectors build`") from None
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path}: not JSON ({error}); run `conformance vectors check`") from None
    if not _is_index(index):
        raise SuiteError(f"{path}: not an index of a suite and its files; run `conformance vectors check`")
    return index


def _is_index(index: object) -> bool:
    if not isinstance(index, dict) or not isinstance(index.get("suite"), str):
        return False
    files = index.get("files")
    return isinstance(files, dict) and all(isinstance(one, dict) and "sha256" in one for one in files.values())


def _read_file(root: Path, path: str, expected: str) -> bytes:
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        raise SuiteError(f"{root / path}: {error.strerror}, but the index lists it; restore it") from None
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise SuiteError(
            f"{root / path}: SHA-256 is {found}, the index says {expected}; "
            "`conformance vectors check` shows what differs"
        )
    return data


def is_case_file(path: str) -> bool:
    """Whether a path below ``vectors/`` is a file of cases: ``<format>/<name>.json``."""
    return path.count("/") == 1 and path.endswith(".json") and not path.startswith("schema/")


def parse_entries(formats: Mapping[str, FormatParts], contents: Mapping[str, bytes]) -> tuple[Case, ...]:
    """Turn the files of ``vectors/`` (path → bytes) into entries, in the order of their ids."""
    goldens = {path: data for path, data in contents.items() if "/golden/" in path}
    entries: list[Case] = []
    for path in sorted(filter(is_case_file, contents)):
        document = full(json.loads(contents[path]), goldens)
        if document["format"] not in formats:
            raise SuiteError(
                f"{path}: is of the format {document['format']!r}, which has no folder in conformance/formats"
            )
        header = Header(path, formats[document["format"]], document["operation"], document["title"])
        entries += [SingleCase(header, data, goldens) for data in document["cases"]]
        entries += [Sweep(header, data, goldens) for data in document["sweeps"]]
        entries += [Pairwise(header, data, goldens) for data in document["pairwise"]]
    return tuple(sorted(entries, key=lambda entry: entry.id))
