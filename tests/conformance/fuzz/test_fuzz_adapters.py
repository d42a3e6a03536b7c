"""A short campaign against the adapters of this checkout, always the same; the long ones are run by hand."""

from __future__ import annotations

from pathlib import Path

from conformance.adapters import own_adapters
from conformance.formats import FORMATS
from conformance.fuzz.campaign import Plan, run_campaign, wanted_reasons

GENERATORS = {name: one.generators for name, one in FORMATS.items()}


def test_adapters_agree_and_every_reason_is_reached(tmp_path: Path) -> None:
    # An adapter that is not built raises here, with the command that builds it.
    adapters = own_adapters()
    assert set(adapters) >= {"python", "rust", "typescript"}
    plan = Plan(list(adapters.values()), GENERATORS, seed=1, out=tmp_path, examples=12_000)
    tally = run_campaign(plan, lambda _tally: None)
    assert tally.findings == []
    assert tally.troubles == []
    assert tally.unsupported == set()
    assert tally.total == 12_000
    reached = {name: set(tally.reasons[name]) for name in plan.generators}
    assert reached == {name: set(wanted_reasons(name)) for name in plan.generators}
