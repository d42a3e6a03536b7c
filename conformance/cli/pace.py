"""When a line that work goes on is due, where there is no terminal."""

from __future__ import annotations

import time

SECONDS_BETWEEN_LINES = 15.0


class Pace:
    """Counts the seconds since its making, and since the last line."""

    def __init__(self) -> None:
        """Begin now."""
        self._began = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._began

    def due(self) -> bool:
        """Say whether the last line is long enough ago; if so, the next one counts as written now."""
        now = time.monotonic()
        if now - self._last < SECONDS_BETWEEN_LINES:
            return False
        self._last = now
        return True
