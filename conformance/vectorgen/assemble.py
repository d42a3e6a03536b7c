"""From books to the bytes of every file of vectors and back to entries, all in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from conformance.paths import VECTORS
from conformance.suite.errors import SuiteError
from conformance.suite.load import is_case_file
from conformance.suite.spelling import Speller
from conformance.suite.text import UnwritableError, canonical
from conformance.vectorgen.vector_set import VectorFile, VectorSet
from conformance.version import SUITE_VERSION

SCHEMAS = VECTORS / "schema"
"""Where the schemas stand; they are written by hand."""

LARGEST_FILE = 1024 * 1024
"""No file of vectors may reach this many bytes."""


class AssembleError(Exception):
    """A book holds what no vector file may hold; the message names format, file and place."""


def assemble(books: Iterable[VectorSet]) -> dict[str, bytes]:
    """Return path below ``vectors/`` → bytes for every golden and vector file of ``books``."""
    contents: dict[str, bytes] = {}
    for book in books:
        contents |= book.goldens
        for case_file in book.files:
            path = f"{book.format}/{case_file.name}.json"
            if path in contents:
                raise AssembleError(f"{path} is written by two builders; give each its own file name")
            contents[path] = _case_file(book, path, case_file)
    for path, data in contents.items():
        if len(data) >= LARGEST_FILE:
            raise AssembleError(f"{path} has {len(data)} bytes; split it, a file stays below {LARGEST_FILE}")
    return contents


def _case_file(book: VectorSet, path: str, case_file: VectorFile) -> bytes:
    document: dict[str, Any] = {
        "$schema": "../schema/cases.schema.json",
        "format": book.format,
        "suite": SUITE_VERSION,
        "operation": case_file.operation,
        "title": case_file.title,
    }
    speller = Speller(book.bytes_of.get(case_file.operation, ()), book.goldens)
    lists = {"cases": case_file.cases, "sweeps": case_file.sweeps, "pairwise": case_file.pairs}
    try:
        for kind, cases in lists.items():
            if cases:
                document[kind] = [speller.case(kind, case) for case in sorted(cases, key=lambda case: str(case["id"]))]
        return canonical(document)
    except (SuiteError, UnwritableError) as error:
        raise AssembleError(f"{path} {error}") from None


def schema_files() -> dict[str, bytes]:
    """Return the schemas as they stand: path below ``vectors/`` → bytes."""
    return {f"schema/{path.name}": path.read_bytes() for path in sorted(SCHEMAS.glob("*.schema.json"))}


def schema_problems(name: str, document: Any, what: str) -> list[str]:
    """Say where ``document`` breaks the schema ``name`` (``cases``, ``index``, ``released``, ``rules``)."""
    return [
        f"{what}: at {error.json_path}: {error.message[:300]}"
        for error in sorted(validator(name).iter_errors(document), key=lambda error: error.json_path)
    ]


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of ``vectors/schema/<name>.schema.json``; the schemas may refer to each other."""
    registry: Registry[Any] = Registry().with_resources(
        (path.name, Resource.from_contents(json.loads(path.read_bytes()))) for path in SCHEMAS.glob("*.schema.json")
    )
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())
    return Draft202012Validator(schema, registry=registry)


def case_file_problems(contents: Mapping[str, bytes]) -> list[str]:
    """Hold every vector file to its schema."""
    return [
        problem
        for path in sorted(filter(is_case_file, contents))
        for problem in schema_problems("cases", json.loads(contents[path]), path)
    ]


def relative_files(root: Path) -> dict[str, bytes]:
    """Read every regular file below ``root`` by its relative path, in order of the paths."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
