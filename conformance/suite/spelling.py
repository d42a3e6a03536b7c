"""How a vector file spells a case for people, and the one full form that all other code works with.

In a file, a member that is empty by default is left out, bytes that are text stand as text, and a repair that is a
golden file names it. :func:`full` reads that, :class:`Speller` writes it, and ``vectors/README.md`` says the same for
readers without this code.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from conformance.suite.errors import SuiteError

Data: TypeAlias = Mapping[str, Any]
Spell: TypeAlias = Callable[[Any], Any]
Goldens: TypeAlias = Mapping[str, bytes]

LISTS = ("cases", "sweeps", "pairwise")
"""The lists of a vector file; one that is not there is empty."""

_EMPTY: Mapping[str, tuple[str, ...]] = {
    "cases": ("rulings", "tags"),
    "sweeps": ("rulings", "tags"),
    "pairwise": ("rulings", "apart"),
}
_TEXTUAL_EDITS = ("set", "insert")


@dataclass(frozen=True)
class Speller:
    """Writes the cases of one operation. ``names`` are the members of its requests and answers that are BYTES."""

    names: Collection[str]
    goldens: Goldens

    def case(self, kind: str, case: Data) -> dict[str, Any]:
        """Return the short form of an element of the list ``kind``.

        Raises :class:`SuiteError` at a value that :func:`full` would take for a short form.
        """
        spelled = {key: value for key, value in case.items() if value or key not in _EMPTY[kind]}
        if not spelled.get("edits", True):
            del spelled["edits"]
        is_text = "base" in case and text_of(self.goldens[case["base"]]) is not None
        return _each(spelled, {**self._members(is_text), "faults": partial(self._faults, is_text)})

    def _faults(self, is_text: bool, faults: Collection[Data]) -> list[Any]:
        return [_each(fault, self._members(is_text)) for fault in faults]

    def _members(self, is_text: bool) -> dict[str, Spell]:
        """Return how each member of a case or fault is spelled; ``is_text`` says whether its golden file is a text."""
        value, edits = partial(self._value, ""), partial(_edits, is_text)
        return {
            "input": value,
            "set": value,
            "expect": value,
            "repair": self._repair,
            "edits": edits,
            "after": edits,
            "tree": self._tree,
            "tree_after": self._tree,
        }

    def _repair(self, repair: Data) -> dict[str, Any]:
        return {name: self._named(value) or self._value(name, value) for name, value in repair.items()}

    def _named(self, value: Any) -> dict[str, str] | None:
        """Return the golden file whose bytes ``value`` spells, the first in the order of the paths."""
        data = _decoded(value)
        path = next((path for path in sorted(self.goldens) if self.goldens[path] == data), None)
        return None if path is None else {"golden": path}

    def _value(self, name: str, value: Any) -> Any:
        """Spell every BYTES within ``value``, the member ``name`` (or the JSON pointer to it), as text where it is."""
        if isinstance(value, Mapping):
            if _is_spelled(value):
                raise SuiteError(
                    f"the member {name or 'input'} is {dict(value)!r}, which a reader would take for bytes"
                )
            return {key: self._value(key, member) for key, member in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(name, element) for element in value]
        data = _decoded(value) if name.rpartition("/")[2] in self.names else None
        text = None if data is None else text_of(data)
        return value if text is None else {"text": text}

    def _tree(self, tree: Mapping[str, Data | None]) -> dict[str, Any]:
        return {path: None if node is None else self._node(node) for path, node in tree.items()}

    def _node(self, node: Data) -> dict[str, Any]:
        spelled = dict(node)
        text = text_of(base64.b64decode(spelled["file"])) if "file" in spelled else None
        if text is not None:
            return {"text": text}
        is_text = "base" in node and text_of(self.goldens[node["base"]]) is not None
        for key in ("edits", "after"):
            if spelled.get(key):
                spelled[key] = _edits(is_text, spelled[key])
            else:
                spelled.pop(key, None)
        return spelled


def full(document: Data, goldens: Goldens) -> dict[str, Any]:
    """Return the full form of a vector file's ``document``: every list and default, base64 for BYTES, hex in edits."""
    filled = {**document, **{kind: document.get(kind, []) for kind in LISTS}}
    for kind in LISTS:
        filled[kind] = [_full_case(kind, case, goldens) for case in filled[kind]]
    return filled


def _full_case(kind: str, case: Data, goldens: Goldens) -> dict[str, Any]:
    filled: dict[str, Any] = {**{name: [] for name in _EMPTY[kind]}, **case}
    if kind == "cases" and "base" in case:
        filled.setdefault("edits", [])
    return _full_members(filled, goldens)


def _full_members(members: Data, goldens: Goldens) -> dict[str, Any]:
    """Fill what can hold a short form; a sweep's table, which is most of the vectors, cannot."""
    value, tree = partial(_full_value, goldens), partial(_full_tree, goldens)
    return _each(
        members,
        {
            **dict.fromkeys(("input", "set", "expect", "repair", "edits", "after"), value),
            **dict.fromkeys(("tree", "tree_after"), tree),
            "faults": lambda faults: [_full_members(fault, goldens) for fault in faults],
        },
    )


def _full_tree(goldens: Goldens, tree: Mapping[str, Data | None]) -> dict[str, Any]:
    return {path: None if node is None else _full_node(goldens, node) for path, node in tree.items()}


def _full_node(goldens: Goldens, node: Data) -> Any:
    return {"file": _b64(node["text"])} if "text" in node else _full_value(goldens, node)


def _full_value(goldens: Goldens, value: Any) -> Any:
    if isinstance(value, list):
        return [_full_value(goldens, element) for element in value]
    if not isinstance(value, dict):
        return value
    if _is_spelled(value):
        return _b64(value["text"]) if "text" in value else base64.b64encode(goldens[value["golden"]]).decode("ascii")
    for name in _TEXTUAL_EDITS:
        if f"{name}_text" in value and "at" in value:
            others = {key: member for key, member in value.items() if key != f"{name}_text"}
            return {**others, name: value[f"{name}_text"].encode().hex()}
    return {key: _full_value(goldens, member) for key, member in value.items()}


def _each(members: Data, spells: Mapping[str, Spell]) -> dict[str, Any]:
    return {key: spells[key](value) if key in spells else value for key, value in members.items()}


def _is_spelled(value: Data) -> bool:
    """Whether this object stands for bytes: its one member is ``text`` or ``golden``, a string."""
    return len(value) == 1 and any(isinstance(value.get(name), str) for name in ("text", "golden"))


def _edits(is_text: bool, edits: Collection[Data]) -> list[Data]:
    """Spell the edits of a golden file; in one that is no text, a single byte is a number and stays hex."""
    return [_edit(is_text, edit) for edit in edits]


def _edit(is_text: bool, edit: Data) -> Data:
    for name in _TEXTUAL_EDITS:
        data = bytes.fromhex(edit.get(name, ""))
        if data and all(0x20 <= byte < 0x7F for byte in data) and (is_text or len(data) > 1):
            return {**{key: value for key, value in edit.items() if key != name}, f"{name}_text": data.decode("ascii")}
    return edit


def text_of(data: bytes) -> str | None:
    """Return ``data`` as a text that a person can read, or None: empty, no UTF-8, or over an eighth control characters.

    The rule is spelled out, since what Python calls printable changes with its Unicode tables.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    control = sum((character < " " and character not in "\t\n\r") or "\x7f" <= character < "\xa0" for character in text)
    return text if text and control * 8 <= len(text) else None


def _decoded(value: Any) -> bytes | None:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        return None


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")
