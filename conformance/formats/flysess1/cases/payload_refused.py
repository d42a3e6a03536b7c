"""Cases for what keeps a file from serving one payload by name, in this operation's own order (FLY-PAYLOAD)."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.flysess1.cases.goldens import (
    ALIGNMENT,
    EMPTY_PAYLOADS,
    NO_PAYLOADS,
    ONE_PAYLOAD,
    TYPICAL,
    Golden,
)
from conformance.formats.flysess1.cases.topic import SEAL, refused, taken
from conformance.formats.flysess1.envelope import HEADER, u32, u64
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, delete, insert, put, truncate, xor

MAX32 = 2**32 - 1
MAX64 = 2**64 - 1
RULE = "FLY-PAYLOAD"


def build(vectors: VectorSet) -> None:
    """Add every refusal: of the frame, the table's place, and the entry asked for."""
    file = vectors.file("payload-refused", operation="flysess1.payload", title="One payload by name, refused")
    _frame(file)
    _table(file)
    _entry(file)
    _before(file)


def _refusals(
    file: VectorFile,
    golden: Golden,
    wanted: str,
    faults: Sequence[tuple[str, Sequence[Data], str, str]],
    at: str | None,
) -> None:
    for name, edits, reason, why in faults:
        refused(
            file,
            f"payload-refused/{name}",
            golden,
            edits,
            reason,
            at=at,
            title=f"a file that serves no payload: {name.replace('-', ' ')}",
            why=why,
            rule=RULE,
            input={"name": wanted},
        )


def _frame(file: VectorFile) -> None:
    one = ONE_PAYLOAD.envelope
    faults = (
        ("cut-to-79", [truncate(79)], "too-short", "asks for the entry's bytes alone"),
        ("magic", [xor(0, "20")], "bad-magic", "skips the magic"),
        ("version", [put(8, u32(2))], "unsupported-version", "skips the version"),
        ("header-bytes", [put(12, u32(33))], "bad-header-bytes", "skips headerBytes"),
        ("reserved", [put(28, u32(1))], "reserved-not-zero", "skips the reserved word"),
        ("payload-count", [put(20, u32(65))], "too-many-payloads", "skips the limit"),
        ("footer-magic", [xor(one.size - 1, "80")], "bad-footer-magic", "skips the whole of step 2"),
        ("cut-by-one", [truncate(one.size - 1)], "bad-footer-magic", "skips the whole of step 2"),
        ("file-bytes", [put(one.footer, u64(one.size + 1))], "file-bytes-mismatch", "skips the whole of step 2"),
        ("byte-more", [insert(one.footer, b"\0")], "file-bytes-mismatch", "skips the whole of step 2"),
    )
    _refusals(file, ONE_PAYLOAD, "a", faults, None)
    wanted = "a"
    refused(
        file,
        "payload-refused/unknown-and-foreign",
        ONE_PAYLOAD,
        [xor(0, "20"), put(one.entry(0), b"b")],
        "bad-magic",
        title="a foreign file without the name",
        why="looks for the name first",
        rule=RULE,
        tags=["precedence"],
        input={"name": wanted},
    )


def _table(file: VectorFile) -> None:
    one, none = ONE_PAYLOAD.envelope, NO_PAYLOADS.envelope
    faults = (
        ("table-more-8", [put(24, u32(one.table + 8))], "table-misplaced", "trusts tableOffset"),
        ("table-less-1", [put(24, u32(one.table - 1))], "table-misplaced", "trusts tableOffset"),
        ("table-maximum", [put(24, u32(MAX32))], "table-misplaced", "trusts tableOffset"),
        ("manifest-bytes-less-8", [put(16, u32(len(one.manifest) - 8))], "table-misplaced", "skips the table's place"),
        (
            "manifest-bytes-maximum",
            [put(16, u32(MAX32))],
            "table-misplaced",
            "reports the manifest, which is not judged",
        ),
        ("payload-count-2", [put(20, u32(2))], "table-outside", "bounds the entries that it reads only"),
        ("payload-count-64", [put(20, u32(64))], "table-outside", "bounds the entries that it reads only"),
    )
    _refusals(file, ONE_PAYLOAD, "a", faults, None)
    outside = (
        ("count-without-table", [put(20, u32(1))], "table-outside", "reads the footer as an entry"),
        ("table-in-footer", [delete(HEADER + len(none.manifest), 7), SEAL], "table-outside", "skips an empty table"),
    )
    for name, edits, reason, why in outside:
        refused(
            file,
            f"payload-refused/{name}",
            NO_PAYLOADS,
            edits,
            reason,
            rule=RULE,
            why=why,
            tags=["precedence"],
            title=f"no payloads, and no such name: {name.replace('-', ' ')}",
            input={"name": "a"},
        )
    wraps = [put(16, u32(MAX32)), put(24, u32(HEADER))]
    refused(
        file,
        "payload-refused/table-wraps",
        ONE_PAYLOAD,
        wraps,
        "table-misplaced",
        rule=RULE,
        tags=["boundary"],
        title="manifestBytes 2^32 - 1 and tableOffset 32",
        why="adds and rounds in 32 bits, and gets 32",
        input={"name": "a"},
    )


def _entry(file: VectorFile) -> None:
    typical = TYPICAL.envelope
    entry, place = typical.entry(2), typical.offsets[2]
    room = typical.footer - place
    faults = (
        (
            "byte-after-terminator",
            [put(entry + 63, b"x")],
            "name-after-terminator",
            "takes the text before the first NUL",
        ),
        ("offset-less-8", [put(entry + 64, u64(place - 8))], "payload-misplaced", "trusts the offset"),
        ("offset-more-8", [put(entry + 64, u64(place + 8))], "payload-misplaced", "trusts the offset"),
        ("offset-of-other", [put(entry + 64, u64(typical.offsets[4]))], "payload-misplaced", "trusts the offset"),
        ("offset-high-bit", [put(entry + 64, u64(2**63 + place))], "payload-misplaced", "masks the sign bit away"),
        ("offset-32-bit", [put(entry + 64, u64(2**32 + place))], "payload-misplaced", "reads the lower 32 bits"),
        ("offset-maximum", [put(entry + 64, u64(MAX64))], "payload-misplaced", "overflows"),
        (
            "length-past-footer",
            [put(entry + 72, u64(room + 1))],
            "payload-outside",
            "lets a payload reach into the footer",
        ),
        ("length-32-bit", [put(entry + 72, u64(2**32 + 23))], "payload-outside", "reads the lower 32 bits"),
        ("length-2-53", [put(entry + 72, u64(2**53))], "payload-outside", "allocates before it compares"),
        ("length-wraps", [put(entry + 72, u64(2**64 - place + 8))], "payload-outside", "adds in 64 bits, and gets 8"),
        ("length-maximum", [put(entry + 72, u64(MAX64))], "payload-outside", "adds in 64 bits"),
        (
            "length-up-to-footer",
            [put(entry + 72, u64(room))],
            "payload-digest-mismatch",
            "calls the last place outside",
        ),
        ("length-0", [put(entry + 72, u64(0))], "payload-digest-mismatch", "skips the digest of an empty payload"),
        ("length-less-1", [put(entry + 72, u64(22))], "payload-digest-mismatch", "skips the digest"),
        ("digest-bit", [xor(entry + 111, "80")], "payload-digest-mismatch", "skips the digest"),
        ("payload-bit", [xor(place, "01")], "payload-digest-mismatch", "skips the digest"),
    )
    _refusals(file, TYPICAL, "task-ledger", faults, "payloads/2")
    renamed = (
        ("upper-case", b"Task-ledger", "Task-ledger"),
        ("dot-first", b".ask-ledger", ".ask-ledger"),
        ("newline-last", b"task-ledger\n", "task-ledger\n"),
        ("utf8", "t\u00e9sk".encode() + bytes(7), "t\u00e9sk"),
        ("empty", bytes(11), ""),
    )
    for name, field, wanted in renamed:
        refused(
            file,
            f"payload-name/{name}",
            TYPICAL,
            [put(entry, field)],
            "name-not-id",
            at="payloads/2",
            title=f"an entry and a request with a name that is no Id: {name.replace('-', ' ')}",
            why="serves whatever name the table has, or judges the request instead",
            rule=RULE,
            tags=[],
            input={"name": wanted},
        )
    twice = [put(typical.entry(1), b"world".ljust(16, b"\0")), xor(typical.offsets[1], "01")]
    refused(
        file,
        "payload-refused/first-of-two-broken",
        TYPICAL,
        twice,
        "payload-digest-mismatch",
        at="payloads/1",
        title="two entries of the name, the first with a wrong digest",
        why="tries the next entry of the name",
        rule=RULE,
        input={"name": "world"},
    )
    pairs = (
        (
            "after-terminator-then-not-id",
            [put(entry, b"T"), put(entry + 63, b"x")],
            "Task-ledger",
            "name-after-terminator",
        ),
        ("not-id-then-misplaced", [put(entry, b"T"), xor(entry + 64, "08")], "Task-ledger", "name-not-id"),
        ("misplaced-then-outside", [xor(entry + 64, "08"), xor(entry + 79, "80")], "task-ledger", "payload-misplaced"),
        ("misplaced-then-digest", [xor(entry + 64, "08"), xor(entry + 80, "01")], "task-ledger", "payload-misplaced"),
        ("outside-then-digest", [xor(entry + 79, "80"), xor(entry + 80, "01")], "task-ledger", "payload-outside"),
    )
    for name, edits, wanted, reason in pairs:
        refused(
            file,
            f"payload-order/{name}",
            TYPICAL,
            edits,
            reason,
            at="payloads/2",
            title=name.replace("-", " "),
            why="judges an entry in another order",
            rule=RULE,
            tags=["precedence"],
            input={"name": wanted},
        )


def _before_beyond_doubles(file: VectorFile) -> None:
    """The entry before ends at 2^53 + 1, which a double cannot hold: aligned it is 2^53 + 8, and not 2^53."""
    typical = TYPICAL.envelope
    before, asked = typical.entry(1), typical.entry(2)
    ends = [put(before + 64, u64(8)), put(before + 72, u64(2**53 - 7))]
    for name, offset, reason in (
        ("before-beyond-doubles-in-place", 2**53 + 8, "payload-outside"),
        ("before-beyond-doubles-out-of-place", 2**53, "payload-misplaced"),
    ):
        refused(
            file,
            f"payload-refused/{name}",
            TYPICAL,
            [*ends, put(asked + 64, u64(offset))],
            reason,
            at="payloads/2",
            title=f"the entry before ends at 2^53 + 1, this one begins at {offset}",
            why="adds in floating point",
            rule=RULE,
            tags=["boundary"],
            input={"name": "task-ledger"},
        )


def _before(file: VectorFile) -> None:
    """The place follows from what the entry before declares, whatever else is wrong with that entry."""
    typical, empty = TYPICAL.envelope, EMPTY_PAYLOADS.envelope
    entry = typical.entry(1)
    faults = (
        ("before-longer", [put(entry + 72, u64(20))], "takes the place from the offset alone"),
        ("before-maximum", [put(entry + 72, u64(MAX64))], "adds in 64 bits"),
        ("before-offset-maximum", [put(entry + 64, u64(MAX64))], "adds in 64 bits"),
        (
            "before-wraps-to-place",
            [put(entry + 64, u64(2**64 - 16)), put(entry + 72, u64(16 + typical.offsets[2] - 8))],
            "adds in 64 bits, and is then right by chance",
        ),
        (
            "before-wraps-when-aligned",
            [put(entry + 64, u64(MAX64 - 1)), put(entry + 72, u64(1))],
            "rounds up in 64 bits, and gets 0",
        ),
    )
    for name, edits, why in faults:
        refused(
            file,
            f"payload-refused/{name}",
            TYPICAL,
            edits,
            "payload-misplaced",
            at="payloads/2",
            title=f"what the entry before declares: {name.replace('-', ' ')}",
            why=why,
            rule=RULE,
            tags=["boundary"],
            input={"name": "task-ledger"},
        )
    _before_beyond_doubles(file)
    shorter = [put(entry + 72, u64(len(typical.payloads[1][1]) - 2))]
    taken(
        file,
        "payload-served/before-shorter",
        TYPICAL,
        shorter,
        {"data": b64(typical.payloads[2][1])},
        rule=RULE,
        title="the entry before declares two bytes less, which end at the same multiple of 8",
        why="judges the entry before",
        tags=["boundary"],
        input={"name": "task-ledger"},
    )
    first = [put(empty.entry(0) + 64, u64(empty.entry(6) + 8))]
    refused(
        file,
        "payload-refused/first-not-at-table-end",
        EMPTY_PAYLOADS,
        first,
        "payload-misplaced",
        at="payloads/0",
        title="the first payload eight bytes behind the table",
        why="has no place to compare the first entry with",
        rule=RULE,
        input={"name": "first"},
    )
    last = ALIGNMENT.envelope
    refused(
        file,
        "payload-refused/last-past-footer",
        ALIGNMENT,
        [put(last.entry(8) + 72, u64(last.footer - last.offsets[8] + 1))],
        "payload-outside",
        at="payloads/8",
        title="the last payload one byte into the footer",
        why="bounds payloads by the end of the file",
        rule=RULE,
        input={"name": "n9"},
    )
