"""One trial by its id."""

from __future__ import annotations

from conformance.suite.errors import SuiteError
from conformance.suite.model import Entry
from conformance.suite.pairs import Pairs
from harness.model import Trial


def find_trial(entry: Entry, trial_id: str) -> Trial:
    """Return the one trial of a case, or the member that ``trial_id`` (``<sweep or list of pairs>#<member>``) names.

    Raises :class:`SuiteError` for an unknown member, and for a sweep or list of pairs without one.
    """
    example = ""
    for trial in entry.trials():
        if trial.id == trial_id:
            return trial
        example = example or trial.id
    if trial_id == entry.id:
        kind = "list of pairs" if isinstance(entry, Pairs) else "sweep"
        raise SuiteError(f"{trial_id} is a {kind}: name one member of it, such as {example}")
    raise SuiteError(f"{entry.id} has no member {trial_id.partition('#')[2]}; its first is {example}")
