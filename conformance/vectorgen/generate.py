"""Generation: builders to the bytes of every file in ``vectors/``, proved and linted, all in memory."""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from conformance.rules import load_rules
from conformance.suite.load import INDEX, parse_entries
from conformance.suite.model import Case, FormatParts, SingleCase
from conformance.suite.text import canonical
from conformance.vectorgen.assemble import AssembleError, assemble, case_file_problems, schema_files, schema_problems
from conformance.vectorgen.lint import lint
from conformance.vectorgen.proof import Proof, prove
from conformance.vectorgen.vector_set import Model, VectorSet
from conformance.version import SUITE_VERSION


class GenerationError(Exception):
    """The cases are not fit to be written; ``problems`` says each in a line."""

    def __init__(self, problems: Sequence[str]) -> None:
        """Hold every problem found."""
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class WritingFormat(FormatParts, Protocol):
    """A format that can write its cases."""

    def write_cases(self, book: VectorSet) -> None:
        """Write every golden file and vector file into ``book``."""


@dataclass(frozen=True)
class Generated:
    """The bytes of every generated file (path below ``vectors/``), the index among them, and what they hold."""

    contents: Mapping[str, bytes]
    entries: tuple[Case, ...]
    digests: Mapping[str, str]


def generate(formats: Mapping[str, WritingFormat], retired: Collection[str] = ()) -> Generated:
    """Build, lint and prove the cases of ``formats``. ``retired`` are ids that no case may have.

    Raises :class:`GenerationError` with every problem, so that a builder's author sees them all at once.
    """
    written = [_book(one) for one in formats.values()]
    try:
        contents = assemble(written)
    except AssembleError as error:
        raise GenerationError([str(error)]) from None
    problems = case_file_problems(contents)
    if problems:
        raise GenerationError(problems)
    entries = parse_entries(formats, contents)
    problems = lint(entries, load_rules(), written, retired)
    models = {name: model for book in written for file in book.files for name, model in file.models.items()}
    proofs = _prove_all(entries, models)
    problems += [problem for proof in proofs.values() for problem in proof.problems]
    if problems:
        raise GenerationError(problems)
    index = _index(written, contents, entries, proofs)
    problems = schema_problems("index", index, INDEX)
    if problems:
        raise GenerationError(problems)
    digests = {name: proof.digest for name, proof in proofs.items()}
    return Generated({**contents, INDEX: canonical(index)}, entries, digests)


def _book(one: WritingFormat) -> VectorSet:
    book = VectorSet(one.id, one.reseals, one.operations.bytes_of)
    one.write_cases(book)
    return book


def _prove_all(entries: Sequence[Case], models: Mapping[str, Model]) -> dict[str, Proof]:
    """Prove every entry, on all cores: the reference answers some hundred thousand questions.

    Oracles are functions that no process can send to another, so the workers are forks, which have them already.
    """
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(
        mp_context=context, initializer=_WORK.update, initargs=({"entries": entries, "models": models},)
    ) as pool:
        proofs = list(pool.map(_prove_one, range(len(entries)), chunksize=16))
    return {entry.id: proof for entry, proof in zip(entries, proofs, strict=True)}


_WORK: dict[str, Any] = {}
"""What a worker proves: set in the worker alone."""


def _prove_one(number: int) -> Proof:
    entry = _WORK["entries"][number]
    return prove(entry, _WORK["models"].get(entry.id))


def _index(
    written: Sequence[VectorSet], contents: Mapping[str, bytes], entries: Sequence[Case], proofs: Mapping[str, Proof]
) -> dict[str, Any]:
    listed = {**contents, **schema_files()}
    return {
        "$schema": "schema/index.schema.json",
        "suite": SUITE_VERSION,
        "counts": {book.format: _counts(book.format, entries, proofs) for book in written},
        "files": {
            path: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for path, data in listed.items()
        },
        "cases": {entry.id: proofs[entry.id].digest for entry in entries},
        "unswept": {path: why for book in written for path, why in book.unswept.items()},
    }


def _counts(name: str, entries: Sequence[Case], proofs: Mapping[str, Proof]) -> dict[str, int]:
    own = [entry for entry in entries if entry.format == name]
    sweeps = sum(not isinstance(entry, SingleCase) for entry in own)
    return {
        "cases": len(own) - sweeps,
        "sweeps": sweeps,
        "questions": sum(proofs[entry.id].questions for entry in own),
    }
