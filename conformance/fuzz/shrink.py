"""Shrinking: Hypothesis replays the choices that made an example, and looks for the simplest that still shows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from hypothesis import Phase, find, settings
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample

from conformance.fuzz.request import Request
from conformance.fuzz.requests import Generators, either, numbered_source, requests
from conformance.suite.reference import MalformedRequest
from harness.tree import TreeError

MOST_REQUESTS = 2000
"""Questions that one finding may cost; what is smallest by then is small enough."""

_KEY = b"finding"


def shrunk(
    format_name: str, generators: Generators, seed: int, number: int, shows: Callable[[Request], bool]
) -> Request | None:
    """Return a simple request for which ``shows`` holds, as it must for the example of that number.

    None when ``shows`` does not hold for that example any more: what was seen depends on what was asked before it.
    """
    source = numbered_source(format_name, seed, number)
    either(generators)(source)
    database = InMemoryExampleDatabase()
    # What is in the database exactly as it is drawn passes for shrunk already; a choice too many keeps it from that.
    database.save(_KEY, choices_to_bytes((*source.choices, 0)))
    search = _Search(shows)
    with suppress(_EnoughAskedError, NoSuchExample):
        return find(
            requests(generators),
            search.holds,
            settings=settings(database=database, phases=(Phase.reuse, Phase.shrink), deadline=None),
            database_key=_KEY,
        )
    return search.best


class _EnoughAskedError(BaseException):
    """Leaves Hypothesis from within; it would take an ``Exception`` for one more thing to be shrunk."""


class _Search:
    """Asks every request once, so that one and the same never has two answers, and no more than are allowed."""

    def __init__(self, shows: Callable[[Request], bool]) -> None:
        self.best: Request | None = None
        self._shows = shows
        self._answers: dict[str, bool] = {}

    def holds(self, asked: Request) -> bool:
        """Say whether ``asked`` shows it; what does is the best so far, since only simpler ones are tried."""
        key = repr(asked)
        if key not in self._answers:
            if len(self._answers) >= MOST_REQUESTS:
                raise _EnoughAskedError
            self._answers[key] = self._ask(asked)
        if self._answers[key]:
            self.best = asked
        return self._answers[key]

    def _ask(self, asked: Request) -> bool:
        """An example that shrinking has bent out of shape shows nothing."""
        try:
            return self._shows(asked)
        except (MalformedRequest, TreeError):
            return False
