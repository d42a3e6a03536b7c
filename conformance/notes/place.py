"""Whether a run's rejections have places: a library that cannot say where may say that of itself."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model import Answer, Outcome, Question, Reject


@dataclass
class PlacesSeen:
    """How many rejections for the right reason lacked the place that they must have, and whether any had one."""

    lacking: int = 0
    given: bool = False

    def add(self, question: Question, answer: Answer) -> None:
        """Take one answer in."""
        if answer.outcome is not Outcome.REJECTED:
            return
        if answer.at is not None:
            self.given = True
        elif (
            isinstance(question.expect, Reject)
            and question.expect.at is not None
            and question.expect.reason == answer.reason
        ):
            self.lacking += 1

    def notes(self) -> tuple[str, ...]:
        """Return a line when places are lacking and no rejection at all had one, else nothing."""
        if self.given or not self.lacking:
            return ()
        return (
            f'no rejection had an "at", and {self.lacking:,} for the right reason lacked it: if the library cannot say '
            'where, put "locations": false into the handshake (docs/own-port.md, section 8)',
        )
