"""Cases for where the parts of an envelope are (envelope document, section 4, steps 3, 4 and 6)."""

from __future__ import annotations

from conformance.formats.flysess1.cases.goldens import (
    ALIGNMENT,
    EMPTY_PAYLOADS,
    NAMES,
    NO_PAYLOADS,
    ONE_PAYLOAD,
    TYPICAL,
    Golden,
)
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import ENTRY, HEADER, u32
from conformance.vectorgen.vector_set import VectorFile, VectorSet, delete, insert, put

MAX32 = 2**32 - 1


def build(vectors: VectorSet) -> None:
    """Add every refusal that rests on the place of the manifest, the table, the footer, and the bytes between."""
    file = vectors.file(
        "table", operation="flysess1.decode", title="Places and alignment: steps 3, 4 and 6 of a reader"
    )
    _manifest_bytes(file)
    _table_offset(file)
    _payload_count(file)
    _trailing(file)
    _padding(file)


def _manifest_bytes(file: VectorFile) -> None:
    base = NO_PAYLOADS.envelope
    length, room = len(base.manifest), base.footer - HEADER
    outside, broken = "manifest-outside", "manifest-not-json"
    faults = (
        ("0", 0, broken, "takes an empty manifest for none"),
        ("1", 1, broken, "reads the manifest up to its own end"),
        ("less-1", length - 1, broken, "reads the manifest up to its own end"),
        ("more-1", length + 1, broken, "trims the NUL behind the manifest"),
        ("up-to-footer", room, broken, "calls a manifest that ends at the footer outside"),
        ("past-footer", room + 1, outside, "lets the manifest reach into the footer"),
        ("whole-file", base.size - HEADER, outside, "bounds the manifest by the end of the file"),
        ("past-file", base.size - HEADER + 1, outside, "does not bound the manifest"),
        ("high-bit", 1 << 31, outside, "reads the length as signed"),
        ("wraps-to-header", MAX32 - 31, outside, "adds in 32 bits, and gets 0"),
        ("maximum", MAX32, outside, "adds in 32 bits, and gets 31"),
    )
    for name, value, reason, why in faults:
        refused(
            file,
            f"manifest-bytes/{name}",
            NO_PAYLOADS,
            [put(16, u32(value)), SEAL],
            reason,
            title=f"manifestBytes {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-3",
            tags=["corruption", "boundary"],
        )


def _table_offset(file: VectorFile) -> None:
    table = ONE_PAYLOAD.envelope.table
    unaligned = HEADER + len(ONE_PAYLOAD.envelope.manifest)
    faults = (
        ("0", 0, "takes 0 for the usual place"),
        ("1", 1, "trusts the declared offset"),
        ("header-end", HEADER, "trusts the declared offset"),
        ("manifest-end", unaligned, "takes the unaligned end of the manifest"),
        ("less-1", table - 1, "rounds the declared offset up"),
        ("more-1", table + 1, "rounds the declared offset down"),
        ("less-8", table - 8, "asks for alignment alone"),
        ("more-8", table + 8, "asks for alignment alone"),
        ("align-16", table + 8 * (table // 8 % 2 or 2), "rounds up to 16"),
        ("next-entry", table + ENTRY, "skips the first entry"),
        ("past-file", ONE_PAYLOAD.envelope.size, "bounds the table before its place"),
        ("big-endian", int.from_bytes(table.to_bytes(4, "little"), "big"), "reads the offset as big-endian"),
        ("high-bit", table + (1 << 31), "masks the sign bit away"),
        ("maximum", MAX32, "reads the offset as signed"),
    )
    for name, value, why in faults:
        refused(
            file,
            f"table-offset/{name}",
            ONE_PAYLOAD,
            [put(24, u32(value)), SEAL],
            "table-misplaced",
            title=f"tableOffset {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-4",
        )
    refused(
        file,
        "table-offset/padding-inserted",
        NO_PAYLOADS,
        [insert(NO_PAYLOADS.envelope.table, bytes(8)), put(24, u32(NO_PAYLOADS.envelope.table + 8)), SEAL],
        "table-misplaced",
        title="eight more zero bytes before the table, and an offset that follows them",
        why="asks that the table is aligned and behind the manifest, not that it is exactly there",
        rule="FLY-STEP-4",
        joint="the gap is the fault; the offset only follows it, so that all but the table's place is right",
    )


def _payload_count(file: VectorFile) -> None:
    names = NAMES.envelope
    last = names.entry(4) - 8
    faults = (
        ("0-of-1", ONE_PAYLOAD, 0, "trailing-gap", None, "FLY-STEP-6", "does not miss the bytes that no entry covers"),
        ("1-of-0", NO_PAYLOADS, 1, "table-outside", None, "FLY-STEP-4", "reads the footer as an entry"),
        ("64-of-0", NO_PAYLOADS, 64, "table-outside", None, "FLY-STEP-4", "reads past the end of the file"),
        ("2-of-1", ONE_PAYLOAD, 2, "table-outside", None, "FLY-STEP-4", "bounds the first entry only"),
        ("64-of-5", TYPICAL, 64, "table-outside", None, "FLY-STEP-4", "judges entries before the table's end"),
        ("4-of-5", TYPICAL, 4, "payload-misplaced", "payloads/0", "FLY-STEP-5", "starts payloads at their own offset"),
        ("6-of-5", TYPICAL, 6, "payload-misplaced", "payloads/0", "FLY-STEP-5", "trusts the first declared offset"),
    )
    for name, base, value, reason, at, rule, why in faults:
        if name == "0-of-1":
            # The table's bytes are then neither table nor alignment: the footer should stand where the table begins.
            title = "payloadCount 0 where there is 1"
        else:
            title = f"payloadCount {name.replace('-of-', ' where it should be ')}"
        refused(
            file,
            f"payload-count/{name}",
            base,
            [put(20, u32(value)), SEAL],
            reason,
            at=at,
            title=title,
            why=why,
            rule=rule,
        )
    refused(
        file,
        "table/footer-at-unaligned-manifest-end",
        NO_PAYLOADS,
        [delete(HEADER + len(NO_PAYLOADS.envelope.manifest), 7), SEAL],
        "table-outside",
        title="no alignment bytes between the manifest and the footer: the empty table would begin in the footer",
        why="skips the table's place when it has no entries",
        rule="FLY-STEP-4",
    )
    refused(
        file,
        "table/cut-inside-last-entry",
        NAMES,
        [delete(last, names.footer - last), SEAL],
        "table-outside",
        title="the file ends eight bytes before the table does",
        why="bounds the begin of the last entry instead of its end",
        rule="FLY-STEP-4",
    )


def _trailing(file: VectorFile) -> None:
    one, none, even = ONE_PAYLOAD.envelope, NO_PAYLOADS.envelope, EMPTY_PAYLOADS.envelope
    faults = (
        ("8-zero-bytes", ONE_PAYLOAD, [insert(one.footer, bytes(8))], "takes any zero bytes before the footer"),
        ("1-zero-byte", ONE_PAYLOAD, [insert(one.footer, b"\0")], "takes any zero bytes before the footer"),
        ("4096-zero-bytes", ONE_PAYLOAD, [insert(one.footer, b"\0", repeat=4096)], "takes a file padded to pages"),
        ("no-payloads-8-bytes", NO_PAYLOADS, [insert(none.footer, bytes(8))], "looks behind payloads only"),
        ("aligned-end-8-bytes", EMPTY_PAYLOADS, [insert(even.footer, bytes(8))], "pads an aligned end once more"),
        ("padding-missing", ONE_PAYLOAD, [delete(one.end, 3)], "reads `no padding` literally: section 4.6"),
        ("padding-short", ONE_PAYLOAD, [delete(one.end, 1)], "bounds the padding above only"),
    )
    for name, base, edits, why in faults:
        refused(
            file,
            f"trailing-gap/{name}",
            base,
            [*edits, SEAL],
            "trailing-gap",
            title=f"before the footer: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-6",
            rulings=["R-FLY-1"],
        )


def _padding(file: VectorFile) -> None:
    one, typical, wide = ONE_PAYLOAD.envelope, TYPICAL.envelope, ALIGNMENT.envelope
    ends = [offset + len(data) for offset, (_, data) in zip(wide.offsets, wide.payloads, strict=True)]
    sites: list[tuple[str, Golden, int, str]] = [
        ("after-manifest-first", ONE_PAYLOAD, HEADER + len(one.manifest), "lets a newline follow the manifest"),
        ("after-manifest-last", ONE_PAYLOAD, one.table - 1, "checks the first alignment byte only"),
        ("after-manifest-typical", TYPICAL, typical.table - 1, "checks alignment between payloads only"),
        ("before-footer-first", ONE_PAYLOAD, one.end, "skips the bytes before the footer"),
        ("before-footer-last", ONE_PAYLOAD, one.footer - 1, "checks the first alignment byte only"),
        ("no-payloads", NO_PAYLOADS, NO_PAYLOADS.envelope.footer - 1, "checks alignment behind payloads only"),
    ]
    sites += [
        (
            f"after-payload-of-{length}",
            ALIGNMENT,
            ends[length - 1] + 7 - (length - 1) % 8 - 1,
            "skips this alignment site",
        )
        for length in (1, 2, 3, 4, 5, 6, 7, 9)
    ]
    for name, base, at, why in sites:
        refused(
            file,
            f"padding/{name}",
            base,
            [put(at, b"\n" if "first" in name else b"\x80"), SEAL],
            "padding-not-zero",
            title=f"an alignment byte that is not zero: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-6",
            rulings=["R-FLY-4"],
        )
