"""Sweeps of recovery: every bit flip and truncation of a ``.meta``, every prefix of a slot's write left by a cut."""

from __future__ import annotations

from conformance.formats.lmdl.model_bytes import FRESH_STATE, PLAIN, Slot, recovered
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, ok, reject

RULES = ["LMDL-RECOVER-1", "LMDL-RECOVER-3", "LMDL-RECOVER-4"]

SECOND = Slot(2, 20, {**PLAIN, "shard_id": 2}, 3)
THIRD = Slot(3, 30, {**PLAIN, "shard_id": 3}, 5)
FOURTH = Slot(4, 40, {**PLAIN, "shard_id": 4}, 8)
FIRST = Slot(1, 10, {**PLAIN, "shard_id": 1}, 2)


def build(vectors: VectorSet) -> None:
    """Write the sweeps of ``lmdl.recover``."""
    file = vectors.file("recover-sweeps", operation="lmdl.recover", title="Recovery after flips, cuts and torn writes")
    base = vectors.golden("lmdl/golden/meta-a-newer.bin", THIRD.bytes() + SECOND.bytes())
    _flips(file, "a-newer", base, "A", THIRD, SECOND)
    _truncations(file, "a-newer", base)
    base = vectors.golden("lmdl/golden/meta-b-newer.bin", THIRD.bytes() + FOURTH.bytes())
    _flips(file, "b-newer", base, "B", FOURTH, THIRD)
    _truncations(file, "b-newer", base)
    base = vectors.golden("lmdl/golden/meta-first-commit.bin", FIRST.bytes() + bytes(64))
    _first_commit(file, base)
    _truncations(file, "first-commit", base)
    _torn(file)


def _flips(  # noqa: PLR0913, PLR0917 - the parts of a sweep
    file: VectorFile, name: str, base: str, active: str, newer: Slot, older: Slot
) -> None:
    """Both slots valid: a flip in the active one falls back to the other; in the other it only shows in its verdict."""
    table: list[Data] = []
    for letter, start in (("A", 0), ("B", 64)):
        for first, end, verdict in ((0, 4, "slot-magic"), (4, 8, "slot-version"), (8, 64, "slot-crc")):
            verdicts = {"a": verdict} if letter == "A" else {"b": verdict}
            survivor, slot = ("B" if active == "A" else "A", older) if letter == active else (active, newer)
            table.append({"bytes": [start + first, start + end], **ok(**recovered(survivor, slot, **verdicts))})
    file.sweep(
        f"lmdl/recover/flips-{name}",
        title=f"Every bit flip of a .meta whose slot {active} is active",
        why="a damaged slot taken, or its intact partner passed over",
        rules=RULES,
        base=base,
        into="meta",
        input={"log_length": str(newer.dedup_count * 8 + 5)},
        kind="bit-flips",
        table=table,
    )


def _first_commit(file: VectorFile, base: str) -> None:
    alive = ok(**recovered("A", FIRST, b="slot-magic"))
    file.sweep(
        "lmdl/recover/flips-first-commit",
        title="Every bit flip of a .meta with one commit",
        why="a .meta without a valid slot taken as fresh, or a never written slot taken as one",
        rules=RULES,
        base=base,
        into="meta",
        input={"log_length": "16"},
        kind="bit-flips",
        table=[{"bytes": [0, 64], **reject("meta-no-valid-slot")}, {"bytes": [64, 128], **alive}],
    )


def _truncations(file: VectorFile, name: str, base: str) -> None:
    file.sweep(
        f"lmdl/recover/truncations-{name}",
        title="Every shorter .meta is refused, but for the empty one, which is fresh",
        why="a .meta cut short read as one slot, or as fresh",
        rules=RULES,
        rulings=["R-LMDL-1"],
        base=base,
        into="meta",
        input={"log_length": "64"},
        kind="truncations",
        table=[{"lengths": [0, 1], **ok(**FRESH_STATE)}, {"lengths": [1, 128], **reject("meta-size")}],
    )


def _torn(file: VectorFile) -> None:
    """What survives when only the first bytes of the 64 have reached the file; the log holds the new hashes already."""
    _torn_write(
        file,
        "over-older-b",
        "The fourth commit's write over the second, in slot B",
        "lmdl/golden/meta-a-newer.bin",
        (64, FOURTH),
        # Magic and version are the same bytes as before: nothing has changed until the epoch's first byte.
        [
            {"prefixes": [0, 9], **ok(**recovered("A", THIRD))},
            {"prefixes": [9, 64], **ok(**recovered("A", THIRD, b="slot-crc"))},
            {"prefixes": [64, 65], **ok(**recovered("B", FOURTH))},
        ],
    )
    fifth = Slot(5, 50, {**PLAIN, "shard_id": 5}, 9)
    _torn_write(
        file,
        "over-older-a",
        "The fifth commit's write over the third, in slot A",
        "lmdl/golden/meta-b-newer.bin",
        (0, fifth),
        [
            {"prefixes": [0, 9], **ok(**recovered("B", FOURTH))},
            {"prefixes": [9, 64], **ok(**recovered("B", FOURTH, a="slot-crc"))},
            {"prefixes": [64, 65], **ok(**recovered("A", fifth))},
        ],
    )
    _torn_write(
        file,
        "over-zeros",
        "The second commit's write into the slot B never written",
        "lmdl/golden/meta-first-commit.bin",
        (64, SECOND),
        # The version's first byte, the fifth of the slot, is its only one that is not zero.
        [
            {"prefixes": [0, 4], **ok(**recovered("A", FIRST, b="slot-magic"))},
            {"prefixes": [4, 5], **ok(**recovered("A", FIRST, b="slot-version"))},
            {"prefixes": [5, 64], **ok(**recovered("A", FIRST, b="slot-crc"))},
            {"prefixes": [64, 65], **ok(**recovered("B", SECOND))},
        ],
    )


def _torn_write(  # noqa: PLR0913, PLR0917 - the parts of a sweep
    file: VectorFile, name: str, title: str, base: str, write: tuple[int, Slot], table: list[Data]
) -> None:
    at, slot = write
    file.sweep(
        f"lmdl/recover/torn-{name}",
        title=f"{title}, torn after every byte",
        why="a half-written slot taken, or a crash within a commit losing the commit before it",
        rules=RULES,
        base=base,
        into="meta",
        input={"log_length": str(slot.dedup_count * 8)},
        kind="torn-writes",
        how={"write": {"at": at, "set": slot.bytes().hex()}},
        table=table,
    )
