"""The kinds of sweep: which changes each stands for, and how a row of a table says which of them it speaks for.

Every change has a place (a byte, a length, …) and a column (a bit, an inserted value, …; 0 where a place has only one
change). ``vectors/README.md`` says the same for readers without this code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.suite.edits import overwrite
from conformance.suite.errors import SuiteError
from conformance.suite.model import Data
from harness.model import WireValue

WORD = 8
"""Bytes of a word, the least that a torn write of words writes or leaves out."""

FIELD_VALUES: dict[str, Callable[[int], int]] = {
    "zero": lambda _: 0,
    "one": lambda _: 1,
    "max": lambda _: -1,
    "plus1": lambda old: old + 1,
    "minus1": lambda old: old - 1,
    "plus8": lambda old: old + 8,
    "minus8": lambda old: old - 8,
}
"""What a field is set to, modulo 2 to its width: name → from the old value, in the order of the columns."""


@dataclass(frozen=True)
class Member:
    """One question of a sweep: its name after ``#``, what its row is found by, and the changed bytes.

    ``request`` holds request members beside the changed bytes, for a kind that changes one of those.
    """

    name: str
    place: int
    column: int
    data: bytes
    request: Mapping[str, WireValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A kind of sweep.

    ``expand`` yields its changes. ``where`` is the row member that says which places the row speaks for, and
    ``places`` reads it: a half-open range unless said otherwise. ``columns`` are those of each place that it means.
    """

    expand: Callable[[bytes, Data], Iterator[Member]]
    where: str
    columns: Callable[[Data], Sequence[int]] = lambda _row: (0,)
    places: Callable[[Any], Sequence[int]] = lambda ends: range(*ends)


def bit_flips(base: bytes, sweep: Data) -> Iterator[Member]:
    """Flip each bit of each byte, the lowest bit first; with ``within`` only of the bytes in that range."""
    first, end = sweep.get("within", (0, len(base)))
    for place in range(first, end):
        for bit in range(8):
            changed = base[:place] + bytes([base[place] ^ (1 << bit)]) + base[place + 1 :]
            yield Member(f"byte{place}.bit{bit}", place, bit, changed)


def truncations(base: bytes, sweep: Data) -> Iterator[Member]:
    """Cut to every shorter length, the empty one first; with ``keep`` that many last bytes stay behind the cut."""
    kept = sweep.get("keep", 0)
    tail = base[len(base) - kept :]
    for length in range(len(base) - kept):
        yield Member(f"length{length}", length, 0, base[:length] + tail)


def deletions(base: bytes, _sweep: Data) -> Iterator[Member]:
    """Take out each byte."""
    for place in range(len(base)):
        yield Member(f"byte{place}", place, 0, base[:place] + base[place + 1 :])


def insertions(base: bytes, sweep: Data) -> Iterator[Member]:
    """Insert one byte, each of ``values``, in front of each of ``places`` (the length is the end)."""
    values = byte_values(sweep["values"])
    for place in sweep["places"]:
        for value in values:
            yield Member(f"at{place}.{value:02x}", place, value, base[:place] + bytes([value]) + base[place:])


def field_values(base: bytes, sweep: Data) -> Iterator[Member]:
    """Set each of ``fields`` (``[at, width in bytes]``, little-endian) to every value of :data:`FIELD_VALUES`."""
    for place, width in sweep["fields"]:
        old = int.from_bytes(base[place : place + width], "little")
        for column, (name, change) in enumerate(FIELD_VALUES.items()):
            new = change(old) % (1 << 8 * width)
            changed = overwrite(base, place, new.to_bytes(width, "little"))
            yield Member(f"field{place}.{name}", place, column, changed)


def torn_writes(base: bytes, sweep: Data) -> Iterator[Member]:
    """Let every prefix of one write reach the base, from none of it to all of it."""
    new = bytes.fromhex(sweep["write"]["set"])
    for length in range(len(new) + 1):
        yield Member(f"prefix{length}", length, 0, overwrite(base, sweep["write"]["at"], new[:length]))


def torn_suffixes(base: bytes, sweep: Data) -> Iterator[Member]:
    """Let every suffix of one write reach the base, from none of it to all of it."""
    new = bytes.fromhex(sweep["write"]["set"])
    for length in range(len(new) + 1):
        start = len(new) - length
        yield Member(f"suffix{length}", length, 0, overwrite(base, sweep["write"]["at"] + start, new[start:]))


def torn_words(base: bytes, sweep: Data) -> Iterator[Member]:
    """Let every subset of one write's 8-byte words reach the base.

    The name has a digit for each word, 1 where it was written. The place is those digits as a binary number.
    """
    new = bytes.fromhex(sweep["write"]["set"])
    if len(new) % WORD:
        raise SuiteError(f"a write torn by words has a multiple of {WORD} bytes, not {len(new)}")
    count = len(new) // WORD
    for subset in range(1 << count):
        written = f"{subset:0{count}b}"
        data = base
        for word, digit in enumerate(written):
            if digit == "1":
                data = overwrite(data, sweep["write"]["at"] + WORD * word, new[WORD * word :][:WORD])
        yield Member(f"words{written}", subset, 0, data)


def log_lengths(base: bytes, sweep: Data) -> Iterator[Member]:
    """Leave the base as it is, and give the request member ``log_length`` every value from 0 to ``last``."""
    for length in range(sweep["last"] + 1):
        yield Member(f"log{length}", length, 0, base, {"log_length": str(length)})


def matching(pattern: str) -> list[int]:
    """Return the numbers whose binary digits match ``pattern``: ``*`` stands for either digit."""
    found = [0]
    for digit in pattern:
        either = (0, 1) if digit == "*" else (int(digit),)
        found = [number * 2 + last for number in found for last in either]
    return found


def byte_values(ranges: Sequence[str]) -> list[int]:
    """Return the byte values of ``["00-1f", "7f"]``: inclusive ranges and single values, in hex."""
    values: list[int] = []
    for part in ranges:
        first, _, last = part.partition("-")
        values += range(int(first, 16), int(last or first, 16) + 1)
    return values


def _bits(row: Data) -> Sequence[int]:
    mask = int(row.get("mask", "ff"), 16)
    return [bit for bit in range(8) if mask >> bit & 1]


def _values(row: Data) -> Sequence[int]:
    return byte_values(row.get("values", ["00-ff"]))


def _field_values(row: Data) -> Sequence[int]:
    names = list(FIELD_VALUES)
    return [names.index(name) for name in row.get("values", names)]


KINDS: dict[str, Kind] = {
    "bit-flips": Kind(bit_flips, "bytes", _bits),
    "truncations": Kind(truncations, "lengths"),
    "deletions": Kind(deletions, "bytes"),
    "insertions": Kind(insertions, "places", _values),
    "field-values": Kind(field_values, "fields", _field_values),
    "torn-writes": Kind(torn_writes, "prefixes"),
    "torn-suffixes": Kind(torn_suffixes, "suffixes"),
    "torn-words": Kind(torn_words, "words", places=matching),
    "log-lengths": Kind(log_lengths, "log_lengths"),
}
"""Kind → what it is."""
