"""Start, stop, restart and the limits of a run."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.model import AdapterSpec, Limits, Ok, Outcome, Question
from harness.runner import AdapterRun, AdapterStartError
from tests.harness.driving import BAD, HASTY, PATIENT, cases_with, echo, faulty, run

STARTS = {
    "exit": "exited with status 2 before its handshake was complete",
    "refuse": "refuses protocol 1: only protocol 7 here",
    "banner": "sent no handshake: the line is not JSON",
    "protocol-2": "sent no handshake: the handshake's protocol is not 1",
    "protocol-true": "sent no handshake: the handshake's protocol is not 1",
    "no-operations": "sent no handshake: the handshake's operations is no list of strings",
}


@pytest.mark.parametrize("at_start", sorted(STARTS))
def test_an_adapter_that_cannot_begin_says_why(at_start: str) -> None:
    with (
        pytest.raises(AdapterStartError, match=STARTS[at_start].replace("(", "\\(")),
        AdapterRun(faulty(at_start), PATIENT),
    ):
        pass


def test_the_last_words_of_an_adapter_that_cannot_begin_are_kept() -> None:
    with pytest.raises(AdapterStartError) as caught, AdapterRun(faulty("exit"), PATIENT):
        pass
    assert caught.value.stderr == "no library found\n"


@pytest.mark.parametrize("at_start", ["silent", "closed-stdin"])
def test_an_adapter_that_never_greets_is_given_up(at_start: str) -> None:
    hasty = dataclasses.replace(PATIENT, start_deadline=0.5)
    with pytest.raises(AdapterStartError, match="before its handshake"), AdapterRun(faulty(at_start), hasty):
        pass


@pytest.mark.parametrize("word", ["no-such-program-anywhere", "./no-such-file", "./faulty.py"])
def test_a_program_that_is_not_there_is_named_with_the_build_hint(word: str) -> None:
    spec = AdapterSpec("lost", "None", (word,), BAD, build="make it")
    with pytest.raises(AdapterStartError, match=r"(?s)faulty|no-such.*make it"), AdapterRun(spec, PATIENT):
        pass


def test_a_clean_run_has_no_trouble_and_no_restart() -> None:
    answers, running = run(faulty(), [echo(n) for n in range(1000)])
    assert [answer.value for answer in answers] == [{"n": n} for n in range(1000)]
    assert (running.restarts, running.troubles) == (0, [])
    assert running.implementation.name == "faulty"


def test_what_a_silent_adapter_owes_is_told_while_it_is_waited_for() -> None:
    heard: list[tuple[str, float]] = []
    with AdapterRun(faulty(), HASTY, waiting=lambda what, seconds: heard.append((what, seconds))) as running:
        list(running.ask(cases_with("hang", at=1, of=3)))
    owed = [seconds for what, seconds in heard if what == "echo/1"]
    assert owed
    assert min(owed) >= 1.0


def test_one_run_takes_several_batches() -> None:
    with AdapterRun(faulty(), PATIENT) as running:
        for number in range(3):
            ((_, answer),) = running.ask([echo(number)])
            assert answer.value == {"n": number}
    assert running.restarts == 0


def test_a_caller_that_stops_early_leaves_the_run_usable() -> None:
    with AdapterRun(faulty(), PATIENT) as running:
        first = running.ask(echo(n) for n in range(100))
        next(first)
        first.close()
        ((_, answer),) = running.ask([echo(7)])
    assert answer.value == {"n": 7}
    assert (running.restarts, running.troubles) == (0, [])


def test_an_exception_of_the_callers_ends_the_adapter() -> None:
    def fail() -> Question:
        raise KeyError

    with pytest.raises(KeyError), AdapterRun(faulty("stop-hang"), PATIENT) as running:
        list(running.ask(fail() if number else echo(1) for number in range(2)))


@pytest.mark.parametrize(
    ("at_start", "trouble"),
    [
        ("stop-3", "the adapter exited with status 3 when told to stop"),
        ("stop-hang", "the adapter did not exit within 0.5 s of being told to stop"),
        ("stop-noise", "the adapter wrote to stdout after its last answer: 'bye\\n'"),
    ],
)
def test_a_bad_end_is_a_trouble(at_start: str, trouble: str) -> None:
    limits = dataclasses.replace(PATIENT, stop_grace=0.5 if at_start == "stop-hang" else 60.0)
    _, running = run(faulty(at_start), [echo(1)], limits)
    assert running.troubles == [trouble]


def test_a_flood_at_the_end_is_a_trouble_and_is_not_kept() -> None:
    _, running = run(faulty("stop-flood"), [echo(1)])
    (trouble,) = running.troubles
    found = re.fullmatch(r"the adapter wrote to stdout after its last answer: 'x+' … \((\d+) bytes\)", trouble)
    assert found is not None, trouble
    assert int(found[1]) < 4 * 1024 * 1024


def test_restarts_are_capped_and_what_is_left_is_broken() -> None:
    limits = dataclasses.replace(PATIENT, restarts=3)
    questions = [echo(n, fault="crash") for n in range(10)]
    answers, running = run(faulty(), questions, limits)
    assert [answer.outcome for answer in answers] == [Outcome.BROKEN] * 10
    assert [answer.message.startswith("not asked: the run gave up after 3 restarts") for answer in answers] == [
        number >= 3 for number in range(10)
    ]
    assert running.restarts == 3


def test_hangs_are_capped_and_what_is_left_is_broken() -> None:
    limits = dataclasses.replace(HASTY, hangs=2, deadline=0.5)
    answers, _ = run(faulty(), [echo(n, fault="hang") for n in range(6)], limits)
    # The first case hangs twice: with others in flight, and alone.
    assert [answer.outcome for answer in answers] == [Outcome.TIMED_OUT] + [Outcome.BROKEN] * 5
    assert answers[1].message.startswith("not asked: the run gave up after 2 questions without an answer in time")


def test_a_row_of_crashes_costs_one_restart_each() -> None:
    _, running = run(faulty(), [echo(n, fault="crash") for n in range(10)])
    assert running.restarts == 10


@pytest.mark.parametrize(
    ("at_start", "why"),
    [
        ("no-second-start", "could not be started again: adapter 'faulty' exited with status 2"),
        ("changes-handshake", "gave another handshake than at first"),
    ],
)
def test_an_adapter_that_does_not_come_back_ends_the_run(at_start: str, why: str, tmp_path: Path) -> None:
    answers, _ = run(faulty(at_start, tmp_path), cases_with("crash", at=1, of=3))
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED, Outcome.BROKEN, Outcome.BROKEN]
    assert all(why in answer.message for answer in answers[1:])


def test_an_adapter_that_answers_once_per_process_passes_with_troubles() -> None:
    answers, running = run(faulty("exit-at-second"), [echo(n) for n in range(4)])
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED] * 4
    (trouble,) = running.troubles
    assert trouble.startswith("3 times, first after answering echo/0, with echo/1 as the next case: ")


def test_a_row_of_equal_troubles_is_told_once_with_its_number() -> None:
    questions = [echo(n, fault="noise-after") if n % 2 else echo(n) for n in range(11)]
    answers, running = run(faulty(), questions)
    assert [answer.outcome for answer in answers] == [Outcome.ACCEPTED] * 11
    (trouble,) = running.troubles
    # Which of them is told first depends on whether the noise is read together with the answer before it.
    assert re.match(r"5 times, first after answering echo/[0-9]+, with echo/[0-9]+ as the next case: ", trouble)


def test_requests_and_answers_larger_than_any_pipe_do_not_lock_both_sides() -> None:
    text = "y" * 700_000
    questions = [Question(f"big/{n}", "test.look", {"text": text}, Ok({"text": text})) for n in range(40)]
    answers, running = run(faulty(), questions)
    assert all(answer.value == {"text": text} for answer in answers)
    assert running.restarts == 0


def test_many_in_flight_are_bounded_by_bytes() -> None:
    limits = Limits(deadline=60, start_deadline=60, in_flight_bytes=1000)
    text = "y" * 600
    questions = [Question(f"big/{n}", "test.look", {"text": text}, Ok({"text": text})) for n in range(10)]
    taken: list[str] = []

    def source() -> Iterator[Question]:
        for question in questions:
            taken.append(question.id)
            yield question

    with AdapterRun(faulty(), limits) as running:
        ahead = [len(taken) - index for index, _ in enumerate(running.ask(source()))]
    assert max(ahead) == 2
    assert len(ahead) == 10
