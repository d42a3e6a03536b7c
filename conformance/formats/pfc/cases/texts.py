"""What the ``pfc`` builders share: golden metadata, a canonical writer of their own, and edits of a text.

The writer here is independent of ``reference_py``. It takes META, whose FLOATs and JSONTEXTs are already written
canonically by the case's author, so that no number is formatted by code on the way to an expectation.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence

from conformance.vectorgen.vector_set import Data, b64, delete, insert, ok, put

V1 = "pfc/golden/metadata-version-1.json"
MINIMAL = "pfc/golden/metadata-minimal.json"
FULL = "pfc/golden/metadata-full.json"
UNICODE = "pfc/golden/metadata-unicode.json"
DEEP = "pfc/golden/metadata-deep.json"
SPELLINGS = "pfc/golden/metadata-spellings.json"

MINIMAL_TEXT = b"""{
  "accepted_increment": 5,
  "accepted_time": 0.25,
  "domain": {
    "global_dimensions": [
      4,
      3,
      2
    ],
    "grid_spacing": [
      1.0,
      0.5,
      2.5
    ],
    "periodic": [
      true,
      true,
      false
    ],
    "physical_origin": [
      0.0,
      -0.0,
      1e-05
    ]
  },
  "format_version": 2,
  "method_identity": "euler",
  "result_counter": 7
}
"""

MINIMAL_META: Data = {
    "format_version": 2,
    "accepted_time": "0.25",
    "accepted_increment": 5,
    "result_counter": 7,
    "domain": {
        "global_dimensions": [4, 3, 2],
        "physical_origin": ["0.0", "-0.0", "1e-05"],
        "grid_spacing": ["1.0", "0.5", "2.5"],
        "periodic": [True, True, False],
    },
    "method_identity": "euler",
}

V1_TEXT = b"""{
  "accepted_increment": 10,
  "accepted_time": 1.5,
  "domain": {
    "global_dimensions": [
      4,
      3,
      2
    ],
    "grid_spacing": [
      1.0,
      0.1,
      2.5
    ],
    "physical_origin": [
      0.0,
      -0.5,
      1e-05
    ]
  },
  "format_version": 1,
  "method_identity": "etd"
}
"""

V1_META: Data = {
    "format_version": 1,
    "accepted_time": "1.5",
    "accepted_increment": 10,
    "result_counter": 0,
    "domain": {
        "global_dimensions": [4, 3, 2],
        "physical_origin": ["0.0", "-0.5", "1e-05"],
        "grid_spacing": ["1.0", "0.1", "2.5"],
        "periodic": [True, True, True],
    },
    "method_identity": "etd",
}

FULL_TEXT = b"""{
  "accepted_increment": 5,
  "accepted_time": 0.25,
  "boundary_conditions": [
    {
      "config": {
        "face": "x-",
        "type": "fixed"
      },
      "state": null
    },
    {
      "config": "moving",
      "state": {
        "first": false,
        "idx": 3,
        "xpos": 1.5
      }
    }
  ],
  "decomposition": {
    "local_offset": [
      0,
      1,
      2
    ],
    "local_size": [
      4,
      2,
      1
    ],
    "mpi_size": 6
  },
  "domain": {
    "global_dimensions": [
      4,
      3,
      8
    ],
    "grid_spacing": [
      1.0,
      0.5,
      2.5
    ],
    "periodic": [
      true,
      true,
      false
    ],
    "physical_origin": [
      0.0,
      -0.0,
      1e-05
    ]
  },
  "fields": [
    "psi",
    "T_2"
  ],
  "format_version": 2,
  "method_identity": "etd/2",
  "result_counter": 7
}
"""

FULL_META: Data = {
    "format_version": 2,
    "accepted_time": "0.25",
    "accepted_increment": 5,
    "result_counter": 7,
    "domain": {
        "global_dimensions": [4, 3, 8],
        "physical_origin": ["0.0", "-0.0", "1e-05"],
        "grid_spacing": ["1.0", "0.5", "2.5"],
        "periodic": [True, True, False],
    },
    "decomposition": {"mpi_size": 6, "local_size": [4, 2, 1], "local_offset": [0, 1, 2]},
    "method_identity": "etd/2",
    "fields": ["psi", "T_2"],
    "boundary_conditions": [
        {"config": '{"face":"x-","type":"fixed"}', "state": "null"},
        {"config": '"moving"', "state": '{"first":false,"idx":3,"xpos":1.5}'},
    ],
}


class Raw(str):
    """A JSON number as it is to be written, digit for digit."""

    __slots__ = ()


def changed(meta: Data, **members: object) -> Data:
    """Return a copy of META with top-level members replaced; ``domain`` members are merged into the domain."""
    result = copy.deepcopy(meta)
    for name, value in members.items():
        if name == "domain" and isinstance(value, dict):
            result["domain"] |= value
        else:
            result[name] = value
    return result


def canonical(meta: Data) -> bytes:
    """Write META as canonical text (PFC-CANONICAL): version 2, members sorted by UTF-8 bytes, two-space indent."""
    domain = meta["domain"]
    members: Data = {
        "accepted_increment": Raw(meta["accepted_increment"]),
        "accepted_time": Raw(meta["accepted_time"]),
        "domain": {
            "global_dimensions": [Raw(n) for n in domain["global_dimensions"]],
            "grid_spacing": [Raw(n) for n in domain["grid_spacing"]],
            "periodic": domain["periodic"],
            "physical_origin": [Raw(n) for n in domain["physical_origin"]],
        },
        "format_version": Raw(2),
        "method_identity": meta["method_identity"],
        "result_counter": Raw(meta["result_counter"]),
    }
    if "decomposition" in meta:
        layout = meta["decomposition"]
        members["decomposition"] = {
            "local_offset": [Raw(n) for n in layout["local_offset"]],
            "local_size": [Raw(n) for n in layout["local_size"]],
            "mpi_size": Raw(layout["mpi_size"]),
        }
    if "fields" in meta:
        members["fields"] = meta["fields"]
    if "boundary_conditions" in meta:
        members["boundary_conditions"] = [
            {"config": _tokens(entry["config"]), "state": _tokens(entry["state"])}
            for entry in meta["boundary_conditions"]
        ]
    return (pretty(members) + "\n").encode()


def pretty(value: object, indent: str = "") -> str:
    """Write a value in the canonical style, its numbers given as :class:`Raw`."""
    deeper = indent + "  "
    match value:
        case Raw():
            return str(value)
        case dict() if value:
            rows = [f"{deeper}{_quoted(key)}: {pretty(value[key], deeper)}" for key in sorted(value)]
            return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
        case list() if value:
            return "[\n" + ",\n".join(deeper + pretty(item, deeper) for item in value) + f"\n{indent}]"
        case _:
            return _quoted(value)


def _quoted(value: object) -> str:
    # json.dumps escapes exactly what the canonical form escapes once non-ASCII stays raw: U+0000-U+001F, the quote and
    # the backslash, with the same short forms and lower-case digits.
    return json.dumps(value, ensure_ascii=False)


def _tokens(text: str) -> object:
    return json.loads(text, parse_int=Raw, parse_float=Raw)


def accepted(meta: Data) -> Data:
    """Expect a decoder to answer this value, and its canonical text."""
    return ok(value=meta, data=b64(canonical(meta)))


def swapped(text: bytes, *pairs: tuple[str | bytes, str | bytes]) -> list[Data]:
    """Return the edits that replace each old part in ``text``, in order; it must stand there exactly once."""
    edits: list[Data] = []
    for old_part, new_part in pairs:
        old = old_part.encode() if isinstance(old_part, str) else old_part
        new = new_part.encode() if isinstance(new_part, str) else new_part
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the text; name a part that stands there once")
        at = text.index(old)
        edits += _smallest(at, old, new)
        text = text[:at] + new + text[at + len(old) :]
    return edits


def _smallest(at: int, old: bytes, new: bytes) -> list[Data]:
    if len(old) == len(new):
        return [put(at, new)]
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    gone, come = len(old) - head - tail, new[head : len(new) - tail]
    edits = [delete(at + head, gone)] if gone else []
    return edits + ([insert(at + head, come)] if come else [])


def applied(text: bytes, edits: Sequence[Data]) -> bytes:
    """Apply set, insert and delete edits, for a builder that needs the edited text itself."""
    for edit in edits:
        at = edit["at"]
        if "set" in edit:
            new = bytes.fromhex(edit["set"])
            text = text[:at] + new + text[at + len(new) :]
        elif "insert" in edit:
            text = text[:at] + bytes.fromhex(edit["insert"]) * edit.get("repeat", 1) + text[at:]
        else:
            text = text[:at] + text[at + edit["delete"] :]
    return text


def member_span(text: bytes, pointer: str) -> tuple[int, int]:
    """Return where the member or element at a JSON pointer stands in a canonical text: key to end of value."""
    value, depth = json.loads(text), 0
    start = 0
    for part in pointer.split("/")[1:]:
        depth += 1
        lead = b"\n" + b"  " * depth
        if isinstance(value, list):
            index = int(part)
            for _ in range(index + 1):
                start = text.index(lead, start) + len(lead)
                while text[start : start + 1] in (b" ", b"]", b"}"):  # deeper, or the end of an element before
                    start = text.index(lead, start) + len(lead)
            value = value[index]
        else:
            start = text.index(lead + json.dumps(part).encode() + b":", start) + len(lead)
            value = value[part]
    first = text.index(b"\n", start)
    line = text[start:first]
    if line.endswith((b"[", b"{")):
        close = b"\n" + b"  " * depth + (b"]" if line.endswith(b"[") else b"}")
        return start, text.index(close, start) + len(close)
    return start, start + len(line.removesuffix(b","))


def without(text: bytes, pointer: str) -> list[Data]:
    """Return the edit that takes a member or element, and its comma, out of a canonical text."""
    start, end = member_span(text, pointer)
    if text[end : end + 1] == b",":
        gap = len(text[end + 1 :]) - len(text[end + 1 :].lstrip())
        return [delete(start, end + 1 + gap - start)]
    before = text[:start].rstrip()
    cut = len(before) - 1 if before.endswith(b",") else len(before)
    return [delete(cut, end - cut)]


def revalued(text: bytes, pointer: str, value: str) -> list[Data]:
    """Return the edits that give the member or element at a JSON pointer of a canonical text another value."""
    start, end = member_span(text, pointer)
    old = text[start:end]
    if not pointer.rsplit("/", 1)[1].isdigit():
        colon = old.index(b": ") + 2
        start, old = start + colon, old[colon:]
    return _smallest(start, old, value.encode())


def xored(text: bytes, at: int, mask: int) -> bytes:
    """Return ``text`` with the bits of ``mask`` flipped in one byte."""
    return text[:at] + bytes([text[at] ^ mask]) + text[at + 1 :]


def remade(text: bytes, *changes: tuple[str, str | None]) -> list[Data]:
    """Return the edits that give members of a canonical text other values, one after another; None takes one out."""
    edits: list[Data] = []
    for pointer, value in changes:
        step = without(text, pointer) if value is None else revalued(text, pointer, value)
        edits += step
        text = applied(text, step)
    return edits
