"""Cases for the manifest's value inside an envelope (envelope document, section 3 and section 4, step 7)."""

from __future__ import annotations

from conformance.formats.flysess1.cases.goldens import EMPTY_PAYLOADS, NO_PAYLOADS, ONE_PAYLOAD, TYPICAL, Golden
from conformance.formats.flysess1.cases.topic import SEAL, refused, taken
from conformance.formats.flysess1.envelope import (
    REQUIRED,
    Envelope,
    Raw,
    Value,
    canonical,
    digest,
    kebab,
    mirror,
    remanifest,
    small_manifest,
    without,
)
from conformance.formats.json.cases.faults import closed
from conformance.vectorgen.vector_set import VectorFile, VectorSet, put, reseal, xor


def build(vectors: VectorSet) -> None:
    """Add every refusal that rests on the manifest's value, and what must be taken beside it."""
    file = vectors.file("manifest-value", operation="flysess1.decode", title="The manifest's value: step 7 of a reader")
    _fields(file)
    _version(file)
    _payloads(file)
    _entries(file)
    _taken(file)


def _fields(file: VectorFile) -> None:
    for name in REQUIRED:
        refused(
            file,
            f"manifest-field/missing-{kebab(name)}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, without(small_manifest(), name)),
            "manifest-field-missing",
            at=f"/{name}",
            title=f"a manifest without {name}",
            why="does not ask for this member, or asks for a value where null is enough",
            rule="FLY-STEP-7",
        )
    several: tuple[tuple[str, Value, str, str], ...] = (
        ("all-missing", {}, "envelopeVersion", "reports the last missing member, or all of them"),
        ("others-present", {"extra": 1, "envelope": 1}, "envelopeVersion", "counts members"),
        ("two-missing", without(small_manifest(), "agents", "worldTime"), "worldTime", "reports in the text's order"),
        (
            "last-two-missing",
            without(small_manifest(), "environment", "payloads"),
            "environment",
            "judges payloads first",
        ),
        ("name-in-other-case", without(small_manifest(WorldTime=None), "worldTime"), "worldTime", "ignores case"),
        ("name-nested", {"manifest": small_manifest()}, "envelopeVersion", "searches for a name anywhere"),
        (
            "inherited-names",
            {"__proto__": small_manifest()},
            "envelopeVersion",
            "looks members up along the prototype",
        ),
    )
    for name, value, missing, why in several:
        faults = "precedence" if "missing" in name else "corruption"
        refused(
            file,
            f"manifest-field/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, value),
            "manifest-field-missing",
            at=f"/{missing}",
            title=f"a manifest: {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-7",
            tags=[faults],
        )
    shapes: tuple[tuple[str, Value], ...] = (
        ("array", []),
        ("array-of-object", [small_manifest()]),
        ("null", None),
        ("true", True),
        ("number", 1),
        ("string", "{}"),
    )
    for name, value in shapes:
        refused(
            file,
            f"manifest-object/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, canonical(value)),
            "manifest-not-object",
            title=f"a manifest that is no object: {name.replace('-', ' ')}",
            why="reports a missing member, or fails on it",
            rule="FLY-STEP-7",
        )


def _version(file: VectorFile) -> None:
    versions: tuple[tuple[str, Value, str], ...] = (
        ("0", 0, "takes a false value for none"),
        ("2", 2, "takes any version from 1 on"),
        ("minus-1", -1, "compares the magnitude"),
        ("fraction", Raw("1.5"), "cuts the fraction off"),
        ("next-number", Raw("1.0000000000000002"), "compares with a tolerance"),
        ("string", "1", "compares loosely"),
        ("true", True, "takes true for 1"),
        ("null", None, "takes null for the default"),
        ("array", [1], "compares loosely"),
        ("object", {"version": 1}, "takes any value"),
    )
    for name, value, why in versions:
        refused(
            file,
            f"manifest-version/{name}",
            NO_PAYLOADS,
            remanifest(NO_PAYLOADS.envelope, small_manifest(envelopeVersion=value)),
            "manifest-version",
            at="/envelopeVersion",
            title=f"envelopeVersion {name.replace('-', ' ')}",
            why=why,
            rule="FLY-STEP-7",
        )


def _mirror_fault(file: VectorFile, said: tuple[str, str], base: Golden, value: Value, at: str) -> None:
    name, why = said
    manifest = small_manifest(base.envelope.payloads, payloads=value)
    refused(
        file,
        f"manifest-payloads/{name}",
        base,
        remanifest(base.envelope, manifest),
        "manifest-payloads",
        at=at,
        title=f"the manifest's payloads: {name.replace('-', ' ')}",
        why=why,
        rule="FLY-STEP-7",
    )


def _payloads(file: VectorFile) -> None:
    one = mirror(ONE_PAYLOAD.envelope.payloads)
    several = mirror(EMPTY_PAYLOADS.envelope.payloads)
    lists: tuple[tuple[str, Golden, Value, str], ...] = (
        ("null", NO_PAYLOADS, None, "takes null for an empty list"),
        ("false", NO_PAYLOADS, False, "takes a false value for an empty list"),
        ("number", NO_PAYLOADS, 0, "takes the count for the list"),
        ("string", NO_PAYLOADS, "", "compares the length of whatever has one"),
        ("object", NO_PAYLOADS, {}, "compares the length of whatever has one"),
        ("object-of-entries", ONE_PAYLOAD, {"0": one[0]}, "takes an object for a list"),
        ("entry-without-list", ONE_PAYLOAD, one[0], "takes one entry for a list of it"),
        ("empty-for-one", ONE_PAYLOAD, [], "compares as many as there are"),
        ("one-for-none", NO_PAYLOADS, one, "compares as many as the table has"),
        ("last-missing", EMPTY_PAYLOADS, several[:-1], "compares as many as the list has"),
        ("first-missing", EMPTY_PAYLOADS, several[1:], "compares entries before the length"),
        ("one-too-many", EMPTY_PAYLOADS, [*several, several[-1]], "compares as many as the table has"),
        ("null-too-many", ONE_PAYLOAD, [*one, None], "drops null elements"),
    )
    for name, base, value, why in lists:
        _mirror_fault(file, (name, why), base, value, "/payloads")


def _entries(file: VectorFile) -> None:
    data = ONE_PAYLOAD.envelope.payloads[0][1]
    entry: dict[str, Value] = {"name": "a", "byteLength": "5", "digest": digest(data)}
    faults: tuple[tuple[str, Value, str], ...] = (
        ("entry-null", None, "takes null for an entry"),
        ("entry-string", "a", "takes the name for the entry"),
        ("entry-array", ["a", "5", digest(data)], "takes a list for an entry"),
        ("entry-empty", {}, "compares what is there"),
        ("name-missing", without(entry, "name"), "compares what is there"),
        ("name-other", entry | {"name": "b"}, "does not compare names"),
        ("name-other-case", entry | {"name": "A"}, "compares names without case"),
        ("name-longer", entry | {"name": "a\0"}, "compares names up to a NUL"),
        ("name-null", entry | {"name": None}, "skips null members"),
        ("length-missing", without(entry, "byteLength"), "compares what is there"),
        ("length-number", entry | {"byteLength": 5}, "compares loosely, or reads any number"),
        ("length-other", entry | {"byteLength": "6"}, "does not compare lengths"),
        ("length-padded", entry | {"byteLength": "05"}, "reads digits instead of a U64"),
        ("length-plus", entry | {"byteLength": "+5"}, "hands the text to a parser that takes a sign"),
        ("length-space", entry | {"byteLength": " 5"}, "hands the text to a parser that trims"),
        ("length-fraction", entry | {"byteLength": "5.0"}, "reads the text as a number"),
        ("length-hexadecimal", entry | {"byteLength": "0x5"}, "hands the text to a parser that takes 0x"),
        ("length-fullwidth", entry | {"byteLength": "\uff15"}, "takes any Unicode digit"),
        ("length-wraps", entry | {"byteLength": str(2**64 + 5)}, "wraps around in 64 bits"),
        ("length-empty", entry | {"byteLength": ""}, "takes an empty text for anything"),
        ("digest-missing", without(entry, "digest"), "compares what is there"),
        ("digest-other", entry | {"digest": digest(b"other")}, "does not compare digests"),
        ("digest-upper-case", entry | {"digest": digest(data).upper()}, "compares digests without case"),
        ("digest-prefix", entry | {"digest": digest(data)[:62]}, "compares as many digits as there are"),
        ("digest-longer", entry | {"digest": digest(data) + "00"}, "compares the first 64 digits"),
        ("digest-labelled", entry | {"digest": "sha256:" + digest(data)}, "takes a labelled digest"),
        ("digest-last-digit", entry | {"digest": digest(data)[:-1] + "z"}, "compares the head of the digest only"),
        ("digest-null", entry | {"digest": None}, "skips null members"),
    )
    for name, value, why in faults:
        _mirror_fault(file, (name, why), ONE_PAYLOAD, [value], "/payloads/0")
    several = mirror(EMPTY_PAYLOADS.envelope.payloads)
    swapped = [several[0], several[1], several[3], several[2], several[4], several[5]]
    _mirror_fault(file, ("entries-swapped", "compares as sets"), EMPTY_PAYLOADS, swapped, "/payloads/2")
    nulled = [*several[:-1], None]
    _mirror_fault(file, ("last-entry-null", "compares the first only"), EMPTY_PAYLOADS, nulled, "/payloads/5")
    table_changed = [xor(ONE_PAYLOAD.envelope.offsets[0], "20"), reseal("payloads")]
    refused(
        file,
        "manifest-payloads/table-digest-changed",
        ONE_PAYLOAD,
        table_changed,
        "manifest-payloads",
        at="/payloads/0",
        title="a payload and its digest in the table changed together",
        rule="FLY-STEP-7",
        why="compares the manifest with the table nowhere",
    )
    renamed = [put(TYPICAL.envelope.entry(4), b"w0rld"), SEAL]
    refused(
        file,
        "manifest-payloads/table-name-changed",
        TYPICAL,
        renamed,
        "manifest-payloads",
        at="/payloads/4",
        title="a name in the table changed",
        why="compares the manifest with the table nowhere",
        rule="FLY-STEP-7",
    )


def _taken(file: VectorFile) -> None:
    one = ONE_PAYLOAD.envelope
    longer: dict[str, Value] = {"name": "a", "byteLength": "5", "digest": digest(b"moths"), "codec": None}
    cases: tuple[tuple[str, Envelope, Value, str], ...] = (
        (
            "extra-member-in-entry",
            one,
            small_manifest(one.payloads, payloads=[longer]),
            "refuses unknown members",
        ),
        ("extra-members", one, small_manifest(one.payloads, z=1, A=None), "refuses or drops unknown members"),
        ("all-null-but-two", one, small_manifest(one.payloads, portMap=None), "asks for a value where null is enough"),
        ("odd-types", one, small_manifest(one.payloads, agents=0, worldTime="", portMap=False), "checks other types"),
        ("store-id", one, small_manifest(one.payloads, coordinator={"storeId": "s", "token": "t"}), "bans names"),
        ("dangling-payload", one, small_manifest(one.payloads, environment={"payload": "none"}), "follows references"),
        ("depth-127", one, small_manifest(one.payloads, z=Raw(closed(126).decode())), "counts depth from two"),
        ("proto-member", one, small_manifest(one.payloads, __proto__={"agents": 1}), "sets the prototype"),
    )
    for name, base, value, why in cases:
        target = base.with_manifest(value)
        taken(
            file,
            f"manifest-taken/{name}",
            ONE_PAYLOAD,
            remanifest(base, value),
            target.decoded,
            title=f"a manifest with {name.replace('-', ' ')}",
            why=why,
            rule="JSON-DEPTH" if name == "depth-127" else "FLY-STEP-7",
            rulings=["R-JSON-3"] if name == "depth-127" else [],
        )
