"""What a person adding a case gets wrong must be found: each lint, seen failing."""

from collections.abc import Iterable
from typing import Any

import pytest

from conformance.rules import load_rules
from conformance.suite.model import Case
from conformance.vectorgen.lint import lint
from conformance.vectorgen.proof import prove
from conformance.vectorgen.vector_set import VectorSet
from tests.conformance.making import Data, make_case, make_sweep

CRC = {"reject": {"reason": "slot-crc"}}
MAGIC = {"reject": {"reason": "slot-magic"}}
FLIP_CRC = {"at": 60, "xor": "01"}
FLIP_MAGIC = {"at": 0, "xor": "01"}
FLIP_EPOCH = {"at": 8, "xor": "01"}
RESEAL = {"reseal": "slot"}


def problems(*entries: Case, books: Iterable[VectorSet] = (), retired: Iterable[str] = ()) -> list[str]:
    return lint(entries, load_rules(), books, retired)


def test_a_right_case_is_proved() -> None:
    assert prove(make_case([FLIP_CRC], CRC)).problems == ()


@pytest.mark.parametrize(
    "expect",
    [MAGIC, {"reject": {"reason": "slot-crc", "at": "slot/A"}}, {"ok": {}}],
    ids=["another reason", "a place where there is none", "accepted"],
)
def test_a_case_that_the_reference_contradicts_is_a_problem(expect: Data) -> None:
    [problem] = prove(make_case([FLIP_CRC], expect)).problems
    assert problem.startswith("lmdl/try/one: the vector expects ")
    assert "the reference answers slot-crc (no place)" in problem


def test_an_accepted_case_must_state_the_whole_answer() -> None:
    [problem] = prove(make_case([], {"ok": {"data": ""}})).problems
    stated = "/ok/data: the vector expects 0 bytes; ends before byte 0, the reference answers 64 bytes; byte 0 is 0x4c"
    assert problem == f"lmdl/try/one: {stated} (and 1 more)"


def test_an_edit_that_does_not_fit_is_a_problem() -> None:
    assert prove(make_case([{"truncate": 65}], CRC)).problems


def test_a_reference_that_crashes_is_a_problem_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("conformance.suite.reference.reference_answer", crash)
    [problem] = prove(make_case([FLIP_CRC], CRC)).problems
    assert problem == "lmdl/try/one: the reference crashed after 1 questions: ZeroDivisionError: oops"


def test_the_digest_is_of_what_is_asked_and_compared() -> None:
    plain = prove(make_case([FLIP_CRC], CRC)).digest
    assert prove(make_case([{"at": 60, "xor": "0100"}], CRC, title="reworded", why="anew")).digest == plain
    assert prove(make_case([{"at": 61, "xor": "01"}], CRC)).digest != plain
    assert prove(make_case([FLIP_CRC], MAGIC)).digest != plain


def test_right_cases_have_no_lint() -> None:
    assert problems(make_case([FLIP_CRC], CRC, tags=["corruption"])) == []
    assert problems(make_case([FLIP_MAGIC, FLIP_CRC], MAGIC, tags=["precedence"])) == []


@pytest.mark.parametrize(
    ("edits", "expect", "more", "told"),
    [
        ([FLIP_CRC], CRC, {"rules": ["LMDL-SLOTS"]}, "no rule LMDL-SLOTS"),
        ([FLIP_CRC], CRC, {"rulings": ["R-LMDL-99"]}, "no ruling R-LMDL-99"),
        ([FLIP_CRC], {"reject": {"reason": "slot-bad"}}, {}, "no reason slot-bad"),
        ([FLIP_CRC], {"reject": {"reason": "meta-size"}}, {}, "do not let meta-size come from lmdl.slot.decode"),
        ([FLIP_CRC], {"reject": {"reason": "commit-io", "at": "sync-log"}}, {}, "sync-log is marked as without"),
        ([FLIP_CRC], {"reject": {"reason": "commit-io", "at": "read"}}, {}, "read is no step of commit-io"),
        ([FLIP_CRC], {"reject": {"reason": "commit-io"}}, {}, "None is no step of commit-io"),
        ([FLIP_CRC], {"reject": {"reason": "slot-crc", "at": "x"}}, {}, "names no place"),
        ([FLIP_CRC], CRC, {"tags": ["golden"]}, "tagged golden, but rejected"),
        ([], {"ok": {}}, {"tags": ["corruption"]}, "tagged corruption, but accepted"),
        ([FLIP_CRC], CRC, {"tags": ["corruption", "precedence"]}, "keep one tag"),
        ([FLIP_CRC], CRC, {"id": "pfc/try/one"}, "does not begin with the format"),
        ([FLIP_MAGIC, FLIP_CRC], MAGIC, {"tags": ["corruption"]}, "edit 1 can be dropped"),
        ([FLIP_CRC, FLIP_EPOCH], CRC, {"tags": ["corruption"]}, "edit 0 can be dropped"),
        ([FLIP_CRC], CRC, {"tags": ["corruption"], "joint": "?"}, "need not say why"),
        ([FLIP_MAGIC, FLIP_EPOCH, RESEAL], MAGIC, {"tags": ["precedence"]}, "no two faults show"),
    ],
)
def test_a_wrong_case_is_told(edits: list[Data], expect: Data, more: Data, told: str) -> None:
    found = problems(make_case(edits, expect, **more))
    assert any(told in problem for problem in found), found


def test_a_base_that_is_refused_without_the_edits_is_told() -> None:
    case = make_case([FLIP_CRC], CRC, tags=["corruption"])
    rotten = {path: data[:63] for path, data in case.goldens.items()}
    found = problems(type(case)(case.header, case.data, rotten))
    assert found == ["lmdl/try/one: without its edits it is still rejected: slot-size (no place)"]


def test_edits_that_are_one_fault_together_may_say_so() -> None:
    # Either flip alone is the same fault at another place: dropping one changes nothing in the rejection.
    edits = [{"at": 0, "xor": "01"}, {"at": 1, "xor": "01"}]
    assert problems(make_case(edits, MAGIC, tags=["corruption"]))
    assert problems(make_case(edits, MAGIC, tags=["corruption"], joint="one word is another")) == []


def test_a_repair_that_does_not_repair_is_told() -> None:
    case = make_case([], MAGIC, tags=["corruption"], input={"data": "AAAA"}, repair={"data": "AAAA"})
    data = {name: value for name, value in case.data.items() if name not in ("base", "into", "edits")}
    [problem] = problems(type(case)(case.header, data, {}))
    assert "with its repair it is still rejected: slot-size" in problem


def test_ids_are_unique_and_never_come_back() -> None:
    case = make_case([FLIP_CRC], CRC)
    assert problems(case, case) == ["lmdl/try/one: the id is used 2 times"]
    assert problems(case, retired=["lmdl/try/one"]) == ["lmdl/try/one: a released case had this id; choose another"]


def golden_problems(entries: list[Case], **book: Any) -> list[str]:
    return lint(entries, load_rules(), [VectorSet("lmdl", **book)])


def test_a_golden_file_has_both_sweeps_or_says_why_not() -> None:
    path = "lmdl/golden/slot.bin"
    goldens = {path: bytes(64)}
    case = make_case([FLIP_CRC], CRC)
    flips = make_sweep("bit-flips", [{"bytes": [0, 64], **CRC}])
    cuts = make_sweep("truncations", [{"lengths": [0, 64], "reject": {"reason": "slot-size"}}], id="lmdl/try/cuts")
    assert golden_problems([flips, cuts], goldens=goldens) == []
    assert "has no sweep of bit-flips and truncations" in golden_problems([case], goldens=goldens)[0]
    assert "has no sweep of truncations" in golden_problems([flips], goldens=goldens)[0]
    assert golden_problems([case], goldens=goldens, unswept={path: "too large"}) == []
    assert "has both sweeps" in golden_problems([flips, cuts], goldens=goldens, unswept={path: "too large"})[0]
    assert "is no golden file" in golden_problems([], unswept={"lmdl/golden/x.bin": "?"})[0]


def test_a_golden_file_that_nothing_uses_is_told() -> None:
    assert "no case or sweep uses" in golden_problems([], goldens={"lmdl/golden/lost.bin": b""})[0]
    assert "stands in lmdl/golden/" in golden_problems([], goldens={"pfc/golden/lost.bin": b""})[0]
