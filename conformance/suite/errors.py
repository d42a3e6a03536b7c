"""The one error that the suite raises to its callers."""

from __future__ import annotations


class SuiteError(Exception):
    """The vectors cannot be used as asked: the message names the file or case, what was found, and what to do next."""
