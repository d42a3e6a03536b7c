"""A signal handler that does nothing."""

from __future__ import annotations


def ignore_signal(_signal: int, _frame: object) -> None:
    """Go on. Not SIG_IGN: of a signal that is already on its way Python would then complain on stderr."""
