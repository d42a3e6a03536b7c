"""Steps 3 and 7 of a reader: the manifest as text and as a set of members (envelope document sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import rfc8785

from reference_py.flysess1.layout import HEADER, Entry, Header
from reference_py.json_text import JsonNumber, JsonValue, parse, pointer
from reference_py.rejection import Rejection

REQUIRED_MEMBERS = (
    "envelopeVersion",
    "checkpointId",
    "sourceScope",
    "episodeId",
    "worldTime",
    "schedulerId",
    "compositionDigest",
    "portMap",
    "compatibility",
    "agents",
    "coordinator",
    "helperState",
    "environment",
    "payloads",
)
"""In judging order. Adding one or taking one away must raise the envelope's version."""

MAX_EXACT_INTEGER = 2**53 - 1

_Plain = None | bool | str | float | list["_Plain"] | dict[str, "_Plain"]


def step_3_manifest(data: bytes, header: Header, footer_offset: int) -> JsonValue:
    """Rules FLY-STEP-3 and FLY-MANIFEST: the manifest lies before the footer and is canonical JSON.

    Rejections, in this order: `manifest-outside`, those of `read_manifest`, `manifest-not-canonical`.
    """
    end = HEADER.size + header.manifest_bytes
    if end > footer_offset:
        raise Rejection("manifest-outside", detail=f"it ends at {end}, the footer starts at {footer_offset}")
    text = data[HEADER.size : end]
    try:
        value = read_manifest(text)
    except Rejection as fault:
        if fault.byte is not None:
            fault.byte += HEADER.size
        raise
    canonical = canonical_text(value)
    if text != canonical:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, canonical, strict=False)))
        found, expected = text[same : same + 16], canonical[same : same + 16]
        detail = f"from byte {same} of the manifest: found {found!r}, RFC 8785 has {expected!r}"
        raise Rejection("manifest-not-canonical", detail=detail, byte=HEADER.size + same)
    return value


def read_manifest(text: bytes) -> JsonValue:
    """Rule FLY-STEP-3: strict JSON in any spelling, and every number survives RFC 8785.

    Rejections, in this order, none with a place: those of strict JSON with the prefix `manifest-`,
    `manifest-number-range` (R-FLY-3).
    """
    value = parse(text, "manifest-")
    for number in _numbers(value):
        binary64 = number.as_float()
        if binary64.is_integer() and abs(binary64) > MAX_EXACT_INTEGER:
            detail = f"{number.token[:40]} is a whole number beyond {MAX_EXACT_INTEGER}; write it as a string"
            raise Rejection("manifest-number-range", detail=detail)
    return value


def canonical_text(value: JsonValue) -> bytes:
    """Write a manifest as RFC 8785 text: every number is a binary64, names in UTF-16 order (FLY-MANIFEST)."""
    return rfc8785.dumps(_plain(value))


def step_7_members(manifest: JsonValue, entries: Sequence[Entry]) -> None:
    """Rules FLY-STEP-7 and FLY-MANIFEST: the required members, and a `payloads` member that mirrors the table.

    Rejections, in this order: `manifest-not-object`; `manifest-field-missing` at the first absent member;
    `manifest-version` at `/envelopeVersion`; `manifest-payloads` at `/payloads` or `/payloads/<i>`.
    """
    if not isinstance(manifest, dict):
        raise Rejection("manifest-not-object", detail="the manifest's outermost value is not an object")
    for name in REQUIRED_MEMBERS:
        if name not in manifest:
            raise Rejection("manifest-field-missing", pointer(name), f"the manifest has no member {name}")
    version = manifest["envelopeVersion"]
    if not isinstance(version, JsonNumber) or version.as_float() != 1:
        raise Rejection("manifest-version", pointer("envelopeVersion"), "expected the number 1")
    _match_payloads(manifest["payloads"], entries)


def _match_payloads(mirror: JsonValue, entries: Sequence[Entry]) -> None:
    """Rule FLY-STEP-7: an object for each entry with its name, length (a U64 string) and digest, perhaps with more."""
    if not isinstance(mirror, list):
        raise Rejection("manifest-payloads", pointer("payloads"), "expected a list")
    if len(mirror) != len(entries):
        detail = f"it lists {len(mirror)} payloads, the table has {len(entries)}"
        raise Rejection("manifest-payloads", pointer("payloads"), detail)
    for index, (row, entry) in enumerate(zip(mirror, entries, strict=True)):
        expected = {"name": entry.name, "byteLength": str(entry.byte_length), "digest": entry.digest}
        differing = [key for key, text in expected.items() if not isinstance(row, dict) or row.get(key) != text]
        if differing:
            detail = f"{differing[0]} is not the table's, {expected[differing[0]]!r}"
            raise Rejection("manifest-payloads", pointer("payloads", index), detail)


def _numbers(value: JsonValue) -> Iterator[JsonNumber]:
    if isinstance(value, JsonNumber):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from _numbers(element)
    elif isinstance(value, dict):
        for member in value.values():
            yield from _numbers(member)


def _plain(value: JsonValue) -> _Plain:
    """The value in the types that the canonical writer takes; an integer would have another range there."""
    if isinstance(value, JsonNumber):
        return value.as_float()
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    return value
