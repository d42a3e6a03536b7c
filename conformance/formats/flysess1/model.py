"""A second reading of FLY-STEP-1 to FLY-STEP-7, to declare what each change of an envelope must cause.

It is written from the envelope document, sections 2 to 4, with the standard library, and shares nothing with
``reference_py``; generation compares the two on every member of every sweep.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

from conformance.formats.flysess1.envelope import ENTRY, FOOTER, HEADER, REQUIRED, align8
from conformance.formats.json.model import Members, RefusedError, Token, numbers, rfc8785, strict
from conformance.vectorgen.vector_set import Data, b64, ok

_ID = re.compile(rb"[a-z0-9][a-z0-9._-]{0,63}")
_SAFE = 2**53 - 1


def decode(data: bytes) -> Data:
    """Return the whole outcome of ``flysess1.decode``."""
    try:
        manifest, entries = _judged(data)
    except RefusedError as refused:
        return refused.outcome
    payloads = [{"name": name, "data": b64(data[offset : offset + length])} for name, offset, length in entries]
    return ok(manifest=b64(manifest), payloads=payloads, data=b64(data))


def layout(data: bytes) -> Data:
    """Return the whole outcome of ``flysess1.layout``."""
    try:
        manifest, entries = _judged(data)
    except RefusedError as refused:
        return refused.outcome
    return ok(
        manifestOffset=str(HEADER),
        manifestBytes=str(len(manifest)),
        tableOffset=str(align8(HEADER + len(manifest))),
        entries=[
            {"name": name, "offset": str(offset), "byteLength": str(length), "digest": _digest(data, offset, length)}
            for name, offset, length in entries
        ],
        footerOffset=str(len(data) - FOOTER),
        totalBytes=str(len(data)),
    )


def payload(name: str) -> Callable[[bytes], Data]:
    """Return what says the whole outcome of ``flysess1.payload`` for the payload ``name``."""

    def outcome(data: bytes) -> Data:
        try:
            return ok(data=b64(_one_payload(data, name.encode())))
        except RefusedError as refused:
            return refused.outcome

    return outcome


def encode(text: bytes) -> Data:
    """Return the whole outcome of ``flysess1.encode`` for the manifest ``text`` and no payloads."""
    try:
        manifest = rfc8785(_manifest_value(text)).encode()
    except RefusedError as refused:
        return refused.outcome
    table = align8(HEADER + len(manifest))
    head = b"FLYSESS1" + b"".join(word.to_bytes(4, "little") for word in (1, HEADER, len(manifest), 0, table, 0))
    body = (head + manifest).ljust(table, b"\0")
    size = (len(body) + FOOTER).to_bytes(8, "little")
    return ok(data=b64(body + size + hashlib.sha256(body).digest() + b"FLYSESSF"))


def _judged(data: bytes) -> tuple[bytes, list[tuple[str, int, int]]]:
    """Take every step in order; return the manifest's text and each payload's name, offset and length."""
    _frame(data)
    footer = len(data) - FOOTER
    if hashlib.sha256(data[:footer]).digest() != data[footer + 8 : footer + 40]:
        raise RefusedError("prefix-digest-mismatch")
    end = HEADER + _word(data, 16)
    if end > footer:
        raise RefusedError("manifest-outside")
    manifest = data[HEADER:end]
    value = _manifest_value(manifest)
    if rfc8785(value).encode() != manifest:
        raise RefusedError("manifest-not-canonical")
    table = _table(data)
    entries: list[tuple[str, int, int]] = []
    padding = [(end, table)]
    position = table + ENTRY * _word(data, 20)
    for index in range(_word(data, 20)):
        start = table + ENTRY * index
        name, offset, length = _entry(data, start, index)
        if name in [other for other, _, _ in entries]:
            raise RefusedError("name-duplicate", f"payloads/{index}")
        _bounds(data, start, index, align8(position))
        entries.append((name, offset, length))
        padding.append((position, offset))
        position = offset + length
    if align8(position) != footer:
        raise RefusedError("trailing-gap")
    if any(data[first:last].strip(b"\0") for first, last in [*padding, (position, footer)]):
        raise RefusedError("padding-not-zero")
    _complete(value, [(name, str(length), _digest(data, offset, length)) for name, offset, length in entries])
    return manifest, entries


def _frame(data: bytes) -> None:
    """Step 1, and step 2 but for the digest."""
    checks = (
        ("too-short", len(data) < HEADER + FOOTER),
        ("bad-magic", data[:8] != b"FLYSESS1"),
        ("unsupported-version", _word(data, 8) != 1),
        ("bad-header-bytes", _word(data, 12) != HEADER),
        ("reserved-not-zero", _word(data, 28) != 0),
        ("too-many-payloads", _word(data, 20) > 64),
        ("bad-footer-magic", data[-8:] != b"FLYSESSF"),
        ("file-bytes-mismatch", _long(data, len(data) - FOOTER) != len(data)),
    )
    for reason, failed in checks:
        if failed:
            raise RefusedError(reason)


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _long(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _digest(data: bytes, offset: int, length: int) -> str:
    return hashlib.sha256(data[offset : offset + length]).hexdigest()


def _manifest_value(text: bytes) -> Any:
    value = strict(text, "manifest-")
    for token in numbers(value):
        number = float(token)
        if number.is_integer() and abs(number) > _SAFE:
            raise RefusedError("manifest-number-range")
    return value


def _table(data: bytes) -> int:
    """Step 4: the table's offset."""
    table = _word(data, 24)
    if table != align8(HEADER + _word(data, 16)):
        raise RefusedError("table-misplaced")
    if table + ENTRY * _word(data, 20) > len(data) - FOOTER:
        raise RefusedError("table-outside")
    return table


def _entry(data: bytes, start: int, index: int) -> tuple[str, int, int]:
    """The first two checks of step 5 on one entry: its name, and what it declares."""
    name, _, rest = data[start : start + 64].partition(b"\0")
    if rest.strip(b"\0"):
        raise RefusedError("name-after-terminator", f"payloads/{index}")
    if not _ID.fullmatch(name):
        raise RefusedError("name-not-id", f"payloads/{index}")
    return name.decode("ascii"), _long(data, start + 64), _long(data, start + 72)


def _bounds(data: bytes, start: int, index: int, expected: int) -> None:
    """The last three checks of step 5 on one entry, whose payload is laid out at ``expected``."""
    offset, length = _long(data, start + 64), _long(data, start + 72)
    if offset != expected:
        raise RefusedError("payload-misplaced", f"payloads/{index}")
    if offset + length > len(data) - FOOTER:
        raise RefusedError("payload-outside", f"payloads/{index}")
    if _digest(data, offset, length) != data[start + 80 : start + ENTRY].hex():
        raise RefusedError("payload-digest-mismatch", f"payloads/{index}")


def _complete(value: Any, table: list[tuple[str, str, str]]) -> None:
    """Step 7."""
    if not isinstance(value, Members):
        raise RefusedError("manifest-not-object")
    members = dict(value)
    for name in REQUIRED:
        if name not in members:
            raise RefusedError("manifest-field-missing", f"/{name}")
    version = members["envelopeVersion"]
    if not isinstance(version, Token) or float(version) != 1:
        raise RefusedError("manifest-version", "/envelopeVersion")
    listed = members["payloads"]
    if not isinstance(listed, list) or isinstance(listed, Members) or len(listed) != len(table):
        raise RefusedError("manifest-payloads", "/payloads")
    for index, (entry, wanted) in enumerate(zip(listed, table, strict=True)):
        found = dict(entry) if isinstance(entry, Members) else {}
        texts = [found.get(name) for name in ("name", "byteLength", "digest")]
        if any(isinstance(text, Token) for text in texts) or texts != list(wanted):
            raise RefusedError("manifest-payloads", f"/payloads/{index}")


def _one_payload(data: bytes, name: bytes) -> bytes:
    """Steps 1, 2 and 4, and step 5 of the first entry of that name alone."""
    _frame(data)
    table = _table(data)
    position = table + ENTRY * _word(data, 20)
    for index in range(_word(data, 20)):
        start = table + ENTRY * index
        if data[start : start + 64].partition(b"\0")[0] == name:
            _, offset, length = _entry(data, start, index)
            _bounds(data, start, index, align8(position))
            return data[offset : offset + length]
        position = _long(data, start + 64) + _long(data, start + 72)
    raise RefusedError("payload-unknown")
