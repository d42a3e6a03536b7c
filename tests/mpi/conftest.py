"""Without MPI the tests of it cannot run; then the last lines of the run say so, whatever else passed."""

from __future__ import annotations

import pytest

from adapters.mpi.trials.launch import INSTALL, what_is_missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = what_is_missing()
    for item in items:
        if missing is not None and item.get_closest_marker("mpi") is not None:
            item.add_marker(pytest.mark.skip(reason=f"NOT RUN: {missing}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    missing = what_is_missing()
    if missing is not None:
        terminalreporter.write_line(f"mpi: NOT RUN (and not passed): {missing}. Install it: {INSTALL}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "mpi: needs mpi4py and mpiexec")
