"""What the command line can refuse to do."""

from __future__ import annotations


class CannotRunError(Exception):
    """The command could not do its work (exit status 2); the message says what is wrong and what to do next."""
