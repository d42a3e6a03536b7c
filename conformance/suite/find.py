"""One trial by its id."""

from __future__ import annotations

from conformance.suite.errors import SuiteError
from conformance.suite.load import Suite
from harness.model import Trial


def find_trial(suite: Suite, trial_id: str) -> Trial:
    """Return the trial of a case, or of one member of a sweep (``<sweep>#<member>``).

    Raises :class:`SuiteError` for an unknown id, an unknown member, and a sweep given without a member.
    """
    entry = suite.case(trial_id)
    example = ""
    for trial in entry.trials():
        if trial.id == trial_id:
            return trial
        example = example or trial.id
    if trial_id == entry.id:
        raise SuiteError(f"{trial_id} is a sweep: name one member of it, such as {example}")
    raise SuiteError(f"{entry.id} has no member {trial_id.partition('#')[2]}; its first is {example}")
