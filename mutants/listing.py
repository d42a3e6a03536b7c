"""The mutants of a language, as its own mutation tool finds them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants.mutant import Change, Mutant, named
from mutants.scope import Scope
from mutants.workshop import Workshop, node

TOOLS = Path(__file__).parent / "tools"
_RUST = "adapters/rust"
_TYPESCRIPT = "adapters/typescript/src"


class ListingError(Exception):
    """The mutation tool could not do its work; the message is its own."""


@dataclass(frozen=True)
class Toolbox:
    """Where the mutation tools are installed: the Python that has cosmic-ray, and the program cargo-mutants."""

    python: Path
    cargo_mutants: Path


def list_mutants(scope: Scope, workshop: Workshop, tools: Toolbox) -> list[Mutant]:
    """Return all mutants of the files in scope. Stryker builds its own into the copy. Raises :class:`ListingError`."""
    sources = {file: workshop.read(file) for file in scope.files}
    match scope.language:
        case "python":
            changes = _python(scope, workshop, tools)
        case "rust":
            changes = _rust(workshop, tools, sources)
        case _:
            changes = _typescript(scope, workshop, sources)
    return named(changes, sources)


def _python(scope: Scope, workshop: Workshop, tools: Toolbox) -> list[Change]:
    script = str(TOOLS / "python/list_mutants.py")
    return [Change(**json.loads(line)) for line in _output([str(tools.python), script, *scope.files], workshop.root)]


def _rust(workshop: Workshop, tools: Toolbox, sources: dict[str, str]) -> list[Change]:
    command = [str(tools.cargo_mutants), "mutants", "--list", "--json", "--package", "checkpoint-formats"]
    found: list[dict[str, Any]] = json.loads("\n".join(_output(command, workshop.root / _RUST)))
    changes = []
    for mutant in found:
        file = f"{_RUST}/{mutant['file']}"
        if file in sources:
            start, end = _offsets(sources[file], mutant["span"])
            changes.append(Change(file, mutant["genre"], start, end, mutant["replacement"]))
    return changes


def _offsets(source: str, span: dict[str, Any]) -> tuple[int, int]:
    lines = source.splitlines(keepends=True)

    def offset(place: dict[str, int]) -> int:
        return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1

    return offset(span["start"]), offset(span["end"])


def _typescript(scope: Scope, workshop: Workshop, sources: dict[str, str]) -> list[Change]:
    folder = workshop.root / _TYPESCRIPT
    names = [file.removeprefix(f"{_TYPESCRIPT}/") for file in scope.files]
    command = [str(node()), str(TOOLS / "typescript/instrument.mjs"), str(folder), *names]
    found: list[dict[str, Any]] = json.loads("\n".join(_output(command, workshop.root)))
    changes = []
    for mutant in found:
        file = f"{_TYPESCRIPT}/{mutant['file']}"
        lines = sources[file].splitlines(keepends=True)
        start, end = (sum(map(len, lines[: at["line"]])) + at["column"] for at in (mutant["start"], mutant["end"]))
        changes.append(Change(file, mutant["operator"], start, end, mutant["replacement"], switch=mutant["id"]))
    return changes


def _output(command: list[str], folder: Path) -> list[str]:
    try:
        done = subprocess.run(  # noqa: S603 - asking the tool is the purpose
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise ListingError(f"{command[0]}: {error.strerror}; run this by `make mutants`, which installs it") from None
    if done.returncode != 0:
        raise ListingError(f"{command[0]} failed:\n{(done.stderr + done.stdout)[-4000:]}")
    return done.stdout.splitlines()
