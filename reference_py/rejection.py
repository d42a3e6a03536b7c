"""The one way a reader or an encoder of any format says no."""

from __future__ import annotations


class Rejection(Exception):  # noqa: N818 - the field's term: a rejection is an answer, not a malfunction
    """One input refused by one rule.

    `reason` is a stable kebab-case id. `at` is the place where the rules give one: a JSON pointer inside JSON
    (`/payloads/1`), a path without leading slash elsewhere (`slot/A`); otherwise None. `detail` is free text for
    people (what was found and what was expected) and is never compared; `byte` is the offset in the judged input at
    which the reader stopped, where it knows one, and is for people too.
    """

    reason: str
    at: str | None
    detail: str
    byte: int | None

    def __init__(self, reason: str, at: str | None = None, detail: str = "", byte: int | None = None) -> None:
        """Refuse for `reason`, at `at`; `detail` and `byte` tell a person what was found, expected, and where."""
        super().__init__(reason, at, detail)
        self.reason = reason
        self.at = at
        self.detail = detail
        self.byte = byte

    def __str__(self) -> str:
        """Reason, place and detail on one line."""
        place = f" at {self.at}" if self.at is not None else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.reason}{place}{detail}"
