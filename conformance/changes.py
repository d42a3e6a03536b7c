"""What each fault of a list of faults changes in its valid question, in lines: bytes, request members and the tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from conformance.layout import Layouts
from conformance.suite.model import Data
from conformance.suite.pairwise import Fault, Pairwise
from harness.model import File, Question
from harness.tree import in_words

_SHOWN = 24
"""Bytes of one change that are written out."""
_TEXT = 100
"""Characters of one value that are written out."""


def fault_changes(pairs: Pairwise, fault: Fault) -> list[str]:
    """Return every change that ``fault`` makes, a line each; places count in the question without any fault."""
    sound, alone = pairs.sound(), pairs.question((fault,))
    lines: list[str] = []
    base = pairs.base
    if base is not None:
        lines += _edits(
            (*fault.edits, *fault.after),
            base,
            lambda at: pairs.layouts.input_field(pairs.operation, pairs.into, base, at),
        )
    given = pairs.data.get("input", {})
    lines += [f"{pointer}: {_value(given, pointer)} → {_text(value)}" for pointer, value in fault.members.items()]
    for path, node in fault.tree.items():
        lines += _node(pairs.layouts, sound, alone, path, node)
    return lines


def _node(layouts: Layouts, sound: Question, alone: Question, path: str, node: Data | None) -> Iterator[str]:
    before, after = (sound.tree or {}).get(path), (alone.tree or {}).get(path)
    where = f"tree/{path}"
    if isinstance(before, File) and node is not None and set(node) <= {"edits", "after"}:
        data = before.data
        edits = (*node.get("edits", ()), *node.get("after", ()))
        yield from (
            f"{where}, {line}" for line in _edits(edits, data, lambda at: layouts.field_name(sound, where, data, at))
        )
        return
    words = [in_words(entry) if entry is not None else "absent" for entry in (before, after)]
    if words[0] == words[1]:
        words[1] = f"another of {words[1]}"
    yield f"{where}: {words[0]} → {words[1]}"


def _edits(edits: Sequence[Data], data: bytes, label: Callable[[int], str | None]) -> Iterator[str]:
    for edit in sorted(edits, key=lambda edit: int(edit["at"])):
        at = int(edit["at"])
        field = label(at) if at < len(data) else None
        yield f"byte {at} (0x{at:x}){(field and f' in {field}') or ''}: {_edit(data, at, edit)}"


def _edit(data: bytes, at: int, edit: Data) -> str:
    if "insert" in edit:
        return f"inserted {_hex(bytes.fromhex(edit['insert']) * int(edit.get('repeat', 1)))}"
    if "delete" in edit:
        return f"deleted {_hex(data[at : at + int(edit['delete'])])}"
    new = bytes.fromhex(edit.get("set") or edit["xor"])
    old = data[at : at + len(new)]
    if "xor" in edit:
        new = bytes(left ^ right for left, right in zip(old, new, strict=True))
    return f"{_hex(old)} → {_hex(new)}"


def _hex(data: bytes) -> str:
    return data.hex() if len(data) <= _SHOWN else f"{data[:_SHOWN].hex()}… ({len(data)} bytes)"


def _value(document: Any, pointer: str) -> str:
    for part in pointer.split("/")[1:]:
        if isinstance(document, list) and int(part) < len(document):
            document = document[int(part)]
        elif isinstance(document, Mapping) and part in document:
            document = document[part]
        else:
            return "absent"
    return _text(document)


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}… ({len(text)} characters)"
