"""A counter is never committed, so there is nothing to crash."""

from __future__ import annotations

from conformance.crash.changing import ChangeScenario
from conformance.crash.scenario import Scenario


def scenarios() -> tuple[Scenario | ChangeScenario, ...]:
    """Return none."""
    return ()
