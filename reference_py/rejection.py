"""The one way a reader or an encoder of any format says no."""

from __future__ import annotations


class Rejection(Exception):  # noqa: N818 - the field's term: a rejection is an answer, not a malfunction
    """One input refused by one rule.

    `reason` is a stable kebab-case id. `at` is the place where the rules give one: a JSON pointer inside JSON
    (`/payloads/1`), a path without leading slash elsewhere (`slot/A`); otherwise None. `detail` is free text for
    people (what was found and what was expected) and is never compared.
    """

    reason: str
    at: str | None
    detail: str

    def __init__(self, reason: str, at: str | None = None, detail: str = "") -> None:
        """Refuse for `reason`, at `at`; `detail` tells a person what was found and expected."""
        super().__init__(reason, at, detail)
        self.reason = reason
        self.at = at
        self.detail = detail

    def __str__(self) -> str:
        """Reason, place and detail on one line."""
        place = f" at {self.at}" if self.at is not None else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.reason}{place}{detail}"
