"""Sweeps over the golden envelopes: every flipped bit, bare and resealed, and every truncation."""

from __future__ import annotations

from conformance.formats.flysess1.cases.flips import Outcome, bare, one_payload, resealed, table
from conformance.formats.flysess1.cases.goldens import (
    EMPTY_PAYLOADS,
    FOOTER_INSIDE,
    GOLDENS,
    NAMES,
    NO_PAYLOADS,
    ONE_PAYLOAD,
    Golden,
)
from conformance.vectorgen.vector_set import Data, VectorSet, reject

RESEALED = (NO_PAYLOADS, ONE_PAYLOAD, EMPTY_PAYLOADS, NAMES)
"""The goldens whose manifests are plain enough for the builder's own reading of a flipped text."""


def build(vectors: VectorSet) -> None:
    """Add the sweeps: both bare ones over each golden file, resealed flips over the plainer ones."""
    for golden in GOLDENS:
        file = vectors.file(f"sweep-{golden.name}", operation="flysess1.decode", title=f"Sweeps over {golden.path}")
        file.sweep(
            f"flysess1/sweep/{golden.name}-bit-flips",
            title=f"Every single bit flipped in {golden.name}",
            why="takes a file that differs in one bit from a good one, or judges content before the footer",
            rules=["FLY-STEP-1", "FLY-STEP-2"],
            rulings=["R-FLY-2"],
            base=golden.path,
            kind="bit-flips",
            table=table(golden.envelope, bare),
        )
        file.sweep(
            f"flysess1/sweep/{golden.name}-truncations",
            title=f"Every shorter length of {golden.name}",
            why="takes a file that was cut off, or fails on one at an arbitrary payload",
            rules=["FLY-STEP-1", "FLY-STEP-2"],
            base=golden.path,
            kind="truncations",
            table=_truncations(golden),
        )
    for golden in RESEALED:
        file = vectors.file(
            f"resealed-{golden.name}", operation="flysess1.decode", title=f"Resealed flips in {golden.path}"
        )
        file.sweep(
            f"flysess1/sweep/{golden.name}-resealed-bit-flips",
            title=f"Every single bit flipped in {golden.name}, footer recomputed",
            why="leaves the work of some check to the prefix digest",
            rules=[f"FLY-STEP-{step}" for step in range(1, 8)],
            rulings=["R-FLY-2", "R-FLY-4"],
            base=golden.path,
            kind="bit-flips",
            reseal="envelope",
            table=table(golden.envelope, resealed),
        )
    _one_payload(vectors, one_payload)


def _truncations(golden: Golden) -> list[Data]:
    """Below 80 bytes a file is too short; from there on its last bytes are not the footer's magic."""
    size = golden.envelope.size
    rows: list[Data] = [{"lengths": [0, 80], **reject("too-short")}]
    if golden is not FOOTER_INSIDE:
        return [*rows, {"lengths": [80, size], **reject("bad-footer-magic")}]
    # This golden's first payload is that magic: cut right behind it, the length is what is wrong.
    behind = golden.envelope.offsets[0] + 8
    return [
        *rows,
        {"lengths": [80, behind], **reject("bad-footer-magic")},
        {"lengths": [behind, behind + 1], **reject("file-bytes-mismatch")},
        {"lengths": [behind + 1, size], **reject("bad-footer-magic")},
    ]


def _one_payload(vectors: VectorSet, outcome: Outcome) -> None:
    name = ONE_PAYLOAD.envelope.payloads[0][0]
    file = vectors.file("sweep-payload", operation="flysess1.payload", title="Sweeps over one payload's file")
    file.sweep(
        "flysess1/sweep/payload-bit-flips",
        title="Every single bit flipped, and the payload asked for",
        why="judges what this operation leaves alone, or leaves alone what it must judge",
        rules=["FLY-PAYLOAD", "FLY-STEP-1"],
        rulings=["R-FLY-2"],
        base=ONE_PAYLOAD.path,
        kind="bit-flips",
        input={"name": name},
        table=table(ONE_PAYLOAD.envelope, outcome),
    )
    file.sweep(
        "flysess1/sweep/payload-truncations",
        title="Every shorter length, and the payload asked for",
        why="serves a payload from a file that was cut off",
        rules=["FLY-PAYLOAD", "FLY-STEP-1", "FLY-STEP-2"],
        base=ONE_PAYLOAD.path,
        kind="truncations",
        input={"name": name},
        table=_truncations(ONE_PAYLOAD),
    )
