"""Sweeps: one entry that stands for thousands of trials, expanded when it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from conformance.suite.edits import overwrite, reseal
from conformance.suite.errors import SuiteError
from conformance.suite.model import Data, Entry, expectation, request
from conformance.suite.reference import reference_answer
from harness.model import Expect, Ok, Trial


@dataclass(frozen=True)
class Member:
    """One trial of a sweep: its name after ``#``, the place its row is found by, and the changed bytes."""

    name: str
    place: int
    bit: int
    data: bytes


def bit_flips(base: bytes, _write: Data | None) -> Iterator[Member]:
    """Flip each bit of each byte, the lowest bit first."""
    for place, old in enumerate(base):
        for bit in range(8):
            changed = base[:place] + bytes([old ^ (1 << bit)]) + base[place + 1 :]
            yield Member(f"byte{place}.bit{bit}", place, bit, changed)


def truncations(base: bytes, _write: Data | None) -> Iterator[Member]:
    """Cut to every shorter length, the empty one first."""
    for length in range(len(base)):
        yield Member(f"length{length}", length, 0, base[:length])


def torn_writes(base: bytes, write: Data | None) -> Iterator[Member]:
    """Let every prefix of one write reach the base, from none of it to all of it."""
    if write is None:
        raise SuiteError("a torn-writes sweep needs a write, {'at': …, 'set': hex}")
    new = bytes.fromhex(write["set"])
    for length in range(len(new) + 1):
        yield Member(f"prefix{length}", length, 0, overwrite(base, write["at"], new[:length]))


KINDS: dict[str, Callable[[bytes, Data | None], Iterator[Member]]] = {
    "bit-flips": bit_flips,
    "truncations": truncations,
    "torn-writes": torn_writes,
}

ROW_RANGE = {"bit-flips": "bytes", "truncations": "lengths", "torn-writes": "prefixes"}
"""Kind → the member of a row that holds the half-open range."""


@dataclass(frozen=True)
class Sweep(Entry):
    """All changes of one kind to one golden file, with the table of what each must lead to."""

    @property
    def kind(self) -> str:
        """The kind: ``bit-flips``, ``truncations`` or ``torn-writes``."""
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
        for member in KINDS[self.kind](self.base, self.data.get("write")):
            yield member if what is None else Member(member.name, member.place, member.bit, reseal(member.data, what))

    @cached_property
    def _rows_at(self) -> dict[tuple[int, int], list[Data]]:
        found: dict[tuple[int, int], list[Data]] = {}
        for row in self.table:
            first, end = row[ROW_RANGE[self.kind]]
            mask = int(row.get("mask", "ff"), 16) if self.kind == "bit-flips" else 1
            for place in range(first, end):
                for bit in range(8):
                    if mask >> bit & 1:
                        found.setdefault((place, bit), []).append(row)
        return found

    def row(self, member: Member) -> Data:
        """The one row that speaks for ``member``; raises :class:`SuiteError` when none or several do."""
        rows = self._rows_at.get((member.place, member.bit), [])
        if len(rows) != 1:
            raise SuiteError(f"{self.id}#{member.name}: {len(rows)} rows of the table meet it; write exactly one")
        return rows[0]

    def places(self) -> frozenset[tuple[int, int]]:
        """Every (place, bit) that some row speaks for."""
        return frozenset(self._rows_at)

    def trials(self) -> Iterator[Trial]:
        """Yield a trial for every member.

        Where a row accepts, the whole expected answer is the reference's, which generation has proved to agree with
        the row (and with the builder's own arithmetic, where it gives one); it is proved again here.
        """
        for member in self.members():
            question = request(self.data, self.into, member.data)
            name = f"{self.id}#{member.name}"
            expect = expectation(self.row(member))
            if isinstance(expect, Ok):
                expect = complete(name, expect, reference_answer(self.operation, question))
            yield Trial(id=name, operation=self.operation, input=question, expect=expect, sweep=self.id)


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
