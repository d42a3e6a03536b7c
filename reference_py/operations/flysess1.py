"""Protocol operations of `flysess1`, on bytes and on a real store directory."""

from __future__ import annotations

from collections.abc import Mapping

from reference_py import flysess1
from reference_py.flysess1 import Entry, Payload, StoreNames
from reference_py.operations.wire import Node, bytes_text


def _decode(request: Mapping[str, object]) -> dict[str, object]:
    envelope = flysess1.decode(Node(request).member("data").as_bytes())
    return {
        "manifest": bytes_text(envelope.manifest),
        "payloads": [{"name": payload.name, "data": bytes_text(payload.data)} for payload in envelope.payloads],
        "data": bytes_text(flysess1.encode(envelope.manifest, envelope.payloads)),
    }


def _encode(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    manifest = node.member("manifest").as_bytes()
    payloads = [
        Payload(element.member("name").as_text(), element.member("data").as_bytes())
        for element in node.member("payloads").elements()
    ]
    return {"data": bytes_text(flysess1.encode(manifest, payloads))}


def _layout(request: Mapping[str, object]) -> dict[str, object]:
    places = flysess1.layout(Node(request).member("data").as_bytes())
    return {
        "manifestOffset": str(places.manifest_offset),
        "manifestBytes": str(places.manifest_bytes),
        "tableOffset": str(places.table_offset),
        "entries": [_entry_answer(entry) for entry in places.entries],
        "footerOffset": str(places.footer_offset),
        "totalBytes": str(places.total_bytes),
    }


def _payload(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    data = node.member("data").as_bytes()
    return {"data": bytes_text(flysess1.payload(data, node.member("name").as_text()))}


def _commit(request: Mapping[str, object]) -> dict[str, object]:
    node = Node(request)
    store = node.member("store").as_text()
    names = StoreNames(
        generation=node.member("generation").as_text(),
        temporary=node.member("temporary").as_text(),
        manifest=node.member("manifest").as_text(),
        manifest_temporary=node.member("manifest_temporary").as_text(),
    )
    flysess1.commit(store, names, node.member("envelope").as_bytes(), node.member("store_manifest").as_bytes())
    return {}


def _entry_answer(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "offset": str(entry.offset),
        "byteLength": str(entry.byte_length),
        "digest": entry.digest,
    }


OPERATIONS = {
    "flysess1.decode": _decode,
    "flysess1.encode": _encode,
    "flysess1.layout": _layout,
    "flysess1.payload": _payload,
    "flysess1.commit": _commit,
}
