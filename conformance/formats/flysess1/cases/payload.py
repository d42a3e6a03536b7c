"""Cases for reading one payload by name, which judges less than a whole reader does (FLY-PAYLOAD)."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.flysess1.cases.goldens import (
    GOLDENS,
    LONGEST_NAME,
    NAMES,
    NO_PAYLOADS,
    ONE_PAYLOAD,
    TYPICAL,
    Golden,
    many,
)
from conformance.formats.flysess1.cases.topic import SEAL, refused, taken
from conformance.formats.flysess1.envelope import HEADER, Envelope, u64
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, delete, insert, put, xor

MAX32 = 2**32 - 1
MAX64 = 2**64 - 1
RULE = "FLY-PAYLOAD"


def build(vectors: VectorSet) -> None:
    """Add what must be served, what is not judged, and the names that no entry has."""
    file = vectors.file("payload", operation="flysess1.payload", title="One payload by name")
    _served(file)
    _not_judged(file)
    _unknown(file)


def _bytes_of(base: Envelope, name: str) -> Data:
    return {"data": b64(dict(base.payloads)[name])}


def _served(file: VectorFile) -> None:
    for golden in GOLDENS:
        for index, (name, data) in enumerate(golden.envelope.payloads):
            taken(
                file,
                f"payload/{golden.name}-{index}",
                golden,
                [],
                {"data": b64(data)},
                title=f"payload {index} of a golden file",
                why="finds another entry, or cuts the payload wrongly",
                rule=RULE,
                tags=["golden"],
                input={"name": name},
            )
    full = many(64)
    for index in (0, 63):
        name, data = full.payloads[index]
        file.case(
            f"flysess1/payload/payloads-64-{index}",
            title=f"payload {index} of 64",
            why="stops at 63 payloads",
            rules=[RULE],
            rulings=["R-FLY-2"],
            tags=["boundary"],
            input={"data": b64(full.data), "name": name},
            expect={"ok": {"data": b64(data)}},
        )


def _not_judged(file: VectorFile) -> None:
    typical, names = TYPICAL.envelope, NAMES.envelope
    text = typical.manifest
    moved = typical.offsets[2] + 8
    cases: tuple[tuple[str, Golden, str, Sequence[Data], str], ...] = (
        ("flip-in-other-payload", TYPICAL, "world", [xor(typical.offsets[0], "01")], "judges the prefix digest"),
        ("flip-in-later-payload", TYPICAL, "agent-moth-1", [xor(typical.offsets[4], "01")], "judges the prefix digest"),
        ("prefix-digest-wrong", TYPICAL, "world", [put(typical.footer + 8, bytes(32))], "judges the prefix digest"),
        ("manifest-flip", TYPICAL, "world", [xor(HEADER, "01")], "reads the manifest"),
        ("manifest-zero", TYPICAL, "world", [put(HEADER, bytes(len(text)))], "reads the manifest"),
        (
            "padding-not-zero",
            TYPICAL,
            "world",
            [xor(typical.table - 1, "01"), xor(typical.footer - 1, "01")],
            "judges padding",
        ),
        ("trailing-gap", TYPICAL, "world", [insert(typical.footer, bytes(8)), SEAL], "judges the footer's place"),
        (
            "padding-missing",
            TYPICAL,
            "world",
            [delete(typical.end, typical.footer - typical.end), SEAL],
            "judges the footer's place",
        ),
        ("other-name-bad", TYPICAL, "world", [put(typical.entry(0), b"A")], "judges every name"),
        ("other-digest-wrong", TYPICAL, "world", [xor(typical.entry(3) + 80, "01")], "judges every digest"),
        ("other-offset-wrong", TYPICAL, "world", [xor(typical.entry(1) + 64, "01")], "judges every offset"),
        ("later-length-huge", TYPICAL, "task-ledger", [put(typical.entry(4) + 72, u64(MAX64))], "judges every length"),
        (
            "later-duplicate",
            TYPICAL,
            "agent-moth-1",
            [put(typical.entry(4), b"agent-moth-1")],
            "judges uniqueness, or takes the last",
        ),
        ("duplicate-elsewhere", NAMES, LONGEST_NAME, [put(names.entry(2), b"z")], "judges uniqueness"),
        (
            "follows-declared-end",
            TYPICAL,
            "prior-inspection",
            [
                insert(typical.offsets[2], bytes(8)),
                put(typical.entry(2) + 64, u64(moved)),
                put(typical.entry(3) + 64, u64(typical.offsets[3] + 8)),
                SEAL,
            ],
            "works out the laid-out place instead of following the entry before",
        ),
    )
    for name, base, wanted, edits, why in cases:
        taken(
            file,
            f"payload-served/{name}",
            base,
            edits,
            _bytes_of(base.envelope, wanted),
            title=f"a fault that is not this payload's: {name.replace('-', ' ')}",
            why=why,
            rule=RULE,
            tags=[],
            input={"name": wanted},
        )
    _, second = names.payloads[1]
    taken(
        file,
        "payload-served/second-of-two",
        NAMES,
        [put(names.entry(0), b"A" + b"z" * 63)],
        {"data": b64(second)},
        title="a name that another entry merely holds",
        why="searches for a part of the name",
        rule=RULE,
        tags=[],
        input={"name": "z"},
    )


def _unknown(file: VectorFile) -> None:
    one = ONE_PAYLOAD.envelope.entry(0)
    cases: tuple[tuple[str, Golden, str, Sequence[Data], str], ...] = (
        ("no-payloads", NO_PAYLOADS, "a", [], "reads an entry that is not there"),
        ("other", TYPICAL, "word", [], "takes the nearest name"),
        ("prefix", TYPICAL, "worl", [], "compares as many bytes as are asked for"),
        ("longer", TYPICAL, "worlds", [], "compares as many bytes as the entry has"),
        ("upper-case", TYPICAL, "World", [], "compares without case, or judges the request's name"),
        ("empty", TYPICAL, "", [], "finds the empty name at the start of every field"),
        ("nul-behind", TYPICAL, "world\0", [], "compares up to a NUL"),
        ("64-nul", TYPICAL, "world".ljust(64, "\0"), [], "compares whole fields"),
        ("longest-cut", NAMES, LONGEST_NAME[:63], [], "compares 63 bytes"),
        ("longest-and-more", NAMES, LONGEST_NAME + "x", [], "compares 64 bytes"),
        ("proto", TYPICAL, "__proto__", [], "keeps entries in a plain script object"),
        ("constructor", TYPICAL, "constructor", [], "keeps entries in a plain script object"),
        ("manifest-name", TYPICAL, "episode-7", [], "searches the manifest"),
        ("replacement", ONE_PAYLOAD, "\ufffd", [put(one, b"\xe9"), SEAL], "decodes names with replacement characters"),
        ("latin-1", ONE_PAYLOAD, "\u00e9", [put(one, b"\xe9"), SEAL], "decodes names as Latin-1"),
        ("behind-terminator", ONE_PAYLOAD, "b", [put(one, b"a\0b"), SEAL], "searches the whole field"),
        ("manifest-only", ONE_PAYLOAD, "a", [put(one, b"b"), SEAL], "takes names from the manifest"),
    )
    for name, base, wanted, edits, why in cases:
        refused(
            file,
            f"payload-unknown/{name}",
            base,
            edits,
            "payload-unknown",
            title=f"a name that no entry has: {name.replace('-', ' ')}",
            why=why,
            rule=RULE,
            tags=[],
            input={"name": wanted},
        )
