"""Cases of ``lmdl.open``: a stream recovered from real files, and the log cut."""

from __future__ import annotations

from conformance.formats.lmdl.cases.on_disk import (
    COMMITTED,
    DIR,
    FIFO,
    FRESH_FORMS,
    FRESH_START,
    GOOD_PATHS,
    META,
    NEIGHBOURS,
    NO_FILE_PATHS,
    OPENED,
    PATH,
    PATHS_TREE,
    SECOND,
    TEBIBYTE,
    THIRD,
    add,
    file,
    link,
    log,
    odd_files,
    refused_by_recovery,
    sparse,
    state,
    stream,
    with_odd,
)
from conformance.formats.lmdl.model_bytes import COORDINATE, PLAIN, U64, ZERO, Slot, broken
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, reject


def build(vectors: VectorSet) -> None:
    """Write the cases of ``lmdl.open``."""
    good = vectors.file("open", operation="lmdl.open", title="Streams opened from real files")
    _fresh(good)
    _slots(good)
    _torn(good)
    _logs(good)
    _beside(good)
    _paths(good)
    bad = vectors.file("open-refused", operation="lmdl.open", title="Streams that are not opened, and left as they are")
    _refused(bad)
    _odd(bad)
    _no_paths(bad)


def _fresh(cases: VectorFile) -> None:
    also = ["LMDL-RECOVER-1"]
    for name, words, meta in FRESH_FORMS:
        for log_name, what, hashes in (
            ("absent", "no log", None),
            ("empty", "an empty log", b""),
            ("whole", "a log of two hashes left over", log(COMMITTED)),
            ("ragged", "a ragged log left over", log(COMMITTED)[:13]),
        ):
            add(
                cases,
                f"fresh-{name}-log-{log_name}",
                f".meta is {words}; {what}",
                "a file created by a start, or a log kept that no commit vouches for",
                stream(meta, hashes),
                FRESH_START,
                after=stream(meta, None if hashes is None else b""),
                also=also,
                rulings=["R-LMDL-1"],
                tags=["boundary"],
            )
    add(
        cases,
        "fresh-large-log",
        "No .meta, and a log larger than memory",
        "a log read before it is cut",
        stream(None, sparse(TEBIBYTE)),
        FRESH_START,
        after=stream(None, b""),
        also=also,
        rulings=["R-LMDL-1"],
    )
    for name, title, path in (
        ("directory", "Not even the directory is there", "gone/s.meta"),
        ("parents", "Neither the directory nor its parent is there", "gone/run/s.meta"),
        ("dangling", "The directory is a link that leads nowhere", "link/s.meta"),
    ):
        add(
            cases,
            f"fresh-missing-{name}",
            title,
            "a directory made by a start, or its absence taken for a failure: nothing was ever committed there",
            {"link": link("nowhere")},
            FRESH_START,
            path=path,
            also=also,
            rulings=["R-LMDL-1"],
        )


def _slots(cases: VectorFile) -> None:
    a, b, hashes = THIRD.bytes(), SECOND.bytes(), log(COMMITTED)
    fourth = Slot(4, 40, {**PLAIN, "shard_id": 4}, 1)
    why = "another slot chosen from a file than from the same bytes in memory"
    for name, title, meta, expect, rulings in (
        ("newer-a", "Slot A has the higher epoch", META, OPENED, ["R-LMDL-2"]),
        ("newer-b", "Slot B has the higher epoch", a + fourth.bytes(), state("B", fourth, COMMITTED[:1]), ["R-LMDL-2"]),
        ("only-a", "Slot B was never written", a + bytes(64), state("A", THIRD, COMMITTED, b="slot-magic"), []),
        ("only-b", "Slot A was lost", bytes(64) + b, state("B", SECOND, COMMITTED[:1], a="slot-magic"), []),
        ("torn-a", "Slot A's CRC is wrong", broken(a) + b, state("B", SECOND, COMMITTED[:1], a="slot-crc"), []),
        ("torn-b", "Slot B's CRC is wrong", a + broken(b), state("A", THIRD, COMMITTED, b="slot-crc"), []),
        (
            "torn-version-b",
            "Slot B was torn while a later version wrote it",
            a + broken(SECOND.bytes(version=2)),
            state("A", THIRD, COMMITTED, b="slot-version"),
            [],
        ),
    ):
        after = stream(meta, log(COMMITTED[: int(expect["ok"]["dedup_count"])]))
        also = ["LMDL-RECOVER-3", "LMDL-RECOVER-4"]
        add(cases, f"slots-{name}", title, why, stream(meta, hashes), expect, after=after, also=also, rulings=rulings)
    _epochs(cases)


def _epochs(cases: VectorFile) -> None:
    """Epochs at the limits, equal, and of foreign parity: a reader takes them all."""
    for name, title, in_a, in_b, active, rulings in (
        ("equal", "Both slots have epoch 7", Slot(7, 1, PLAIN, 1), Slot(7, 2, ZERO, 0), "A", ["R-LMDL-2"]),
        ("2-53", "The epochs are 2^53 and 2^53+1", Slot(2**53), Slot(2**53 + 1, 9, PLAIN, 1), "B", ["R-LMDL-2"]),
        ("sign", "The epochs are 2^63 and 2^63-1", Slot(2**63, 9, PLAIN, 1), Slot(2**63 - 1), "A", ["R-LMDL-2"]),
        ("last", "The epochs are 2^64-1 and 2^64-2", Slot(U64, U64, PLAIN, 1), Slot(U64 - 1), "A", ["R-LMDL-2"]),
        ("even-in-a", "Slot A is active with an even epoch", Slot(8, 9, PLAIN, 1), Slot(7), "A", ["R-LMDL-3"]),
        ("odd-in-b", "Slot B is active with an odd epoch", Slot(8), Slot(9, 9, PLAIN, 1), "B", ["R-LMDL-3"]),
        ("epoch-0", "Slot A is active with epoch 0", Slot(0, 9, PLAIN, 1), Slot(0), "A", ["R-LMDL-2", "R-LMDL-3"]),
    ):
        slot = in_a if active == "A" else in_b
        meta = in_a.bytes() + in_b.bytes()
        add(
            cases,
            f"epochs-{name}",
            title,
            "an epoch held signed or in floating point, or the writer's parity asked of a file that another wrote",
            stream(meta, log(COMMITTED)),
            state(active, slot, COMMITTED[: slot.dedup_count]),
            after=stream(meta, log(COMMITTED[: slot.dedup_count])),
            also=["LMDL-RECOVER-3"],
            rulings=rulings,
            tags=["boundary"],
        )
    for name, fields in (
        ("zero", ZERO),
        ("max", {field: 2**width - 1 for field, width in COORDINATE.items()}),
        ("2-53-plus-1", {**PLAIN, "byte_offset": 2**53 + 1, "global_row_idx": 2**53 + 1}),
    ):
        slot = Slot(5, fields["global_row_idx"], fields, 0)
        add(
            cases,
            f"fields-{name}",
            f"Every field of the active slot is {name.replace('-', ' ')}",
            "a field held signed, too narrow, or in a floating-point number",
            stream(slot.bytes() + bytes(64), None),
            state("A", slot, (), b="slot-magic"),
            also=["LMDL-COORDINATE", "LMDL-SLOT"],
            tags=["boundary"],
        )


def _torn(cases: VectorFile) -> None:
    """What a kill within the 64 bytes leaves, when the log has been written before it."""
    new, hashes = Slot(4, 40, PLAIN, 3).bytes(), log([*COMMITTED, 9])
    for written in (0, 1, 8, 9, 16, 24, 56, 60, 63, 64):
        meta = THIRD.bytes() + new[:written] + SECOND.bytes()[written:]
        if written == 64:
            expect: Data = state("B", Slot(4, 40, PLAIN, 3), [*COMMITTED, 9])
        else:
            # Up to byte 8, magic and version, both slots are the same; from there on the CRC tells.
            expect = state("A", THIRD, COMMITTED, b="valid" if written <= 8 else "slot-crc")
        add(
            cases,
            f"torn-{written:02}",
            f"Of the 64 bytes of the next commit {written} were written, after its log",
            "a half-written slot taken for a commit, or its hashes kept",
            stream(meta, hashes),
            expect,
            after=stream(meta, hashes if written == 64 else log(COMMITTED)),
            also=["LMDL-RECOVER-3", "LMDL-RECOVER-4"],
        )


def _logs(cases: VectorFile) -> None:
    for extra in (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 24):
        add(
            cases,
            f"log-longer-{extra:02}",
            f"The log is {extra} bytes longer than the two committed hashes",
            "the rest of a commit that failed kept, or given as hashes",
            stream(hashes=log(COMMITTED, bytes(range(0xA0, 0xA0 + extra)))),
            OPENED,
            after=stream(),
            also=["LMDL-RECOVER-4"],
        )
    many = [n * 0x9E3779B97F4A7C15 & U64 for n in range(1500)]
    for name, title, hashes, tail in (
        ("none", "No hash is committed; two are left over", (), log(COMMITTED)),
        ("one", "One hash is committed", (0x8877665544332211,), b""),
        ("limits", "Hashes at the limits of 64 bits", (0, 1, 2**53 - 1, 2**53, 2**53 + 1, 2**63, U64), b"x"),
        ("order", "Hashes in no order, one of them twice", (9, 3, 9, 7), b""),
        ("many", "1500 hashes, more than a buffer holds, and a ragged rest", many, b"ragged"),
    ):
        slot = Slot(1, 10, PLAIN, len(hashes))
        meta = slot.bytes() + bytes(64)
        add(
            cases,
            f"hashes-{name}",
            title,
            "hashes sorted, made unique, byte-swapped, rounded to a floating-point number, or lost between two reads",
            stream(meta, log(hashes, tail)),
            state("A", slot, hashes, b="slot-magic"),
            after=stream(meta, log(hashes)),
            also=["LMDL-RECOVER-4"],
            tags=["boundary"],
        )
    slot = Slot(1, 10, PLAIN, 2)
    meta = slot.bytes() + bytes(64)
    add(
        cases,
        "log-larger-than-memory",
        "The log is a tebibyte long, two hashes of it committed",
        "the log read whole before it is cut",
        stream(meta, sparse(TEBIBYTE)),
        state("A", slot, (0, 0), b="slot-magic"),
        after=stream(meta, bytes(16)),
        also=["LMDL-RECOVER-4"],
    )


def _beside(cases: VectorFile) -> None:
    """What stands beside the two files is none of an opening's business."""
    kept = {"run/elsewhere": file(b"kept")}
    for name, title, entry in (
        ("file", "a file", file(bytes(128))),
        ("link", "a link", link("elsewhere")),
        ("dangling", "a link that leads nowhere", link("gone")),
        ("directory", "a directory", DIR),
        ("fifo", "a FIFO", FIFO),
    ):
        for when, standing, expect in (("fresh", stream(None, None), FRESH_START), ("later", stream(), OPENED)):
            add(
                cases,
                f"leftover-{when}-{name}",
                f"Under the temporary name stands {title}",
                "a leftover taken for .meta, removed or followed by a start, which only reads",
                kept | {"run/s.meta.tmp": entry} | standing,
                expect,
            )
    add(
        cases,
        "neighbours",
        "Other streams and files stand beside it",
        "a file touched that is not the stream's own",
        NEIGHBOURS | stream(hashes=log(COMMITTED, b"cut")),
        OPENED,
        after=NEIGHBOURS | stream(),
    )


def _paths(cases: VectorFile) -> None:
    for name, words, asked, plain in GOOD_PATHS:
        links = {"link": link("run")} if asked.startswith("link/") else {}
        add(
            cases,
            f"path-{name}",
            f"The path {words}",
            "only the plainest path taken; or the log's name made otherwise than by .dedup behind the whole name",
            links | stream(hashes=log(COMMITTED, b"cut"), path=plain),
            OPENED,
            after=links | stream(path=plain),
            path=asked,
        )


def _refused(cases: VectorFile) -> None:
    for one in refused_by_recovery():
        add(
            cases,
            f"refused-{one.name}",
            one.title,
            "a log cut before every check has passed, or a broken file mended by a start",
            stream(one.meta, one.log),
            reject(one.reason, one.at),
            also=[one.rule],
            rulings=one.rulings,
            tags=["corruption"],
        )


def _odd(cases: VectorFile) -> None:
    for name, title, step, entry in odd_files():
        add(
            cases,
            f"odd-{name}",
            title,
            "a link followed, a FIFO waited for, or what is no file taken for an absent one: a commit lost",
            with_odd(step, entry),
            reject("commit-io", step),
            tags=["corruption"],
        )
    for name, meta in (("absent", None), ("zero", bytes(128))):
        for kind, entry in (("directory", DIR), ("dangling", link("gone")), ("fifo", FIFO)):
            add(
                cases,
                f"odd-log-{kind}-fresh-{name}",
                f"The log is a {kind}, and .meta {name}",
                "a log not looked at when there is nothing to read from it",
                stream(meta, entry),
                reject("commit-io", "read-log"),
                tags=["corruption"],
            )


def _no_paths(cases: VectorFile) -> None:
    for name, words, path, step in NO_FILE_PATHS:
        add(
            cases,
            f"no-path-{name}",
            f"The path {words}",
            "a path that can be no file's taken for an absent file, and so for a fresh start",
            PATHS_TREE,
            reject("commit-io", step),
            path=path,
            repair={"path": PATH},
            tags=["corruption"],
        )
