"""Where a wrong reason stands among the checks, in words."""

from __future__ import annotations

import pytest

from conformance.notes.order import order_note
from harness.model import Answer, Expect, Ok, Outcome, Question, Reject


def note(operation: str, expect: Expect, reason: str | None, at: str | None = None) -> str:
    outcome = Outcome.ACCEPTED if reason is None else Outcome.REJECTED
    return order_note(Question("x", operation, {}, expect), Answer(outcome, reason=reason, at=at))


def test_a_later_check_says_that_the_expected_one_was_missed() -> None:
    assert note("lmdl.slot.decode", Reject("slot-magic"), "slot-crc") == (
        "slot-crc is checked after the expected slot-magic in lmdl.slot.decode: "
        "the check for slot-magic is missing or comes too late"
    )


def test_an_earlier_check_says_that_it_refuses_too_much() -> None:
    assert note("pfc.open", Reject("metadata-not-utf8"), "metadata-unreadable") == (
        "metadata-unreadable is checked before the expected metadata-not-utf8 in pfc.open: "
        "the check for metadata-unreadable refuses what it must let pass"
    )


@pytest.mark.parametrize("expect", [Ok({}), Reject("meta-size")])
def test_a_reason_of_another_operation_is_told_whatever_was_expected(expect: Expect) -> None:
    assert note("lmdl.recover", expect, "slot-crc").startswith("slot-crc is no reason of lmdl.recover: ")


def test_the_places_of_a_rejection_count() -> None:
    late = note("flysess1.decode", Reject("name-not-id", "payloads/2"), "payload-outside", "payloads/1")
    assert "before the expected name-not-id" in late
    early = note("flysess1.decode", Reject("payload-outside", "payloads/1"), "name-not-id", "payloads/2")
    assert "after the expected payload-outside" in early


def test_one_place_that_the_order_does_not_list_is_judged_as_any_other() -> None:
    told = note("flysess1.decode", Reject("name-not-id", "payloads/7"), "payload-outside", "payloads/7")
    assert "after the expected name-not-id" in told


def test_places_that_the_order_does_not_list_may_take_turns() -> None:
    told = note("flysess1.decode", Reject("name-not-id", "payloads/7"), "payload-outside", "payloads/9")
    assert told == "payload-outside and name-not-id take turns in flysess1.decode, place by place"


def test_what_is_no_wrong_reason_has_no_note() -> None:
    assert note("lmdl.recover", Reject("meta-size"), None) == ""
    assert note("lmdl.recover", Ok({}), "meta-size") == ""
    assert note("lmdl.recover", Reject("meta-version", "slot/A"), "meta-version", "slot/B") == ""
