"""Cases of ``lmdl.commit_file`` that are refused, and what stands on disk afterwards."""

from __future__ import annotations

from conformance.formats.lmdl.cases.on_disk import (
    COMMITTED,
    DIR,
    FIFO,
    FRESH_FORMS,
    NEW,
    NO_FILE_PATHS,
    PATH,
    PATHS_TREE,
    add,
    batch,
    file,
    link,
    log,
    odd_files,
    refused_by_recovery,
    sparse,
    stream,
    with_odd,
)
from conformance.formats.lmdl.model_bytes import PLAIN, U32, U64, Slot, coordinate_json
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, reject

LONGER = stream(hashes=log(COMMITTED, b"rest"))
"""A good stream whose log is cut by any commit that passes every check."""


def build(vectors: VectorSet) -> None:
    """Write the refused cases of ``lmdl.commit_file``."""
    cases = vectors.file(
        "commit-file-refused",
        operation="lmdl.commit_file",
        title="Commits to real files that are refused, and what they leave",
    )
    _recovery(cases)
    _state(cases)
    _values(cases)
    _odd(cases)
    _no_paths(cases)
    _missing(cases)
    _temporary(cases)


def _recovery(cases: VectorFile) -> None:
    for one in refused_by_recovery():
        add(
            cases,
            f"refused-{one.name}",
            one.title,
            "a commit onto what recovery refuses, or a log cut before every check has passed",
            stream(one.meta, one.log),
            reject(one.reason, one.at),
            asked=batch(),
            also=["LMDL-COMMIT", one.rule],
            rulings=one.rulings,
            tags=["corruption"],
        )


def _state(cases: VectorFile) -> None:
    """States that recover, and that no commit may follow."""
    last, old = Slot(U64, 9, PLAIN, 2).bytes(), Slot(U64 - 1).bytes()
    full, nearly = (Slot(3, 30, PLAIN, count).bytes() + bytes(64) for count in (U32, U32 - len(NEW) + 1))
    even, odd = Slot(8, 80, PLAIN, 2).bytes(), Slot(9, 90, PLAIN, 2).bytes()
    rest = log(COMMITTED, b"rest")
    why = {
        "epoch-exhausted": "an epoch that wraps around to 0, and so loses to every older one",
        "dedup-count-overflow": "a dedup_count that wraps around, so that the next start cuts the log to nothing",
        "commit-would-overwrite-active": "the only good commit overwritten in place: a cut there would lose both",
    }
    for name, title, meta, left, reason, at in (
        ("epoch-exhausted", "The epoch is 2^64-1", last + old, rest, "epoch-exhausted", None),
        ("count-full", "2^32-1 hashes are committed", full, sparse(U32 * 8 + 5), "dedup-count-overflow", None),
        ("count-by-one", "The hashes are one too many", nearly, sparse((U32 - 1) * 8), "dedup-count-overflow", None),
        ("even-in-a", "Slot A has epoch 8", even + bytes(64), rest, "commit-would-overwrite-active", "slot/A"),
        ("odd-in-b", "Slot B has epoch 9", bytes(64) + odd, rest, "commit-would-overwrite-active", "slot/B"),
        ("even-in-a-of-two", "Slot A has epoch 8, B 7", even + Slot(7).bytes(), rest,
         "commit-would-overwrite-active", "slot/A"),
        ("odd-in-b-of-two", "Slot A has epoch 8, B 9", even + odd, rest, "commit-would-overwrite-active", "slot/B"),
        ("equal-even", "Both slots have epoch 8", even + even, rest, "commit-would-overwrite-active", "slot/A"),
    ):  # fmt: skip
        parity = reason == "commit-would-overwrite-active"
        add(
            cases,
            f"state-{name}",
            f"{title}: no commit may follow",
            why[reason],
            stream(meta, left),
            reject(reason, at),
            asked=batch(),
            also=["LMDL-COMMIT"],
            rulings=["R-LMDL-5", *(["R-LMDL-2"] if name == "equal-even" else [])] if parity else [],
            tags=["corruption", "boundary"],
        )


def _values(cases: VectorFile) -> None:
    good = coordinate_json(PLAIN)
    for name, at, asked, repair in (
        ("batch-id-below", "batch_id", batch(number=-1), {"batch_id": "40"}),
        ("batch-id-above", "batch_id", batch(number=2**64), {"batch_id": "40"}),
        ("shard-id-above", "coordinate/shard_id", batch(fields={**PLAIN, "shard_id": 2**32}), {"coordinate": good}),
        ("byte-offset-above", "coordinate/byte_offset", batch(fields={**PLAIN, "byte_offset": 2**64}),
         {"coordinate": good}),
        ("row-group-idx-below", "coordinate/row_group_idx", batch(fields={**PLAIN, "row_group_idx": -1}),
         {"coordinate": good}),
        ("page-idx-above", "coordinate/page_idx", batch(fields={**PLAIN, "page_idx": 2**32}), {"coordinate": good}),
        ("row-offset-in-page-below", "coordinate/row_offset_in_page", batch(fields={**PLAIN, "row_offset_in_page": -1}),
         {"coordinate": good}),
        ("global-row-idx-above", "coordinate/global_row_idx", batch(fields={**PLAIN, "global_row_idx": 2**64}),
         {"coordinate": good}),
        ("hash-below", "hashes/0", batch((-1, 2, 3)), {"hashes": ["1", "2", "3"]}),
        ("hash-above", "hashes/2", batch((1, 2, 2**64)), {"hashes": ["1", "2", "3"]}),
    ):  # fmt: skip
        for when, tree in (("first", stream(None, b"rest")), ("later", LONGER)):
            add(
                cases,
                f"range-{when}-{name}",
                f"{at} is outside its width; {'the first' if when == 'first' else 'a later'} commit",
                "a value cut to its width; or the log cut, or written, before every value is judged",
                tree,
                reject("field-out-of-range", at),
                asked=asked,
                also=["LMDL-COMMIT", "LMDL-COORDINATE"],
                repair=repair,
                tags=["corruption"],
            )


def _odd(cases: VectorFile) -> None:
    for name, title, step, entry in odd_files():
        add(
            cases,
            f"odd-{name}",
            title,
            "a link followed, so that another file is written; a FIFO waited for; or a commit onto a fresh start",
            with_odd(step, entry),
            reject("commit-io", step),
            asked=batch(),
            tags=["corruption"],
        )
    for kind, entry in (("directory", DIR), ("dangling", link("../gone")), ("fifo", FIFO)):
        for hashes in ((), NEW):
            add(
                cases,
                f"odd-log-{kind}-fresh-hashes-{len(hashes)}",
                f"The log is a {kind}, and no .meta there; {len(hashes)} hashes come",
                "a log looked at only when there is something to append, or created through a link",
                stream(None, entry),
                reject("commit-io", "read-log"),
                asked=batch(hashes),
                tags=["corruption"],
            )


def _no_paths(cases: VectorFile) -> None:
    for name, words, path, step in NO_FILE_PATHS:
        add(
            cases,
            f"no-path-{name}",
            f"The path {words}",
            "a commit under another name than was asked for, or a failure told at a later step",
            PATHS_TREE,
            reject("commit-io", step),
            path=path,
            asked=batch(),
            repair={"path": PATH},
            tags=["corruption"],
        )


def _missing(cases: VectorFile) -> None:
    """A directory that is not there is nothing to make: the first write into it, or its sync, fails."""
    tree = stream() | {"link": link("nowhere")}
    for name, words, path in (
        ("directory", "The directory is not there", "gone/s.meta"),
        ("parents", "Neither the directory nor its parent is there", "gone/run/s.meta"),
        ("dangling", "The directory is a link that leads nowhere", "link/s.meta"),
    ):
        for hashes, step in (((), "sync-directory"), (NEW, "append-log")):
            add(
                cases,
                f"missing-{name}-hashes-{len(hashes)}",
                f"{words}; {len(hashes)} hashes come",
                "a directory made, or the sync of the directory left out ahead of the first .meta",
                tree,
                reject("commit-io", step),
                path=path,
                asked=batch(hashes),
                repair={"path": PATH},
                tags=["corruption"],
            )


def _temporary(cases: VectorFile) -> None:
    """A directory under the temporary name is another's: it stays, and the log is written by then."""
    kept: dict[str, Data] = {"run/s.meta.tmp": DIR, "run/s.meta.tmp/theirs": file(b"kept")}
    for form, words, meta in FRESH_FORMS:
        for name, left, hashes, standing in (
            ("no-log", None, (), None),
            ("appended", None, NEW, log(NEW)),
            ("cut", b"rest", (), b""),
        ):
            add(
                cases,
                f"temporary-directory-{form}-{name}",
                f".meta is {words}, and a directory stands under the temporary name; {len(hashes)} hashes come",
                "a directory removed with what is in it, a .meta written in place instead, or success told",
                kept | stream(meta, left),
                reject("commit-io", "write-meta"),
                after=kept | stream(meta, standing),
                asked=batch(hashes),
                rulings=["R-LMDL-1"],
                tags=["corruption"],
            )
