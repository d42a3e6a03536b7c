"""Every two faults of each ``flysess1`` operation at once."""

from __future__ import annotations

from conformance.formats.flysess1.cases.commit_cases import DIR, NAMES, OLD, store
from conformance.formats.flysess1.cases.pairwise_base import (
    MANIFEST,
    PAIRS,
    PATH,
    array_edits,
    in_place,
    json_edits,
    keep,
    missing_edits,
    payload_edits,
)
from conformance.formats.flysess1.envelope import HEADER, u32, u64
from conformance.vectorgen.pairwise import add_pairs, fault
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, delete, insert, put, xor

READ = [f"FLY-STEP-{step}" for step in range(1, 8)]


def build(vectors: VectorSet) -> None:
    """Write a list of faults for each operation."""
    keep(vectors)
    decode = vectors.file("pairs-decode", operation="flysess1.decode", title="Two faults of one envelope")
    layout = vectors.file("pairs-layout", operation="flysess1.layout", title="Two faults of one envelope")
    for file, rules in ((decode, READ), (layout, ["FLY-LAYOUT", *READ])):
        name = file.operation.split(".")[1]
        whole = [*_step_1(), *_step_2(), *_step_3(), *_step_4(), *_step_5(), *_step_6(), *_step_7()]
        add_pairs(file, name, whole, base=PATH, reseal=["envelope"], rules=rules)
        _count(file, f"{name}-count", rules, {})
    _payload(vectors.file("pairs-payload", operation="flysess1.payload", title="Two faults before one payload"))
    _commit(vectors.file("pairs-commit", operation="flysess1.commit", title="Two faults of one commit"))
    _encode(vectors.file("pairs-encode", operation="flysess1.encode", title="Two faults of what is to be written"))


def _step_1() -> list[Data]:
    return [
        # What is left is 31 bytes of the header, and the footer, which is sealed again.
        fault("too-short", edits=[delete(31, PAIRS.footer - 31)]),
        fault("bad-magic", edits=[xor(0, "20")]),
        fault("unsupported-version", edits=[put(8, u32(2))]),
        fault("bad-header-bytes", edits=[put(12, u32(48))]),
        fault("reserved-not-zero", edits=[xor(28, "01")]),
        fault("too-many-payloads", edits=[put(20, u32(65))]),
    ]


def _step_2() -> list[Data]:
    return [
        fault("bad-footer-magic", after=[xor(PAIRS.size - 1, "01")]),
        fault("file-bytes-mismatch", after=[put(PAIRS.footer, u64(1))]),
        fault("prefix-digest-mismatch", after=[xor(PAIRS.footer + 8, "01")]),
    ]


def _step_3() -> list[Data]:
    texts = [fault(reason, edits=edits) for reason, edits in json_edits().items()]
    return [fault("manifest-outside", edits=[put(16, u32(PAIRS.size))]), *texts]


def _step_4() -> list[Data]:
    return [
        fault("table-misplaced", edits=[put(24, u32(PAIRS.table + 8))]),
        fault("table-outside", edits=[put(20, u32(64))]),
    ]


def _count(file: VectorFile, name: str, rules: list[str], asked: Data) -> None:
    """With the count itself too large, the table is outside because the file ends within its first entry."""
    start = PAIRS.entry(0) + 8
    faults = [
        fault("too-many-payloads", edits=[put(20, u32(65))]),
        fault("table-outside", edits=[delete(start, PAIRS.footer - start)]),
    ]
    add_pairs(file, name, faults, base=PATH, input=asked, reseal=["envelope"], rules=rules)


def _entry(index: int) -> list[Data]:
    """What can be wrong with one entry, but for its name."""
    at, entry = f"payloads/{index}", PAIRS.entry(index)
    return [
        fault("name-after-terminator", at, edits=[put(entry + 63, b"x")]),
        fault("payload-misplaced", at, edits=[xor(entry + 64, "08")]),
        fault("payload-outside", at, edits=[xor(entry + 79, "80")]),
        fault("payload-digest-mismatch", at, edits=[xor(PAIRS.offsets[index], "01")]),
    ]


def _step_5() -> list[Data]:
    found: list[Data] = []
    for index in (1, 2):
        at, entry = f"payloads/{index}", PAIRS.entry(index)
        found += _entry(index)
        found += [
            fault("name-not-id", at, edits=[put(entry, b"B")]),
            fault("name-duplicate", at, edits=[put(entry, b"a")]),
        ]
    return found


def _step_6() -> list[Data]:
    return [
        # One byte before the footer is alignment: what is inserted there is as if it stood before the footer.
        fault("trailing-gap", edits=[insert(PAIRS.footer - 1, bytes(8))]),
        fault("padding-not-zero", edits=[xor(PAIRS.table - 1, "01")]),
    ]


def _step_7() -> list[Data]:
    return [
        fault("manifest-not-object", edits=array_edits()),
        *(fault("manifest-field-missing", f"/{name}", edits=edits) for name, edits in missing_edits().items()),
        fault("manifest-version", "/envelopeVersion", edits=in_place(b'"envelopeVersion":1', b'"envelopeVersion":2')),
        *(fault("manifest-payloads", at, edits=edits) for at, edits in payload_edits().items()),
    ]


def _payload(file: VectorFile) -> None:
    asked = {"name": "b"}
    faults = [
        *_step_1(),
        *_step_2()[:2],
        *_step_4(),
        fault("payload-unknown", members={"/name": "nobody"}),
        *_entry(1),
        fault("name-not-id", "payloads/1", edits=[put(PAIRS.entry(1), b"B")], members={"/name": "B"}),
    ]
    add_pairs(file, "payload", faults, base=PATH, input=asked, reseal=["envelope"], rules=["FLY-PAYLOAD"])
    _count(file, "payload-count", ["FLY-PAYLOAD"], asked)


def _commit(cases: VectorFile) -> None:
    """What stands in the way of a commit on a real store; only the last step leaves something behind."""
    asked = {"store": "store", **NAMES, "envelope": b64(b"envelope"), "store_manifest": b64(b"{}\n")}
    faults = [
        fault("commit-name", members={"/manifest_temporary": "a/b"}, kept=True),
        fault("commit-exists", tree={"store/gen-2": DIR}, kept=True),
        fault("commit-io", "write-generation", tree={"store/gen-2.part": DIR}, kept=True),
        fault("commit-io", "write-manifest", tree={"store/store.json.part": DIR}, kept=True),
        fault("commit-io", "rename-manifest", tree={"store/store.json": DIR}),
    ]
    add_pairs(cases, "commit", faults, input=asked, tree=store(OLD), rules=["FLY-COMMIT"])


def _encode(file: VectorFile) -> None:
    """Sixty-four payloads, as many as there may be, and the manifest of the golden envelope as the edited member."""
    names = [f"p{index}" for index in range(64)]
    asked: Data = {"payloads": [{"name": name, "data": ""} for name in names]}
    faults = [
        fault("too-many-payloads", members={"/payloads/64": {"name": "p64", "data": ""}}),
        *(fault("name-not-id", f"payloads/{index}", members={f"/payloads/{index}/name": "P"}) for index in (1, 2)),
        *(fault("name-duplicate", f"payloads/{index}", members={f"/payloads/{index}/name": "p0"}) for index in (1, 2)),
    ]
    texts = {reason: edits for reason, edits in json_edits().items() if reason != "manifest-not-canonical"}
    for reason, edits in texts.items():
        faults.append(fault(reason, edits=[{**edit, "at": edit["at"] - HEADER} for edit in edits]))
    add_pairs(file, "encode", faults, base=MANIFEST, into="manifest", input=asked, rules=["FLY-ENCODE"])
