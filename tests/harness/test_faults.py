"""Each fault an adapter can have is a verdict on the right case; the others are answered all the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from harness.model import AdapterSpec, Limits, Ok, Outcome, Question
from tests.harness.driving import BAD, PATIENT, cases_with, faulty, is_gone, run

BROKEN = {
    "crash": "the adapter exited with status 3",
    "killed": "the adapter was killed by signal 9 (Killed)",
    "noise": "the line is not JSON",
    "half-line": "the adapter exited with status 0 in the middle of a line",
    "cut-large": "the adapter exited with status 0 in the middle of a line",
    "not-utf8": "the line is not UTF-8 at byte",
    "huge": "the adapter wrote a line longer than the 67108864 bytes an answer may have",
    "close-stdin": "the adapter closed its stdin and did not answer what it was asked",
    "close-stdout": "the adapter closed its stdout but went on running",
    "stderr-flood-crash": "the adapter exited with status 3",
    "wrong-id": 'the answer\'s id is "no such", that of the oldest open request is',
    "number-id": "the answer's id is",
    "no-id": "the answer has no id",
    "nothing": "the answer has not exactly one of ok, reject and error",
    "ok-and-reject": "the answer has not exactly one of ok, reject and error",
    "extra-member": "the answer has not exactly one of ok, reject and error",
    "ok-null": "the answer's ok is no object",
    "reject-no-reason": "a reject holds reason",
    "reject-null-at": "a member of the reject is no string",
    "error-text": "an error is no object of exactly a message",
    "array": "the line is JSON but no object",
    "blank": "the line is not JSON",
    "crlf": "the line ends in CR LF",
    "bom": "the line is not JSON",
    "two-values": "the line is not JSON",
    "nan": "the line holds NaN",
    "infinity": "the line holds -Infinity",
    "repeated": "the line repeats the member 'n'",
    "surrogate": "the line holds an unpaired surrogate",
    "deep": "the line nests too deeply",
    "digits": "the line is not JSON",
}


@pytest.mark.parametrize("fault", sorted(BROKEN))
@pytest.mark.parametrize("in_flight", [1, 256])
def test_a_fault_breaks_its_own_case_and_no_other(fault: str, in_flight: int) -> None:
    limits = Limits(deadline=60.0, start_deadline=60.0, in_flight_requests=in_flight)
    answers, running = run(faulty(), cases_with(fault, at=2, of=5), limits)
    outcomes = [answer.outcome for answer in answers]
    assert outcomes == [Outcome.ACCEPTED, Outcome.ACCEPTED, Outcome.BROKEN, Outcome.ACCEPTED, Outcome.ACCEPTED]
    assert answers[2].message.startswith(BROKEN[fault])
    assert [answer.value for answer in answers if answer.value] == [{"n": n} for n in (0, 1, 3, 4)]
    assert running.troubles == []


@pytest.mark.parametrize("fault", ["hang", "half-line-hang"])
@pytest.mark.parametrize("in_flight", [1, 256])
def test_a_hang_times_its_own_case_out(fault: str, in_flight: int) -> None:
    limits = Limits(deadline=2.0, start_deadline=60.0, in_flight_requests=in_flight)
    answers, running = run(faulty(), cases_with(fault, at=1, of=3), limits)
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED, Outcome.TIMED_OUT, Outcome.ACCEPTED]
    assert answers[1].message.startswith("the adapter gave no answer within 2 s")
    assert running.troubles == []


def test_noise_right_after_the_handshake_breaks_every_case_it_meets() -> None:
    answers, _ = run(faulty("banner-after"), cases_with("", at=0, of=2))
    assert [answer.outcome for answer in answers] == [Outcome.BROKEN, Outcome.BROKEN]
    assert all("not JSON" in answer.message for answer in answers)


def test_the_tail_of_stderr_comes_with_a_broken_case() -> None:
    answers, _ = run(faulty(), cases_with("crash", at=1, of=3))
    assert answers[1].stderr == "about to crash\n"
    assert answers[0].stderr == ""


def test_only_the_tail_of_a_long_stderr_is_kept() -> None:
    answers, _ = run(faulty(), cases_with("stderr-flood-crash", at=0, of=1))
    assert len(answers[0].stderr) == PATIENT.stderr_tail
    assert answers[0].stderr.endswith("w\nlast words\n")


def test_megabytes_on_stderr_before_the_first_answer_stop_nothing() -> None:
    answers, running = run(faulty(), cases_with("stderr-flood", at=0, of=3))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED] * 3
    assert running.restarts == 0


def test_a_raw_line_separator_is_no_line_end() -> None:
    answers, _ = run(faulty(), cases_with("line-separator", at=0, of=2))
    assert answers[0].value == {"n": "a\u2028b\u2029c\u0085d"}


def test_an_error_answer_is_broken_and_restarts_nothing() -> None:
    answers, running = run(faulty(), cases_with("error", at=1, of=3))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED, Outcome.BROKEN, Outcome.ACCEPTED]
    assert answers[1].message == "the adapter reports a fault of its own: my own fault"
    assert running.restarts == 0


@pytest.mark.parametrize("fault", ["grandchild", "escaped"])
def test_a_grandchild_that_holds_the_pipes_neither_hangs_the_run_nor_outlives_it(fault: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    answers, _ = run(faulty(), cases_with(fault, at=1, of=3, pid_file=str(pid_file)))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED, Outcome.BROKEN, Outcome.ACCEPTED]
    assert answers[1].message == "the adapter exited with status 5"
    assert is_gone(int(pid_file.read_text()))


def test_a_crash_while_reading_ahead_is_the_bad_cases_own() -> None:
    answers, running = run(faulty("read-ahead"), cases_with("any", at=6, of=9))
    expected = [Outcome.ACCEPTED] * 6 + [Outcome.BROKEN] + [Outcome.ACCEPTED] * 2
    assert [answer.outcome for answer in answers] == expected
    assert answers[6].message == "the adapter exited with status 9"
    # The same crash met good cases first, which were asked again; the bad case explains it.
    assert running.troubles == []


@pytest.mark.parametrize("fault", ["noise-after", "die-after"])
def test_what_belongs_to_no_open_case_is_a_trouble_of_the_run(fault: str) -> None:
    answers, running = run(faulty(), cases_with(fault, at=1, of=3))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED] * 3
    assert len(running.troubles) == 1
    assert running.troubles[0].startswith("after answering echo/1, with echo/2 as the next case: ")


@pytest.mark.parametrize("fault", ["noise-after", "die-after"])
def test_the_same_after_the_last_case_is_a_trouble_too(fault: str) -> None:
    answers, running = run(faulty(), cases_with(fault, at=2, of=3))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED] * 3
    assert len(running.troubles) == 1


def test_an_answer_that_node_did_not_finish_writing_is_broken() -> None:
    found = importlib.util.find_spec("nodejs")
    assert found is not None, "nodejs-bin is not installed; the Makefile's environment has it"
    assert found.origin is not None
    node = str(Path(found.origin).with_name("bin") / "node")
    spec = AdapterSpec("exits-early", "JavaScript", (node, "exits_early.mjs"), BAD)
    large = {"n": "x" * 4_000_000}
    questions = [Question(str(number), "test.large", {"fault": number == 1}, Ok(large)) for number in range(3)]
    answers, running = run(spec, questions)
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED, Outcome.BROKEN, Outcome.ACCEPTED]
    assert answers[1].message.startswith("the adapter exited with status 0 in the middle of a line")
    assert answers[0].value == answers[2].value == large
    assert running.troubles == []


def test_an_operation_that_is_not_listed_is_unsupported_and_not_asked() -> None:
    question = Question("other/1", "test.other", {"fault": "crash"}, Ok({}))
    answers, running = run(faulty(), [*cases_with("", at=0, of=2), question, *cases_with("", at=0, of=1)])
    assert [answer.outcome for answer in answers[2:]] == [Outcome.UNSUPPORTED, Outcome.ACCEPTED]
    assert running.restarts == 0
