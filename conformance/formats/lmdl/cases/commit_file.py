"""Cases of ``lmdl.commit_file`` that commit: the files that stand afterwards, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conformance.formats.lmdl.cases.on_disk import (
    COMMITTED,
    DIR,
    FIFO,
    FRESH_FORMS,
    GOOD_PATHS,
    META,
    NEIGHBOURS,
    NEW,
    SECOND,
    TEBIBYTE,
    THIRD,
    add,
    batch,
    committed,
    file,
    fourth,
    link,
    log,
    sparse,
    stream,
)
from conformance.formats.lmdl.model_bytes import COORDINATE, PLAIN, U32, U64, Slot, broken
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet

B_4 = committed("B", 4)
"""What a commit on ``META`` answers."""


def build(vectors: VectorSet) -> None:
    """Write the accepted cases of ``lmdl.commit_file``."""
    cases = vectors.file("commit-file", operation="lmdl.commit_file", title="Commits to real files")
    _first(cases)
    _chain(cases)
    _slots(cases)
    _logs(cases)
    _limits(cases)
    _leftovers(cases)
    _paths(cases)


def _fourth_case(  # noqa: PLR0913, PLR0917 - what differs from case to case
    cases: VectorFile,
    name: str,
    title: str,
    why: str,
    hashes: Sequence[int] = NEW,
    number: int = 40,
    fields: Mapping[str, int] = PLAIN,
) -> None:
    """Add a commit on ``META`` with its two hashes."""
    after = stream(fourth(hashes, number, fields), log([*COMMITTED, *hashes]))
    asked = batch(hashes, number, fields)
    add(cases, name, title, why, stream(), B_4, after=after, asked=asked, also=["LMDL-COMMIT"], tags=["boundary"])


def _first(cases: VectorFile) -> None:
    """From fresh; a commit without hashes creates no log."""
    for name, words, meta in FRESH_FORMS:
        for log_name, what, left in (
            ("absent", "no log", None),
            ("empty", "an empty log", b""),
            ("ragged", "a ragged log left over", log(COMMITTED)[:13]),
        ):
            for hashes in ((), NEW):
                created = left is not None or bool(hashes)
                new = Slot(1, 10, PLAIN, len(hashes)).bytes() + bytes(64)
                add(
                    cases,
                    f"first-{name}-log-{log_name}-hashes-{len(hashes)}",
                    f"The first commit, of {len(hashes)} hashes: .meta is {words}; {what}",
                    "the first .meta not whole, its temporary name left, a log created for nothing, or old bytes kept",
                    stream(meta, left),
                    committed("A", 1),
                    after=stream(new, log(hashes) if created else None),
                    asked=batch(hashes, 10),
                    also=["LMDL-COMMIT", "LMDL-RECOVER-1"],
                    rulings=["R-LMDL-1"],
                    tags=["golden"],
                )


def _chain(cases: VectorFile) -> None:
    """Ten commits, each on the files that the one before left; after every third a crash has left a rest in the log."""
    meta: bytes | None = None
    hashes: list[int] = []
    has_log = False
    for epoch in range(1, 11):
        new = [epoch * 0x0101010101010101 + i for i in range((epoch + 2) % 4)]
        fields = {**PLAIN, "shard_id": epoch, "global_row_idx": epoch * 1000}
        slot = Slot(epoch, 100 + epoch, fields, len(hashes) + len(new)).bytes()
        slot_a, slot_b = (meta or bytes(128))[:64], (meta or bytes(128))[64:]
        after = slot + slot_b if epoch % 2 else slot_a + slot
        rest = b"crash" if epoch % 3 == 1 and has_log else b""
        before = stream(meta, log(hashes, rest) if has_log else None)
        has_log = has_log or bool(new)
        hashes = [*hashes, *new]
        add(
            cases,
            f"chain-{epoch:02}",
            f"Commit {epoch} of ten, of {len(new)} hashes" + (", after a crash" if rest else ""),
            "slots not taken in turn, the other slot touched, or hashes not appended to those before",
            before,
            committed("A" if epoch % 2 else "B", epoch),
            after=stream(after, log(hashes) if has_log else None),
            asked=batch(new, 100 + epoch, fields),
            also=["LMDL-COMMIT", "LMDL-RECOVER-3", "LMDL-RECOVER-4"],
            tags=["golden"],
        )
        meta = after


def _slots(cases: VectorFile) -> None:
    why = "bytes outside the 64 of the slot touched, or a torn slot mended besides"
    third, second = THIRD.bytes(), SECOND.bytes()
    for name, title, other in (
        ("torn", "torn", broken(second)),
        ("zero", "never written", bytes(64)),
        ("foreign", "of foreign bytes", bytes(range(64))),
        ("version", "torn while a later version wrote it", broken(SECOND.bytes(version=2))),
    ):
        before, after = stream(third + other), stream(fourth(), log([*COMMITTED, *NEW]))
        line = f"Slot B, which is {title}, is written over"
        add(cases, f"over-{name}-b", line, why, before, B_4, after=after, asked=batch(), also=["LMDL-COMMIT"])
    new = Slot(3, 50, PLAIN, 1 + len(NEW)).bytes()
    for name, words, rest in (("torn", "its hash was written", b""), ("torn-log", "its hash and more was", b"rest")):
        add(
            cases,
            f"over-{name}-a",
            f"Slot A was torn after {words}: it is written over, and the hash given up",
            why,
            stream(broken(third) + second, log(COMMITTED, rest)),
            committed("A", 3),
            after=stream(new + second, log([COMMITTED[0], *NEW])),
            asked=batch(number=50),
            also=["LMDL-COMMIT"],
        )
    twin = Slot(3, 31, PLAIN, 1).bytes()
    after = stream(fourth(), log([*COMMITTED, *NEW]))
    title = "Both slots have epoch 3: slot A counts, slot B is written"
    why = "of two equal epochs the second one continued"
    add(cases, "epochs-equal", title, why, stream(third + twin), B_4, after=after, asked=batch(),
        also=["LMDL-COMMIT"], rulings=["R-LMDL-2"])  # fmt: skip
    _epochs(cases)


def _epochs(cases: VectorFile) -> None:
    for name, active, other in (
        ("2-53-minus-1", Slot(2**53 - 1, 9), bytes(64)),
        ("2-53", Slot(2**53, 9), bytes(64)),
        ("2-53-plus-1", Slot(2**53 + 1, 9), bytes(64)),
        ("2-63-plus-1", Slot(2**63 + 1, 9), Slot(2**63 - 2).bytes()),
        ("next-to-last", Slot(U64 - 1, 9), Slot(U64 - 2).bytes()),
    ):
        in_a = active.epoch % 2 == 1
        new = Slot(active.epoch + 1, 40, PLAIN, len(NEW)).bytes()
        before = active.bytes() + other if in_a else other + active.bytes()
        after = active.bytes() + new if in_a else new + active.bytes()
        add(
            cases,
            f"epoch-{name}",
            f"The active epoch is {active.epoch}",
            "an epoch held signed, or raised in floating point: beyond 2^53 it stays as it is, and so does its parity",
            stream(before, None),
            committed("B" if in_a else "A", active.epoch + 1),
            after=stream(after, log(NEW)),
            asked=batch(),
            also=["LMDL-COMMIT"],
            rulings=["R-LMDL-2"],
            tags=["boundary"],
        )


def _logs(cases: VectorFile) -> None:
    why = "the rest of a commit that failed kept in front of the new hashes, or new ones written behind it"
    for extra in (1, 7, 8, 20, 24, 100):
        before = stream(hashes=log(COMMITTED, b"\xa5" * extra))
        for hashes in ((), NEW):
            add(
                cases,
                f"log-longer-{extra:03}-hashes-{len(hashes)}",
                f"The log is {extra} bytes longer than the committed hashes; {len(hashes)} come",
                why,
                before,
                B_4,
                after=stream(fourth(hashes), log([*COMMITTED, *hashes])),
                asked=batch(hashes),
                also=["LMDL-COMMIT", "LMDL-RECOVER-4"],
            )
    third = Slot(3, 30, PLAIN, 0).bytes()
    for name, title, left in (("absent", "there is no log", None), ("empty", "the log is empty", b"")):
        for hashes in ((), NEW):
            new = third + Slot(4, 40, PLAIN, len(hashes)).bytes()
            created = left is not None or bool(hashes)
            add(
                cases,
                f"log-{name}-hashes-{len(hashes)}",
                f"No hash is committed, and {title}; {len(hashes)} come",
                "a log asked for when nothing is committed, or created when nothing is appended",
                stream(third + SECOND.bytes(), left),
                B_4,
                after=stream(new, log(hashes) if created else None),
                asked=batch(hashes),
                also=["LMDL-COMMIT"],
            )
    _large_logs(cases)


def _large_logs(cases: VectorFile) -> None:
    """Logs that are one hole: their hashes are zeros."""
    add(
        cases,
        "log-larger-than-memory",
        "The log is a tebibyte long, two hashes of it committed",
        "the log read before it is cut",
        stream(hashes=sparse(TEBIBYTE)),
        B_4,
        after=stream(fourth(), log([0, 0, *NEW])),
        asked=batch(),
        also=["LMDL-COMMIT", "LMDL-RECOVER-4"],
    )
    for name, count, rest in (("2-29", 2**29, 3), ("2-29-equal", 2**29, 0), ("max", U32, 5)):
        old, new = Slot(3, 30, PLAIN, count).bytes(), Slot(4, 40, PLAIN, count).bytes()
        add(
            cases,
            f"log-count-{name}",
            f"{count} hashes are committed, the log {rest} bytes longer; none come",
            "the log's length computed in 32 bits, so that nearly all of it is cut; or committed hashes read",
            stream(old + bytes(64), sparse(count * 8 + rest)),
            B_4,
            after=stream(old + new, sparse(count * 8)),
            asked=batch(()),
            also=["LMDL-COMMIT", "LMDL-RECOVER-4"],
            tags=["boundary"],
        )


def _limits(cases: VectorFile) -> None:
    many = [n * 0x9E3779B97F4A7C15 & U64 for n in range(1500)]
    for name, title, hashes in (
        ("none", "no hashes", ()),
        ("one", "one hash", NEW[:1]),
        ("limits", "hashes at the limits of 64 bits", (0, 1, 2**53 - 1, 2**53, 2**53 + 1, 2**63, U64)),
        ("order", "hashes in no order, one of them twice", (9, 3, 9, 7)),
        ("many", "1500 hashes, more than a buffer holds", many),
    ):
        why = "hashes sorted, made unique, byte-swapped, rounded to a floating-point number, or written in part"
        _fourth_case(cases, f"hashes-{name}", f"A commit with {title}", why, hashes)
    why = "a field held signed, too narrow, or in a floating-point number"
    for number in (0, 2**53 + 1, U64):
        _fourth_case(cases, f"batch-id-{number}", f"batch_id is {number}", why, number=number)
    highest = {field: 2**width - 1 for field, width in COORDINATE.items()}
    for name, fields in (
        ("zero", dict.fromkeys(COORDINATE, 0)),
        ("max", highest),
        ("2-53-plus-1", {**PLAIN, "byte_offset": 2**53 + 1, "global_row_idx": 2**53 + 1}),
    ):
        title = f"Every field of the coordinate is {name.replace('-', ' ')}"
        _fourth_case(cases, f"coordinate-{name}", title, why, fields=fields)


def _leftovers(cases: VectorFile) -> None:
    kept: dict[str, Data] = {"run/elsewhere": file(b"kept"), "outside": file(b"kept too")}
    first = stream(Slot(1, 40, PLAIN, len(NEW)).bytes() + bytes(64), log(NEW))
    whole = file(Slot(1, 1).bytes() + bytes(64))
    for name, title, entry in (
        ("whole", "a whole .meta that was never renamed", whole),
        ("torn", "a torn .meta", file(Slot(1, 1).bytes()[:40])),
        ("long", "a longer file", file(bytes(300))),
        ("empty", "an empty file", file(b"")),
        ("link", "a link to a file beside it", link("elsewhere")),
        ("link-outside", "a link to a file outside", link("../outside")),
        ("dangling", "a link that leads nowhere", link("gone")),
        ("link-directory", "a link to a directory", link("../run")),
        ("fifo", "a FIFO", FIFO),
    ):
        for form, words, meta in FRESH_FORMS if name in ("whole", "link") else FRESH_FORMS[:1]:
            add(
                cases,
                f"leftover-{name}-{form}",
                f"The first commit; .meta is {words}, and under the temporary name stands {title}",
                "a leftover followed, so that another file is destroyed; kept in part; or in the way for ever",
                kept | stream(meta, None) | {"run/s.meta.tmp": entry},
                committed("A", 1),
                after=kept | first,
                asked=batch(),
                rulings=["R-LMDL-1"],
            )
    for name, entry in (("file", whole), ("link", link("elsewhere")), ("directory", DIR), ("fifo", FIFO)):
        beside = kept | {"run/s.meta.tmp": entry}
        add(
            cases,
            f"leftover-later-{name}",
            f"A later commit, and a {name} under the temporary name",
            "a name cleared that this commit does not need: only the first one writes a new file",
            beside | stream(),
            B_4,
            after=beside | stream(fourth(), log([*COMMITTED, *NEW])),
            asked=batch(),
        )


def _paths(cases: VectorFile) -> None:
    for name, words, path, plain in GOOD_PATHS:
        links = {"link": link("run")} if path.startswith("link/") else {}
        for when, before, after, expect in (
            (
                "first",
                {plain.rpartition("/")[0]: DIR} if "/" in plain else {},
                stream(Slot(1, 40, PLAIN, len(NEW)).bytes() + bytes(64), log(NEW), plain),
                committed("A", 1),
            ),
            (
                "later",
                stream(hashes=log(COMMITTED, b"cut"), path=plain),
                stream(fourth(), log([*COMMITTED, *NEW]), plain),
                B_4,
            ),
        ):
            add(
                cases,
                f"path-{when}-{name}",
                f"The path {words}; {'the first' if when == 'first' else 'a later'} commit",
                "only the plainest path taken, or log and temporary file put under other names",
                links | before,
                expect,
                after=links | after,
                path=path,
                asked=batch(),
            )
    add(
        cases,
        "neighbours",
        "Other streams and files stand beside it",
        "a file touched that is not the stream's own",
        NEIGHBOURS | stream(META),
        B_4,
        after=NEIGHBOURS | stream(fourth(), log([*COMMITTED, *NEW])),
        asked=batch(),
    )
