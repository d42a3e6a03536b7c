"""A second reading of PFC-MEMBERS, over Python's own ``json``, to declare what each flipped bit of a text must cause.

It shares nothing with ``reference_py``; generation compares the two on every member of every sweep.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from conformance.formats.json.model import Members, RefusedError, Token, pfc_form, shortest_digits, strict
from conformance.formats.pfc.cases.texts import canonical
from conformance.vectorgen.vector_set import Data, b64, ok

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,127}\Z", re.ASCII)
_INT32 = 2**31


def outcome(text: bytes) -> Data:
    """Return the whole outcome of decoding ``text``: ``ok(value, data)`` or ``reject(reason, at)``."""
    try:
        meta = _meta(strict(text, "metadata-"))
    except RefusedError as refused:
        return refused.outcome
    return ok(value=meta, data=b64(canonical(meta)))


def _meta(document: Any) -> Data:
    if not isinstance(document, Members):
        raise RefusedError("metadata-not-object")
    top = dict(document)
    meta: Data = {"format_version": _integer(_required(top, "", "format_version"), "/format_version")}
    if meta["format_version"] not in (1, 2):
        raise RefusedError("version-unsupported", "/format_version")
    meta["accepted_time"] = _number(_required(top, "", "accepted_time"), "/accepted_time")
    meta["accepted_increment"] = _int32(top, "", "accepted_increment", 0)
    meta["result_counter"] = _int32(top, "", "result_counter", 0) if "result_counter" in top else 0
    meta["domain"] = _domain(_object(_required(top, "", "domain"), "/domain"), meta["format_version"])
    if not isinstance(top.get("decomposition"), type(None)):
        layout = _object(top["decomposition"], "/decomposition")
        meta["decomposition"] = {"mpi_size": _int32(layout, "/decomposition", "mpi_size", 1)}
        for name, least in (("local_size", 1), ("local_offset", 0)):
            meta["decomposition"][name] = _three_int32(layout, "/decomposition", name, least)
    meta["method_identity"] = _string(_required(top, "", "method_identity"), "/method_identity")
    if "fields" in top:
        meta["fields"] = _ids(_list(top["fields"], "/fields"))
    if "boundary_conditions" in top:
        entries = _list(top["boundary_conditions"], "/boundary_conditions")
        places = [f"/boundary_conditions/{index}" for index in range(len(entries))]
        members = [_object(entry, at) for entry, at in zip(entries, places, strict=True)]
        meta["boundary_conditions"] = [
            {name: _json_text(_required(entry, at, name)) for name in ("config", "state")}
            for entry, at in zip(members, places, strict=True)
        ]
    return meta


def _domain(domain: Data, version: int) -> Data:
    dimensions = _three_int32(domain, "/domain", "global_dimensions", 1)
    if math.prod(dimensions) >= 2**60:
        raise RefusedError("member-range", "/domain/global_dimensions")
    result: Data = {"global_dimensions": dimensions}
    for name in ("physical_origin", "grid_spacing"):
        at = f"/domain/{name}"
        result[name] = [_number(n, f"{at}/{i}") for i, n in enumerate(_three(_required(domain, "/domain", name), at))]
    if version == 1:
        if "periodic" in domain:
            raise RefusedError("version-1-periodic", "/domain/periodic")
        return result | {"periodic": [True, True, True]}
    flags = _three(_required(domain, "/domain", "periodic"), "/domain/periodic")
    for index, flag in enumerate(flags):
        if not isinstance(flag, bool):
            raise RefusedError("member-type", f"/domain/periodic/{index}")
    return result | {"periodic": flags}


def _required(members: Data, parent: str, name: str) -> Any:
    if name not in members:
        raise RefusedError("member-missing", f"{parent}/{name}")
    return members[name]


def _integer(value: Any, at: str) -> int:
    if not isinstance(value, Token) or not re.fullmatch("-?[0-9]+", value):
        raise RefusedError("member-type", at)
    return int(value)


def _int32(members: Data, parent: str, name: str, least: int) -> int:
    value = _integer(_required(members, parent, name), f"{parent}/{name}")
    if not least <= value < _INT32:
        raise RefusedError("member-range", f"{parent}/{name}")
    return value


def _three_int32(members: Data, parent: str, name: str, least: int) -> list[int]:
    at = f"{parent}/{name}"
    numbers = [_integer(n, f"{at}/{i}") for i, n in enumerate(_three(_required(members, parent, name), at))]
    for index, number in enumerate(numbers):
        if not least <= number < _INT32:
            raise RefusedError("member-range", f"{at}/{index}")
    return numbers


def _number(value: Any, at: str) -> str:
    if not isinstance(value, Token):
        raise RefusedError("member-type", at)
    return float_text(float(value))


def _string(value: Any, at: str) -> str:
    if not isinstance(value, str) or isinstance(value, Token):
        raise RefusedError("member-type", at)
    return value


def _list(value: Any, at: str) -> list[Any]:
    if not isinstance(value, list) or isinstance(value, Members):
        raise RefusedError("member-type", at)
    return value


def _three(value: Any, at: str) -> list[Any]:
    if len(_list(value, at)) != 3:
        raise RefusedError("member-type", at)
    return list(value)


def _object(value: Any, at: str) -> Data:
    if not isinstance(value, Members):
        raise RefusedError("member-type", at)
    return dict(value)


def _ids(values: list[Any]) -> list[str]:
    ids = [_string(value, f"/fields/{index}") for index, value in enumerate(values)]
    for index, name in enumerate(ids):
        if not _ID.match(name) or name in ids[:index]:
            raise RefusedError("member-range", f"/fields/{index}")
    return ids


def _json_text(value: Any) -> str:
    """Write a value as JSONTEXT: the canonical style on one line, without spaces."""
    match value:
        case Token():
            whole = re.fullmatch("-?[0-9]+", value) and -(2**63) <= int(value) < 2**64
            return str(int(value)) if whole else float_text(float(value))
        case Members():
            members = sorted(value)
            return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_json_text(v)}" for k, v in members) + "}"
        case list():
            return "[" + ",".join(map(_json_text, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def float_text(value: float) -> str:
    """Write a binary64 in the ``pfc`` form, from the digits of ``repr`` (shortest and closest in CPython)."""
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    return sign + ("0.0" if value == 0 else pfc_form(*shortest_digits(value)))
