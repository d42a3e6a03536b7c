"""A manifest and its payloads as the bytes of an envelope (envelope document section 2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from reference_py.flysess1.layout import (
    ENTRY,
    ENVELOPE_VERSION,
    FOOTER,
    FOOTER_MAGIC,
    HEADER,
    HEADER_MAGIC,
    MAX_PAYLOADS,
    Payload,
    align8,
    is_id,
)
from reference_py.flysess1.manifest import canonical_text, read_manifest
from reference_py.rejection import Rejection

_U32_MAX = 2**32 - 1


def encode(manifest: bytes, payloads: Sequence[Payload]) -> bytes:
    """Write an envelope from a manifest in any strict JSON spelling and payloads in their order (FLY-ENCODE).

    The manifest's completeness and its `payloads` member are neither judged nor filled in. Rejections, in this order:
    `too-many-payloads`; `name-not-id`, `name-duplicate` at `payloads/<i>`, payload by payload; those of strict JSON
    with the prefix `manifest-`; `manifest-number-range`. ValueError: a canonical manifest so long that no u32 can
    hold tableOffset.
    """
    _judge_names(payloads)
    text = canonical_text(read_manifest(manifest))
    table_offset = align8(HEADER.size + len(text))
    if table_offset > _U32_MAX:
        raise ValueError(f"the canonical manifest has {len(text)} bytes; tableOffset cannot exceed {_U32_MAX}")
    header = HEADER.pack(HEADER_MAGIC, ENVELOPE_VERSION, HEADER.size, len(text), len(payloads), table_offset, 0)
    table = _table(payloads, table_offset + len(payloads) * ENTRY.size)
    prefix = b"".join([header, _padded(text), table, *(_padded(payload.data) for payload in payloads)])
    return prefix + FOOTER.pack(len(prefix) + FOOTER.size, hashlib.sha256(prefix).digest(), FOOTER_MAGIC)


def _judge_names(payloads: Sequence[Payload]) -> None:
    if len(payloads) > MAX_PAYLOADS:
        raise Rejection("too-many-payloads", detail=f"found {len(payloads)}, expected 0 to {MAX_PAYLOADS}")
    names: set[str] = set()
    for index, payload in enumerate(payloads):
        at = f"payloads/{index}"
        if not is_id(payload.name):
            raise Rejection("name-not-id", at, f"found {payload.name[:80]!a}, expected [a-z0-9][a-z0-9._-]{{0,63}}")
        if payload.name in names:
            raise Rejection("name-duplicate", at, f"an earlier payload is named {payload.name!r} too")
        names.add(payload.name)


def _table(payloads: Sequence[Payload], end: int) -> bytes:
    """The table's entries; `end` is where the table itself ends, a multiple of 8."""
    entries: list[bytes] = []
    for payload in payloads:
        offset = align8(end)
        digest = hashlib.sha256(payload.data).digest()
        entries.append(ENTRY.pack(payload.name.encode("ascii"), offset, len(payload.data), digest))
        end = offset + len(payload.data)
    return b"".join(entries)


def _padded(data: bytes) -> bytes:
    """The bytes, then zeros up to a multiple of 8: every part of an envelope starts at one."""
    return data + bytes(align8(len(data)) - len(data))
