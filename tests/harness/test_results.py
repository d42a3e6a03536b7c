"""Results: sums, what is kept of a failure, and the document they become."""

from __future__ import annotations

import base64
import json

import jsonschema
import pytest

from harness.judge import judge
from harness.model import Answer, Implementation, Json, Ok, Outcome, Question, Reject, Status, Verdict
from harness.results import AdapterResult, CaseInfo, CaseResult, Counts, ResultsError, RunResult, results_schema
from harness.tally import SHOWN_QUESTIONS, CaseTally, NoteLines

INFO = CaseInfo("lmdl/a", "lmdl", "lmdl.x", "Title", why="Why", rules=("LMDL-SLOT",), sweep=True)
IMPLEMENTATION = Implementation(
    "i", "1", "Go", "go1", frozenset({"lmdl.y", "lmdl.x"}), locations=False, repeated=frozenset({"lmdl.x"})
)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def finding(*answers: Answer, expect: Ok | Reject | None = None) -> CaseResult:
    tally = CaseTally("lmdl/a")
    for number, answer in enumerate(answers):
        question = Question(f"lmdl/a#{number}", "lmdl.x", {}, expect or Reject("slot-crc"))
        tally.add(judge(question, answer, answer_bytes={"data"}))
    return tally.result()


def good() -> Answer:
    return Answer(Outcome.REJECTED, reason="slot-crc")


def a_run(*cases: CaseResult, troubles: tuple[str, ...] = (), complete: bool = True) -> RunResult:
    adapter = AdapterResult(
        name="a",
        language="Go",
        implementation=IMPLEMENTATION,
        cases=cases,
        troubles=troubles,
        notes=("it lists lmdl.x more than once",),
        seconds=0.25,
        restarts=1,
    )
    return RunResult("1.2.3", (INFO,), (adapter,), 0.5, complete)


def test_the_gravest_member_decides_a_case() -> None:
    bad = Answer(Outcome.REJECTED, reason="slot-magic")
    broken = Answer(Outcome.BROKEN, message="died", stderr="last words")
    case = finding(good(), bad, broken, good())
    assert case.status is Status.BROKEN
    assert case.questions == Counts(passed=2, failed=1, broken=1)
    assert [shown.id for shown in case.shown] == ["lmdl/a#1", "lmdl/a#2"]
    assert (case.shown[1].message, case.shown[1].stderr) == ("died", "last words")
    assert (case.shown[0].expected, case.shown[0].found) == ("rejected as slot-crc", "rejected as slot-magic")


def test_notes_are_taken_of_what_did_not_pass_alone() -> None:
    asked: list[Verdict] = []

    def tell(verdict: Verdict) -> NoteLines:
        asked.append(verdict)
        return NoteLines("a golden file", "slot-magic comes first")

    tally = CaseTally("lmdl/a")
    for answer in (good(), Answer(Outcome.REJECTED, reason="slot-magic")):
        tally.add(judge(Question("lmdl/a", "lmdl.x", {}, Reject("slot-crc")), answer), tell)
    (shown,) = tally.result().shown
    assert (shown.input, shown.order) == ("a golden file", "slot-magic comes first")
    assert [verdict.status for verdict in asked] == [Status.FAILED]


def test_only_the_first_failing_members_are_kept() -> None:
    case = finding(*[Answer(Outcome.ACCEPTED, value={})] * 20)
    assert case.questions == Counts(failed=20)
    assert [shown.id for shown in case.shown] == [f"lmdl/a#{number}" for number in range(SHOWN_QUESTIONS)]


def test_a_case_without_a_verdict_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing was judged"):
        CaseTally("lmdl/a").result()


def test_a_run_passes_only_when_everything_did() -> None:
    passed = finding(good())
    assert a_run(passed).passed
    assert not a_run(passed, troubles=("exit status 3",)).passed
    assert not a_run(passed, complete=False).passed
    assert not a_run().passed
    assert not a_run(finding(Answer(Outcome.UNSUPPORTED))).passed
    assert not RunResult("1", (), (), 0.0).passed
    assert not RunResult("1", (INFO,), (AdapterResult("a", "Go", error="did not start"),), 0.0).passed


def test_a_case_that_was_not_judged_fails_the_run() -> None:
    other = CaseInfo("lmdl/b", "lmdl", "lmdl.x", "Other")
    run = a_run(finding(good()))
    assert not RunResult("1", (INFO, other), run.adapters, 0.0).passed


def test_the_document_obeys_its_schema_and_reads_back() -> None:
    jsonschema.Draft202012Validator.check_schema(results_schema())
    differing = Answer(Outcome.ACCEPTED, value={"data": b64(bytes(5000) + b"x" + bytes(5000))})
    run = a_run(finding(differing, good(), expect=Ok({"data": b64(bytes(10_001))})), troubles=("t",))
    document = json.loads(json.dumps(run.to_json()))
    jsonschema.validate(document, results_schema())
    assert RunResult.from_json(document) == run
    (adapter,) = document["adapters"]
    assert adapter["counts"] == {"passed": 0, "failed": 1, "unsupported": 0, "broken": 0, "timed_out": 0}
    assert adapter["questions"]["failed"] == 2
    assert adapter["implementation"]["operations"] == ["lmdl.x", "lmdl.y"]


def test_large_bytes_are_cut_to_what_surrounds_the_difference() -> None:
    differing = Answer(Outcome.ACCEPTED, value={"data": b64(bytes(5000) + b"x" + bytes(5000))})
    case = finding(differing, expect=Ok({"data": b64(bytes(10_001))}))
    (difference,) = case.shown[0].differences
    assert difference.expected_bytes is not None
    assert len(difference.expected_bytes) < 1000
    assert (difference.offset, difference.expected_length, difference.found_length) == (5000, 10_001, 10_001)
    first, *rows = difference.dump().splitlines()
    assert first == "first difference: byte 5000 (0x1388): expected 0x00, found 0x78"
    assert [row[:12] for row in rows[:3]] == ["  00001370  ", "- 00001380  ", "+ 00001380  "]


@pytest.mark.parametrize(
    ("change", "place"),
    [({"results": 2}, r"\$.results"), ({"cases": None}, r"\$.cases"), ({"more": 1}, r"\$")],
)
def test_another_document_is_refused_with_the_place(change: dict[str, Json], place: str) -> None:
    document = a_run(finding(good())).to_json() | change
    with pytest.raises(ResultsError, match=f"not a results document at {place}: "):
        RunResult.from_json(document)
