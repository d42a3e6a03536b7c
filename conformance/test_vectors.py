"""The vectors as pytest items: every case on every adapter, a sweep as one item.

Select by ``-k`` (words of the id), by ``-m`` (a format, an adapter: ``-m 'lmdl and rust'``) or by node id. The failure
text is that of ``conformance run``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.adapters import own_adapters
from conformance.engine import case_info, judged
from conformance.formats import FORMATS
from conformance.notes.place import PlacesSeen
from conformance.suite.load import load_suite
from conformance.suite.model import Case
from harness.model import Status
from harness.runner import AdapterRun
from reports.text import failure_lines


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make an item for each adapter and case."""
    metafunc.parametrize(
        ("adapter", "entry"),
        [
            pytest.param(
                name,
                entry,
                id=f"{name}-{entry.id}",
                marks=[getattr(pytest.mark, name), getattr(pytest.mark, entry.format)],
            )
            for name in own_adapters()
            for entry in load_suite(FORMATS).cases
        ],
    )


def test_case(adapter: str, entry: Case, adapter_run: Callable[[str], AdapterRun]) -> None:
    """The adapter answers the case, or every member of the sweep, as expected."""
    run = adapter_run(adapter)
    (result,) = judged(run, [entry], PlacesSeen())
    if result.status is not Status.PASSED:
        pytest.fail("\n".join(failure_lines(case_info(entry), result, adapter)), pytrace=False)
