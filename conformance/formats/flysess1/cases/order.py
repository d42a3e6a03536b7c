"""Cases with two faults in one envelope: the check that comes first is the answer (envelope document, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from conformance.formats.flysess1.cases.goldens import NO_PAYLOADS, ONE_PAYLOAD, ROOMY, TYPICAL, Golden
from conformance.formats.flysess1.cases.manifest import same_length, with_member
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import HEADER, REQUIRED, kebab, remanifest, small_manifest, u32, u64, without
from conformance.vectorgen.vector_set import Data, VectorSet, insert, put, reseal, truncate, xor


@dataclass(frozen=True)
class Pair:
    """Two faults of one golden file: which check is judged first, its step, and the edits of both."""

    name: str
    step: int
    reason: str
    edits: Sequence[Data]
    at: str | None = None
    base: Golden = ONE_PAYLOAD


def build(vectors: VectorSet) -> None:
    """Add every pair of neighbouring checks, and the pairs that ports are likeliest to swap."""
    file = vectors.file("order", operation="flysess1.decode", title="Two faults: the first check is the answer")
    for pair in (*_frame(), *_places(), *_entries(), *_values()):
        first, second = pair.name.split("-before-")
        refused(
            file,
            f"order/{pair.name}",
            pair.base,
            pair.edits,
            pair.reason,
            at=pair.at,
            title=f"{first.replace('-', ' ')}, and {second.replace('-', ' ')}",
            why=f"judges the second of the two first: {second.replace('-', ' ')}",
            rule=f"FLY-STEP-{pair.step}",
            tags=["precedence"],
        )


def _frame() -> list[Pair]:
    """Neighbours of steps 1 and 2, each pair made of the two single faults."""
    one = ONE_PAYLOAD.envelope
    end = one.size - 1
    faults: tuple[tuple[int, str, Data], ...] = (
        (1, "bad-magic", xor(0, "20")),
        (1, "unsupported-version", put(8, u32(2))),
        (1, "bad-header-bytes", put(12, u32(48))),
        (1, "reserved-not-zero", put(28, u32(1))),
        (1, "too-many-payloads", put(20, u32(65))),
        (2, "bad-footer-magic", xor(end, "01")),
        (2, "file-bytes-mismatch", put(one.footer, u64(1))),
        (2, "prefix-digest-mismatch", xor(one.footer + 8, "01")),
        (3, "manifest-outside", put(16, u32(one.size))),
    )
    pairs = [
        Pair(f"{first}-before-{second}", step, first, [edit, other])
        for (step, first, edit), (_, second, other) in pairwise(faults)
    ]
    return [
        *pairs,
        Pair("too-short-before-bad-magic", 1, "too-short", [xor(0, "20"), truncate(79)]),
        Pair("bad-magic-before-bad-footer-magic", 1, "bad-magic", [xor(0, "20"), xor(end, "01")]),
        Pair("bad-magic-before-reserved-not-zero", 1, "bad-magic", [xor(0, "20"), put(28, u32(1))]),
        Pair(
            "too-many-payloads-before-prefix-digest-mismatch", 1, "too-many-payloads", [put(20, u32(65)), xor(40, "01")]
        ),
        Pair("bad-footer-magic-before-prefix-digest-mismatch", 2, "bad-footer-magic", [xor(end, "01"), xor(40, "01")]),
        Pair(
            "prefix-digest-mismatch-before-manifest-not-utf8",
            2,
            "prefix-digest-mismatch",
            [xor(HEADER + 2, "80"), xor(40, "01")],
        ),
        Pair(
            "prefix-digest-mismatch-before-payload-digest-mismatch",
            2,
            "prefix-digest-mismatch",
            [xor(one.entry(0) + 80, "01"), xor(one.offsets[0], "01")],
        ),
    ]


def _places() -> list[Pair]:
    """Pairwise across steps 3, 4 and 6."""
    one, typical = ONE_PAYLOAD.envelope, TYPICAL.envelope
    away = put(24, u32(one.table + 8))
    version = ONE_PAYLOAD.envelope.manifest.index(b'"envelopeVersion":1') + HEADER + 18
    world = ONE_PAYLOAD.envelope.manifest.rindex(b"null") + HEADER
    agents = ONE_PAYLOAD.envelope.manifest.index(b"null") + HEADER
    return [
        Pair("manifest-outside-before-table-misplaced", 3, "manifest-outside", [put(16, u32(one.size)), away, SEAL]),
        Pair(
            "manifest-outside-before-manifest-not-json",
            3,
            "manifest-outside",
            [put(16, u32(one.size)), xor(32, "01"), SEAL],
        ),
        Pair("manifest-not-utf8-before-table-misplaced", 3, "manifest-not-utf8", [xor(HEADER + 2, "80"), away, SEAL]),
        Pair("manifest-not-json-before-table-misplaced", 3, "manifest-not-json", [xor(HEADER, "01"), away, SEAL]),
        Pair(
            "manifest-number-not-finite-before-manifest-number-range",
            3,
            "manifest-number-not-finite",
            [put(agents, b"1e99"), *same_length(with_member(b"1e400"))],
            base=ROOMY,
        ),
        Pair(
            "manifest-duplicate-key-before-manifest-number-range",
            3,
            "manifest-duplicate-key",
            [put(agents, b"1e99"), *same_length(with_member(b'{"a":1,"a":1}'))],
            base=ROOMY,
        ),
        Pair(
            "manifest-number-range-before-manifest-not-canonical",
            3,
            "manifest-number-range",
            [put(agents, b"1.00"), put(world, b"1e99"), SEAL],
        ),
        Pair(
            "manifest-not-canonical-before-table-misplaced",
            3,
            "manifest-not-canonical",
            [put(agents, b"1.00"), away, SEAL],
        ),
        Pair(
            "manifest-number-range-before-table-misplaced",
            3,
            "manifest-number-range",
            [put(agents, b"1e99"), away, SEAL],
        ),
        Pair(
            "manifest-not-canonical-before-manifest-version",
            3,
            "manifest-not-canonical",
            [put(agents, b"1.00"), put(version, b"2"), SEAL],
        ),
        Pair("table-misplaced-before-table-outside", 4, "table-misplaced", [away, put(20, u32(2)), SEAL]),
        Pair("table-misplaced-before-manifest-version", 4, "table-misplaced", [away, put(version, b"2"), SEAL]),
        Pair("table-outside-before-name-not-id", 4, "table-outside", [put(20, u32(2)), put(one.entry(0), b"A"), SEAL]),
        Pair("table-outside-before-manifest-version", 4, "table-outside", [put(20, u32(2)), put(version, b"2"), SEAL]),
        Pair(
            "payload-digest-mismatch-before-trailing-gap",
            5,
            "payload-digest-mismatch",
            [xor(one.offsets[0], "01"), insert(one.footer, bytes(8)), SEAL],
            "payloads/0",
        ),
        Pair(
            "payload-digest-mismatch-before-padding-not-zero",
            5,
            "payload-digest-mismatch",
            [xor(one.offsets[0], "01"), xor(one.table - 1, "01"), SEAL],
            "payloads/0",
        ),
        Pair(
            "payload-outside-before-trailing-gap",
            5,
            "payload-outside",
            [xor(one.entry(0) + 79, "80"), insert(one.footer, bytes(8)), SEAL],
            "payloads/0",
        ),
        Pair(
            "trailing-gap-before-padding-not-zero",
            6,
            "trailing-gap",
            [insert(one.footer, bytes(8)), xor(one.table - 1, "01"), SEAL],
        ),
        Pair(
            "trailing-gap-before-padding-not-zero-there",
            6,
            "trailing-gap",
            [insert(one.footer, bytes(8)), xor(one.footer - 1, "01"), SEAL],
        ),
        Pair(
            "trailing-gap-before-manifest-version",
            6,
            "trailing-gap",
            [insert(one.footer, bytes(8)), put(version, b"2"), SEAL],
        ),
        Pair(
            "padding-not-zero-before-manifest-version",
            6,
            "padding-not-zero",
            [xor(one.footer - 1, "01"), put(version, b"2"), SEAL],
        ),
        Pair(
            "padding-not-zero-before-manifest-field-missing",
            6,
            "padding-not-zero",
            [xor(one.table - 1, "01"), xor(agents - 3, "01"), SEAL],
        ),
        Pair(
            "padding-not-zero-before-manifest-payloads",
            6,
            "padding-not-zero",
            [xor(typical.end - 1, "01"), xor(typical.table - 1, "01"), reseal("payloads")],
            base=TYPICAL,
        ),
    ]


def _entries() -> list[Pair]:
    """Neighbours within one entry of step 5, and one entry before the next."""
    typical = TYPICAL.envelope
    entry, place = typical.entry(2), typical.offsets[2]
    first_name = b"agent-moth-1"
    upper, behind = put(entry, b"T"), put(entry + 63, b"x")
    twice, away = put(entry, first_name), xor(entry + 64, "08")
    beyond, wrong = xor(entry + 79, "80"), xor(entry + 80, "01")
    at = "payloads/2"
    later = typical.entry(3)
    return [
        Pair(
            "name-after-terminator-before-name-not-id", 5, "name-after-terminator", [upper, behind, SEAL], at, TYPICAL
        ),
        Pair(
            "name-after-terminator-before-name-duplicate",
            5,
            "name-after-terminator",
            [twice, behind, SEAL],
            at,
            TYPICAL,
        ),
        Pair("name-not-id-before-payload-misplaced", 5, "name-not-id", [upper, away, SEAL], at, TYPICAL),
        Pair(
            "name-not-id-before-name-duplicate",
            5,
            "name-not-id",
            [put(entry, b"T"), put(later, b"Task-ledger".ljust(16, b"\0")), SEAL],
            at,
            TYPICAL,
        ),
        Pair("name-duplicate-before-payload-misplaced", 5, "name-duplicate", [twice, away, SEAL], at, TYPICAL),
        Pair(
            "name-duplicate-before-payload-digest-mismatch",
            5,
            "name-duplicate",
            [twice, xor(place, "01"), SEAL],
            at,
            TYPICAL,
        ),
        Pair("payload-misplaced-before-payload-outside", 5, "payload-misplaced", [away, beyond, SEAL], at, TYPICAL),
        Pair(
            "payload-misplaced-before-payload-digest-mismatch", 5, "payload-misplaced", [away, wrong, SEAL], at, TYPICAL
        ),
        Pair(
            "payload-outside-before-payload-digest-mismatch", 5, "payload-outside", [beyond, wrong, SEAL], at, TYPICAL
        ),
        Pair(
            "payload-digest-mismatch-before-name-of-the-next",
            5,
            "payload-digest-mismatch",
            [wrong, put(later, b"P"), SEAL],
            at,
            TYPICAL,
        ),
        Pair(
            "payload-digest-mismatch-before-place-of-the-next",
            5,
            "payload-digest-mismatch",
            [wrong, xor(later + 64, "08"), SEAL],
            at,
            TYPICAL,
        ),
        Pair(
            "payload-outside-before-name-of-the-next",
            5,
            "payload-outside",
            [beyond, put(later, b"P"), SEAL],
            at,
            TYPICAL,
        ),
        Pair(
            "digest-of-the-first-before-digest-of-the-last",
            5,
            "payload-digest-mismatch",
            [xor(typical.offsets[4], "01"), xor(typical.offsets[0], "01"), SEAL],
            "payloads/0",
            TYPICAL,
        ),
    ]


def _values() -> list[Pair]:
    """Neighbours of step 7."""
    none, one = NO_PAYLOADS.envelope, ONE_PAYLOAD.envelope
    plain = small_manifest()
    found = [
        Pair(
            f"missing-{kebab(first)}-before-missing-{kebab(second)}",
            7,
            "manifest-field-missing",
            remanifest(none, without(plain, first, second)),
            f"/{first}",
            NO_PAYLOADS,
        )
        for first, second in pairwise(REQUIRED)
    ]
    return [
        *found,
        Pair(
            "manifest-field-missing-before-manifest-version",
            7,
            "manifest-field-missing",
            remanifest(none, without(plain | {"envelopeVersion": 2}, "environment")),
            "/environment",
            NO_PAYLOADS,
        ),
        Pair(
            "manifest-field-missing-before-manifest-payloads",
            7,
            "manifest-field-missing",
            remanifest(none, without(plain | {"payloads": None}, "agents")),
            "/agents",
            NO_PAYLOADS,
        ),
        Pair(
            "manifest-version-before-manifest-payloads",
            7,
            "manifest-version",
            remanifest(none, plain | {"envelopeVersion": 2, "payloads": None}),
            "/envelopeVersion",
            NO_PAYLOADS,
        ),
        Pair(
            "manifest-payloads-length-before-entry",
            7,
            "manifest-payloads",
            remanifest(one, small_manifest(one.payloads) | {"payloads": [None, None]}),
            "/payloads",
        ),
    ]
