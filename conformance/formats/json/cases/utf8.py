"""Well-formedness of UTF-8, worked out from table 3-7 of the Unicode Standard: each row's edges, from both sides.

The texts are strings of one character, or of what is none; ``json_faults`` has the famous mistakes by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from conformance.formats.json.cases.faults import FAULTS, NOT_UTF8, JsonFault

ROWS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((0x23, 0x5B),),
    ((0x5D, 0x7F),),
    ((0xC2, 0xDF), (0x80, 0xBF)),
    ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)),
    ((0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)),
    ((0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)),
)
"""First and last byte at each position. Of the row 00..7F only what a string may hold unescaped beside the quote."""

NEVER = (0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF)
"""Bytes that begin no character."""


def name(row: tuple[tuple[int, int], ...]) -> str:
    """Return a row's first bytes, as ids spell them."""
    first, last = row[0]
    return f"{first:02x}" if first == last else f"{first:02x}-{last:02x}"


def edges() -> Iterator[tuple[str, bytes]]:
    """Yield for each row its name and the string of all characters whose every byte is a first or a last one."""
    for row in ROWS:
        yield name(row), b'"' + b"".join(bytes(edge) for edge in product(*map(sorted, map(set, row)))) + b'"'


def _outside(row: tuple[tuple[int, int], ...]) -> Iterator[JsonFault]:
    """One byte behind the first is one below its range, or one above it."""
    for place in range(1, len(row)):
        for which, byte in (("below", row[place][0] - 1), ("above", row[place][1] + 1)):
            good = [first for first, _ in row]
            text = b'"' + bytes([*good[:place], byte, *good[place + 1 :]]) + b'"'
            why = f"takes {byte:02X} as byte {place + 1} behind {good[0]:02X}"
            yield JsonFault(f"utf8-{name(row)}-byte-{place + 1}-{which}", text, NOT_UTF8, why)


def _cut(row: tuple[tuple[int, int], ...]) -> Iterator[JsonFault]:
    """A character is cut by a letter or by the end of the text, or has one byte more than it should."""
    whole = bytes(last for _, last in row)
    for length in range(1, len(row)):
        why = f"takes {length} of the {len(row)} bytes of a character"
        label = f"utf8-{name(row)}-cut-to-{length}"
        yield JsonFault(f"{label}-by-letter", b'"' + whole[:length] + b'x"', NOT_UTF8, why)
        yield JsonFault(f"{label}-by-end", b'"' + whole[:length], NOT_UTF8, why + " at the end of the text")
    text = b'"' + whole + b'\xbf"'
    yield JsonFault(f"utf8-{name(row)}-one-more", text, NOT_UTF8, "takes one continuation byte too many")


def _never() -> Iterator[JsonFault]:
    """A byte that begins no character, with as many bytes behind it as its bits ask for."""
    for lead in NEVER:
        ones = f"{lead:08b}".index("0") if lead < 0xFF else 8
        text = b'"' + bytes([lead]) + b"\x80" * (ones - 1 if 1 < ones < 7 else 0) + b'"'
        yield JsonFault(f"utf8-lead-{lead:02x}", text, NOT_UTF8, f"takes {lead:02X} as the first byte of a character")


_KNOWN = {fault.text for fault in FAULTS} | {fault.name.encode() for fault in FAULTS}

BROKEN: tuple[JsonFault, ...] = tuple(
    fault
    for fault in (
        *_never(),
        *(fault for row in ROWS if len(row) > 1 for fault in (*_outside(row), *_cut(row))),
    )
    if fault.text not in _KNOWN and fault.name.encode() not in _KNOWN
)
"""Strings that are no UTF-8 at one place, but for those that ``json_faults`` has already."""
