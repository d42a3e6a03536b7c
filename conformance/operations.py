"""The operations of a format, as its ``operations.schema.json`` describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.rules.data import read_schema

_PLACE = "protocol.schema.json#/$defs/place"
_BYTES = "protocol.schema.json#/$defs/bytes"
_SENT_BYTES = "protocol.schema.json#/$defs/sentBytes"


@dataclass(frozen=True)
class Operations:
    """What must be known of the members of requests and answers beside their JSON.

    ``places`` are the request members that name a place in the question's tree; ``answer_bytes`` the answer members
    that are BYTES, which are compared decoded so that the first differing byte can be named. ``bytes_of`` has the names
    of the members that are BYTES in the requests and answers of each operation.
    """

    names: tuple[str, ...]
    places: frozenset[str]
    answer_bytes: frozenset[str]
    bytes_of: Mapping[str, frozenset[str]]


def load_operations(schema: Path) -> Operations:
    """Read the operations of one format from its schema.

    Raises :class:`conformance.rules.data.RulesError` when it cannot be used.
    """
    definitions: Mapping[str, Any] = read_schema(schema)["$defs"]
    inputs = {name.removeprefix("input:"): each for name, each in definitions.items() if name.startswith("input:")}
    answers = [each for name, each in definitions.items() if name.startswith("ok:")]
    return Operations(
        names=tuple(inputs),
        places=frozenset(member for each in inputs.values() for member in _members(each, _PLACE)),
        answer_bytes=frozenset(member for each in answers for member in _members(each, _BYTES)),
        bytes_of={
            name: frozenset(
                member
                for half, reference in (("input", _SENT_BYTES), ("ok", _BYTES))
                for member in _members(definitions[f"{half}:{name}"], reference)
            )
            for name in inputs
        },
    )


def _members(schema: Any, reference: str) -> Iterator[str]:
    """Yield the names of all members, at any depth, that are what ``reference`` defines."""
    if isinstance(schema, list):
        for element in schema:
            yield from _members(element, reference)
    elif isinstance(schema, dict):
        for name, member in schema.get("properties", {}).items():
            if isinstance(member, dict) and {"$ref": reference} in (member, *member.get("oneOf", ())):
                yield name
        for member in schema.values():
            yield from _members(member, reference)
