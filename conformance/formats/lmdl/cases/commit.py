"""Cases of a commit: which slot it writes, and what it does to the log."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.formats.lmdl.model_bytes import (
    COORDINATE,
    FRESH,
    PLAIN,
    U64,
    ZERO,
    Slot,
    broken,
    coordinate_json,
    values,
)
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok

RULES = ["LMDL-COMMIT"]
THIRD = Slot(3, 30, {**PLAIN, "shard_id": 3}, 5)
SECOND = Slot(2, 20, {**PLAIN, "shard_id": 2}, 3)
META = THIRD.bytes() + SECOND.bytes()
"""Slot A active with epoch 3 and five hashes: the next commit is epoch 4, in slot B."""

HASHES = [0x1122334455667788, 1]


def build(vectors: VectorSet) -> None:
    """Write the accepted cases of ``lmdl.commit``."""
    file = vectors.file("commit", operation="lmdl.commit", title="A commit on a recovered state")
    _from_fresh(file)
    _chain(file)
    _slots(file)
    _logs(file)
    _limits(file)


def request(
    meta: bytes | None = META,
    log: int = 40,
    batch: int = 40,
    fields: Mapping[str, int] = PLAIN,
    hashes: Sequence[int] = HASHES,
) -> Data:
    """The request's members; by default a commit on ``META`` that every check lets pass."""
    return {
        "meta": None if meta is None else b64(meta),
        "log_length": str(log),
        "batch_id": str(batch),
        "coordinate": coordinate_json(fields),
        "hashes": [str(value) for value in hashes],
    }


def committed(meta: bytes, keep: int, hashes: Sequence[int], slot: str, epoch: int) -> Data:
    """What a commit answers: the whole ``.meta``, the log's kept length and new bytes, the slot and the epoch."""
    return ok(
        meta=b64(meta),
        log_keep=str(keep),
        log_append=b64(struct.pack(f"<{len(hashes)}Q", *hashes)),
        slot=slot,
        epoch=str(epoch),
    )


def add(  # noqa: PLR0913, PLR0917 - the parts of a case
    file: VectorFile, name: str, title: str, why: str, asked: Data, expect: Data, **more: Any
) -> None:
    """Add a case of ``lmdl/commit``; ``also`` are rules besides LMDL-COMMIT."""
    rules = [*RULES, *more.pop("also", ())]
    file.case(f"lmdl/commit/{name}", title=title, why=why, rules=rules, input=asked, expect=expect, **more)


def fourth(hashes: Sequence[int], batch: int = 40, fields: Mapping[str, int] = PLAIN) -> Data:
    """What a commit on ``META`` answers."""
    slot = Slot(4, batch, fields, 5 + len(hashes))
    return committed(THIRD.bytes() + slot.bytes(), 40, hashes, "B", 4)


def _from_fresh(file: VectorFile) -> None:
    for name, title, meta in (("absent", "absent", None), ("empty", "empty", b""), ("zero", "128 zero bytes", FRESH)):
        for log, what in ((0, "no log"), (21, "a ragged log left over")):
            slot = Slot(1, 10, PLAIN, 2)
            add(
                file,
                f"fresh-{name}-log-{log}",
                f"The first commit: .meta is {title}; {what}",
                "the first epoch not 1, slot B not zero, or a log kept that no commit vouches for",
                request(meta, log, 10),
                committed(slot.bytes() + bytes(64), 0, HASHES, "A", 1),
                also=["LMDL-RECOVER-1"],
                rulings=["R-LMDL-1"],
                tags=["golden"],
            )
    add(
        file,
        "fresh-nothing",
        "The first commit, of batch 0 at the very start, without hashes",
        "a commit of nothing but zeros left out",
        request(None, 0, 0, ZERO, []),
        committed(Slot(1).bytes() + bytes(64), 0, [], "A", 1),
        tags=["boundary"],
    )


def _chain(file: VectorFile) -> None:
    """Ten commits in a row, each on what the one before left, with a crash's ragged log after every third."""
    meta, count = FRESH, 0
    for epoch in range(1, 11):
        hashes = [epoch * 0x0101010101010101 + i for i in range(epoch % 4)]
        fields = {**PLAIN, "shard_id": epoch, "global_row_idx": epoch * 1000}
        slot = Slot(epoch, 100 + epoch, fields, count + len(hashes))
        start = 0 if epoch % 2 else 64
        after = meta[:start] + slot.bytes() + meta[start + 64 :]
        torn = 5 if epoch % 3 == 0 else 0
        add(
            file,
            f"chain-{epoch:02}",
            f"Commit {epoch} of ten, each on the one before",
            "slots not taken in turn, the other slot touched, or hashes not counted from the commit before",
            request(meta if epoch > 1 else None, count * 8 + torn, 100 + epoch, fields, hashes),
            committed(after, count * 8, hashes, "A" if start == 0 else "B", epoch),
            tags=["golden"],
        )
        meta, count = after, count + len(hashes)


def _slots(file: VectorFile) -> None:
    why = "another slot written, or bytes outside the 64 touched"
    slot = Slot(4, 40, PLAIN, 7)
    for name, title, other in (
        ("torn", "torn", broken(SECOND.bytes())),
        ("zero", "never written", bytes(64)),
        ("foreign", "of foreign bytes", bytes(range(64))),
        ("version", "torn while a later version wrote it", broken(SECOND.bytes(version=2))),
    ):
        add(
            file,
            f"over-{name}-b",
            f"Slot B, which is {title}, is written over; slot A stays as it is",
            why,
            request(THIRD.bytes() + other),
            committed(THIRD.bytes() + slot.bytes(), 40, HASHES, "B", 4),
        )
    in_b = Slot(4, 40, {**PLAIN, "shard_id": 4}, 2)
    add(
        file,
        "over-torn-a",
        "Slot A, which is torn, is written over; slot B stays as it is",
        why,
        request(broken(THIRD.bytes()) + in_b.bytes(), 16, 50),
        committed(Slot(5, 50, PLAIN, 4).bytes() + in_b.bytes(), 16, HASHES, "A", 5),
    )
    twin = Slot(3, 31, PLAIN, 1)
    add(
        file,
        "equal-epochs",
        "Both slots have epoch 3: slot A counts, slot B is written",
        "of two equal epochs the second one continued",
        request(THIRD.bytes() + twin.bytes()),
        fourth(HASHES),
        rulings=["R-LMDL-2"],
    )
    high = Slot(2**63 + 1, 9, PLAIN, 0)
    add(
        file,
        "epoch-2-63",
        "The active epoch is 2^63+1: its successor is even",
        "an epoch held signed, or its parity taken of a floating-point number",
        request(high.bytes() + Slot(2**63 - 2, 8, PLAIN, 0).bytes(), 0),
        committed(high.bytes() + Slot(2**63 + 2, 40, PLAIN, 2).bytes(), 0, HASHES, "B", 2**63 + 2),
        rulings=["R-LMDL-2"],
        tags=["boundary"],
    )
    for epoch in (2**53 - 1, 2**53, 2**53 + 1):
        active = Slot(epoch, 9, PLAIN, 0)
        new = Slot(epoch + 1, 40, PLAIN, 2).bytes()
        odd = epoch % 2 == 1
        add(
            file,
            f"epoch-{epoch}",
            f"The active epoch is {epoch}",
            "an epoch raised in floating point: beyond 2^53 it stays as it is, and so does its parity",
            request(active.bytes() + bytes(64) if odd else bytes(64) + active.bytes(), 0),
            committed(active.bytes() + new if odd else new + active.bytes(), 0, HASHES, "B" if odd else "A", epoch + 1),
            tags=["boundary"],
        )


def _logs(file: VectorFile) -> None:
    for name, title, log in (
        ("equal", "no byte more than committed", 40),
        ("longer", "three hashes of a commit that failed", 64),
        ("ragged", "a part of a hash of a commit that failed", 43),
        ("longest", "2^64-1 bytes", U64),
    ):
        add(
            file,
            f"log-{name}",
            f"The log has {title}",
            "uncommitted hashes kept in front of the new ones",
            request(log=log),
            fourth(HASHES),
            also=["LMDL-RECOVER-4"],
        )
    for name, title, hashes in (
        ("none", "no hashes", []),
        ("one", "one hash", [0x8877665544332211]),
        ("limits", "hashes at the limits of 64 bits", [0, 1, 2**53 - 1, 2**53, 2**53 + 1, 2**63, U64]),
        ("order", "hashes in no order, one of them twice", [9, 3, 9, 7]),
        ("hundred", "a hundred hashes", [n * 0x9E3779B97F4A7C15 & U64 for n in range(100)]),
    ):
        add(
            file,
            f"hashes-{name}",
            f"A commit with {title}",
            "hashes sorted, made unique, byte-swapped, or rounded to a floating-point number",
            request(hashes=hashes),
            fourth(hashes),
            tags=["boundary"],
        )


def _limits(file: VectorFile) -> None:
    why = "a field held signed, too narrow, or (from 2^53 on) in a floating-point number"
    for label, value in values(64).items():
        add(
            file,
            f"batch-id-{label}",
            f"batch_id is {value}",
            why,
            request(batch=value),
            fourth(HASHES, value),
            tags=["boundary"],
        )
    for field, width in COORDINATE.items():
        for label, value in values(width).items():
            fields = {**PLAIN, field: value}
            add(
                file,
                f"coordinate-{field}-{label}".replace("_", "-"),
                f"coordinate.{field} is {value}",
                why,
                request(fields=fields),
                fourth(HASHES, fields=fields),
                tags=["boundary"],
            )
