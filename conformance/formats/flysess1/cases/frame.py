"""Cases for the frame of an envelope: its header and footer (envelope document, section 4, steps 1 and 2)."""

from __future__ import annotations

import hashlib

from conformance.formats.flysess1.cases.goldens import NO_PAYLOADS, ONE_PAYLOAD, TYPICAL
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import FOOTER, HEADER, seal, u32, u64
from conformance.vectorgen.vector_set import (
    Data,
    VectorFile,
    VectorSet,
    b64,
    delete,
    insert,
    put,
    reject,
    truncate,
    xor,
)

MAX32 = 2**32 - 1
MAX64 = 2**64 - 1

SMALLEST = seal(b"FLYSESS1" + u32(1) + u32(32) + bytes(16))
"""80 bytes that pass steps 1 and 2; the empty manifest is then no JSON."""


def build(vectors: VectorSet) -> None:
    """Add every refusal of steps 1 and 2."""
    file = vectors.file("frame", operation="flysess1.decode", title="Header and footer: steps 1 and 2 of a reader")
    _length(file)
    _magic(file)
    _words(file)
    _footer(file)


def _length(file: VectorFile) -> None:
    texts = (
        ("empty", b"", "too-short", "an empty file", "reads the magic of an empty file"),
        ("one-byte", b"F", "too-short", "one byte", "reads past the end"),
        ("header-only", SMALLEST[:HEADER], "too-short", "a header alone", "takes the header for the whole file"),
        ("79-bytes", SMALLEST[:79], "too-short", "one byte less than header and footer", "asks for more than 79 bytes"),
        (
            "79-bytes-foreign",
            b"FLYSIM01" + bytes(71),
            "too-short",
            "a short FLYSIM01 file",
            "judges the magic before the length",
        ),
        ("80-bytes-zero", bytes(80), "bad-magic", "80 zero bytes", "asks for more than 80 bytes"),
        ("80-bytes-foreign", b"FLYSIM01" + bytes(72), "bad-magic", "a FLYSIM01 file", "takes the older format"),
        ("80-bytes", SMALLEST, "manifest-not-json", "an empty manifest in 80 bytes", "asks for more than 80 bytes"),
    )
    for name, data, reason, title, why in texts:
        two_faults = name == "79-bytes-foreign"
        file.case(
            f"flysess1/length/{name}",
            title=title,
            why=why,
            rules=["FLY-STEP-1" if reason != "manifest-not-json" else "FLY-STEP-3"],
            tags=["precedence"] if two_faults else ["boundary"],
            input={"data": b64(data)},
            expect=reject(reason),
            faults=_short_and_foreign() if two_faults else None,
        )
    refused(
        file,
        "length/cut-to-79",
        NO_PAYLOADS,
        [truncate(79)],
        "too-short",
        title="a file cut to 79 bytes",
        why="asks for more than 79 bytes",
        rule="FLY-STEP-1",
    )
    refused(
        file,
        "length/cut-to-80",
        NO_PAYLOADS,
        [truncate(80)],
        "bad-footer-magic",
        title="a file cut to 80 bytes",
        why="calls every cut file too short",
        rule="FLY-STEP-2",
    )


def _short_and_foreign() -> list[Data]:
    short, foreign = SMALLEST[:79], b"FLYSIM01" + bytes(72)
    return [
        {**reject("too-short"), "input": {"data": b64(short)}},
        {**reject("bad-magic"), "input": {"data": b64(foreign)}},
    ]


def _magic(file: VectorFile) -> None:
    faults = (
        ("foreign", [put(0, b"FLYSIM01"), SEAL], "the magic of the older format", "takes the older format"),
        ("lower-case", [put(0, b"flysess1"), SEAL], "the magic in lower case", "compares without case"),
        ("version-2", [put(0, b"FLYSESS2"), SEAL], "a magic that ends in 2", "compares seven bytes"),
        ("footer", [put(0, b"FLYSESSF"), SEAL], "the footer's magic", "compares seven bytes"),
        ("bit-7", [xor(0, "80"), SEAL], "bit 7 of the first byte", "reads the magic as 7-bit text"),
        ("moved", [insert(0, b"\0"), SEAL], "a byte before the magic", "searches for the magic"),
        ("byte-order-mark", [insert(0, b"\xef\xbb\xbf"), SEAL], "a byte order mark before the magic", "strips a mark"),
        ("reversed", [put(0, b"1SSESYLF"), SEAL], "the magic in reverse", "reads the magic as a big-endian word"),
    )
    for name, edits, title, why in faults:
        refused(file, f"magic/{name}", NO_PAYLOADS, edits, "bad-magic", title=title, why=why, rule="FLY-STEP-1")


def _words(file: VectorFile) -> None:
    version = "unsupported-version"
    size = "bad-header-bytes"
    zero = "reserved-not-zero"
    count = "too-many-payloads"
    faults = (
        ("version-0", 8, 0, version, "takes an older version"),
        ("version-2", 8, 2, version, "takes any version from 1 on"),
        ("version-257", 8, 0x101, version, "reads one byte of the version"),
        ("version-65537", 8, 0x10001, version, "reads two bytes of the version"),
        ("version-big-endian", 8, 0x01000000, version, "reads the version as big-endian"),
        ("version-high-bit", 8, 0x80000001, version, "masks the sign bit away"),
        ("version-maximum", 8, MAX32, version, "compares the version as signed"),
        ("header-bytes-0", 12, 0, size, "takes 0 for the usual size"),
        ("header-bytes-1", 12, 1, size, "takes smaller headers"),
        ("header-bytes-31", 12, 31, size, "takes smaller headers"),
        ("header-bytes-33", 12, 33, size, "takes larger headers, to skip what is new"),
        ("header-bytes-40", 12, 40, size, "takes larger headers, to skip what is new"),
        ("header-bytes-big-endian", 12, 32 << 24, size, "reads the size as big-endian"),
        ("header-bytes-maximum", 12, MAX32, size, "compares the size as signed"),
        ("reserved-1", 28, 1, zero, "ignores the reserved word"),
        ("reserved-high-byte", 28, 1 << 24, zero, "checks one byte of the reserved word"),
        ("reserved-high-bit", 28, 1 << 31, zero, "compares the reserved word with `> 0` as signed"),
        ("reserved-maximum", 28, MAX32, zero, "ignores the reserved word"),
        ("payload-count-65", 20, 65, count, "allows 65 payloads, or none of the limit"),
        ("payload-count-256", 20, 256, count, "reads one byte of the count"),
        ("payload-count-65536", 20, 65536, count, "reads two bytes of the count"),
        ("payload-count-high-bit", 20, 1 << 31, count, "compares the count as signed"),
        ("payload-count-maximum", 20, MAX32, count, "compares the count as signed, or multiplies before it compares"),
    )
    for name, at, value, reason, why in faults:
        refused(
            file,
            f"header/{name}",
            NO_PAYLOADS,
            [put(at, u32(value)), SEAL],
            reason,
            title=name.replace("-", " "),
            why=why,
            rule="FLY-STEP-1",
            rulings=["R-FLY-2"] if reason == count else [],
        )
    refused(
        file,
        "header/payload-count-65-bare",
        NO_PAYLOADS,
        [put(20, u32(65))],
        count,
        rule="FLY-STEP-1",
        rulings=["R-FLY-2"],
        title="payload count 65, the footer as it was",
        why="judges the count with the table, after the footer",
    )


def _footer(file: VectorFile) -> None:
    one, many = ONE_PAYLOAD.envelope, TYPICAL.envelope
    magic, size, prefix = "bad-footer-magic", "file-bytes-mismatch", "prefix-digest-mismatch"
    end, footer = one.size, one.footer
    body = one.data[:footer]
    faults = (
        (
            "magic-header",
            [put(end - 8, b"FLYSESS1")],
            magic,
            "the header's magic as the footer's",
            "compares seven bytes",
        ),
        (
            "magic-lower-case",
            [put(end - 8, b"flysessf")],
            magic,
            "the footer magic in lower case",
            "compares without case",
        ),
        ("magic-bit-7-first", [xor(end - 8, "80")], magic, "bit 7 of its first byte", "reads the magic as 7-bit text"),
        ("magic-bit-7-last", [xor(end - 1, "80")], magic, "bit 7 of its last byte", "reads the magic as 7-bit text"),
        ("magic-zero", [put(end - 8, bytes(8))], magic, "a zero footer magic", "does not read the footer magic"),
        ("byte-appended", [insert(end, b"\0")], magic, "a zero byte behind the file", "searches for the footer"),
        ("newline-appended", [insert(end, b"\n")], magic, "a newline behind the file", "trims the file"),
        ("byte-lost", [truncate(end - 1)], magic, "the last byte cut off", "does not look at the end"),
        ("footer-lost", [truncate(footer)], magic, "the whole footer cut off", "does not look at the end"),
        ("footer-twice", [insert(end, one.data[footer:])], size, "the footer twice", "does not compare the length"),
        ("two-files", [insert(0, one.data)], size, "two files in one", "does not compare the length"),
        ("payload-byte-lost", [delete(footer - 8, 1)], size, "a payload byte cut out", "does not compare the length"),
        ("file-bytes-0", [put(footer, u64(0))], size, "fileBytes 0", "takes 0 for unknown"),
        ("file-bytes-1", [put(footer, u64(1))], size, "fileBytes 1", "does not compare the length"),
        ("file-bytes-less-1", [put(footer, u64(end - 1))], size, "fileBytes one less", "takes any larger file"),
        ("file-bytes-more-1", [put(footer, u64(end + 1))], size, "fileBytes one more", "takes any smaller file"),
        (
            "file-bytes-prefix",
            [put(footer, u64(footer))],
            size,
            "fileBytes without the footer",
            "counts the prefix only",
        ),
        (
            "file-bytes-big-endian",
            [put(footer, end.to_bytes(8, "big"))],
            size,
            "fileBytes big-endian",
            "reads big-endian",
        ),
        ("file-bytes-32-bit", [put(footer, u64(2**32 + end))], size, "fileBytes plus 2^32", "reads the lower 32 bits"),
        ("file-bytes-53-bit", [put(footer, u64(2**53 + end))], size, "fileBytes plus 2^53", "reads a binary64"),
        (
            "file-bytes-2-53-less-1",
            [put(footer, u64(2**53 - 1))],
            size,
            "fileBytes 2^53 - 1",
            "does not compare the length",
        ),
        ("file-bytes-2-53", [put(footer, u64(2**53))], size, "fileBytes 2^53", "does not compare the length"),
        (
            "file-bytes-2-53-more-1",
            [put(footer, u64(2**53 + 1))],
            size,
            "fileBytes 2^53 + 1",
            "fails on unsafe integers",
        ),
        (
            "file-bytes-high-bit",
            [put(footer, u64(2**63 + end))],
            size,
            "fileBytes plus 2^63",
            "masks the sign bit away",
        ),
        ("file-bytes-maximum", [put(footer, u64(MAX64))], size, "fileBytes 2^64 - 1", "takes -1 for unknown"),
        ("digest-zero", [put(footer + 8, bytes(32))], prefix, "a zero prefix digest", "takes zero for unknown"),
        (
            "digest-first-bit",
            [xor(footer + 8, "01")],
            prefix,
            "the digest's first byte changed",
            "compares the tail only",
        ),
        (
            "digest-last-bit",
            [xor(footer + 39, "80")],
            prefix,
            "the digest's last byte changed",
            "compares the head only",
        ),
        (
            "digest-without-header",
            [put(footer + 8, hashlib.sha256(body[HEADER:]).digest())],
            prefix,
            "a digest of all but header and footer",
            "leaves the header out of the digest",
        ),
        (
            "digest-with-file-bytes",
            [put(footer + 8, hashlib.sha256(body + u64(end)).digest())],
            prefix,
            "a digest of all before itself, fileBytes included",
            "takes fileBytes into the digest",
        ),
        (
            "digest-without-padding",
            [put(footer + 8, hashlib.sha256(body[: one.end]).digest())],
            prefix,
            "a digest that stops at the last payload's end",
            "leaves the last alignment bytes out of the digest",
        ),
        (
            "digest-other-algorithm",
            [put(footer + 8, hashlib.blake2s(body).digest())],
            prefix,
            "a BLAKE2s digest",
            "does not compare the digest",
        ),
        ("table-offset-flip", [xor(24, "01")], prefix, "a flip in tableOffset, not resealed", "judges the table first"),
        ("manifest-flip", [xor(40, "20")], prefix, "a flip in the manifest, not resealed", "judges the manifest first"),
        ("table-flip", [xor(one.entry(0), "20")], prefix, "a flip in a name, not resealed", "judges the table first"),
        (
            "payload-flip",
            [xor(one.offsets[0], "01")],
            prefix,
            "a flip in a payload, not resealed",
            "judges payloads first",
        ),
        (
            "padding-flip",
            [xor(footer - 1, "01")],
            prefix,
            "a flip in the last padding",
            "leaves padding out of the digest",
        ),
    )
    for name, edits, reason, title, why in faults:
        refused(file, f"footer/{name}", ONE_PAYLOAD, edits, reason, title=title, why=why, rule="FLY-STEP-2")
    swapped = [put(many.offsets[0], many.data[many.offsets[0] : many.offsets[0] + 8][::-1])]
    refused(
        file,
        "footer/payload-bytes-swapped",
        TYPICAL,
        swapped,
        prefix,
        rule="FLY-STEP-2",
        title="eight payload bytes in reverse, not resealed",
        why="checks a sum instead of a digest",
    )
    assert end - footer == FOOTER
