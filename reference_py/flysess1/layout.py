"""Sizes, places and values of an envelope (envelope document section 2)."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

HEADER_MAGIC = b"FLYSESS1"
FOOTER_MAGIC = b"FLYSESSF"
ENVELOPE_VERSION = 1
MAX_PAYLOADS = 64

HEADER = struct.Struct("<8s6I")
"""Magic, envelopeVersion @8, headerBytes @12, manifestBytes @16, payloadCount @20, tableOffset @24, zero @28."""

ENTRY = struct.Struct("<64sQQ32s")
"""Name (NUL-padded), offset @64, byteLength @72, raw SHA-256 @80."""

FOOTER = struct.Struct("<Q32s8s")
"""fileBytes, raw SHA-256 of all before the footer @8, magic @40."""

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Payload:
    """One participant's bytes and their name."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """The value of an envelope; everything else in the file follows from it."""

    manifest: bytes  # RFC 8785 text
    payloads: tuple[Payload, ...]  # in the order of the table


@dataclass(frozen=True, slots=True)
class Header:
    """The three fields of the header that are not constant, in bytes and counts as they are declared."""

    manifest_bytes: int
    payload_count: int
    table_offset: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the payload table; offset and length in bytes."""

    name: str
    offset: int
    byte_length: int
    digest: str  # 64 lower-case hex digits

    @property
    def end(self) -> int:
        """The offset behind the payload's last byte; exact, however large the declared numbers are."""
        return self.offset + self.byte_length


@dataclass(frozen=True, slots=True)
class EnvelopeLayout:
    """Where everything in an accepted envelope is, in bytes from its start."""

    manifest_offset: int
    manifest_bytes: int
    table_offset: int
    entries: tuple[Entry, ...]
    footer_offset: int
    total_bytes: int


def align8(offset: int) -> int:
    """Round up to a multiple of 8."""
    return -(-offset // 8) * 8


def is_id(name: str) -> bool:
    """Whether the whole name is an `Id`: `[a-z0-9][a-z0-9._-]{0,63}`."""
    return _ID.fullmatch(name) is not None


def end_of_table(header: Header) -> int:
    """The offset behind the last table entry; a multiple of 8 when the table is."""
    return header.table_offset + header.payload_count * ENTRY.size
