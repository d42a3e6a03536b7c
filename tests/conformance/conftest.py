"""The suite as it stands."""

import pytest

from conformance.suite import Suite, load_suite


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load_suite()
