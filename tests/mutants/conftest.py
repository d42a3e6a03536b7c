"""One copy of each implementation, in which the controls are planted one after another."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.formats import FORMATS
from conformance.paths import ROOT
from conformance.suite.load import Suite, load_suite
from mutants.workshop import Workshop, open_workshop


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load_suite(FORMATS)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workshop]:
    """The copy of a language's implementation; it is made and built once."""
    made: dict[str, Workshop] = {}
    # Below target/, as all that cargo builds: what the crates stand on stays built between two runs of the tests.
    rust_target = ROOT / "adapters/rust/target/controls"

    def copy(language: str) -> Workshop:
        if language not in made:
            made[language] = open_workshop(language, Path(tmp_path_factory.mktemp(language)), rust_target)
        return made[language]

    return copy
