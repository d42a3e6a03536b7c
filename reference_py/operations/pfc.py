"""Protocol operations of `pfc`: metadata and bricks on bytes, bundles on real directories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from reference_py import pfc
from reference_py.numbers import pfc_float
from reference_py.operations.wire import MalformedRequest, Node, bytes_text
from reference_py.pfc.canonical import one_line
from reference_py.pfc.values import FORMAT_VERSION, Integers

_Element = TypeVar("_Element")


def _metadata_decode(request: Mapping[str, object]) -> dict[str, object]:
    return _metadata_and_text(pfc.decode_metadata(Node(request).member("data").as_bytes()))


def _metadata_encode(request: Mapping[str, object]) -> dict[str, object]:
    return {"data": bytes_text(pfc.encode_metadata(read_metadata(Node(request).member("value"))))}


def _restore_check(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    data = node.member("metadata").as_bytes()
    wanted = _read_restore_request(node.member("request"))
    pfc.check_restore(pfc.decode_metadata(data), wanted)
    return {}


def _assemble(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    dimensions = _read_grid(node.member("global_dimensions"))
    parts = [
        pfc.Part(_read_box(element), element.member("data").as_bytes()) for element in node.member("parts").elements()
    ]
    return {"data": bytes_text(pfc.assemble(dimensions, parts))}


def _extract(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    dimensions = _read_grid(node.member("global_dimensions"))
    return {"data": bytes_text(pfc.extract(dimensions, node.member("data").as_bytes(), _read_box(node)))}


def _open(request: Mapping[str, object]) -> dict[str, object]:
    bundle = pfc.open_bundle(Node(request).member("directory").as_text())
    return {
        **_metadata_and_text(bundle.metadata),
        "fields": [{"id": field.id, "byteLength": str(field.byte_length)} for field in bundle.fields],
    }


def _publish(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    final = node.member("directory").as_text()
    metadata = read_metadata(node.member("metadata"))
    fields = [
        pfc.FieldData(element.member("id").as_text(), element.member("data").as_bytes())
        for element in node.member("fields").elements()
    ]
    fail = node.optional("fail")
    writer = pfc.write_field if fail is None else _writer_failing_at(fail.member("field").as_text())
    pfc.publish(final, metadata, fields, writer)
    return {}


def _writer_failing_at(field_id: str) -> pfc.FieldWriter:
    def write_or_fail(path: Path, field: pfc.FieldData) -> None:
        if field.id == field_id:
            raise OSError("the request asked this writer to fail")
        pfc.write_field(path, field)

    return write_or_fail


def read_metadata(value: Node) -> pfc.Metadata:
    """META as a value, nothing judged but its shape (MalformedRequest)."""
    version, counter = value.optional("format_version"), value.optional("result_counter")
    decomposition, fields = value.optional("decomposition"), value.optional("fields")
    conditions = value.optional("boundary_conditions")
    return pfc.Metadata(
        format_version=FORMAT_VERSION if version is None else version.as_integer(),
        accepted_time=value.member("accepted_time").as_binary64(),
        accepted_increment=value.member("accepted_increment").as_integer(),
        result_counter=0 if counter is None else counter.as_integer(),
        domain=_read_domain(value.member("domain")),
        decomposition=None if decomposition is None else _read_decomposition(decomposition),
        method_identity=_read_unicode(value.member("method_identity")),
        fields=None if fields is None else tuple(element.as_text() for element in fields.elements()),
        boundary_conditions=None
        if conditions is None
        else tuple(
            pfc.BoundaryCondition(entry.member("config").as_json(), entry.member("state").as_json())
            for entry in conditions.elements()
        ),
    )


def _read_restore_request(value: Node) -> pfc.RestoreRequest:
    method, fields = value.optional("method_identity"), value.optional("fields")
    conditions = value.optional("boundary_conditions")
    return pfc.RestoreRequest(
        domain=_read_domain(value),
        method_identity=None if method is None else method.as_text(),
        fields=() if fields is None else tuple(element.as_text() for element in fields.elements()),
        boundary_conditions=()
        if conditions is None
        else tuple(
            pfc.RequestedCondition(entry.member("config").as_json(), entry.member("stateful").as_boolean())
            for entry in conditions.elements()
        ),
    )


def _read_domain(value: Node) -> pfc.Domain:
    return pfc.Domain(
        global_dimensions=_three(value.member("global_dimensions"), Node.as_integer),
        physical_origin=_three(value.member("physical_origin"), Node.as_binary64),
        grid_spacing=_three(value.member("grid_spacing"), Node.as_binary64),
        periodic=_three(value.member("periodic"), Node.as_boolean),
    )


def _read_decomposition(value: Node) -> pfc.Decomposition:
    return pfc.Decomposition(
        mpi_size=value.member("mpi_size").as_integer(),
        local_size=_three(value.member("local_size"), Node.as_integer),
        local_offset=_three(value.member("local_offset"), Node.as_integer),
    )


def _read_grid(value: Node) -> Integers:
    """A brick's grid: what it is is agreed before any brick is judged, so a wrong one is the asker's fault."""
    dimensions = _three(value, Node.as_integer)
    if min(dimensions) < 1:
        raise MalformedRequest(f"input{value.where}: found {min(dimensions)}, expected dimensions of 1 or more")
    return dimensions


def _read_box(value: Node) -> pfc.Box:
    return pfc.Box(
        offset=_three(value.member("offset"), Node.as_integer),
        size=_three(value.member("size"), Node.as_integer),
    )


def _three(value: Node, read: Callable[[Node], _Element]) -> tuple[_Element, _Element, _Element]:
    elements = [read(element) for element in value.elements()]
    if len(elements) != 3:
        raise MalformedRequest(f"input{value.where}: found {len(elements)} elements, expected 3")
    x, y, z = elements
    return x, y, z


def _read_unicode(value: Node) -> str:
    """A string that has a UTF-8 form: JSON can spell half a surrogate pair, which names no character."""
    text = value.as_text()
    try:
        text.encode()
    except UnicodeEncodeError:
        raise MalformedRequest(f"input{value.where}: found an unpaired surrogate, expected Unicode text") from None
    return text


def _metadata_and_text(metadata: pfc.Metadata) -> dict[str, object]:
    return {"value": _metadata_answer(metadata), "data": bytes_text(pfc.encode_metadata(metadata))}


def _metadata_answer(metadata: pfc.Metadata) -> dict[str, object]:
    answer: dict[str, object] = {
        "format_version": metadata.format_version,
        "accepted_time": pfc_float(metadata.accepted_time),
        "accepted_increment": metadata.accepted_increment,
        "result_counter": metadata.result_counter,
        "domain": _domain_answer(metadata.domain),
        "method_identity": metadata.method_identity,
    }
    if metadata.decomposition is not None:
        answer["decomposition"] = _decomposition_answer(metadata.decomposition)
    if metadata.fields is not None:
        answer["fields"] = list(metadata.fields)
    if metadata.boundary_conditions is not None:
        answer["boundary_conditions"] = [
            {"config": one_line(entry.config), "state": one_line(entry.state)} for entry in metadata.boundary_conditions
        ]
    return answer


def _domain_answer(domain: pfc.Domain) -> dict[str, object]:
    return {
        "global_dimensions": list(domain.global_dimensions),
        "physical_origin": [pfc_float(value) for value in domain.physical_origin],
        "grid_spacing": [pfc_float(value) for value in domain.grid_spacing],
        "periodic": list(domain.periodic),
    }


def _decomposition_answer(decomposition: pfc.Decomposition) -> dict[str, object]:
    return {
        "mpi_size": decomposition.mpi_size,
        "local_size": list(decomposition.local_size),
        "local_offset": list(decomposition.local_offset),
    }


OPERATIONS = {
    "pfc.metadata.decode": _metadata_decode,
    "pfc.metadata.encode": _metadata_encode,
    "pfc.restore_check": _restore_check,
    "pfc.brick.assemble": _assemble,
    "pfc.brick.extract": _extract,
    "pfc.open": _open,
    "pfc.publish": _publish,
}
