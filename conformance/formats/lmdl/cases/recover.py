"""Cases of recovery: which slot is active, what the log is cut to, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.formats.lmdl.model_bytes import FRESH, FRESH_STATE, PLAIN, U32, U64, ZERO, Slot, broken, recovered
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok, reject

FRESH_RULE, VERSION_RULE, CHOICE_RULE, LOG_RULE = (f"LMDL-RECOVER-{number}" for number in (1, 2, 3, 4))

OLD = Slot(6, 60, {**PLAIN, "shard_id": 6}, 3)
NEW = Slot(7, 70, {**PLAIN, "shard_id": 7}, 5)
LOG = 5 * 8
"""The length of a log that holds the hashes of either slot, and no more than the newer one's."""


def build(vectors: VectorSet) -> None:
    """Write the cases of ``lmdl.recover``."""
    file = vectors.file("recover", operation="lmdl.recover", title="Recovery from .meta and the length of the log")
    _fresh(file)
    _sizes(file)
    _validity(file)
    _epochs(file)
    _parity(file)
    _versions(file)
    _logs(file)
    _limits(file)


def _case(  # noqa: PLR0913, PLR0917 - the parts of a case
    file: VectorFile,
    name: str,
    title: str,
    why: str,
    meta: bytes | None,
    expect: Data,
    *,
    log: int = LOG,
    rules: Sequence[str],
    rulings: Sequence[str] = (),
    tags: Sequence[str] = (),
    repair: bytes | None = None,
    repair_log: int | None = None,
) -> None:
    mended: Data = {} if repair is None else {"meta": b64(repair)}
    mended |= {} if repair_log is None else {"log_length": str(repair_log)}
    file.case(
        f"lmdl/recover/{name}",
        title=title,
        why=why,
        rules=rules,
        rulings=rulings,
        tags=tags,
        input={"meta": None if meta is None else b64(meta), "log_length": str(log)},
        repair=mended or None,
        expect=expect,
    )


def _fresh(file: VectorFile) -> None:
    for name, title, meta in (("absent", "absent", None), ("empty", "empty", b""), ("zero", "128 zero bytes", FRESH)):
        for log, what in ((0, "no log"), (LOG, "a log left over"), (13, "a ragged log left over"), (U64, "2^64-1")):
            _case(
                file,
                f"fresh-{name}-log-{log}",
                f".meta is {title}; {what}",
                "a first start refused, or a log kept that no commit vouches for",
                meta,
                ok(**FRESH_STATE),
                log=log,
                rules=[FRESH_RULE],
                rulings=["R-LMDL-1"],
                tags=["boundary"],
            )
    for at in (0, 63, 64, 127):
        meta = FRESH[:at] + b"\x01" + FRESH[at + 1 :]
        _case(
            file,
            f"not-fresh-byte-{at}",
            f".meta is zero but for byte {at}",
            "all-zero judged by a part of the file: what was torn passes for fresh and its log is lost",
            meta,
            reject("meta-no-valid-slot"),
            rules=[FRESH_RULE, CHOICE_RULE],
            rulings=["R-LMDL-1"],
            tags=["corruption"],
            repair=FRESH,
        )


def _sizes(file: VectorFile) -> None:
    whole = NEW.bytes() + OLD.bytes()
    for length in (1, 63, 64, 65, 127, 129, 192, 256):
        meta = (whole + whole)[:length]
        _case(
            file,
            f"size-{length}",
            f".meta is {length} bytes",
            "a length compared only with a minimum, or a half read as one slot",
            meta,
            reject("meta-size"),
            rules=[FRESH_RULE],
            tags=["corruption", "boundary"],
            repair=whole,
        )
    for length in (1, 64, 127, 129, 256):
        _case(
            file,
            f"size-zero-{length}",
            f".meta is {length} zero bytes",
            "zeros of any length taken as fresh",
            bytes(length),
            reject("meta-size"),
            rules=[FRESH_RULE],
            rulings=["R-LMDL-1"],
            tags=["corruption", "boundary"],
            repair=FRESH,
        )


FAULTS: dict[str, tuple[Callable[[Slot], bytes], str, str]] = {
    "zero": (lambda _: bytes(64), "slot-magic", "never written"),
    "magic": (lambda slot: slot.bytes(magic=b"LMDX"), "slot-magic", "with a wrong magic"),
    "version-and-crc": (lambda slot: broken(slot.bytes(version=2)), "slot-version", "with a wrong version and CRC"),
    "crc": (lambda slot: broken(slot.bytes()), "slot-crc", "with a wrong CRC"),
}
"""Name → how a slot is made invalid, the verdict on it, and what it is then."""


def _validity(file: VectorFile) -> None:
    """Both slots valid, either one, or none, for each way of not being valid."""
    why = "a torn slot not passed over, or its intact partner not taken"
    for name, (make, verdict, what) in FAULTS.items():
        for active, (slot, other) in (("newer", (NEW, OLD)), ("older", (OLD, NEW))):
            text = f"holds the {active} commit"
            _case(
                file,
                f"a-{active}-b-{name}",
                f"Slot A {text}, slot B is {what}",
                why,
                slot.bytes() + make(other),
                ok(**recovered("A", slot, b=verdict)),
                rules=[CHOICE_RULE, LOG_RULE],
                tags=["golden"],
            )
            _case(
                file,
                f"a-{name}-b-{active}",
                f"Slot A is {what}, slot B {text}",
                why,
                make(other) + slot.bytes(),
                ok(**recovered("B", slot, a=verdict)),
                rules=[CHOICE_RULE, LOG_RULE],
                tags=["golden"],
            )
        for second, (make_b, _, what_b) in FAULTS.items():
            if name == second == "zero":
                continue  # both never written: that is a fresh .meta
            _case(
                file,
                f"neither-a-{name}-b-{second}",
                f"Slot A is {what}, slot B is {what_b}",
                "a .meta without a valid slot taken as fresh, which would lose every commit silently",
                make(NEW) + make_b(OLD),
                reject("meta-no-valid-slot"),
                rules=[CHOICE_RULE],
                tags=["corruption"],
                repair=NEW.bytes() + make_b(OLD),
            )


def _epochs(file: VectorFile) -> None:
    """Both slots valid, in every order of their epochs; the higher as an unsigned number is active."""
    pairs = {
        "0-1": (0, 1),
        "1-2": (1, 2),
        "255-256": (255, 256),
        "u32": (2**32 - 1, 2**32),
        "low-word": (2**32 + 1, 2**33),
        "2-53-minus-1": (2**53 - 1, 2**53),
        "2-53": (2**53, 2**53 + 1),
        "2-53-plus-1": (2**53 + 1, 2**53 + 2),
        "sign": (2**63 - 1, 2**63),
        "far": (1, U64),
        "last": (U64 - 1, U64),
    }
    why = "epochs compared as signed, as 32-bit, as text, byte by byte in file order, or in floating point"
    for name, (low, high) in pairs.items():
        older, newer = Slot(low, 1, {**PLAIN, "shard_id": 1}, 2), Slot(high, 2, {**PLAIN, "shard_id": 2}, 4)
        for active, meta in (("A", newer.bytes() + older.bytes()), ("B", older.bytes() + newer.bytes())):
            _case(
                file,
                f"epochs-{name}-in-{active.lower()}",
                f"Epochs {low} and {high}, the higher in slot {active}",
                why,
                meta,
                ok(**recovered(active, newer)),
                rules=[CHOICE_RULE],
                rulings=["R-LMDL-2"],
                tags=["boundary"],
            )
    for epoch in (0, 7, 2**53 + 1, U64):
        a, b = Slot(epoch, 1, {**PLAIN, "shard_id": 1}, 2), Slot(epoch, 2, {**PLAIN, "shard_id": 2}, 4)
        _case(
            file,
            f"epochs-equal-{epoch}",
            f"Both epochs are {epoch}, and the slots differ",
            "of two equal epochs the second slot taken, or the one with more hashes",
            a.bytes() + b.bytes(),
            ok(**recovered("A", a)),
            rules=[CHOICE_RULE],
            rulings=["R-LMDL-2"],
            tags=["boundary"],
        )


def _parity(file: VectorFile) -> None:
    why = "an epoch's parity checked by the reader: that is the writer's rule"
    even, odd = Slot(8, 80, PLAIN, 1), Slot(9, 90, PLAIN, 2)
    for name, meta, expect in (
        ("even-in-a", even.bytes() + bytes(64), recovered("A", even, b="slot-magic")),
        ("odd-in-b", bytes(64) + odd.bytes(), recovered("B", odd, a="slot-magic")),
        ("even-in-a-odd-in-b", even.bytes() + odd.bytes(), recovered("B", odd)),
        ("both-odd", Slot(7).bytes() + odd.bytes(), recovered("B", odd)),
        ("both-even", even.bytes() + Slot(6).bytes(), recovered("A", even)),
    ):
        _case(
            file,
            f"foreign-parity-{name}",
            f"Epochs in the slots of the other parity: {name.replace('-', ' ')}",
            why,
            meta,
            ok(**expect),
            rules=[CHOICE_RULE],
            rulings=["R-LMDL-3"],
        )


def _versions(file: VectorFile) -> None:
    why = "a newer program's commit taken for a torn one: falling back loses it, and then overwrites it"
    later, good = NEW.bytes(version=2), OLD.bytes()
    for name, title, meta, at, repair in (
        ("a", "Slot A is of version 2, slot B valid", later + good, "A", NEW.bytes() + good),
        ("b", "Slot B is of version 2, slot A valid", good + later, "B", good + NEW.bytes()),
        (
            "a-older",
            "Slot A is of version 2 and the older one",
            OLD.bytes(version=2) + NEW.bytes(),
            "A",
            OLD.bytes() + NEW.bytes(),
        ),
        ("a-only", "Slot A is of version 2, slot B never written", later + bytes(64), "A", NEW.bytes() + bytes(64)),
        ("b-only", "Slot B is of version 2, slot A torn", broken(good) + later, "B", broken(good) + NEW.bytes()),
        ("zero", "Slot A is of version 0", NEW.bytes(version=0) + good, "A", NEW.bytes() + good),
        ("big-endian", "Slot A's version is 1 in big-endian", NEW.bytes(version=2**24) + good, "A", NEW.bytes() + good),
    ):
        _case(
            file,
            f"version-{name}",
            f"{title}; its CRC is right",
            why,
            meta,
            reject("meta-version", f"slot/{at}"),
            rules=[VERSION_RULE],
            rulings=["R-LMDL-6"],
            tags=["corruption"],
            repair=repair,
        )
    _case(
        file,
        "version-without-magic",
        "Slot A has a wrong magic, version 2 and a right CRC",
        "a slot of another magic taken for a later version's",
        NEW.bytes(magic=b"XMDL", version=2) + good,
        ok(**recovered("B", OLD, a="slot-magic")),
        rules=[VERSION_RULE],
        rulings=["R-LMDL-6"],
    )


def _logs(file: VectorFile) -> None:
    for name, slot, log in (
        ("equal", NEW, LOG),
        ("one-hash-longer", NEW, LOG + 8),
        ("many-longer", NEW, LOG + 8000),
        *((f"ragged-{extra}", NEW, LOG + extra) for extra in range(1, 8)),
        ("ragged-past-a-hash", NEW, LOG + 11),
        ("none-needed", Slot(7, 70, PLAIN, 0), 0),
        ("none-committed", Slot(7, 70, PLAIN, 0), LOG),
        ("none-committed-ragged", Slot(7, 70, PLAIN, 0), 3),
        ("2-53-plus-1", NEW, 2**53 + 1),
        ("longest", NEW, U64),
        ("count-max-equal", Slot(7, 70, PLAIN, U32), U32 * 8),
        ("count-max-longer", Slot(7, 70, PLAIN, U32), U32 * 8 + 1),
        ("count-2-29-equal", Slot(7, 70, PLAIN, 2**29), 2**32),
    ):
        _case(
            file,
            f"log-{name}",
            f"{slot.dedup_count} hashes are committed, the log has {log} bytes",
            "the log cut to whole hashes only, not cut at all, or its length computed in 32 bits",
            slot.bytes() + OLD.bytes(),
            ok(**recovered("A", slot)),
            log=log,
            rules=[LOG_RULE],
            tags=["boundary"],
        )
    for name, slot, log in (
        ("one-byte", NEW, LOG - 1),
        ("one-hash", NEW, LOG - 8),
        ("fits-the-older-slot", NEW, OLD.dedup_count * 8),
        ("absent", NEW, 0),
        ("one-of-one", Slot(7, 70, PLAIN, 1), 7),
        ("count-max", Slot(7, 70, PLAIN, U32), U32 * 8 - 1),
        ("count-2-29", Slot(7, 70, PLAIN, 2**29), 2**32 - 1),
        ("count-2-29-wrapped", Slot(7, 70, PLAIN, 2**29), 0),
        ("count-2-31-wrapped", Slot(7, 70, PLAIN, 2**31), LOG),
    ):
        _case(
            file,
            f"log-short-{name}",
            f"{slot.dedup_count} hashes are committed, the log has {log} bytes",
            "missing hashes made up as zeros, an older slot taken instead, or the product wrapping around at 32 bits",
            slot.bytes() + OLD.bytes(),
            reject("dedup-short"),
            log=log,
            rules=[LOG_RULE],
            rulings=["R-LMDL-4"],
            tags=["corruption", "boundary"],
            repair_log=slot.dedup_count * 8,
        )


def _limits(file: VectorFile) -> None:
    """The fields that recovery passes through, at their limits; the slot's own cases try each of them more closely."""
    for name, slot in (
        ("zero", Slot(0)),
        ("max", Slot(U64, U64, {name: U64 if name in ("byte_offset", "global_row_idx") else U32 for name in ZERO}, 1)),
        ("batch-2-53-plus-1", Slot(3, 2**53 + 1, PLAIN, 1)),
    ):
        _case(
            file,
            f"fields-{name}",
            f"The active slot's fields: {name.replace('-', ' ')}",
            "a value changed on its way from the slot to the answer",
            slot.bytes() + bytes(64),
            ok(**recovered("A", slot, b="slot-magic")),
            rules=[CHOICE_RULE],
            tags=["boundary"],
        )
