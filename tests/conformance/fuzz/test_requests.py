"""Examples: the same for the same seed, replayed by Hypothesis choice for choice, and never a malformed request."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from conformance.formats import FORMATS
from conformance.fuzz import requests as drawing
from conformance.fuzz import shrink
from conformance.fuzz.expected import REFERENCE_FAULT, question_of
from conformance.fuzz.request import Request
from conformance.fuzz.requests import numbered_source
from conformance.fuzz.shrink import shrunk as shrunk_from
from conformance.fuzz.source import SeededSource
from conformance.rules import load_rules
from harness.model import Ok, Reject


def request(name: str, seed: int, number: int) -> Request:
    return drawing.request(name, FORMATS[name].generators, seed, number)


def shrunk(name: str, seed: int, number: int, shows: Callable[[Request], bool]) -> Request | None:
    return shrunk_from(name, FORMATS[name].generators, seed, number, shows)


@pytest.mark.parametrize("name", FORMATS)
def test_every_operation_is_asked(name: str) -> None:
    asked = {request(name, 0, number).operation for number in range(600)}
    assert asked == set(load_rules().formats[name].operations)


@pytest.mark.parametrize("name", FORMATS)
def test_an_example_depends_on_seed_and_number_alone(name: str) -> None:
    forwards = [request(name, 5, number) for number in range(40)]
    backwards = [request(name, 5, number) for number in reversed(range(40))]
    assert forwards == backwards[::-1]
    assert forwards != [request(name, 6, number) for number in range(40)]


@pytest.mark.parametrize("name", FORMATS)
def test_hypothesis_replays_the_choices_of_a_seeded_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "MOST_REQUESTS", 1)
    for number in range(25):
        wanted = request(name, 2, number)
        assert shrunk(name, 2, number, lambda asked, wanted=wanted: asked == wanted) == wanted  # type: ignore[misc]


def test_what_does_not_show_again_is_not_shrunk() -> None:
    assert shrunk("lmdl", 2, 0, lambda _asked: False) is None


def test_shrinking_leaves_out_what_does_not_matter() -> None:
    number = next(n for n in range(1000) if _long_hash(request("lmdl", 3, n)))
    small = shrunk("lmdl", 3, number, _long_hash)
    assert small is not None
    data = small.input["data"]
    assert isinstance(data, bytes)
    assert 100 < len(data) <= 128
    assert set(data) == {0}


def _long_hash(asked: Request) -> bool:
    data = asked.input.get("data")
    return asked.operation == "lmdl.hash" and isinstance(data, bytes) and len(data) > 100


@pytest.mark.parametrize("name", FORMATS)
def test_the_reference_answers_every_drawn_request(name: str) -> None:
    @settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(drawing.requests(FORMATS[name].generators))
    def answered(asked: Request) -> None:
        _is_answered(asked)

    answered()


@pytest.mark.parametrize("name", FORMATS)
def test_the_reference_answers_every_seeded_request(name: str) -> None:
    for number in range(1500):
        _is_answered(request(name, 11, number))


def _is_answered(asked: Request) -> None:
    # A malformed request, and a tree that cannot be built, would be raised.
    expect = question_of(asked, "x").expect
    if isinstance(expect, Ok):
        return
    assert isinstance(expect, Reject)
    assert expect.reason != REFERENCE_FAULT
    assert asked.operation in load_rules().formats[asked.format].reasons[expect.reason].operations


def test_draws_stay_in_their_range() -> None:
    source = SeededSource("range")
    for low, high in ((0, 1), (-5, 5), (7, 7), (0, 2**64 - 1), (-(2**70), 2**70)):
        assert all(low <= source.integer(low, high) <= high for _ in range(200))
    assert {len(source.data(1, 3)) for _ in range(200)} == {1, 2, 3}
    assert {source.integer(0, 2) for _ in range(200)} == {0, 1, 2}
    assert sorted(source.shuffled("abc")) == ["a", "b", "c"]


def test_only_real_choices_are_recorded() -> None:
    source = SeededSource("record")
    assert (source.integer(4, 4), source.data(0, 0), source.take("x")) == (4, b"", "x")
    assert source.choices == []
    assert numbered_source("lmdl", 1, 2).integer(0, 9**9) == numbered_source("lmdl", 1, 2).integer(0, 9**9)


@pytest.mark.parametrize("name", FORMATS)
def test_the_rules_of_accepted_answers_exist(name: str) -> None:
    rules = load_rules().formats[name]
    assert set(rules.accepting) == set(rules.operations)
    for cited in rules.accepting.values():
        assert set(cited) <= set(rules.rules)
