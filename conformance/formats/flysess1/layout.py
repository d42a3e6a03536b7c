"""Layout of a session checkpoint envelope (envelope document, section 2), as far as its bytes can be followed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from conformance.formats.json.layout import json_fields
from conformance.layout import Checksum, Field, Layouts
from conformance.layout.field import Layout, byte_count, cut, rest
from conformance.suite.edits import Reseal, overwrite, within

HEADER: Layout = (
    ("magic", 8, "ascii"),
    ("envelopeVersion", 4, "u32"),
    ("headerBytes", 4, "u32"),
    ("manifestBytes", 4, "u32"),
    ("payloadCount", 4, "u32"),
    ("tableOffset", 4, "u32"),
    ("reserved", 4, "u32"),
)
ENTRY: Layout = (("name", 64, "ascii"), ("offset", 8, "u64"), ("byteLength", 8, "u64"), ("digest", 32, "hex"))
FOOTER: Layout = (("footer/fileBytes", 8, "u64"), ("footer/prefixDigest", 32, "hex"), ("footer/magic", 8, "ascii"))
HEADER_BYTES, FOOTER_BYTES, ENTRY_BYTES, MOST_PAYLOADS = 32, 48, 112, 64


def _u(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _padding(at: int, limit: int, where: str) -> list[Field]:
    """Return the alignment bytes from ``at`` to the next multiple of 8, within ``limit``."""
    end = min(-(-at // 8) * 8, limit)
    return [Field(at, end - at, f"padding after {where}", byte_count(end - at))] if end > at else []


def envelope(data: bytes) -> list[Field]:
    """Cut an envelope by its declared lengths; the table stands at its laid-out place, the footer at the end."""
    body = max(len(data) - FOOTER_BYTES, min(len(data), HEADER_BYTES))
    fields = cut(data[: min(HEADER_BYTES, len(data))], HEADER)
    if len(data) <= HEADER_BYTES:
        return fields
    manifest_end = HEADER_BYTES + _u(data, 16, 4)
    if manifest_end <= body:
        fields += json_fields(data[HEADER_BYTES:manifest_end], start=HEADER_BYTES, prefix="manifest")
        fields += _padding(manifest_end, body, "manifest")
        fields += _table_and_payloads(data, -(-manifest_end // 8) * 8, body)
    covered = max((one.end for one in fields), default=0)
    if covered < body:
        fields.append(Field(covered, body - covered, "(no field)", byte_count(body - covered)))
    footer = cut(data, FOOTER, start=body)
    return fields + footer + rest(data, footer)


def _table_and_payloads(data: bytes, table: int, body: int) -> list[Field]:
    """Cut the entries at ``table`` and the payloads they declare, as far as these lie before ``body``."""
    fields: list[Field] = []
    count = min(_u(data, 20, 4), MOST_PAYLOADS)
    for index in range(count):
        start = table + index * ENTRY_BYTES
        if start >= body:
            return fields
        fields += cut(data[:body], ENTRY, start=start, prefix=f"payloads/{index}/")
    end = table + count * ENTRY_BYTES
    for index in range(count):
        entry = table + index * ENTRY_BYTES
        offset, length = _u(data, entry + 64, 8), _u(data, entry + 72, 8)
        if offset != -(-end // 8) * 8 or offset + length > body:
            return fields
        fields += _padding(end, body, f"payloads/{index - 1}" if index else "table")
        fields.append(Field(offset, length, f"payloads/{index}", byte_count(length)))
        end = offset + length
    return fields + _padding(end, body, "the last payload")


def manifest(data: bytes) -> list[Field]:
    """Cut a manifest text by JSON pointer."""
    return json_fields(data)


LAYOUTS = Layouts(
    artefacts={"flysess1.envelope": envelope, "flysess1.manifest": manifest},
    members={
        ("flysess1.decode", "data"): "flysess1.envelope",
        ("flysess1.decode", "manifest"): "flysess1.manifest",
        ("flysess1.encode", "data"): "flysess1.envelope",
        ("flysess1.encode", "manifest"): "flysess1.manifest",
        ("flysess1.layout", "data"): "flysess1.envelope",
    },
    request_members={("flysess1.payload", "data"): "flysess1.envelope"},
    fields_of_reason={
        "flysess1.envelope": {
            "too-short": "(end)",
            "bad-magic": "magic",
            "unsupported-version": "envelopeVersion",
            "bad-header-bytes": "headerBytes",
            "reserved-not-zero": "reserved",
            "too-many-payloads": "payloadCount",
            "bad-footer-magic": "footer/magic",
            "file-bytes-mismatch": "footer/fileBytes",
            "prefix-digest-mismatch": "footer/prefixDigest",
            "manifest-outside": "manifestBytes",
            "table-misplaced": "tableOffset",
            "table-outside": "payloadCount",
            "name-after-terminator": "{at}/name",
            "name-not-id": "{at}/name",
            "name-duplicate": "{at}/name",
            "payload-misplaced": "{at}/offset",
            "payload-outside": "{at}/byteLength",
            "payload-digest-mismatch": "{at}/digest",
            "trailing-gap": "footer/fileBytes",
            "padding-not-zero": "(padding)",
            "*": "manifest{at}",
        }
    },
    constants={"bad-magic": b"FLYSESS1", "bad-footer-magic": b"FLYSESSF"},
    checksums={
        "prefix-digest-mismatch": Checksum(before="footer/fileBytes"),
        "payload-digest-mismatch": Checksum(),
    },
    inner={"flysess1.envelope": ("manifest", HEADER_BYTES)},
)


def _reseal_envelope(data: bytes) -> bytes:
    footer = within(len(data) - FOOTER_BYTES, len(data), "find a footer at")
    digest = hashlib.sha256(data[:footer]).digest()
    return overwrite(data, footer, len(data).to_bytes(8, "little") + digest)


def _reseal_payloads(data: bytes) -> bytes:
    footer = within(len(data) - FOOTER_BYTES, len(data), "find a footer at")
    entry = _u(data, 24, 4)
    for _ in range(_u(data, 20, 4)):
        if entry + ENTRY_BYTES > footer:
            break
        start = _u(data, entry + 64, 8)
        end = start + _u(data, entry + 72, 8)
        if end <= footer:
            data = overwrite(data, entry + 80, hashlib.sha256(data[start:end]).digest())
        entry += ENTRY_BYTES
    return _reseal_envelope(data)


RESEALS: Mapping[str, Reseal] = {"envelope": _reseal_envelope, "payloads": _reseal_payloads}
"""``envelope``: fileBytes and the footer's digest; ``payloads``: the digests in the table, then the same."""
