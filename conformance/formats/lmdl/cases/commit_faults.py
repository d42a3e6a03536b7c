"""Cases of a commit that is refused: by recovery, at the limits, by foreign parity, by values that do not fit."""

from __future__ import annotations

from conformance.formats.lmdl.cases.commit import HASHES, META, SECOND, THIRD, add, committed, fourth, request
from conformance.formats.lmdl.model_bytes import COORDINATE, PLAIN, U32, U64, Slot, broken, coordinate_json, outside
from conformance.vectorgen.vector_set import VectorFile, VectorSet, b64, reject


def build(vectors: VectorSet) -> None:
    """Write the refused cases of ``lmdl.commit``, and those just within the limits."""
    file = vectors.file("commit-faults", operation="lmdl.commit", title="A commit that is refused, or just not")
    _recovery_refuses(file)
    _exhausted(file)
    _foreign_parity(file)
    _out_of_range(file)


def _recovery_refuses(file: VectorFile) -> None:
    why = "a commit onto what recovery refuses, which overwrites the last good commit"
    for name, title, meta, log, expect, mended in (
        ("size-127", ".meta is 127 bytes", META[:127], 40, reject("meta-size"), {"meta": b64(META)}),
        ("size-129", ".meta is 129 bytes", META + b"\0", 40, reject("meta-size"), {"meta": b64(META)}),
        (
            "version-a",
            "Slot A is of version 2",
            THIRD.bytes(version=2) + SECOND.bytes(),
            40,
            reject("meta-version", "slot/A"),
            {"meta": b64(META)},
        ),
        (
            "version-b",
            "Slot B, where this commit would go, is of version 2",
            THIRD.bytes() + SECOND.bytes(version=2),
            40,
            reject("meta-version", "slot/B"),
            {"meta": b64(META)},
        ),
        (
            "no-valid-slot",
            "No slot is valid",
            broken(THIRD.bytes()) + broken(SECOND.bytes()),
            40,
            reject("meta-no-valid-slot"),
            {"meta": b64(META)},
        ),
        ("log-short", "The log is a byte too short", META, 39, reject("dedup-short"), {"log_length": "40"}),
        ("log-absent", "The log is gone", META, 0, reject("dedup-short"), {"log_length": "40"}),
    ):
        ruling = {"meta-version": ["R-LMDL-6"], "dedup-short": ["R-LMDL-4"]}
        add(
            file,
            f"refused-{name}",
            f"Recovery refuses: {title}",
            why,
            request(meta, log),
            expect,
            also=[f"LMDL-RECOVER-{number}" for number in (1, 2, 3, 4)],
            rulings=ruling.get(expect["reject"]["reason"], []),
            repair=mended,
            tags=["corruption"],
        )


def _exhausted(file: VectorFile) -> None:
    last = Slot(U64, 9, PLAIN, 0)
    before = Slot(U64 - 1, 8, PLAIN, 0)
    last_meta, before_meta = last.bytes() + before.bytes(), Slot(U64 - 2).bytes() + before.bytes()
    add(
        file,
        "epoch-exhausted",
        "The active epoch is 2^64-1",
        "an epoch that wraps around to 0, and so loses to every older one",
        request(last_meta, 0),
        reject("epoch-exhausted"),
        repair={"meta": b64(before_meta)},
        tags=["corruption", "boundary"],
    )
    add(
        file,
        "epoch-last",
        "The active epoch is 2^64-2: one commit is left",
        "the last epoch refused",
        request(before_meta, 0),
        committed(Slot(U64, 40, PLAIN, 2).bytes() + before.bytes(), 0, HASHES, "A", U64),
        tags=["boundary"],
    )
    for name, count, hashes in (("by-one", U32 - 1, HASHES), ("full", U32, [1])):
        full = Slot(3, 30, PLAIN, count).bytes() + bytes(64)
        add(
            file,
            f"count-overflow-{name}",
            f"{count} hashes are committed, {len(hashes)} come",
            "a dedup_count that wraps around, so that the next recovery cuts the log to nothing",
            request(full, count * 8, hashes=hashes),
            reject("dedup-count-overflow"),
            repair={"hashes": []},
            tags=["corruption", "boundary"],
        )
    for name, count, hashes in (("one-left", U32 - 1, [7]), ("none-needed", U32, [])):
        old = Slot(3, 30, PLAIN, count)
        add(
            file,
            f"count-full-{name}",
            f"{count} hashes are committed, {len(hashes)} come",
            "the last dedup_count refused, or the log's length computed in 32 bits",
            request(old.bytes() + bytes(64), count * 8 + 3, hashes=hashes),
            committed(old.bytes() + Slot(4, 40, PLAIN, U32).bytes(), count * 8, hashes, "B", 4),
            tags=["boundary"],
        )


def _foreign_parity(file: VectorFile) -> None:
    why = "the only good commit overwritten in place: a cut within the write would lose both"
    even, odd = Slot(8, 80, PLAIN, 0), Slot(9, 90, PLAIN, 0)
    for name, title, meta, at in (
        ("even-in-a", "Slot A is active with an even epoch", even.bytes() + bytes(64), "A"),
        ("odd-in-b", "Slot B is active with an odd epoch", bytes(64) + odd.bytes(), "B"),
        ("even-in-a-of-two", "Slot A is active with an even epoch, B valid", even.bytes() + Slot(7).bytes(), "A"),
        ("odd-in-b-of-two", "Slot B is active with an odd epoch, A valid", even.bytes() + odd.bytes(), "B"),
        ("equal-even", "Both epochs are 8, so slot A is active", even.bytes() + even.bytes(), "A"),
        ("epoch-0", "Slot A is active with epoch 0", Slot(0).bytes() + bytes(64), "A"),
    ):
        add(
            file,
            f"foreign-parity-{name}",
            f"{title}: the next commit's slot is the active one",
            why,
            request(meta, 0),
            reject("commit-would-overwrite-active", f"slot/{at}"),
            rulings=["R-LMDL-5", *(["R-LMDL-2"] if name == "equal-even" else [])],
            repair={"meta": b64(META), "log_length": "40"},
            tags=["corruption"],
        )
    add(
        file,
        "foreign-parity-passive",
        "Slot B, not active, has an odd epoch",
        "a parity judged where it does no harm",
        request(THIRD.bytes() + Slot(1).bytes()),
        fourth(HASHES),
        rulings=["R-LMDL-3", "R-LMDL-5"],
    )


def _out_of_range(file: VectorFile) -> None:
    why = "a value cut to its width, which would come back as another one"
    for label, value in outside(64).items():
        for name, at, asked, mended in (
            ("batch-id", "batch_id", request(batch=value), {"batch_id": "40"}),
            ("first-hash", "hashes/0", request(hashes=[value, 1, 2]), {"hashes": ["1", "2", "3"]}),
            ("last-hash", "hashes/2", request(hashes=[0, U64, value]), {"hashes": ["1", "2", "3"]}),
        ):
            add(
                file,
                f"range-{name}-{label}",
                f"{at} is {value}, outside its width",
                why,
                asked,
                reject("field-out-of-range", at),
                repair=mended,
                tags=["corruption", "boundary"],
            )
    for field, width in COORDINATE.items():
        for label, value in outside(width).items():
            add(
                file,
                f"range-{field}-{label}".replace("_", "-"),
                f"coordinate.{field} is {value}, outside its width",
                why,
                request(fields={**PLAIN, field: value}),
                reject("field-out-of-range", f"coordinate/{field}"),
                repair={"coordinate": coordinate_json(PLAIN)},
                also=["LMDL-COORDINATE"],
                tags=["corruption", "boundary"],
            )
