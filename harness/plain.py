"""Frozen values to plain JSON and back, by their type annotations: bytes as base64, enumerations as their values."""

from __future__ import annotations

import base64
import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum

from harness.model import Json


def to_plain(value: object) -> Json:
    """Return ``value`` (dataclasses, tuples, sets of strings, enumerations, bytes, JSON scalars) as JSON.

    A member that is None is left out, so that absent and None are one thing; a set comes sorted.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Enum):
        return to_plain(value.value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [to_plain(element) for element in value]
    assert dataclasses.is_dataclass(value)
    members = ((each.name, getattr(value, each.name)) for each in dataclasses.fields(value))
    return {name: to_plain(member) for name, member in members if member is not None}


def from_plain(kind: object, value: Json) -> object:
    """Return what :func:`to_plain` made ``value`` from, being of type ``kind``; unknown members are ignored.

    The value is taken to have the right shape: check it against its schema first.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        (kind,) = (argument for argument in arguments if argument is not type(None))
        return None if value is None else from_plain(kind, value)
    if origin in (tuple, frozenset):
        assert isinstance(value, Sequence)
        return origin(from_plain(arguments[0], element) for element in value)
    if kind is bytes:
        return base64.b64decode(typing.cast(str, value), validate=True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        assert isinstance(value, Mapping)
        hints = typing.get_type_hints(kind)
        known = [each.name for each in dataclasses.fields(kind) if each.name in value]
        return kind(**{name: from_plain(hints[name], value[name]) for name in known})
    return value
