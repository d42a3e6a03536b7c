"""Adapters that cheat score nothing on corrupt inputs, whatever they know of the valid ones."""

from __future__ import annotations

import base64
import dataclasses

import pytest

from harness.adapter_file import load_adapter
from harness.judge import judge
from harness.model import Ok, Question, Reject, Status
from harness.runner import AdapterRun
from tests.harness.driving import BAD, PATIENT

COORDINATE = bytes(range(32))
VALID = Question(
    "valid",
    "lmdl.coordinate.decode",
    {"data": COORDINATE},
    Ok(
        {
            "data": base64.b64encode(COORDINATE).decode(),
            "value": {
                "shard_id": 0x03020100,
                "byte_offset": str(0x0B0A090807060504),
                "row_group_idx": 0x0F0E0D0C,
                "page_idx": 0x13121110,
                "row_offset_in_page": 0x17161514,
                "global_row_idx": str(0x1F1E1D1C1B1A1918),
            },
        }
    ),
)
# One corrupt input an operation, none of them with that operation's commonest reason.
CORRUPT = [
    Question("slot", "lmdl.slot.decode", {"data": b"LMDX" + bytes(60)}, Reject("slot-magic")),
    Question("meta", "lmdl.recover", {"meta": bytes(127), "log_length": "0"}, Reject("meta-size")),
    Question("envelope", "flysess1.decode", {"data": b"FLYSESS1"}, Reject("too-short")),
    Question("metadata", "pfc.metadata.decode", {"data": b"[]"}, Reject("metadata-not-object")),
    Question("bundle", "pfc.open", {"directory": "x.publishing"}, Reject("bundle-is-staging"), tree={}),
]
CHEATS = ["reject-everything", "echo", "commonest-reason", "crash-on-corrupt", "exit-with-warning"]
HONEST_ABOUT_THE_VALID = {"crash-on-corrupt", "exit-with-warning"}


@pytest.mark.parametrize("name", CHEATS)
@pytest.mark.parametrize("locations", [True, False])
def test_a_cheat_scores_nothing_on_corrupt_inputs(name: str, locations: bool) -> None:
    with AdapterRun(load_adapter(BAD / name), PATIENT) as running:
        verdicts = [
            judge(question, answer, locations=locations) for question, answer in running.ask([VALID, *CORRUPT, VALID])
        ]
    assert Status.PASSED not in {verdict.status for verdict in verdicts[1:-1]}
    assert (verdicts[0].status is Status.PASSED) == (name in HONEST_ABOUT_THE_VALID)
    assert verdicts[-1].status is verdicts[0].status


def test_a_silent_death_on_every_corrupt_input_is_never_taken_for_a_rejection() -> None:
    limits = dataclasses.replace(PATIENT, restarts=2)
    with AdapterRun(load_adapter(BAD / "exit-with-warning"), limits) as running:
        answers = [answer for _, answer in running.ask(CORRUPT)]
    assert "warning: input is corrupt\n" in answers[0].stderr
    assert {judge(question, answer).status for question, answer in zip(CORRUPT, answers, strict=True)} == {
        Status.BROKEN
    }
