"""Every reason that code or documents name is in the rules, and every port can give every reason of the rules."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from conformance.crash.scenario import Scenario
from conformance.formats import FORMATS
from conformance.rules import JSON, load_rules, raw

ROOT = Path(__file__).resolve().parents[3]
RULES = load_rules()
ALL = [reason for rules in RULES.formats.values() for reason in rules.reasons.values()]
REASONS = {reason.id: reason for reason in ALL}
STEPS = {step for reason in ALL for step in reason.steps}
CLASSES = {entry["id"] for entry in raw(JSON)["reasons"]}

SOURCES = {
    "Python": ("reference_py", "*.py"),
    "Rust": ("adapters/rust/crates", "*.rs"),
    "TypeScript": ("adapters/typescript/src", "*.ts"),
    "documents": ("docs", "*.md"),
}

NATIVE_TESTS = {
    "Python": ("tests/reference_py", "*.py"),
    "Rust": ("adapters/rust/crates", "*.rs"),
    "TypeScript": ("adapters/typescript/src", "*.ts"),
}

NO_REASONS = {
    *("utf-8", "latin-1", "checkpoint-formats", "ryu-js", "hash-wasm", "my-formats"),
    *("power-cut", "short-write", "first-hashes-again", "first-zero-leftovers", "fuzz-findings", "reference-fault"),
}
"""Quoted words of the shape of a reason that name something else: encodings, packages, an example; what the commands
``crash`` and ``fuzz`` tell, and write."""

QUOTED = re.compile(r"""(["'`])(?:…-?|-|\{prefix\})?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\1""")
"""A quoted word of that shape, also with the prefix of strict JSON's reasons left open."""


def texts(folder: str, pattern: str, leave_out: frozenset[str] = frozenset()) -> dict[Path, str]:
    built = {"target", "node_modules", "dist", *leave_out}
    paths = [path for path in sorted((ROOT / folder).rglob(pattern)) if not built & set(path.parts)]
    assert paths, f"{folder} has no {pattern}"
    return {path: path.read_text(encoding="utf-8") for path in paths}


def library(language: str) -> dict[Path, str]:
    """The sources without their tests, which quote file names and made-up ids too."""
    return texts(*SOURCES[language], leave_out=frozenset({"tests", "test"}))


def quoted(text: str) -> set[str]:
    return {match[2] for match in QUOTED.finditer(text)}


def unknown_words(text: str) -> set[str]:
    return quoted(text) - REASONS.keys() - STEPS - CLASSES - NO_REASONS


@pytest.mark.parametrize("language", SOURCES)
def test_every_reason_named_is_in_the_rules(language: str) -> None:
    found = {str(path.relative_to(ROOT)): unknown_words(text) for path, text in library(language).items()}
    assert {path: words for path, words in found.items() if words} == {}


def test_a_reason_that_is_not_in_the_rules_would_be_found() -> None:
    assert unknown_words("""raise Rejection("slot-magic"); Rejection('slot-majic')""") == {"slot-majic"}


@pytest.mark.parametrize("language", SOURCES)
def test_every_reason_of_the_rules_is_named(language: str) -> None:
    named = set[str]().union(*(quoted(text) for text in library(language).values()))
    prefixed = {prefix + name for prefix in raw(JSON)["prefixes"].values() for name in CLASSES & named}
    assert REASONS.keys() - named - prefixed == set()


def without_native_test(reason: str, sources: Mapping[str, Mapping[Path, str]]) -> list[str]:
    """The languages in whose native tests no line says ``native: <reason>``."""
    marker = f"native: {reason}"
    return [language for language, found in sources.items() if not any(marker in text for text in found.values())]


def test_every_native_reason_has_a_native_test_in_each_language() -> None:
    sources = {language: texts(*where) for language, where in NATIVE_TESTS.items()}
    missing = {r.id: without_native_test(r.id, sources) for r in REASONS.values() if r.native}
    assert {reason: languages for reason, languages in missing.items() if languages} == {}


def test_every_native_step_is_one_that_crash_scenarios_make_fail() -> None:
    """There a call of each step fails in every adapter, whatever its language."""
    scenarios = [each for one in FORMATS.values() for each in one.scenarios() if isinstance(each, Scenario)]
    failing = {(scenario.operation, step.name) for scenario in scenarios for step in scenario.steps}
    committing = {"lmdl.commit_file", "flysess1.commit"}
    native = {(operation, step) for r in ALL for operation in committing & {*r.operations} for step in r.native_steps}
    assert native
    assert native - failing == set()


def test_a_missing_native_test_would_be_found() -> None:
    sources = {"Python": {Path("a"): "# native: commit-io"}, "Rust": {Path("b"): "// commit-io"}}
    assert without_native_test("commit-io", sources) == ["Rust"]
