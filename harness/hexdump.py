"""Two byte strings, one under the other, around the first byte in which they differ."""

from __future__ import annotations

from collections.abc import Callable

from harness.judge import first_difference

_WIDTH = 16


def aligned_dump(  # noqa: PLR0913 - two sides, and how to show them
    expected: bytes,
    found: bytes,
    *,
    label: Callable[[int], str | None] | None = None,
    before: int = 1,
    after: int = 2,
    start: int = 0,
    lengths: tuple[int, int] | None = None,
) -> str:
    """Return both sides in rows of 16 bytes, from ``before`` rows above the first difference to ``after`` below it.

    Each differing row shows the expected bytes (``-``), the found ones (``+``) and a line of ``^^`` under what differs;
    ``··`` stands where a side has ended. ``label`` gives the name of the field at an offset: it is shown for the first
    difference and at each row's first one. For excerpts, ``start`` is the offset of the first byte given and
    ``lengths`` are those of the whole sides. The empty text for equal sides.
    """
    if expected == found:
        return ""
    first = first_difference(expected, found)
    row = (start + first) // _WIDTH
    last = (start + max(len(expected), len(found)) - 1) // _WIDTH
    left, right = lengths or (start + len(expected), start + len(found))
    uneven = f"; expected {left} bytes, found {right}" if left != right else ""
    lines = [_headline(expected, found, first, start, label) + uneven]
    for number in range(max(row - before, start // _WIDTH), min(row + after, last) + 1):
        lines += _row(number * _WIDTH, expected, found, start, label)
    return "\n".join(lines)


def _headline(expected: bytes, found: bytes, first: int, start: int, label: Callable[[int], str | None] | None) -> str:
    offset = start + first
    name = label(offset) if label else None
    where = f"{name}, " if name else ""
    sides = f"expected {_byte(expected, first)}, found {_byte(found, first)}"
    return f"first difference: {where}byte {offset} (0x{offset:x}): {sides}"


def _byte(data: bytes, index: int) -> str:
    return f"0x{data[index]:02x}" if index < len(data) else "the end"


def _row(
    offset: int, expected: bytes, found: bytes, start: int, label: Callable[[int], str | None] | None
) -> list[str]:
    left, right = _cells(expected, offset - start), _cells(found, offset - start)
    if left == right:
        return [f"  {offset:08x}  {_hex(left)}  {_text(left)}"]
    marks = [a != b for a, b in zip(left, right, strict=True)]
    name = label(offset + marks.index(True)) if label else None
    under = " ".join("^^" if mark else "  " for mark in marks)
    return [
        f"- {offset:08x}  {_hex(left)}  {_text(left)}",
        f"+ {offset:08x}  {_hex(right)}  {_text(right)}",
        f"            {under}  {name or ''}".rstrip(),
    ]


def _cells(data: bytes, at: int) -> list[int | None]:
    """Return the row's 16 bytes; None before the excerpt's begin and past the end."""
    return [data[index] if 0 <= index < len(data) else None for index in range(at, at + _WIDTH)]


def _hex(cells: list[int | None]) -> str:
    return " ".join("··" if cell is None else f"{cell:02x}" for cell in cells)


def _text(cells: list[int | None]) -> str:
    return "".join(" " if cell is None else chr(cell) if 0x20 <= cell < 0x7F else "." for cell in cells).rstrip()
