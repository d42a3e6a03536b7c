"""Reading `metadata.json`: strict JSON first, then member by member in the order of the table (PFC-MEMBERS).

One row of the table is judged whole before the next one: present, then its type (for a list: is it a list, its count,
every element's type), then its range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from reference_py.json_text import JsonNumber, JsonValue, parse, pointer
from reference_py.pfc import ranges
from reference_py.pfc.values import Booleans, BoundaryCondition, Decomposition, Domain, JsonObject, Metadata
from reference_py.rejection import Rejection

_Element = TypeVar("_Element")


def decode_metadata(text: bytes) -> Metadata:
    """Read `metadata.json` (rules JSON-*, PFC-MEMBERS; bundle document, On-disk layout).

    Rejections, in this order: the strict JSON reasons with prefix `metadata-`, `metadata-not-object`, then for each
    member in the order of the table `member-missing`, `member-type`, `member-range`, `version-unsupported`,
    `version-1-periodic`, each with its JSON pointer. Unknown members are dropped (R-PFC-2).
    """
    document = parse(text, "metadata-")
    if not isinstance(document, dict):
        raise Rejection("metadata-not-object", detail=f"found {_kind(document)}, expected an object")
    version = _format_version(document)
    # Keyword arguments are evaluated in the order they are written, which is the judging order of the table.
    return Metadata(
        format_version=version,
        accepted_time=_accepted_time(document),
        accepted_increment=_int32(document, pointer("accepted_increment"), "accepted_increment", 0),
        result_counter=_result_counter(document),
        domain=_domain(document, version),
        decomposition=_decomposition(document),
        method_identity=_method_identity(document),
        fields=_fields(document),
        boundary_conditions=_boundary_conditions(document),
    )


def _format_version(document: JsonObject) -> int:
    """An integer, 1 or 2; rejections `member-missing`, `member-type`, `version-unsupported`."""
    at = pointer("format_version")
    version = _integer(_required(document, "format_version", at), at)
    ranges.check_version(version)
    return version


def _accepted_time(document: JsonObject) -> float:
    at = pointer("accepted_time")
    return _number(_required(document, "accepted_time", at), at)


def _result_counter(document: JsonObject) -> int:
    """Optional, 0 by default; a null is there and is not an integer."""
    if "result_counter" not in document:
        return 0
    return _int32(document, pointer("result_counter"), "result_counter", 0)


def _domain(document: JsonObject, version: int) -> Domain:
    """The four `domain` rows. An absent or wrong `domain` is met, and reported at `/domain`, by the first of them."""
    at = pointer("domain")
    domain = _object(_required(document, "domain", at), at)
    dimensions_at = at + pointer("global_dimensions")
    dimensions = _three(_required(domain, "global_dimensions", dimensions_at), dimensions_at, _integer)
    ranges.check_global_dimensions(dimensions, dimensions_at)
    return Domain(
        global_dimensions=dimensions,
        physical_origin=_three_numbers(domain, "physical_origin", at),
        grid_spacing=_three_numbers(domain, "grid_spacing", at),
        periodic=_periodic(domain, version, at + pointer("periodic")),
    )


def _three_numbers(domain: JsonObject, name: str, domain_at: str) -> tuple[float, float, float]:
    """Three numbers; the strict reader has refused every one that is not finite."""
    at = domain_at + pointer(name)
    return _three(_required(domain, name, at), at, _number)


def _periodic(domain: JsonObject, version: int, at: str) -> Booleans:
    """R-PFC-4: version 1 cannot say that an axis is bounded, so it must not carry the flags and reads as periodic."""
    if version == 1:
        if "periodic" in domain:
            raise Rejection("version-1-periodic", at, "version 1 has no periodic flags; write version 2")
        return (True, True, True)
    return _three(_required(domain, "periodic", at), at, _boolean)


def _decomposition(document: JsonObject) -> Decomposition | None:
    """Optional, and the only member that takes null for absent; its members are judged one whole after another."""
    value = document.get("decomposition")
    if value is None:
        return None
    at = pointer("decomposition")
    layout = _object(value, at)
    return Decomposition(
        mpi_size=_int32(layout, at + pointer("mpi_size"), "mpi_size", 1),
        local_size=_three_int32(layout, at + pointer("local_size"), "local_size", 1),
        local_offset=_three_int32(layout, at + pointer("local_offset"), "local_offset", 0),
    )


def _method_identity(document: JsonObject) -> str:
    at = pointer("method_identity")
    return _string(_required(document, "method_identity", at), at)


def _fields(document: JsonObject) -> tuple[str, ...] | None:
    """Optional list of field ids; an absent list is None (R-PFC-9)."""
    if "fields" not in document:
        return None
    at = pointer("fields")
    ids = _elements(document["fields"], at, _string)
    ranges.check_field_ids(ids, at)
    return tuple(ids)


def _boundary_conditions(document: JsonObject) -> tuple[BoundaryCondition, ...] | None:
    """Optional list of objects: every entry's type first, then entry by entry `config` and `state`, any JSON."""
    if "boundary_conditions" not in document:
        return None
    at = pointer("boundary_conditions")
    entries = _elements(document["boundary_conditions"], at, _object)
    return tuple(_boundary_condition(entry, at + pointer(index)) for index, entry in enumerate(entries))


def _boundary_condition(entry: JsonObject, at: str) -> BoundaryCondition:
    return BoundaryCondition(
        config=_required(entry, "config", at + pointer("config")),
        state=_required(entry, "state", at + pointer("state")),
    )


def _int32(members: JsonObject, at: str, name: str, minimum: int) -> int:
    value = _integer(_required(members, name, at), at)
    ranges.check_int32(value, minimum, at)
    return value


def _three_int32(members: JsonObject, at: str, name: str, minimum: int) -> tuple[int, int, int]:
    values = _three(_required(members, name, at), at, _integer)
    ranges.check_each_int32(values, minimum, at)
    return values


def _required(members: JsonObject, name: str, at: str) -> JsonValue:
    if name not in members:
        raise Rejection("member-missing", at, "the member is required")
    return members[name]


def _three(
    value: JsonValue, at: str, read: Callable[[JsonValue, str], _Element]
) -> tuple[_Element, _Element, _Element]:
    """A list, of three elements, each of the right type, in this order; a wrong list or count is at the list."""
    if isinstance(value, list) and len(value) != 3:
        raise Rejection("member-type", at, f"found {len(value)} elements, expected 3")
    x, y, z = _elements(value, at, read)
    return x, y, z


def _elements(value: JsonValue, at: str, read: Callable[[JsonValue, str], _Element]) -> list[_Element]:
    if not isinstance(value, list):
        raise _wrong_type(value, "a list", at)
    return [read(element, at + pointer(index)) for index, element in enumerate(value)]


def _integer(value: JsonValue, at: str) -> int:
    """A number without fraction or exponent; `5.0`, `1e0` and booleans are none, and `-0` is 0 (R-PFC-1)."""
    if not isinstance(value, JsonNumber):
        raise _wrong_type(value, "an integer", at)
    if not value.is_integer:
        raise Rejection("member-type", at, f"found {value.token[:40]}, expected an integer without point or exponent")
    return value.as_int()


def _number(value: JsonValue, at: str) -> float:
    if not isinstance(value, JsonNumber):
        raise _wrong_type(value, "a number", at)
    return value.as_float()


def _boolean(value: JsonValue, at: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong_type(value, "true or false", at)
    return value


def _string(value: JsonValue, at: str) -> str:
    if not isinstance(value, str):
        raise _wrong_type(value, "a string", at)
    return value


def _object(value: JsonValue, at: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise _wrong_type(value, "an object", at)
    return value


def _wrong_type(found: JsonValue, expected: str, at: str) -> Rejection:
    return Rejection("member-type", at, f"found {_kind(found)}, expected {expected}")


def _kind(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, JsonNumber):
        return "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}
    return names[type(value)]
