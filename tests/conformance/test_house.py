"""Which package may import which, that no engine names a format, and that the expectations are independent."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from conformance.formats import FORMATS
from conformance.paths import ROOT

PACKAGES = ("conformance", "harness", "reference_py", "reports")
LAYERS: Mapping[str, frozenset[str]] = {
    "reference_py": frozenset(),
    "harness": frozenset(),
    "reports": frozenset({"harness"}),
    "conformance": frozenset({"harness", "reference_py", "reports"}),
}
"""What each package may import of the others."""

INNER: Mapping[str, frozenset[str]] = {
    "conformance.rules": frozenset({"crash", "fuzz", "vectorgen", "cli", "formats", "suite"}),
    "conformance.layout": frozenset({"crash", "fuzz", "vectorgen", "cli", "formats", "suite"}),
    "conformance.suite": frozenset({"crash", "fuzz", "vectorgen", "cli", "formats"}),
    "conformance.notes": frozenset({"crash", "fuzz", "vectorgen", "cli", "formats"}),
    "conformance.vectorgen": frozenset({"crash", "fuzz", "cli", "formats"}),
    "conformance.crash": frozenset({"fuzz", "vectorgen", "cli", "formats"}),
    "conformance.fuzz": frozenset({"crash", "vectorgen", "cli", "formats"}),
    "conformance.formats": frozenset({"cli"}),
}
"""What each folder of ``conformance`` may not import: formats and commands know the engines, and not the reverse."""

REFERENCE = "conformance.suite.reference"
"""The module through which the reference is asked."""

COMPARE = {"conformance.vectorgen.proof", "conformance.vectorgen.lint"}
"""What holds the expectations against the reference's answers."""

STATES = re.compile(r"conformance\.formats\.[a-z0-9]+\.(cases(\..*)?|model.*|layout|envelope)")
"""What states expectations."""


def _modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
ENGINES = [
    name
    for name in MODULES
    if name.split(".")[0] in ("harness", "reports")
    or (name.startswith("conformance.") and not name.startswith(("conformance.formats.", "conformance.cli.")))
]


@cache
def _tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that run when ``node`` does; what only a type checker reads is left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute"
            assert child.module is not None
            for alias in child.names:
                inner = f"{child.module}.{alias.name}"
                yield inner if inner in MODULES else child.module
        else:
            yield from _imported(child)


def _imports(name: str) -> frozenset[str]:
    return frozenset(_imported(_tree(name)))


def _reached(start: str) -> frozenset[str]:
    """Return every module of ours that importing ``start`` runs."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in MODULES and name not in seen:
            seen.add(name)
            waiting += [*_imports(name), name.rpartition(".")[0]]
    return frozenset(seen)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_run_one_way(name: str) -> None:
    package = name.split(".", maxsplit=1)[0]
    others = {each.split(".")[0] for each in _imports(name)} & set(PACKAGES) - {package}
    assert others <= LAYERS[package]
    for folder, barred in INNER.items():
        if name == folder or name.startswith(f"{folder}."):
            inner = {each.split(".")[1] for each in _imports(name) if each.startswith("conformance.")}
            assert not inner & (barred - {folder.split(".")[1]})


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_no_engine_names_a_format(name: str) -> None:
    """Documentation may name one as an example; code may not."""
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(_tree(name))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    documentation |= {id(node.value) for node in ast.walk(_tree(name)) if isinstance(node, ast.Expr)}
    named = re.compile(rf"(?<![a-z0-9])({'|'.join(FORMATS)})(?![a-z0-9])")
    for node in ast.walk(_tree(name)):
        if id(node) in documentation:
            continue
        words = [getattr(node, field, None) for field in ("id", "attr", "name", "arg", "module", "value")]
        found = [word for word in words if isinstance(word, str) and named.search(word.lower())]
        assert not found, f"{MODULES[name]}:{getattr(node, 'lineno', '?')} names a format: {found}"


@pytest.mark.parametrize("name", sorted(name for name in MODULES if STATES.fullmatch(name)))
def test_what_states_expectations_does_not_reach_the_reference(name: str) -> None:
    assert not {each for each in _reached(name) if each == REFERENCE or each.split(".")[0] == "reference_py"}


def test_the_framework_imports_the_reference_only_to_compare() -> None:
    framework = [name for name in MODULES if name.startswith("conformance.vectorgen")]
    assert not [name for name in framework if "reference_py" in {each.split(".")[0] for each in _imports(name)}]
    assert {name for name in framework if REFERENCE in _imports(name)} == COMPARE


def test_expectations_are_looked_at() -> None:
    """The pattern above meets the cases and the model of every format."""
    for name in FORMATS:
        assert STATES.fullmatch(f"conformance.formats.{name}.model")
        assert f"conformance.formats.{name}.model" in MODULES
        assert [each for each in MODULES if each.startswith(f"conformance.formats.{name}.cases.")]
