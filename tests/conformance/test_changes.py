"""The changes that faults make, in words: on vectors whose faults can be read off their file."""

from __future__ import annotations

import pytest

from conformance.changes import fault_changes
from conformance.notes.input import input_note
from conformance.suite.find import find_question
from conformance.suite.load import Suite
from conformance.suite.pairwise import Pairwise


def pairs_of(suite: Suite, case_id: str) -> Pairwise:
    entry = suite.case(case_id)
    assert isinstance(entry, Pairwise)
    return entry


def changes(suite: Suite, member: str) -> list[str]:
    pairs = pairs_of(suite, member)
    return [line for fault in pairs.faults_of(member) for line in fault_changes(pairs, fault)]


@pytest.mark.parametrize(
    ("member", "lines"),
    [
        (
            "lmdl/pairs/slot-decode#slot-size+slot-magic",
            ["byte 64 (0x40): inserted 00", "byte 0 (0x0) in magic: 4c → 6c"],
        ),
        (
            "pfc/pairs/decode#metadata-not-json",
            ["byte 906 (0x38a) in /y-json: deleted 6e756c6c", "byte 906 (0x38a) in /y-json: inserted 3031"],
        ),
        ("pfc/pairs/decode#metadata-not-object", ["byte 0 (0x0) in /: inserted 5b", "byte 966 (0x3c6): inserted 5d"]),
        (
            "lmdl/pairs/slot-encode#field-out-of-range@epoch",
            ['/value/epoch: "3" → "18446744073709551616"'],
        ),
        (
            "lmdl/pairs/commit-file#commit-io@read-meta",
            ["tree/run/s.meta: a file of 128 bytes → a directory"],
        ),
        ("flysess1/pairs/commit#commit-exists", ["tree/store/gen-2: absent → a directory"]),
        (
            "lmdl/pairs/commit-file#epoch-exhausted",
            ["tree/run/s.meta, byte 8 (0x8) in slot/A/epoch: 0300000000000000 → ffffffffffffffff"],
        ),
    ],
)
def test_every_change_is_named(suite: Suite, member: str, lines: list[str]) -> None:
    assert changes(suite, member) == lines


def test_no_fault_of_any_list_is_without_a_change(suite: Suite) -> None:
    every = [(pairs, fault) for pairs in suite.cases if isinstance(pairs, Pairwise) for fault in pairs.faults]
    assert [fault.name for pairs, fault in every if not fault_changes(pairs, fault)] == []


def test_the_note_on_a_member_tells_all_that_is_changed(suite: Suite) -> None:
    member = "flysess1/pairs/encode#name-not-id@payloads/1+name-duplicate@payloads/2"
    pairs = pairs_of(suite, member)
    assert input_note(pairs, find_question(pairs, member)) == (
        "vectors/flysess1/golden/pairs-manifest.json, changed: "
        '/payloads/1/name: "p1" → "P"; /payloads/2/name: "p2" → "p0"'
    )
    member = "pfc/pairs/extract#part-outside"
    pairs = pairs_of(suite, member)
    assert input_note(pairs, find_question(pairs, member)).startswith("changed: /offset/0: ")
