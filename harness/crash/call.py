"""A line of strace's output as a value. Pure: text in, calls out.

strace is asked for hexadecimal strings (``-xx``) and for the path behind each descriptor (``-y``), so that no quote,
comma or bracket inside a name can be taken for the line's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE = re.compile(r"(?P<thread>\d+) +(?P<rest>.*)")
_BEGUN = re.compile(r"(?P<head>.*?) ?<(?:unfinished|detached) \.\.\.>(?: *\)? *= \?)?$")
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>(?P<tail>.*)")
_CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+|\?)(?:<(?P<made>[^>]*)>)?(?P<note>.*)")
_DESCRIPTOR = re.compile(r"(?P<number>AT_FDCWD|-?\d+)<(?P<path>[^>]*)>(?P<deleted>\(deleted\))?")
_TEXT = re.compile(r'"(?P<hex>(?:\\x[0-9a-f]{2})*)"')
_ERROR = re.compile(r" (?P<error>E[A-Z0-9]+) ")


@dataclass(frozen=True)
class Call:
    """One system call. ``result`` is None for one that never returned; ``error`` is its errno's name, if it failed.

    ``arguments`` are strace's words, split at the call's own commas. ``note`` holds ``(INJECTED)`` or ``(DELAYED)``.
    """

    thread: int
    name: str
    arguments: tuple[str, ...]
    result: int | None
    error: str = ""
    note: str = ""
    made: str = ""

    @property
    def worked(self) -> bool:
        """Whether the call returned and did what it was asked."""
        return self.result is not None and self.result >= 0

    @property
    def injected(self) -> bool:
        """Whether strace failed it."""
        return "INJECTED" in self.note

    def number(self, index: int) -> int:
        """Return a numeric argument."""
        return int(self.arguments[index], 0)

    def flags(self, index: int) -> frozenset[str]:
        """Return an argument of flags; empty where the call has fewer arguments."""
        return frozenset(self.arguments[index].split("|")) if index < len(self.arguments) else frozenset()

    def text(self, index: int) -> bytes:
        """Return an argument's string, the parts of an array of buffers joined."""
        return b"".join(_bytes(found["hex"]) for found in _TEXT.finditer(self.arguments[index]))

    def descriptor(self, index: int) -> Descriptor:
        """Return what strace says of a descriptor argument; number -1 and no path where there is none."""
        found = _DESCRIPTOR.match(self.arguments[index]) if index < len(self.arguments) else None
        if found is None:
            return Descriptor(-1, "", deleted=False)
        number = -1 if found["number"] == "AT_FDCWD" else int(found["number"])
        return Descriptor(number, _path(found["path"]), deleted=found["deleted"] is not None)

    def __str__(self) -> str:
        """Say it as strace does, with names readable and contents by their length."""
        arguments = ", ".join(map(_readable, self.arguments))
        made = f"<{_path(self.made)}>" if self.made else ""
        return f"{self.name}({arguments}) = {'?' if self.result is None else self.result}{made}{self.note}"


@dataclass(frozen=True)
class Descriptor:
    """An open file as a call names it: its number (-1: the working directory), and its path at that moment."""

    number: int
    path: str
    deleted: bool


def parse(lines: Iterable[str]) -> Iterator[Call]:
    """Yield the calls of a trace in the order in which they ended; signals and exits are left out."""
    begun: dict[str, str] = {}
    for line in lines:
        found = _LINE.fullmatch(line.rstrip("\n"))
        if found is None:
            continue
        thread, rest = found["thread"], found["rest"]
        resumed, unfinished = _RESUMED.fullmatch(rest), _BEGUN.fullmatch(rest)
        if unfinished is not None:
            begun[thread] = unfinished["head"]
            continue
        if resumed is not None:
            rest = begun.pop(thread, "") + resumed["tail"]
        call = _CALL.fullmatch(rest)
        if call is not None:
            yield _call(int(thread), call)
    for thread, head in begun.items():
        name, _, arguments = head.partition("(")
        yield Call(int(thread), name, _split(arguments.rstrip(", ")), None)


def _call(thread: int, found: re.Match[str]) -> Call:
    result = None if found["result"] == "?" else int(found["result"])
    error = _ERROR.match(found["note"] + " ") if result == -1 else None
    made = found["made"] or ""
    name = error["error"] if error is not None else ""
    return Call(thread, found["name"], _split(found["arguments"]), result, name, found["note"], made)


def _split(arguments: str) -> tuple[str, ...]:
    """Split at the commas outside brackets."""
    parts: list[str] = []
    depth = start = 0
    for index, letter in enumerate(arguments):
        if letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(arguments[start:index].strip())
            start = index + 1
    return (*parts, arguments[start:].strip()) if arguments else ()


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))


def _path(escaped: str) -> str:
    return _bytes(escaped).decode("utf-8", "surrogateescape") if escaped.startswith("\\x") else escaped


def _readable(argument: str) -> str:
    shown = _DESCRIPTOR.sub(lambda found: f"{found['number']}<{ascii(_path(found['path']))[1:-1]}>", argument)
    return _TEXT.sub(lambda found: _shown(_bytes(found["hex"])), shown)


def _shown(data: bytes) -> str:
    """Show a name, or say how long a content is: bytes as such would bury the order of the calls."""
    printable = all(0x20 <= byte < 0x7F for byte in data)
    return f'"{data.decode("ascii")}"' if printable and len(data) < 256 else f"<{len(data)} bytes>"
