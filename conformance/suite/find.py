"""One trial by its id."""

from __future__ import annotations

from conformance.suite.errors import SuiteError
from conformance.suite.model import Entry
from harness.model import Trial


def find_trial(entry: Entry, trial_id: str) -> Trial:
    """Return the one trial of a case, or of a sweep the member that ``trial_id`` (``<sweep>#<member>``) names.

    Raises :class:`SuiteError` for an unknown member, and for a sweep given without a member.
    """
    example = ""
    for trial in entry.trials():
        if trial.id == trial_id:
            return trial
        example = example or trial.id
    if trial_id == entry.id:
        raise SuiteError(f"{trial_id} is a sweep: name one member of it, such as {example}")
    raise SuiteError(f"{entry.id} has no member {trial_id.partition('#')[2]}; its first is {example}")
