"""Steps 1, 2, 4, 5 and 6 of a reader: all that is about bytes and places (envelope document section 4).

Each step relies on the ones before it. Offsets are exact integers, so nothing overflows, and no length is used before
it has been compared with the file's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reference_py.flysess1.layout import (
    ENTRY,
    ENVELOPE_VERSION,
    FOOTER,
    FOOTER_MAGIC,
    HEADER,
    HEADER_MAGIC,
    MAX_PAYLOADS,
    Entry,
    Header,
    align8,
    end_of_table,
    is_id,
)
from reference_py.rejection import Rejection


def step_1_header(data: bytes) -> Header:
    """Rules FLY-STEP-1 and FLY-HEADER: the header's constants and the number of payloads.

    Rejections, in this order: `too-short`, `bad-magic`, `unsupported-version`, `bad-header-bytes`, `reserved-not-zero`,
    `too-many-payloads` (R-FLY-2).
    """
    if len(data) < HEADER.size + FOOTER.size:
        detail = f"found {len(data)} bytes, expected at least {HEADER.size + FOOTER.size}"
        raise Rejection("too-short", detail=detail)
    magic, version, header_bytes, manifest_bytes, payload_count, table_offset, reserved = HEADER.unpack_from(data)
    if magic != HEADER_MAGIC:
        raise Rejection("bad-magic", detail=f"bytes 0-7: found {magic.hex()}, expected {HEADER_MAGIC.hex()}")
    if version != ENVELOPE_VERSION:
        raise Rejection("unsupported-version", detail=f"bytes 8-11: found {version}, expected {ENVELOPE_VERSION}")
    if header_bytes != HEADER.size:
        raise Rejection("bad-header-bytes", detail=f"bytes 12-15: found {header_bytes}, expected {HEADER.size}")
    if reserved != 0:
        raise Rejection("reserved-not-zero", detail=f"bytes 28-31: found {reserved}, expected 0")
    if payload_count > MAX_PAYLOADS:
        raise Rejection("too-many-payloads", detail=f"bytes 20-23: found {payload_count}, expected 0 to {MAX_PAYLOADS}")
    return Header(manifest_bytes, payload_count, table_offset)


def step_2_footer(data: bytes) -> int:
    """Rules FLY-STEP-2 and FLY-FOOTER, without the digest: return where the footer starts.

    Rejections, in this order: `bad-footer-magic`, `file-bytes-mismatch`.
    """
    footer_offset = len(data) - FOOTER.size
    file_bytes, _, magic = FOOTER.unpack_from(data, footer_offset)
    if magic != FOOTER_MAGIC:
        detail = f"bytes {len(data) - 8}-{len(data) - 1}: found {magic.hex()}, expected {FOOTER_MAGIC.hex()}"
        raise Rejection("bad-footer-magic", detail=detail)
    if file_bytes != len(data):
        detail = f"bytes {footer_offset}-{footer_offset + 7}: found {file_bytes}, the file has {len(data)}"
        raise Rejection("file-bytes-mismatch", detail=detail)
    return footer_offset


def step_2_digest(data: bytes, footer_offset: int) -> None:
    """Rules FLY-STEP-2 and FLY-FOOTER, the digest of all before the footer. Rejections: `prefix-digest-mismatch`."""
    _, recorded, _ = FOOTER.unpack_from(data, footer_offset)
    actual = hashlib.sha256(memoryview(data)[:footer_offset]).digest()
    if recorded != actual:
        detail = f"the footer records {recorded.hex()}, bytes 0-{footer_offset - 1} have {actual.hex()}"
        raise Rejection("prefix-digest-mismatch", detail=detail)


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stands where it must, with what its entries are judged against."""

    data: bytes  # the whole file
    header: Header
    footer_offset: int

    def offset(self, index: int) -> int:
        """Where the entry of that index starts."""
        return self.header.table_offset + index * ENTRY.size

    def fields(self, index: int) -> tuple[bytes, int, int, bytes]:
        """Name field, offset, byteLength and raw digest of an entry, as they are declared."""
        name_field, offset, byte_length, digest = ENTRY.unpack_from(self.data, self.offset(index))
        return name_field, offset, byte_length, digest


def step_4_table(data: bytes, header: Header, footer_offset: int) -> Table:
    """Rules FLY-STEP-4 and FLY-TABLE: place and extent of the table.

    Rejections, in this order: `table-misplaced`, `table-outside`.
    """
    expected = align8(HEADER.size + header.manifest_bytes)
    if header.table_offset != expected:
        raise Rejection("table-misplaced", detail=f"bytes 24-27: found {header.table_offset}, expected {expected}")
    if end_of_table(header) > footer_offset:
        detail = f"{header.payload_count} entries end at {end_of_table(header)}, the footer starts at {footer_offset}"
        raise Rejection("table-outside", detail=detail)
    return Table(data, header, footer_offset)


def step_5_entries(table: Table) -> tuple[Entry, ...]:
    """Rules FLY-STEP-5 and FLY-PAYLOADS: every entry, all its checks before the next entry.

    Rejections at `payloads/<i>`: those of `judged_entry`.
    """
    entries: list[Entry] = []
    names: set[str] = set()
    end = end_of_table(table.header)
    for index in range(table.header.payload_count):
        entry = judged_entry(table, index, end, names)
        entries.append(entry)
        names.add(entry.name)
        end = entry.end
    return tuple(entries)


def judged_entry(table: Table, index: int, previous_end: int, earlier_names: Collection[str]) -> Entry:
    """Rule FLY-STEP-5 for one entry, whose payload is to start at the aligned end of the one before it.

    Rejections at `payloads/<index>`, in this order: `name-after-terminator`, `name-not-id`, `name-duplicate`,
    `payload-misplaced`, `payload-outside`, `payload-digest-mismatch`.
    """
    at = f"payloads/{index}"
    start = table.offset(index)
    name_field, offset, byte_length, digest = table.fields(index)
    entry = Entry(_judged_name(name_field, at), offset, byte_length, digest.hex())
    if entry.name in earlier_names:
        raise Rejection("name-duplicate", at, f"an earlier entry is named {entry.name!r} too")
    if entry.offset != align8(previous_end):
        detail = f"bytes {start + 64}-{start + 71}: found {entry.offset}, expected {align8(previous_end)}"
        raise Rejection("payload-misplaced", at, detail)
    if entry.end > table.footer_offset:
        detail = f"it ends at {entry.end}, the footer starts at {table.footer_offset}"
        raise Rejection("payload-outside", at, detail)
    actual = hashlib.sha256(memoryview(table.data)[entry.offset : entry.end]).hexdigest()
    if entry.digest != actual:
        raise Rejection("payload-digest-mismatch", at, f"the table records {entry.digest}, the bytes have {actual}")
    return entry


def _judged_name(name_field: bytes, at: str) -> str:
    """Rule FLY-TABLE: an `Id` in ASCII, then only NUL; an `Id` of 64 bytes leaves no terminator."""
    text, _, rest = name_field.partition(b"\0")
    if rest.strip(b"\0"):
        raise Rejection("name-after-terminator", at, f"the name field holds {name_field!r}")
    name = text.decode("latin-1")  # byte for byte, as the pattern is judged on bytes
    if not is_id(name):
        raise Rejection("name-not-id", at, f"found {text!r}, expected [a-z0-9][a-z0-9._-]{{0,63}}")
    return name


def step_6_gaps(data: bytes, header: Header, entries: Sequence[Entry], footer_offset: int) -> None:
    """Rule FLY-STEP-6: the footer stands at its laid-out place (R-FLY-1), and all alignment bytes are zero (R-FLY-4).

    Rejections, in this order: `trailing-gap`, `padding-not-zero`.
    """
    end = entries[-1].end if entries else end_of_table(header)
    if align8(end) != footer_offset:
        raise Rejection("trailing-gap", detail=f"the footer starts at {footer_offset}, expected {align8(end)}")
    for start in (HEADER.size + header.manifest_bytes, *(entry.end for entry in entries)):
        padding = data[start : align8(start)]
        if any(padding):
            detail = f"alignment bytes {start}-{align8(start) - 1} are {padding.hex()}, expected zeros"
            raise Rejection("padding-not-zero", detail=detail)
