"""The canonical text of `pfc` metadata: the one text that a value is written as (PFC-CANONICAL, PFC-ENCODE).

The writer keeps what is still to be written on a list of its own, so that nesting of any depth costs no call stack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from reference_py.json_text import MAX_DEPTH, JsonNumber, JsonValue, pointer
from reference_py.numbers import pfc_float
from reference_py.pfc import ranges
from reference_py.pfc.values import FORMAT_VERSION, BoundaryCondition, Decomposition, Domain, Metadata
from reference_py.rejection import Rejection

Writable: TypeAlias = bool | int | float | str | JsonNumber | Sequence["Writable"] | Mapping[str, "Writable"] | None
"""What the writer takes: JSON as the strict reader returns it, and integers and floats of our own."""

_INDENT = "  "
_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_ABOVE_CONDITION = 3
"""Levels around a `config` or `state`: the whole object, `boundary_conditions` and its entry."""


def encode_metadata(metadata: Metadata) -> bytes:
    """Write `metadata.json` as version 2, in canonical form (PFC-ENCODE; bundle document, On-disk layout).

    Rejections: `version-unsupported`, `member-range` (also for a number that is not finite), in the reader's order;
    last `metadata-too-deep`, for a text nested deeper than its own reader takes.
    """
    ranges.check(metadata)
    _check_depth(metadata)
    return (_text(_members(metadata), indented=True) + "\n").encode("utf-8")


def one_line(value: JsonValue) -> str:
    """Any JSON value in the canonical style (order of members, strings, numbers) on one line without spaces."""
    return _text(value, indented=False)


def _check_depth(metadata: Metadata) -> None:
    """Rule JSON-DEPTH applied to a writer: only the free JSON of boundary conditions can nest without bound."""
    for index, condition in enumerate(metadata.boundary_conditions or ()):
        for name, value in (("config", condition.config), ("state", condition.state)):
            depth = _ABOVE_CONDITION + _nesting(value)
            if depth > MAX_DEPTH:
                where = pointer("boundary_conditions", index, name)
                raise Rejection("metadata-too-deep", detail=f"{where} nests to {depth}, the limit is {MAX_DEPTH}")


def _nesting(value: JsonValue) -> int:
    """How many lists and objects are nested in a value, itself counted."""
    depth = 0
    level = [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def _members(metadata: Metadata) -> dict[str, Writable]:
    """Everything is always written, except the three optional members that the value does not have (R-PFC-9)."""
    members: dict[str, Writable] = {
        "format_version": FORMAT_VERSION,
        "accepted_time": metadata.accepted_time,
        "accepted_increment": metadata.accepted_increment,
        "result_counter": metadata.result_counter,
        "domain": _domain(metadata.domain),
        "method_identity": metadata.method_identity,
    }
    if metadata.decomposition is not None:
        members["decomposition"] = _decomposition(metadata.decomposition)
    if metadata.fields is not None:
        members["fields"] = metadata.fields
    if metadata.boundary_conditions is not None:
        members["boundary_conditions"] = [_condition(entry) for entry in metadata.boundary_conditions]
    return members


def _domain(domain: Domain) -> dict[str, Writable]:
    return {
        "global_dimensions": domain.global_dimensions,
        "physical_origin": domain.physical_origin,
        "grid_spacing": domain.grid_spacing,
        "periodic": domain.periodic,
    }


def _decomposition(decomposition: Decomposition) -> dict[str, Writable]:
    return {
        "mpi_size": decomposition.mpi_size,
        "local_size": decomposition.local_size,
        "local_offset": decomposition.local_offset,
    }


def _condition(condition: BoundaryCondition) -> dict[str, Writable]:
    return {"config": condition.config, "state": condition.state}


def _text(value: Writable, *, indented: bool) -> str:
    """Write a value; `indented` puts every element on its own line, else nothing but tokens is written."""
    pieces: list[str] = []
    pending: list[str | tuple[Writable, int]] = [(value, 0)]  # from last to first: text, or a value and its depth
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        inner, depth = item
        if isinstance(inner, Mapping):
            pending.extend(reversed(_laid_out("{", _labelled_members(inner, indented=indented), "}", depth, indented)))
        elif isinstance(inner, Sequence) and not isinstance(inner, str):
            pending.extend(reversed(_laid_out("[", [("", element) for element in inner], "]", depth, indented)))
        else:
            pieces.append(_scalar(inner))
    return "".join(pieces)


def _laid_out(
    opening: str, elements: list[tuple[str, Writable]], closing: str, depth: int, indented: bool
) -> list[str | tuple[Writable, int]]:
    """A list or object, one level at a time: its brackets and labels as text, its elements still as values."""
    if not elements:
        return [opening + closing]
    parts: list[str | tuple[Writable, int]] = []
    before = opening
    for label, element in elements:
        parts.append(before + _line_start(depth + 1, indented) + label)
        parts.append((element, depth + 1))
        before = ","
    parts.append(_line_start(depth, indented) + closing)
    return parts


def _line_start(depth: int, indented: bool) -> str:
    return "\n" + _INDENT * depth if indented else ""


def _labelled_members(members: Mapping[str, Writable], *, indented: bool) -> list[tuple[str, Writable]]:
    """Members sorted by the UTF-8 bytes of their names: the order of code points, which Python compares by."""
    colon = ": " if indented else ":"
    return [(_string(name) + colon, members[name]) for name in sorted(members)]


def _scalar(value: bool | int | float | str | JsonNumber | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, JsonNumber):
        return _number(value)
    return str(value) if isinstance(value, int) else pfc_float(value)


def _number(number: JsonNumber) -> str:
    """Inside `config` and `state`: an integer token in [-2^63, 2^64) stays an integer, all else is binary64."""
    if number.is_integer and -(2**63) <= number.as_int() < 2**64:
        return str(number.as_int())
    return pfc_float(number.as_float())


def _string(text: str) -> str:
    """Only the quote, the backslash and the controls below U+0020 are escaped; everything else stands as UTF-8."""
    return '"' + _ESCAPED.sub(lambda match: _SHORT_ESCAPES.get(match[0], f"\\u{ord(match[0]):04x}"), text) + '"'
