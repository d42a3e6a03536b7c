"""Sweeps: one entry that stands for thousands of questions, expanded when it is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from conformance.suite.edits import reseal
from conformance.suite.errors import SuiteError
from conformance.suite.model import Case, Data, expectation
from conformance.suite.reference import reference_answer
from conformance.suite.sweep_kinds import KINDS, Member
from harness.model import Expect, Ok, Question


@dataclass(frozen=True)
class Sweep(Case):
    """All changes of one kind to one golden file, with the table of what each must lead to."""

    @property
    def kind(self) -> str:
        """The kind, one of :data:`conformance.suite.sweep_kinds.KINDS`."""
        return str(self.data["kind"])

    @property
    def table(self) -> Sequence[Data]:
        """The rows; every member is met by exactly one."""
        rows: Sequence[Data] = self.data["table"]
        return rows

    @property
    def outcomes(self) -> Sequence[Data]:
        """The outcome of each row."""
        return self.table

    def members(self) -> Iterator[Member]:
        """Yield every change, resealed where the sweep says so."""
        if self.base is None:
            raise SuiteError(f"{self.id}: a sweep needs a base")
        what = self.data.get("reseal")
        for member in KINDS[self.kind].expand(self.base, self.data):
            yield member if what is None else replace(member, data=reseal(member.data, what, self.reseals))

    @cached_property
    def _rows_at(self) -> dict[tuple[int, int], list[Data]]:
        kind = KINDS[self.kind]
        found: dict[tuple[int, int], list[Data]] = {}
        for row in self.table:
            columns = kind.columns(row)
            for place in kind.places(row[kind.where]):
                for column in columns:
                    found.setdefault((place, column), []).append(row)
        return found

    def row(self, member: Member) -> Data:
        """The one row that speaks for ``member``; raises :class:`SuiteError` when none or several do."""
        rows = self._rows_at.get((member.place, member.column), [])
        if len(rows) != 1:
            raise SuiteError(f"{self.id}#{member.name}: {len(rows)} rows of the table meet it; write exactly one")
        return rows[0]

    def ends(self) -> frozenset[int]:
        """The first and the last place of every row that has any."""
        kind = KINDS[self.kind]
        spans = [kind.places(row[kind.where]) for row in self.table]
        return frozenset(place for span in spans if span for place in (span[0], span[-1]))

    def questions(self) -> Iterator[Question]:
        """Yield a question for every member.

        Where a row accepts, the whole expected answer is the reference's, which generation has proved to agree with
        the row (and with the builder's own arithmetic, where it gives one); it is proved again here.
        """
        for member in self.members():
            question = {**self.request(self.data, member.data), **member.request}
            name = f"{self.id}#{member.name}"
            expect = expectation(self.row(member))
            if isinstance(expect, Ok):
                expect = complete(name, expect, reference_answer(self.operation, question))
            yield Question(id=name, operation=self.operation, input=question, expect=expect, sweep=self.id)


def complete(name: str, stated: Ok, found: Expect) -> Ok:
    """Fill a stated ``ok`` up with the members of the reference's answer, which must have those that are stated."""
    if not isinstance(found, Ok):
        raise SuiteError(f"{name}: the table says accepted, the reference rejects it as {found.reason} (at {found.at})")
    for member, value in stated.value.items():
        if member not in found.value or found.value[member] != value:
            raise SuiteError(
                f"{name}: the table says {member} = {value!r}, the reference has {found.value.get(member)!r}"
            )
    return found
