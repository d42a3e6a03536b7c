"""Sweeps of recovery over chains of commits: every way in which the write of a slot tears, every length of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.formats.lmdl.cases.edge_sweeps import SLOT_FIELDS
from conformance.formats.lmdl.cases.recover_sweeps import FIRST, FOURTH, SECOND, THIRD
from conformance.formats.lmdl.model import commit, recover
from conformance.formats.lmdl.model_bytes import FRESH, PLAIN, U32, U64, ZERO, Slot, coordinate_json
from conformance.vectorgen.sweep_tables import add_sweep, whole
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet

RULES = ["LMDL-RECOVER-1", "LMDL-RECOVER-2", "LMDL-RECOVER-3", "LMDL-RECOVER-4"]
RULINGS = ["R-LMDL-1", "R-LMDL-2", "R-LMDL-4", "R-LMDL-6"]

META_FIELDS = [[at + start, width] for start in (0, 64) for at, width in SLOT_FIELDS]


@dataclass(frozen=True)
class Chain:
    """A ``.meta`` that commits have led to, and the write of the next one, which may tear.

    ``golden`` is the file's name, ``active`` the slot that holds the last commit ``old``; ``new`` goes to the other.
    """

    golden: str
    title: str
    meta: bytes
    active: str
    old: Slot
    new: Slot

    @property
    def base(self) -> str:
        """The golden file's path below ``vectors/``."""
        return f"lmdl/golden/{self.golden}.bin"

    @property
    def at(self) -> int:
        """Where the next commit is written."""
        return 64 if self.active == "A" else 0


def _slot(epoch: int, dedup_count: int) -> Slot:
    return Slot(epoch, epoch * 10, {**PLAIN, "shard_id": epoch}, dedup_count)


def _pair(old: Slot, older: bytes, active: str) -> bytes:
    return old.bytes() + older if active == "A" else older + old.bytes()


def _torn(new: Slot, over: bytes) -> bytes:
    return new.bytes()[:32] + over[32:]


_IDLE = Slot(6, 60, PLAIN, 4)
_WIDE = Slot(2**32 - 1, 2**32 - 1, {**PLAIN, "byte_offset": 2**32 - 1}, 6)

CHAINS = (
    Chain(
        "meta-first-commit",
        "the second commit, into the slot never written",
        _pair(FIRST, bytes(64), "A"),
        "A",
        FIRST,
        _slot(2, 3),
    ),
    Chain(
        "meta-a-newer",
        "the fourth commit, over the second",
        _pair(THIRD, SECOND.bytes(), "A"),
        "A",
        THIRD,
        FOURTH,
    ),
    Chain(
        "meta-b-newer",
        "the fifth commit, over the third",
        _pair(FOURTH, THIRD.bytes(), "B"),
        "B",
        FOURTH,
        _slot(5, 9),
    ),
    Chain(
        "meta-torn-b",
        "the fourth commit once more, over its own torn first half",
        _pair(_slot(3, 5), _torn(_slot(4, 7), _slot(2, 3).bytes()), "A"),
        "A",
        _slot(3, 5),
        _slot(4, 8),
    ),
    Chain(
        "meta-idle",
        "a commit that changes nothing but the epoch",
        _pair(_IDLE, Slot(5, 60, PLAIN, 4).bytes(), "B"),
        "B",
        _IDLE,
        Slot(7, 60, PLAIN, 4),
    ),
    Chain(
        "meta-carries",
        "a commit whose epoch, batch and offset carry into their upper halves",
        _pair(_WIDE, Slot(2**32 - 2, 2**32 - 2, PLAIN, 5).bytes(), "A"),
        "A",
        _WIDE,
        Slot(2**32, 2**32, {**PLAIN, "byte_offset": 2**32}, 7),
    ),
    Chain(
        "meta-sign-bit",
        "a commit whose epoch is the first with its highest bit set",
        _pair(Slot(2**63 - 1, 1, ZERO, 0), Slot(2**63 - 2, 0, ZERO, 0).bytes(), "A"),
        "A",
        Slot(2**63 - 1, 1, ZERO, 0),
        Slot(2**63, 2, ZERO, 1),
    ),
    Chain(
        "meta-last-epoch",
        "the last commit that there can be",
        _pair(Slot(U64 - 1, U64 - 1, PLAIN, 1), Slot(U64 - 2, U64 - 2, PLAIN, 1).bytes(), "B"),
        "B",
        Slot(U64 - 1, U64 - 1, PLAIN, 1),
        Slot(U64, U64, dict.fromkeys(PLAIN, U32), 2),
    ),
    Chain(
        "meta-ones",
        "a commit over a slot of bytes FF",
        _pair(_slot(8, 3), b"\xff" * 64, "B"),
        "B",
        _slot(8, 3),
        _slot(9, 6),
    ),
)

KEPT = ("meta-first-commit", "meta-a-newer", "meta-b-newer")
"""The golden files that ``lmdl_recover_sweeps`` keeps, with their flips and cuts."""

TEARS = (
    ("torn-writes", "prefixes", "torn after every byte"),
    ("torn-suffixes", "suffixes", "torn before every byte"),
    ("torn-words", "words", "any of its eight words written"),
)
"""Kind → word in the id, words in the title."""


def build(vectors: VectorSet) -> None:
    """Write the sweeps of every chain, and those of a ``.meta`` of zero bytes."""
    for chain in CHAINS:
        if chain.golden not in KEPT:
            vectors.golden(chain.base, chain.meta)
        file = vectors.file(f"chain-{chain.golden}", operation="lmdl.recover", title=f"Recovery after {chain.title}")
        _tears(file, chain)
        _logs(file, chain)
        _changes(file, chain)
    vectors.golden("lmdl/golden/meta-fresh.bin", FRESH)
    _fresh(
        vectors.file("chain-meta-fresh", operation="lmdl.recover", title="Recovery of a changed .meta of zero bytes")
    )
    _committed(vectors.file("chain-commits", operation="lmdl.commit", title="The commit after a write that was torn"))


def _tears(file: VectorFile, chain: Chain) -> None:
    """Every tear beside a log as the commit before left it, one byte short, as the new commit needs it, and longer."""
    old, new = chain.old.dedup_count * 8, chain.new.dedup_count * 8
    for log in sorted({old, max(old, new - 1), new, new + 9}):
        for kind, label, words in TEARS:
            _sweep(
                file,
                chain,
                f"{label}-log-{log}",
                f"The write of {chain.title}, {words}, beside a log of {log} bytes",
                "a half-written slot taken, or a crash within a commit losing the commit before it",
                kind,
                {"write": {"at": chain.at, "set": chain.new.bytes().hex()}},
                log,
            )


def _logs(file: VectorFile, chain: Chain) -> None:
    """Every length of the log, from none to behind what the next commit needs."""
    last = chain.new.dedup_count * 8 + 9
    short = chain.old.dedup_count * 8
    after = recover(last)(chain.meta)
    table: list[Data] = [{"log_lengths": [0, short], "reject": {"reason": "dedup-short"}}] if short else []
    file.sweep(
        f"lmdl/recover/{chain.golden}-log-lengths",
        title=f"Before {chain.title}: every length of the log from 0 to {last}",
        why="a log that is too short filled up, or what was appended after the last commit kept",
        rules=RULES,
        rulings=RULINGS,
        base=chain.base,
        into="meta",
        kind="log-lengths",
        how={"last": last},
        table=[*table, {"log_lengths": [short, last + 1], **after}],
    )


def _changes(file: VectorFile, chain: Chain) -> None:
    """Flips, cuts, deletions and fields at their limits, bare and with either slot's CRC recomputed."""
    log = chain.new.dedup_count * 8 + 5
    taken = "a damaged slot taken, or its intact partner passed over"
    size = "a .meta of another length read as two slots, or as fresh"
    if chain.golden not in KEPT:
        _sweep(file, chain, "flips", f"Before {chain.title}: every bit flip", taken, "bit-flips", {}, log)
        _sweep(file, chain, "truncations", f"Before {chain.title}: every shorter length", size, "truncations", {}, log)
    _sweep(file, chain, "deletions", f"Before {chain.title}: each byte taken out", size, "deletions", {}, log)
    places = [0, *(at + start for start in (0, 64) for at in (4, 8, 60, 64))]
    how: Data = {"places": places, "values": ["00-01", "4c", "ff"]}
    _sweep(file, chain, "insertions", f"Before {chain.title}: one byte more at an edge", size, "insertions", how, log)
    for seal in (None, "slot/A", "slot/B"):
        label = f"resealed-{seal[-1].lower()}-" if seal else ""
        words = f", the CRC of slot {seal[-1]} recomputed" if seal else ""
        title = f"Before {chain.title}: each field at its limits and beside its value{words}"
        how = {"fields": META_FIELDS}
        _sweep(file, chain, f"{label}fields", title, taken, "field-values", how, log, seal)
        if seal:
            span = [0, 64] if seal == "slot/A" else [64, 128]
            title = f"Before {chain.title}: every bit flip of slot {seal[-1]}{words}"
            _sweep(file, chain, f"{label}flips", title, taken, "bit-flips", {"within": span}, log, seal)


def _survivor(result: Data) -> Data:
    """Keep of an acceptance which slot is taken, and what is wrong with the other."""
    return _kept(result, ("active", "slots"))


def _commit(result: Data) -> Data:
    """Keep of an acceptance which commit it is, and what is wrong with the other slot."""
    return _kept(result, ("active", "slots", "epoch", "committed_batch_id", "dedup_count", "log_length"))


def _kept(result: Data, members: Sequence[str]) -> Data:
    return {"ok": {name: result["ok"][name] for name in members}} if "ok" in result else result


def _fresh(file: VectorFile) -> None:
    chain = Chain("meta-fresh", "the first commit", FRESH, "B", Slot(0), _slot(1, 1))
    why = "any .meta without a valid slot taken as fresh"
    _sweep(file, chain, "flips", "Every bit flip of 128 zero bytes", why, "bit-flips", {}, 16)
    _sweep(file, chain, "truncations", "Fewer than 128 zero bytes", why, "truncations", {}, 16)
    _sweep(file, chain, "deletions", "127 zero bytes", why, "deletions", {}, 16)
    how: Data = {"places": [0, 64, 128], "values": ["00-ff"]}
    _sweep(file, chain, "insertions", "128 zero bytes and one more", why, "insertions", how, 16)
    _logs(file, chain)


def _committed(file: VectorFile) -> None:
    """A commit after a torn one: it takes the slot that was torn, and the other keeps every byte."""
    batch, fields, hashes = 77, {**PLAIN, "page_idx": 7}, [U64, 0, 2**63]
    for chain in CHAINS:
        log = chain.new.dedup_count * 8
        write = {"at": chain.at, "set": chain.new.bytes().hex()}
        add_sweep(
            file,
            f"lmdl/commit/{chain.golden}-words",
            title=f"A commit after {chain.title}, of which any of its eight words was written",
            why="the slot of the last good commit overwritten, or the torn bytes of the other one built upon",
            rules=["LMDL-COMMIT"],
            rulings=["R-LMDL-3", "R-LMDL-5"],
            base=chain.base,
            data=chain.meta,
            kind="torn-words",
            how={"write": write},
            into="meta",
            input={
                "log_length": str(log),
                "batch_id": str(batch),
                "coordinate": coordinate_json(fields),
                "hashes": [str(value) for value in hashes],
            },
            model=commit(log, batch, fields, hashes),
            keep=whole,
        )


def _sweep(  # noqa: PLR0913, PLR0917 - the parts of a sweep
    file: VectorFile,
    chain: Chain,
    name: str,
    title: str,
    why: str,
    kind: str,
    how: Data,
    log: int,
    seal: str | None = None,
) -> None:
    add_sweep(
        file,
        f"lmdl/recover/{chain.golden}-{name}",
        title=title,
        why=why,
        rules=RULES,
        rulings=RULINGS,
        base=chain.base,
        data=chain.meta,
        kind=kind,
        how=how,
        into="meta",
        input={"log_length": str(log)},
        reseal=seal,
        model=recover(log),
        keep=_commit if kind.startswith("torn-") else _survivor,
    )
