"""Questions about ``pfc`` metadata: texts, values, and restarts that ask for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from conformance.formats.json.fuzz_edits import mutated, replacement, token_edited
from conformance.formats.json.fuzz_value import (
    Members,
    Raw,
    Value,
    compact,
    nested,
    number_token,
    pfc_line,
    spelt,
    text,
    value,
)
from conformance.fuzz.request import Request
from conformance.fuzz.source import Source
from harness.model import WireValue

Meta: TypeAlias = "dict[str, WireValue]"
"""META as a request carries it."""

FIELD_IDS = ("psi", "u", "a.b", "_x-1", "0", "a.bin", "X" * 128)
WRONG_IDS = ("", ".a", "-a", "a/b", "../a", "a b", "a\0", "a\n", "\u00e9", "X" * 129)
_BEYOND = (-1, 0, 2**31 - 1, 2**31, 2**32 + 1, -(2**31), -(2**31) - 1, 2**63, 2**64 + 1, 10**30)
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_LARGE_GRIDS = (
    (2**31 - 1, 2**29, 1),
    (2**31 - 1, 2**28, 2),
    (2**20, 2**20, 2**20),
    (2**22, 2**22, 2**22),
    (2**21,) * 3,
)


def decode_request(source: Source) -> Request:
    """Draw a ``metadata.json``, whole or broken."""
    return Request("pfc.metadata.decode", {"data": metadata_text(source, metadata(source))})


def encode_request(source: Source) -> Request:
    """Draw a value to be written, in range or not."""
    return Request("pfc.metadata.encode", {"value": metadata(source, wild=source.chance(50))})


def restore_request(source: Source) -> Request:
    """Draw metadata and a restart that asks for the same, or for something near it."""
    meta = metadata(source)
    meta["boundary_conditions"] = conditions = [_condition(source) for _ in range(source.integer(0, 3))]
    request: Meta = {**_mapping(meta["domain"]), "method_identity": meta["method_identity"]}
    stateful: list[WireValue] = [
        {"config": _respelt(source, entry["config"]), "stateful": source.chance(30)} for entry in conditions
    ]
    request["boundary_conditions"] = stateful
    fields = meta.get("fields")
    if isinstance(fields, list):
        request["fields"] = list(fields[: source.integer(0, len(fields))])
    for _ in range(source.take((0, 1, 1, 2))):
        source.take(_REQUEST_CHANGES)(source, request)
    if source.chance(20):
        meta.pop(source.take(("boundary_conditions", "fields")), None)
    data = metadata_text(source, meta) if source.chance(10) else spelt(source, document(meta)).encode()
    return Request("pfc.restore_check", {"metadata": data, "request": request})


def metadata(source: Source, *, wild: bool = False) -> Meta:
    """Draw META that has every member in range, or, if ``wild``, perhaps one or two that are not."""
    meta: Meta = {
        "format_version": 2,
        "accepted_time": _float(source),
        "accepted_increment": _int32(source),
        "domain": {
            "global_dimensions": [source.integer(1, 5) for _ in range(3)],
            "physical_origin": [_float(source) for _ in range(3)],
            "grid_spacing": [_float(source) for _ in range(3)],
            "periodic": [source.chance(50) for _ in range(3)],
        },
        "method_identity": text(source),
    }
    if source.chance(60):
        meta["result_counter"] = _int32(source)
    if source.chance(25):
        meta["decomposition"] = {
            "mpi_size": source.integer(1, 8),
            "local_size": [source.integer(1, 5) for _ in range(3)],
            "local_offset": [source.integer(0, 5) for _ in range(3)],
        }
    if source.chance(40):
        meta["fields"] = list(dict.fromkeys(source.take(FIELD_IDS) for _ in range(source.integer(0, 3))))
    if source.chance(40):
        meta["boundary_conditions"] = [_condition(source) for _ in range(source.integer(0, 2))]
    if wild:
        for _ in range(source.take((1, 1, 2))):
            source.take(_META_CHANGES)(source, meta)
    return meta


def document(meta: Meta) -> Members:
    """Return META as a metadata document; FLOATs and JSONTEXTs go in as they are spelt."""
    return Members(tuple((name, _WRITERS.get(name, _numbers)(member)) for name, member in meta.items()))


def metadata_text(source: Source, meta: Meta) -> bytes:
    """Draw a text of ``meta``: version 1 or 2, any spelling, perhaps with changed members or edited tokens."""
    root: Value = document(meta)
    assert isinstance(root, Members)
    if source.chance(15):
        root = root.with_member("format_version", Raw("1"))
        if source.chance(70):
            domain = root.get("domain")
            assert isinstance(domain, Members)
            root = root.with_member("domain", domain.without("periodic"))
    changed: Value = replacement(source) if source.chance(2) else root
    for _ in range(source.take((0, 1, 1, 2))):
        changed = mutated(source, changed)
    data = (pfc_line(changed) if source.chance(30) else spelt(source, changed)).encode()
    return token_edited(source, data) if source.chance(40) else data


def _condition(source: Source) -> Meta:
    return {"config": _json_text(source), "state": "null" if source.chance(40) else _json_text(source)}


def _json_text(source: Source) -> str:
    """Draw a JSONTEXT, now and then about as deep as a text may be with it."""
    if source.chance(4):
        return nested(source, source.take((1, 122, 123, 124, 125, 126, 127, 130))).text
    return spelt(source, value(source)) if source.chance(40) else compact(value(source, 1))


def _respelt(source: Source, config: WireValue) -> str:
    """Spell a config with other spaces around it, or take another one."""
    assert isinstance(config, str)
    return _json_text(source) if source.chance(8) else source.take(("", " ", "\n")) + config


def _float(source: Source) -> str:
    return source.take(("0.0", "1.0", "-0.0", "0.5")) if source.chance(40) else number_token(source)


def _int32(source: Source) -> int:
    return source.take((0, 1, 7, 2**31 - 1, 2**31 - 2)) if source.chance(80) else source.integer(0, 2**31 - 1)


def _numbers(part: WireValue) -> Value:
    """Return FLOATs, integers and booleans as JSON, also in lists and objects; JSONTEXTs go in the same way."""
    if isinstance(part, Mapping):
        return Members(tuple((name, _numbers(member)) for name, member in part.items()))
    if isinstance(part, list):
        return [_numbers(element) for element in part]
    return part if isinstance(part, bool) else Raw(str(part))


def _strings(part: WireValue) -> Value:
    if isinstance(part, list):
        return [_strings(element) for element in part]
    assert isinstance(part, str)
    return part


_WRITERS: Mapping[str, Callable[[WireValue], Value]] = {"method_identity": _strings, "fields": _strings}


def _mapping(part: WireValue) -> Mapping[str, WireValue]:
    assert isinstance(part, Mapping)
    return part


def _another_version(source: Source, meta: Meta) -> None:
    meta["format_version"] = source.take((1, 3, 0, -1, 2**32 + 2, 10**30))
    if source.chance(30):
        del meta["format_version"]


def _float_not_finite(source: Source, meta: Meta) -> None:
    if source.chance(30):
        meta["accepted_time"] = source.take(_NOT_FINITE)
    else:
        _set_axis(source, meta, source.take(("physical_origin", "grid_spacing")), source.take(_NOT_FINITE))


def _integer_beyond(source: Source, meta: Meta) -> None:
    kind = source.integer(0, 2)
    if kind == 0:
        meta[source.take(("accepted_increment", "result_counter"))] = source.take(_BEYOND)
    elif kind == 1:
        _set_axis(source, meta, "global_dimensions", source.take(_BEYOND))
    else:
        parts: Meta = {"mpi_size": 1, "local_size": [1, 1, 1], "local_offset": [0, 0, 0]}
        name = source.take(tuple(parts))
        wrong = source.take(_BEYOND)
        parts[name] = wrong if name == "mpi_size" else source.shuffled([wrong, 1, 1])
        meta["decomposition"] = parts


def _large_grid(source: Source, meta: Meta) -> None:
    meta["domain"] = {**_mapping(meta["domain"]), "global_dimensions": list(source.take(_LARGE_GRIDS))}


def _other_fields(source: Source, meta: Meta) -> None:
    drawn = [source.take((*FIELD_IDS, *WRONG_IDS)) for _ in range(source.integer(1, 3))]
    meta["fields"] = [*drawn, source.take(drawn)] if source.chance(30) else drawn


def _deep_condition(source: Source, meta: Meta) -> None:
    depth = source.take((122, 123, 124, 125, 126, 200))
    meta["boundary_conditions"] = [{"config": "0", "state": nested(source, depth).text}]


def _set_axis(source: Source, meta: Meta, name: str, new: WireValue) -> None:
    domain = dict(_mapping(meta["domain"]))
    triple = domain[name]
    assert isinstance(triple, list)
    axis = source.integer(0, 2)
    domain[name] = [*triple[:axis], new, *triple[axis + 1 :]]
    meta["domain"] = domain


def _other_axis(source: Source, request: Meta) -> None:
    name = source.take(("global_dimensions", "physical_origin", "grid_spacing", "periodic"))
    triple = request[name]
    assert isinstance(triple, list)
    axis = source.integer(0, 2)
    new: WireValue = source.take(("0.0", "-0.0", "1", "1e0", number_token(source), "NaN"))
    if name == "periodic":
        new = source.chance(50)
    elif name == "global_dimensions":
        new = source.take((1, 2, 2**31 - 1, 0, -1, 2**32 + 1))
    request[name] = [*triple[:axis], new, *triple[axis + 1 :]]


def _other_method(source: Source, request: Meta) -> None:
    request["method_identity"] = source.take((None, "", text(source), f"{request.get('method_identity')}\0"))
    if source.chance(20):
        del request["method_identity"]


def _more_fields(source: Source, request: Meta) -> None:
    request["fields"] = [source.take((*FIELD_IDS, *WRONG_IDS)) for _ in range(source.integer(1, 3))]


def _other_conditions(source: Source, request: Meta) -> None:
    conditions = request.get("boundary_conditions")
    listed: list[WireValue] = list(conditions) if isinstance(conditions, list) else []
    if listed and source.chance(50):
        listed.pop(source.integer(0, len(listed) - 1))
    else:
        listed.append({"config": _json_text(source), "stateful": source.chance(50)})
    request["boundary_conditions"] = listed
    if source.chance(20):
        del request["boundary_conditions"]


_META_CHANGES: Sequence[Callable[[Source, Meta], None]] = (
    _integer_beyond,
    _integer_beyond,
    _float_not_finite,
    _another_version,
    _other_fields,
    _large_grid,
    _deep_condition,
)
_REQUEST_CHANGES: Sequence[Callable[[Source, Meta], None]] = (
    _other_axis,
    _other_axis,
    _other_method,
    _more_fields,
    _other_conditions,
)
