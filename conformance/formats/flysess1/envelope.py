"""A small writer of ``flysess1`` envelopes for the case builders (envelope document, section 2).

It lays out whatever it is told, right or wrong, with ``struct`` and ``hashlib`` alone, so that the expectations in the
vectors do not come from the code they judge.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from conformance.vectorgen.vector_set import Data, b64, delete, insert, put, reseal

HEADER = 32
ENTRY = 112
FOOTER = 48

REQUIRED = (
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
"""The required manifest members, in the order in which an absent one is reported (FLY-STEP-7)."""

Value: TypeAlias = "Raw | bool | int | str | Sequence[Value] | Mapping[str, Value] | None"


@dataclass(frozen=True)
class Raw:
    """A piece of JSON text that :func:`canonical` copies as it stands, for numbers that are no plain integers."""

    text: str


def canonical(value: Value) -> str:
    """Write ``value`` as RFC 8785 text: members by UTF-16 code units, no space, the shortest escapes."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Mapping):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(member)}" for name, member in members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(canonical(element) for element in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def align8(position: int) -> int:
    """Round ``position`` up to a multiple of 8."""
    return -(-position // 8) * 8


def digest(data: bytes) -> str:
    """Return the SHA-256 of ``data`` as a manifest spells it."""
    return hashlib.sha256(data).hexdigest()


def mirror(payloads: Sequence[tuple[str, bytes]]) -> list[Value]:
    """Return the manifest's ``payloads`` member for these payloads."""
    return [{"name": name, "byteLength": str(len(data)), "digest": digest(data)} for name, data in payloads]


def small_manifest(payloads: Sequence[tuple[str, bytes]] = (), /, **members: Value) -> dict[str, Value]:
    """Return a short complete manifest for these payloads, with ``members`` set over it."""
    filled: dict[str, Value] = dict.fromkeys(REQUIRED)
    return filled | {"envelopeVersion": 1, "payloads": mirror(payloads), "portMap": []} | members


def without(manifest: Mapping[str, Value], *names: str) -> dict[str, Value]:
    """Return ``manifest`` without the named members."""
    return {name: member for name, member in manifest.items() if name not in names}


def kebab(name: str) -> str:
    """Return a manifest member's name as a case id spells it."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def seal(body: bytes) -> bytes:
    """Return ``body`` with the footer it needs behind it."""
    return body + struct.pack("<Q", len(body) + FOOTER) + hashlib.sha256(body).digest() + b"FLYSESSF"


def padded(data: bytes) -> bytes:
    """Return ``data`` with zero bytes up to a multiple of 8."""
    return data.ljust(align8(len(data)), b"\0")


@dataclass(frozen=True)
class Envelope:
    """One envelope to write: manifest text and named payloads."""

    manifest: bytes
    payloads: tuple[tuple[str, bytes], ...] = ()

    @property
    def table(self) -> int:
        """Offset of the payload table."""
        return align8(HEADER + len(self.manifest))

    @property
    def offsets(self) -> list[int]:
        """Offset of each payload."""
        found, position = [], self.table + ENTRY * len(self.payloads)
        for _, data in self.payloads:
            found.append(align8(position))
            position = found[-1] + len(data)
        return found

    @property
    def end(self) -> int:
        """End of the last payload, or of the table: the footer stands at the next multiple of 8."""
        return self.offsets[-1] + len(self.payloads[-1][1]) if self.payloads else self.table

    @property
    def footer(self) -> int:
        """Offset of the footer."""
        return align8(self.end)

    @property
    def size(self) -> int:
        """Length of the whole file."""
        return self.footer + FOOTER

    def entry(self, index: int) -> int:
        """Offset of the table entry at ``index``; one past the last is the table's end."""
        return self.table + ENTRY * index

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        header = struct.pack("<8s6I", b"FLYSESS1", 1, HEADER, len(self.manifest), len(self.payloads), self.table, 0)
        table = b"".join(
            struct.pack("<64sQQ32s", name.encode(), offset, len(data), hashlib.sha256(data).digest())
            for (name, data), offset in zip(self.payloads, self.offsets, strict=True)
        )
        return seal(padded(header + self.manifest) + table + b"".join(padded(data) for _, data in self.payloads))

    @property
    def decoded(self) -> Data:
        """The answer that ``flysess1.decode`` owes."""
        return {
            "manifest": b64(self.manifest),
            "payloads": [{"name": name, "data": b64(data)} for name, data in self.payloads],
            "data": b64(self.data),
        }

    @property
    def laid_out(self) -> Data:
        """The answer that ``flysess1.layout`` owes."""
        return {
            "manifestOffset": str(HEADER),
            "manifestBytes": str(len(self.manifest)),
            "tableOffset": str(self.table),
            "entries": [
                {"name": name, "offset": str(offset), "byteLength": str(len(data)), "digest": digest(data)}
                for (name, data), offset in zip(self.payloads, self.offsets, strict=True)
            ],
            "footerOffset": str(self.footer),
            "totalBytes": str(self.size),
        }

    @property
    def request(self) -> Data:
        """The input of ``flysess1.encode`` that must give this file."""
        payloads: list[Data] = [{"name": name, "data": b64(data)} for name, data in self.payloads]
        return {"manifest": b64(self.manifest), "payloads": payloads}

    def with_manifest(self, manifest: bytes | str | Value) -> Envelope:
        """Return the envelope with another manifest: bytes as they are, text as UTF-8, a value as canonical text."""
        if not isinstance(manifest, bytes):
            manifest = (manifest if isinstance(manifest, str) else canonical(manifest)).encode()
        return replace(self, manifest=manifest)


def envelope(manifest: Value, payloads: Sequence[tuple[str, bytes]] = ()) -> Envelope:
    """Return the envelope of a manifest given as a value."""
    return Envelope(canonical(manifest).encode(), tuple(payloads))


def u32(value: int) -> bytes:
    """Return ``value`` as the format's 32-bit fields hold it."""
    return struct.pack("<I", value)


def u64(value: int) -> bytes:
    """Return ``value`` as the format's 64-bit fields hold it."""
    return struct.pack("<Q", value)


def remanifest(base: Envelope, manifest: bytes | str | Value) -> list[Data]:
    """Return the edits that give ``base`` another manifest, everything after it moved and resealed, and nothing else.

    What differs is replaced in place, so a reader of the vector sees the words that changed.
    """
    target = base.with_manifest(manifest)
    old, new = base.manifest, target.manifest
    same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    longest = min(len(old), len(new)) - same
    tail = next((i for i in range(longest) if old[-1 - i] != new[-1 - i]), longest)
    dropped, added = len(old) - same - tail, new[same : len(new) - tail]
    edits: list[Data] = []
    if dropped == len(added):
        edits += [put(HEADER + same, added)] if added else []
    else:
        edits += [delete(HEADER + same, dropped)] if dropped else []
        edits += [insert(HEADER + same, added)] if added else []
        edits += _repad(HEADER + len(new), base.table - HEADER - len(old), target.table - HEADER - len(new))
        edits.append(put(16, u32(len(new))))
    if base.table != target.table:
        edits.append(put(24, u32(target.table)))
        moved = enumerate(target.offsets)
        edits += [put(target.entry(index) + 64, u64(offset)) for index, offset in moved]
    return [*edits, reseal("envelope")]


def _repad(position: int, old: int, new: int) -> list[Data]:
    if new < old:
        return [delete(position, old - new)]
    return [insert(position, b"\0" * (new - old))] if new > old else []
