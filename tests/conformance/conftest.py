"""The suite as it stands."""

import pytest

from conformance.formats import FORMATS
from conformance.suite.load import Suite, load_suite


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load_suite(FORMATS)
