"""What one flipped bit must lead to, place by place, worked out from the layout alone (envelope document, section 4).

Each function takes the place in the file and the bit, so that a table can be declared from it; none of them reads an
envelope. Only the manifest's text needs a reading of its own, by the standard library made strict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from conformance.formats.flysess1.envelope import ENTRY, HEADER, REQUIRED, Envelope, align8, canonical, mirror
from conformance.vectorgen.vector_set import Data, ok, reject

Outcome: TypeAlias = Callable[[Envelope, int, int], Data]
"""Envelope, place and bit → the outcome of flipping that bit there."""

_ID = re.compile(rb"[a-z0-9][a-z0-9._-]{0,63}")


def table(envelope: Envelope, outcome: Outcome) -> list[Data]:
    """Declare the outcome of every flip, in rows of bits and of neighbouring bytes that share it."""
    rows: list[Data] = []
    for place in range(envelope.size):
        masks: dict[str, tuple[int, Data]] = {}
        for bit in range(8):
            found = outcome(envelope, place, bit)
            mask, _ = masks.get(json.dumps(found), (0, found))
            masks[json.dumps(found)] = (mask | 1 << bit, found)
        for mask, found in masks.values():
            row: Data = {"mask": f"{mask:02x}", **found}
            last = next((old for old in rows if old["bytes"][1] == place and _same(old, row)), None)
            if last is None:
                rows.append({"bytes": [place, place + 1], **row})
            else:
                last["bytes"][1] = place + 1
    for row in rows:
        if row["mask"] == "ff":
            del row["mask"]
    return rows


def _same(old: Data, row: Data) -> bool:
    return {name: value for name, value in old.items() if name != "bytes"} == row


def flipped(data: bytes, place: int, bit: int) -> bytes:
    """Return ``data`` with one bit flipped."""
    return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


def _word(envelope: Envelope, at: int, place: int, bit: int) -> int:
    """The 32-bit header field at ``at`` after the flip."""
    return int.from_bytes(flipped(envelope.data, place, bit)[at : at + 4], "little")


def _frame(envelope: Envelope, place: int, bit: int) -> Data | None:
    """What step 1 and the end of the file make of a flip, if they see it."""
    words = ((8, "bad-magic"), (12, "unsupported-version"), (16, "bad-header-bytes"))
    for end, reason in words:
        if place < end:
            return reject(reason)
    if 28 <= place < HEADER:
        return reject("reserved-not-zero")
    if 20 <= place < 24 and _word(envelope, 20, place, bit) > 64:
        return reject("too-many-payloads")
    return reject("bad-footer-magic") if place >= envelope.footer + 40 else None


def bare(envelope: Envelope, place: int, bit: int) -> Data:
    """A flip that nobody resealed: step 1, the footer's own fields, and for all else the prefix digest."""
    found = _frame(envelope, place, bit)
    if found is not None:
        return found
    size = envelope.footer <= place < envelope.footer + 8
    return reject("file-bytes-mismatch" if size else "prefix-digest-mismatch")


def resealed(envelope: Envelope, place: int, bit: int) -> Data:
    """A flip with fileBytes and footer digest recomputed: every step sees its own bytes."""
    regions: tuple[tuple[int, Outcome], ...] = (
        (20, _manifest_bytes),
        (24, _payload_count),
        (HEADER, lambda *_: reject("table-misplaced")),
        (HEADER + len(envelope.manifest), _manifest),
        (envelope.table, lambda *_: reject("padding-not-zero")),
        (envelope.entry(len(envelope.payloads)), _entry),
        (envelope.footer, _payload),
        (envelope.size, lambda *_: ok(**envelope.decoded)),  # The reseal has put the footer's old bytes back.
    )
    return _frame(envelope, place, bit) or _in_region(regions, envelope, place, bit)


def _in_region(regions: tuple[tuple[int, Outcome], ...], envelope: Envelope, place: int, bit: int) -> Data:
    """Ask the first region that ends behind ``place``."""
    return next(outcome for end, outcome in regions if place < end)(envelope, place, bit)


def _manifest_bytes(envelope: Envelope, place: int, bit: int) -> Data:
    """Another length takes a part of the text, or binary and NUL bytes behind it: neither is JSON."""
    end = HEADER + _word(envelope, 16, place, bit)
    if end > envelope.footer:
        return reject("manifest-outside")
    try:
        envelope.data[HEADER:end].decode()
    except UnicodeDecodeError:
        return reject("manifest-not-utf8")
    return reject("manifest-not-json")


def _payload_count(envelope: Envelope, place: int, bit: int) -> Data:
    """Another count moves the table's end, and with it the place of the first payload or of the footer."""
    count = _word(envelope, 20, place, bit)
    if envelope.entry(count) > envelope.footer:
        return reject("table-outside")
    return reject("payload-misplaced", "payloads/0") if count else reject("trailing-gap")


def _payload(envelope: Envelope, place: int, _bit: int) -> Data:
    """A flip in a payload, or in an alignment byte behind one."""
    for index, (offset, (_, data)) in enumerate(zip(envelope.offsets, envelope.payloads, strict=True)):
        if offset <= place < offset + len(data):
            return reject("payload-digest-mismatch", f"payloads/{index}")
    return reject("padding-not-zero")


def _entry(envelope: Envelope, place: int, bit: int) -> Data:
    """A flip inside a table entry."""
    index = (place - envelope.table) // ENTRY
    at, start = f"payloads/{index}", envelope.entry(index)
    entry = flipped(envelope.data, place, bit)[start : start + ENTRY]
    inside = place - start
    if inside < 64:
        return _name(envelope, index, entry[:64])
    if inside < 72:
        return reject("payload-misplaced", at)
    if inside < 80:
        outside = envelope.offsets[index] + int.from_bytes(entry[72:80], "little") > envelope.footer
        return reject("payload-outside" if outside else "payload-digest-mismatch", at)
    return reject("payload-digest-mismatch", at)


def _name(envelope: Envelope, index: int, field: bytes) -> Data:
    name, _, rest = field.partition(b"\0")
    if rest.strip(b"\0"):
        return reject("name-after-terminator", f"payloads/{index}")
    if not _ID.fullmatch(name):
        return reject("name-not-id", f"payloads/{index}")
    others = [other for place, (other, _) in enumerate(envelope.payloads) if place != index]
    if name.decode() in others:
        # The second of the two is the one that repeats a name.
        return reject("name-duplicate", f"payloads/{max(index, others.index(name.decode()))}")
    return reject("manifest-payloads", f"/payloads/{index}")


def _manifest(envelope: Envelope, place: int, bit: int) -> Data:
    """What steps 3 and 7 make of a flip in a manifest of plain members, strings and small integers."""
    text = flipped(envelope.manifest, place - HEADER, bit)
    try:
        value = json.loads(text.decode(), object_pairs_hook=_members, parse_constant=_refuse, parse_float=_refuse)
    except UnicodeDecodeError:
        return reject("manifest-not-utf8")
    except KeyError:
        return reject("manifest-duplicate-key")
    except ValueError:
        return reject("manifest-not-json")
    if canonical(value).encode() != text:
        return reject("manifest-not-canonical")
    return _complete(envelope, value)


def _complete(envelope: Envelope, value: Mapping[str, Any]) -> Data:
    """What step 7 makes of a canonical manifest that is an object."""
    for name in REQUIRED:
        if name not in value:
            return reject("manifest-field-missing", f"/{name}")
    if value["envelopeVersion"] != 1:
        return reject("manifest-version", "/envelopeVersion")
    for index, wanted in enumerate(mirror(envelope.payloads)):
        entry = value["payloads"][index]
        assert isinstance(wanted, Mapping)
        if any(entry.get(name) != wanted[name] for name in wanted):
            return reject("manifest-payloads", f"/payloads/{index}")
    raise AssertionError("a flip that leaves a manifest complete, canonical and in agreement has to be accepted whole")


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise KeyError
    return dict(pairs)


def _refuse(token: str) -> object:
    raise ValueError(token)


def one_payload(envelope: Envelope, place: int, bit: int) -> Data:
    """A bare flip, when the only payload is asked for by its name: prefix digest and manifest are not judged."""
    served = ok(data=envelope.decoded["payloads"][0]["data"])

    def manifest_bytes(*_: object) -> Data:
        same = align8(HEADER + _word(envelope, 16, place, bit)) == envelope.table
        return served if same else reject("table-misplaced")

    def payload_count(*_: object) -> Data:
        return reject("table-outside" if _word(envelope, 20, place, bit) else "payload-unknown")

    regions: tuple[tuple[int, Outcome], ...] = (
        (20, manifest_bytes),
        (24, payload_count),
        (HEADER, lambda *_: reject("table-misplaced")),
        (envelope.table, lambda *_: served),
        # Up to and with its terminator a flip makes it another name, which was not asked for.
        (envelope.table + len(envelope.payloads[0][0]) + 1, lambda *_: reject("payload-unknown")),
        (envelope.table + 64, lambda *_: reject("name-after-terminator", "payloads/0")),
        (envelope.offsets[0], _entry),
        (envelope.end, _payload),
        (envelope.footer, lambda *_: served),
        (envelope.footer + 8, lambda *_: reject("file-bytes-mismatch")),
        (envelope.size, lambda *_: served),
    )
    return _frame(envelope, place, bit) or _in_region(regions, envelope, place, bit)
