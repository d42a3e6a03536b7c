"""Cases for what a table entry says of its payload (envelope document, section 4, step 5)."""

from __future__ import annotations

from conformance.formats.flysess1.cases.goldens import ALIGNMENT, EMPTY_PAYLOADS, NAMES, ONE_PAYLOAD, TYPICAL, Golden
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import FOOTER, u64
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, insert, put, reseal, xor

MAX64 = 2**64 - 1


def build(vectors: VectorSet) -> None:
    """Add every refusal that rests on a name, an offset, a length or a digest of a table entry."""
    file = vectors.file("entries", operation="flysess1.decode", title="Table entries: step 5 of a reader")
    _names(file)
    _offsets(file)
    _lengths(file)
    _digests(file)


def _names(file: VectorFile) -> None:
    one, names = ONE_PAYLOAD.envelope.entry(0), NAMES.envelope
    after, foreign = "name-after-terminator", "name-not-id"
    faults = (
        ("byte-after-terminator", put(one + 2, b"b"), after, "stops reading at the first NUL"),
        ("last-byte-after-terminator", put(one + 63, b"b"), after, "looks one byte behind the terminator"),
        ("space-after-terminator", put(one + 2, b" "), after, "trims the name"),
        ("nul-first", put(one, b"\0a"), after, "trims NUL on both sides"),
        ("empty", put(one, b"\0"), foreign, "takes an empty name"),
        ("upper-case", put(one, b"A"), foreign, "ignores case"),
        ("upper-case-later", put(one, b"aZ"), foreign, "checks the first character only"),
        ("dot-first", put(one, b".a"), foreign, "uses one set of characters for all places"),
        ("dash-first", put(one, b"-a"), foreign, "uses one set of characters for all places"),
        ("underscore-first", put(one, b"_a"), foreign, "takes an identifier of a programming language"),
        ("dot-dot", put(one, b".."), foreign, "lets a name climb out of a directory"),
        ("slash", put(one, b"a/b"), foreign, "takes a path"),
        ("backslash", put(one, b"a\\b"), foreign, "takes a path"),
        ("colon", put(one, b"a:b"), foreign, "ends the digits one character too late"),
        ("grave", put(one, b"`"), foreign, "begins the letters one character too early"),
        ("brace", put(one, b"a{"), foreign, "ends the letters one character too late"),
        ("space-inside", put(one, b"a b"), foreign, "takes spaces"),
        ("space-last", put(one, b"a "), foreign, "pads names with spaces, or trims them"),
        ("newline-last", put(one, b"a\n"), foreign, "lets `$` match before a final newline"),
        ("newline-first", put(one, b"\na"), foreign, "lets `^` match at every line"),
        ("control", put(one, b"a\x01"), foreign, "takes controls"),
        ("delete", put(one, b"a\x7f"), foreign, "takes DEL"),
        ("latin-1", put(one, b"a\xe9"), foreign, "reads Latin-1, or fails on bytes that are not UTF-8"),
        ("utf8", put(one, "\u00e9".encode()), foreign, "takes any Unicode letter"),
        ("utf8-digit", put(one, "\u0661".encode()), foreign, "takes any Unicode digit"),
        ("kelvin", put(one, "\u212a".encode()), foreign, "folds the Kelvin sign to k"),
        ("byte-ff", put(one, b"\xff"), foreign, "decodes the name before it checks it"),
        ("bit-7", xor(one, "80"), foreign, "masks bit 7 away"),
        ("long-s", put(one, "\u017f".encode()), foreign, "folds the long s to s"),
    )
    for name, edit, reason, why in faults:
        refused(
            file,
            f"name/{name}",
            ONE_PAYLOAD,
            [edit, SEAL],
            reason,
            at="payloads/0",
            title=f"a payload name: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )
    longer: tuple[tuple[str, Data, str], ...] = (
        ("64-bytes-nul-inside", put(names.entry(0) + 30, b"\0"), after),
        ("64-bytes-bad-last", put(names.entry(0) + 63, b"X"), foreign),
        ("64-bytes-newline-last", put(names.entry(0) + 63, b"\n"), foreign),
    )
    for name, edit, reason in longer:
        refused(
            file,
            f"name/{name}",
            NAMES,
            [edit, SEAL],
            reason,
            at="payloads/0",
            title=f"a name that fills its field: {name.replace('-', ' ')}",
            why="checks 63 bytes of the name",
            rule="FLY-STEP-5",
        )
    _duplicates(file)


def _duplicates(file: VectorFile) -> None:
    names, typical = NAMES.envelope, TYPICAL.envelope
    first_name = typical.payloads[0][0].encode()
    faults = (
        ("neighbours", NAMES, put(names.entry(2), b"z"), 2, "keeps the last of two payloads"),
        ("first-and-last", TYPICAL, put(typical.entry(4), first_name), 4, "compares neighbours only"),
        ("empty-payloads", EMPTY_PAYLOADS, put(EMPTY_PAYLOADS.envelope.entry(3), b"middle\0\0"), 3, "compares offsets"),
    )
    for name, base, edit, index, why in faults:
        refused(
            file,
            f"name-duplicate/{name}",
            base,
            [edit, SEAL],
            "name-duplicate",
            at=f"payloads/{index}",
            title=f"two payloads of one name: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )


def _offsets(file: VectorFile) -> None:
    one, many = ONE_PAYLOAD.envelope, TYPICAL.envelope
    place = one.offsets[0]
    faults = (
        ("0", 0, "takes 0 for the usual place"),
        ("1", 1, "trusts the declared offset"),
        ("less-1", place - 1, "rounds the declared offset up"),
        ("more-1", place + 1, "rounds the declared offset down"),
        ("less-8", place - 8, "allows payloads to reach into the table"),
        ("more-8", place + 8, "allows gaps between payloads"),
        ("footer", one.footer, "judges the payload's bounds before its place"),
        ("file-end", one.size, "judges the payload's bounds before its place"),
        ("32-bit", 2**32 + place, "reads the lower 32 bits"),
        ("2-53-less-1", 2**53 - 1, "judges the payload's bounds before its place"),
        ("2-53", 2**53, "judges the payload's bounds before its place"),
        ("2-53-more-1", 2**53 + 1, "fails on integers that a binary64 cannot hold"),
        ("53-bit", 2**53 * 2 + place, "reads a binary64"),
        ("high-bit", 2**63 + place, "masks the sign bit away"),
        ("2-63", 2**63, "reads the offset as signed"),
        ("big-endian", int.from_bytes(place.to_bytes(8, "little"), "big"), "reads the offset as big-endian"),
        ("maximum-less-4", MAX64 - 4, "adds the length in 64 bits, and gets 0"),
        ("maximum", MAX64, "adds the length in 64 bits"),
    )
    for name, value, why in faults:
        refused(
            file,
            f"offset/{name}",
            ONE_PAYLOAD,
            [put(one.entry(0) + 64, u64(value)), SEAL],
            "payload-misplaced",
            at="payloads/0",
            title=f"payload offset {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )
    later = (
        ("overlap", 2, many.offsets[1], "allows overlapping payloads"),
        ("unaligned-end", 2, many.offsets[1] + len(many.payloads[1][1]), "packs payloads without alignment"),
        ("swapped", 3, many.offsets[4], "sorts the entries by offset"),
        ("last-more-8", 4, many.offsets[4] + 8, "checks the first payload only"),
    )
    for name, index, value, why in later:
        refused(
            file,
            f"offset/{name}",
            TYPICAL,
            [put(many.entry(index) + 64, u64(value)), reseal("payloads")],
            "payload-misplaced",
            at=f"payloads/{index}",
            title=f"offset of a later payload: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )
    gap = many.offsets[2]
    refused(
        file,
        "offset/gap-before-payload",
        TYPICAL,
        [insert(gap, bytes(8)), *(put(many.entry(i) + 64, u64(many.offsets[i] + 8)) for i in (2, 3, 4)), SEAL],
        "payload-misplaced",
        at="payloads/2",
        title="eight more zero bytes between two payloads, and offsets that follow them",
        why="asks for ascending, aligned offsets instead of the one right place",
        rule="FLY-STEP-5",
        joint="the gap is the fault; the offsets only follow it, so that all but their place is right",
    )


def _lengths(file: VectorFile) -> None:
    one = ONE_PAYLOAD.envelope
    place, room = one.offsets[0], one.footer - one.offsets[0]
    outside, wrong = "payload-outside", "payload-digest-mismatch"
    faults = (
        ("0", 0, wrong, "skips the digest of an empty payload"),
        ("1", 1, wrong, "takes the digest of what it likes"),
        ("less-1", 4, wrong, "takes the digest up to the next multiple of 8"),
        ("more-1", 6, wrong, "takes the digest of what it likes"),
        ("up-to-footer", room, wrong, "calls a payload that ends at the footer outside"),
        ("past-footer", room + 1, outside, "lets a payload reach into the footer"),
        ("file-end", room + FOOTER, outside, "bounds payloads by the end of the file"),
        ("past-file", room + FOOTER + 1, outside, "reads past the end of the file"),
        ("32-bit", 2**32 + 5, outside, "reads the lower 32 bits"),
        ("2-53-less-1", 2**53 - 1, outside, "allocates before it compares"),
        ("2-53", 2**53, outside, "allocates before it compares"),
        ("2-53-more-1", 2**53 + 1, outside, "fails on integers that a binary64 cannot hold"),
        ("high-bit", 2**63 + 5, outside, "masks the sign bit away"),
        ("2-63-less-1", 2**63 - 1, outside, "adds as signed and overflows"),
        ("2-63", 2**63, outside, "reads the length as signed"),
        ("big-endian", 5 << 56, outside, "reads the length as big-endian"),
        ("wraps-to-0", 2**64 - place, outside, "adds in 64 bits, and gets 0"),
        ("wraps-to-offset", MAX64, outside, "adds in 64 bits, and gets one less than the offset"),
        ("wraps-to-8", 2**64 - place + 8, outside, "adds in 64 bits, and gets 8"),
    )
    for name, value, reason, why in faults:
        refused(
            file,
            f"byte-length/{name}",
            ONE_PAYLOAD,
            [put(one.entry(0) + 72, u64(value)), SEAL],
            reason,
            at="payloads/0",
            title=f"payload byteLength {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
            tags=["corruption", "boundary"],
        )
    empty = EMPTY_PAYLOADS.envelope
    faults_later: tuple[tuple[str, Golden, int, int, str], ...] = (
        ("empty-made-1", EMPTY_PAYLOADS, empty.entry(5) + 72, 5, "does not bound the last, empty payload"),
        ("last-past-footer", ALIGNMENT, ALIGNMENT.envelope.entry(8) + 72, 8, "bounds the first payload only"),
    )
    for name, base, at, index, why in faults_later:
        value = 1 if base is EMPTY_PAYLOADS else base.envelope.footer - base.envelope.offsets[8] + 1
        refused(
            file,
            f"byte-length/{name}",
            base,
            [put(at, u64(value)), SEAL],
            outside,
            at=f"payloads/{index}",
            title=f"byteLength of the last payload: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )


def _digests(file: VectorFile) -> None:
    one, many, empty = ONE_PAYLOAD.envelope, TYPICAL.envelope, EMPTY_PAYLOADS.envelope
    faults: tuple[tuple[str, Golden, Data, int, str], ...] = (
        ("first-bit", ONE_PAYLOAD, xor(one.entry(0) + 80, "01"), 0, "compares the tail of the digest only"),
        ("last-bit", ONE_PAYLOAD, xor(one.entry(0) + 111, "80"), 0, "compares the head of the digest only"),
        ("zero", ONE_PAYLOAD, put(one.entry(0) + 80, bytes(32)), 0, "takes zero for unknown"),
        ("payload-first-byte", ONE_PAYLOAD, xor(one.offsets[0], "01"), 0, "does not compare payload digests"),
        ("payload-last-byte", ONE_PAYLOAD, xor(one.end - 1, "80"), 0, "leaves the last byte out of the digest"),
        ("second-payload", TYPICAL, xor(many.offsets[1], "04"), 1, "checks the first payload only"),
        ("last-payload", TYPICAL, xor(many.end - 1, "04"), 4, "leaves the last payload out"),
        ("empty-payload", EMPTY_PAYLOADS, xor(empty.entry(2) + 95, "10"), 2, "skips the digest of an empty payload"),
    )
    for name, base, edit, index, why in faults:
        refused(
            file,
            f"payload-digest/{name}",
            base,
            [edit, SEAL],
            "payload-digest-mismatch",
            at=f"payloads/{index}",
            title=f"payload digest: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-5",
        )
