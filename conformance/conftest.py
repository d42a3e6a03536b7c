"""What ``pytest conformance`` needs: a marker for each format and adapter, and one running process for each adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from conformance.adapters import own_adapters
from conformance.rules import load_rules
from harness.runner import AdapterRun, AdapterStartError
from reports.text import stderr_lines


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers by which items are selected."""
    for name in load_rules().formats:
        config.addinivalue_line("markers", f"{name}: cases of the format {name}")
    for name in own_adapters():
        config.addinivalue_line("markers", f"{name}: cases on the adapter {name}")


@pytest.fixture(scope="session")
def adapter_run() -> Iterator[Callable[[str], AdapterRun]]:
    """Return what gives the running adapter of a name; it is started once and stopped at the end of the session.

    One that cannot be started fails its first case and skips the others: one failure says it all.
    """
    runs: dict[str, AdapterRun] = {}
    dead: set[str] = set()
    with ExitStack() as stack:

        def running(name: str) -> AdapterRun:
            if name in dead:
                pytest.skip(
                    f"not judged: the adapter {name} could not be started, as the failure of its first case says"
                )
            if name not in runs:
                spec = own_adapters()[name]
                try:
                    runs[name] = stack.enter_context(AdapterRun(spec))
                except AdapterStartError as error:
                    dead.add(name)
                    told = [f"no case is judged: {error}", *stderr_lines(error.stderr)]
                    told += [f"build it with: {spec.build}"] if spec.build and spec.build not in str(error) else []
                    pytest.fail("\n".join(told), pytrace=False)
            return runs[name]

        yield running
    troubles = [f"{name}: {trouble}" for name, run in runs.items() for trouble in run.troubles]
    assert not troubles, "\n".join(troubles)
