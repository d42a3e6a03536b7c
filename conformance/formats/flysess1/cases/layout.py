"""Cases for asking how an envelope is laid out: judged as decoding is, one refusal from each step (FLY-LAYOUT)."""

from __future__ import annotations

from conformance.formats.flysess1.cases.goldens import NO_PAYLOADS, ONE_PAYLOAD, TYPICAL
from conformance.formats.flysess1.cases.topic import SEAL, refused
from conformance.formats.flysess1.envelope import Raw, remanifest, small_manifest, u32, u64, without
from conformance.formats.json.cases.faults import closed
from conformance.vectorgen.vector_set import VectorSet, insert, put, reseal, truncate, xor


def build(vectors: VectorSet) -> None:
    """Add a refusal for every reason that a layout can have."""
    file = vectors.file("layout", operation="flysess1.layout", title="Layout: judged as decoding is")
    one, typical = ONE_PAYLOAD.envelope, TYPICAL.envelope
    entry = one.entry(0)
    faults = (
        ("too-short", [truncate(79)], None),
        ("bad-magic", [xor(0, "01"), SEAL], None),
        ("unsupported-version", [put(8, u32(2)), SEAL], None),
        ("bad-header-bytes", [put(12, u32(40)), SEAL], None),
        ("reserved-not-zero", [put(28, u32(1)), SEAL], None),
        ("too-many-payloads", [put(20, u32(65)), SEAL], None),
        ("bad-footer-magic", [truncate(one.size - 1)], None),
        ("file-bytes-mismatch", [put(one.footer, u64(0))], None),
        ("prefix-digest-mismatch", [xor(one.footer - 1, "01")], None),
        ("manifest-outside", [put(16, u32(one.footer - 31)), SEAL], None),
        ("manifest-not-utf8", [xor(34, "80"), SEAL], None),
        ("manifest-not-json", [xor(32, "01"), SEAL], None),
        ("table-misplaced", [put(24, u32(one.table + 8)), SEAL], None),
        ("table-outside", [put(20, u32(2)), SEAL], None),
        ("name-after-terminator", [xor(entry + 63, "61"), SEAL], "payloads/0"),
        ("name-not-id", [xor(entry, "20"), SEAL], "payloads/0"),
        ("payload-misplaced", [xor(entry + 64, "08"), SEAL], "payloads/0"),
        ("payload-outside", [put(entry + 72, u64(one.footer - one.offsets[0] + 1)), SEAL], "payloads/0"),
        ("payload-digest-mismatch", [xor(one.offsets[0], "01"), SEAL], "payloads/0"),
        ("trailing-gap", [insert(one.footer, bytes(8)), SEAL], None),
        ("padding-not-zero", [xor(one.footer - 1, "01"), SEAL], None),
        ("manifest-payloads", [xor(one.offsets[0], "01"), reseal("payloads")], "/payloads/0"),
    )
    for reason, edits, at in faults:
        refused(
            file,
            f"layout/{reason}",
            ONE_PAYLOAD,
            edits,
            reason,
            at=at,
            rule="FLY-LAYOUT",
            title=f"a layout refused: {reason.replace('-', ' ')}",
            why="lays out without the check that decoding has",
        )
    twice = put(typical.entry(3), b"world".ljust(16, b"\0"))
    refused(
        file,
        "layout/name-duplicate",
        TYPICAL,
        [twice, SEAL],
        "name-duplicate",
        at="payloads/4",
        rule="FLY-LAYOUT",
        title="a layout refused: name duplicate",
        why="lays out without the check that decoding has",
    )
    plain = small_manifest()
    manifests = (
        ("manifest-too-deep", plain | {"z": Raw(closed(127).decode())}, None),
        ("manifest-duplicate-key", Raw('{"a":1,"a":2}'), None),
        ("manifest-number-not-finite", plain | {"z": Raw("1e400")}, None),
        ("manifest-number-range", plain | {"z": Raw("9007199254740992")}, None),
        ("manifest-not-canonical", plain | {"z": Raw("1.0")}, None),
        ("manifest-not-object", [plain], None),
        ("manifest-field-missing", without(plain, "environment"), "/environment"),
        ("manifest-version", plain | {"envelopeVersion": 2}, "/envelopeVersion"),
        ("manifest-payloads", plain | {"payloads": None}, "/payloads"),
    )
    for reason, value, at in manifests:
        name = "manifest-payloads-null" if reason == "manifest-payloads" else reason
        refused(
            file,
            f"layout/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, value),
            reason,
            at=at,
            title=f"a layout refused: {name.replace('-', ' ')}",
            rule="FLY-LAYOUT",
            tags=[],
            why="lays out without reading the manifest",
        )
