"""Every two faults of each ``lmdl`` operation at once."""

from __future__ import annotations

from conformance.formats.lmdl.cases.commit import META, SECOND, THIRD, request
from conformance.formats.lmdl.model_bytes import COORDINATE, PLAIN, U32, U64, Slot, broken, coordinate_json
from conformance.vectorgen.pairwise import add_pairs, fault
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, insert, put, reject, xor

BASE = "lmdl/golden/meta-a-newer.bin"
"""Slot A active with epoch 3, slot B valid with epoch 2."""

SEALS = ["slot/A", "slot/B"]
FULL_LOG = U32 * 8
"""Bytes of a log that is long enough for any dedup_count."""


def build(vectors: VectorSet) -> None:
    """Write a list of faults for each operation that has two."""
    encode = vectors.file("pairs-coordinate", operation="lmdl.coordinate.encode", title="Two fields out of range")
    members = {"value": coordinate_json(PLAIN)}
    add_pairs(encode, "coordinate-encode", coordinate_faults("/value"), input=members, rules=["LMDL-COORDINATE"])
    _slot_decode(vectors.file("pairs-slot", operation="lmdl.slot.decode", title="Two faults in one slot"))
    _slot_encode(vectors.file("pairs-slot-encode", operation="lmdl.slot.encode", title="Two fields out of range"))
    _recover(vectors.file("pairs-recover", operation="lmdl.recover", title="Two faults that stop recovery"))
    _commit(vectors.file("pairs-commit", operation="lmdl.commit", title="Two faults that stop a commit"))


def out_of_range(pointer: str, at: str, width: int) -> Data:
    """Give the request member at ``pointer`` the first value beyond its width in bits."""
    value = 2**width
    return fault("field-out-of-range", at, members={pointer: str(value) if width == 64 else value})


def coordinate_faults(parent: str) -> list[Data]:
    """Return each field of the coordinate at ``parent`` out of range."""
    return [out_of_range(f"{parent}/{name}", f"coordinate/{name}", width) for name, width in COORDINATE.items()]


def _slot_decode(file: VectorFile) -> None:
    faults = [
        fault("slot-size", after=[insert(64, b"\0")]),
        fault("slot-magic", edits=[xor(0, "20")]),
        fault("slot-version", edits=[xor(4, "03")]),
        fault("slot-crc", after=[xor(60, "01")]),
    ]
    add_pairs(file, "slot-decode", faults, base="lmdl/golden/slot-plain.bin", reseal=["slot"], rules=["LMDL-SLOT"])


def _slot_encode(file: VectorFile) -> None:
    faults = [
        out_of_range("/value/epoch", "epoch", 64),
        out_of_range("/value/committed_batch_id", "committed_batch_id", 64),
        *coordinate_faults("/value/coordinate"),
        out_of_range("/value/dedup_count", "dedup_count", 32),
    ]
    add_pairs(file, "slot-encode", faults, input={"value": THIRD.json()}, rules=["LMDL-SLOT"])


def recovery_faults() -> list[Data]:
    """Return what stops recovery. Each takes in the magic: a slot is wrong in one of these ways only."""
    later = b"LMDL\x02"
    return [
        fault("meta-size", after=[insert(128, b"\0")]),
        fault("meta-version", "slot/A", edits=[put(0, later)]),
        fault("meta-version", "slot/B", edits=[put(64, later)]),
        fault("meta-no-valid-slot", edits=[put(0, b"XMDL"), put(64, b"XMDL")]),
        fault("dedup-short", members={"/log_length": "39"}),
    ]


def state_faults() -> list[Data]:
    """Return what a state that was recovered does not let a commit do."""
    return [
        fault("epoch-exhausted", edits=[put(8, U64.to_bytes(8, "little"))]),
        fault("dedup-count-overflow", edits=[put(56, U32.to_bytes(4, "little"))]),
        fault("commit-would-overwrite-active", "slot/A", edits=[put(8, b"\x04")]),
    ]


RECOVER = [f"LMDL-RECOVER-{number}" for number in (1, 2, 3, 4)]


def _recover(file: VectorFile) -> None:
    log = {"log_length": "40"}
    add_pairs(file, "recover", recovery_faults(), base=BASE, into="meta", input=log, reseal=SEALS, rules=RECOVER)
    for slot, name, expect, both, alone in no_slot_and_version():
        file.case(
            f"lmdl/pairs/recover-version-{name}-no-valid-slot",
            title=f"Slot {slot} is of version 2 with a right CRC, the other one is torn: no slot is valid",
            why="looks for a valid slot before it asks for another version",
            rules=RECOVER,
            rulings=["R-LMDL-6"],
            tags=["precedence"],
            input={"meta": b64(both), **log},
            expect=expect,
            faults=alone,
        )


def no_slot_and_version() -> list[tuple[str, str, Data, bytes, list[Data]]]:
    """Return slot, letter, expectation, the ``.meta`` with both faults, and each fault alone.

    A slot of another version is never valid itself, so the two faults share a slot and are written out here.
    """
    a, b = THIRD.bytes(), SECOND.bytes()
    later_a, later_b = THIRD.bytes(version=2), SECOND.bytes(version=2)
    none = {**reject("meta-no-valid-slot"), "input": {"meta": b64(broken(a) + broken(b))}}
    return [
        (slot, slot.lower(), expect, both, [{**expect, "input": {"meta": b64(alone)}}, none])
        for slot, both, alone in (("A", later_a + broken(b), later_a + b), ("B", broken(a) + later_b, a + later_b))
        for expect in [reject("meta-version", f"slot/{slot}")]
    ]


def _commit(file: VectorFile) -> None:
    asked = {name: value for name, value in request(log=FULL_LOG).items() if name != "meta"}
    faults = [
        *recovery_faults(),
        *state_faults(),
        out_of_range("/batch_id", "batch_id", 64),
        *coordinate_faults("/coordinate"),
        out_of_range("/hashes/0", "hashes/0", 64),
        out_of_range("/hashes/1", "hashes/1", 64),
    ]
    rules = ["LMDL-COMMIT", *RECOVER]
    add_pairs(file, "commit", faults, base=BASE, into="meta", input=asked, reseal=SEALS, rules=rules)
    _exhausted_in_foreign_slot(file, asked)
    for slot, name, expect, both, alone in no_slot_and_version():
        file.case(
            f"lmdl/pairs/commit-version-{name}-no-valid-slot",
            title=f"Slot {slot} is of version 2 with a right CRC, the other one is torn: no slot is valid",
            why="looks for a valid slot before it asks for another version",
            rules=rules,
            rulings=["R-LMDL-6"],
            tags=["precedence"],
            input={**asked, "meta": b64(both)},
            expect=expect,
            faults=alone,
        )


def _exhausted_in_foreign_slot(file: VectorFile, asked: Data) -> None:
    """The last epoch is odd, so it is foreign in slot B: there the two faults meet."""
    torn = broken(META[:64])
    last, odd = Slot(U64, 20, PLAIN, 3).bytes(), Slot(5, 20, PLAIN, 3).bytes()
    file.case(
        "lmdl/pairs/commit-epoch-exhausted-foreign",
        title="Slot B is active with the last epoch, which belongs into slot A",
        why="asks for the slot of an epoch that there is not",
        rules=["LMDL-COMMIT"],
        rulings=["R-LMDL-5"],
        tags=["precedence"],
        input={**asked, "meta": b64(torn + last)},
        expect=reject("epoch-exhausted"),
        faults=[
            {**reject("epoch-exhausted"), "input": {"meta": b64(last + SECOND.bytes())}},
            {**reject("commit-would-overwrite-active", "slot/B"), "input": {"meta": b64(torn + odd)}},
        ],
    )
