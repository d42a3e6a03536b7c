"""The plain text of failures, written out by hand."""

from dataclasses import replace

import pytest

from harness.model import Status
from harness.results import AdapterResult, CaseResult, Counts, DifferenceResult, QuestionResult, RunResult
from reports import text

ONE = """\
FAILED lmdl/slot/one (rust)
  title     the title of lmdl/slot/one
  why       a port that forgets the checksum
  rules     LMDL-SLOT, R-EPOCH-ZERO
  expected  rejected as slot-crc at /slot
  found     rejected as slot-magic at /slot
  detail    bad magic
  /reject/reason: expected slot-crc, found slot-magic
  /ok/data: first difference: epoch, byte 34 (0x22): expected 0x03, found 0xff
  (-) expected, (+) found
  - 00000020  01 02 03 04 ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··  ....
  + 00000020  01 02 ff 04 ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ··  ....
                    ^^                                         epoch
  replay: conformance replay 'lmdl/slot/one' --adapter rust"""

TWO = """\
BROKEN lmdl/slot/two (rust)
  title     the title of lmdl/slot/two
  why       a port that forgets the checksum
  rules     LMDL-SLOT, R-EPOCH-ZERO
  expected  accepted
  found     broken
  message   ended by signal 6
  stderr
    thread panicked
    at line 7
  replay: conformance replay 'lmdl/slot/two' --adapter rust"""

FLIPS = """\
FAILED lmdl/slot/flips (rust)
  title     the title of lmdl/slot/flips
  why       a port that forgets the checksum
  rules     LMDL-SLOT, R-EPOCH-ZERO
  members   7 passed, 1 failed, of 8; shown: 1
  member    lmdl/slot/flips#byte3.bit0: failed
  expected  rejected as slot-crc
  found     accepted
  replay: conformance replay 'lmdl/slot/flips#byte3.bit0' --adapter rust"""


@pytest.mark.parametrize(("case", "expected"), [(1, ONE), (2, TWO), (4, FLIPS)])
def test_a_failure_is_told_in_full(mixed: RunResult, case: int, expected: str) -> None:
    lines = text.failure_lines(mixed.cases[case], mixed.adapters[1].cases[case], "rust")
    assert "\n".join(line.rstrip() for line in lines) == expected


def test_failures_are_those_not_passed_in_the_order_of_the_run(mixed: RunResult) -> None:
    assert [case.status for _, case in text.failures(mixed, mixed.adapters[1])] == [
        Status.FAILED,
        Status.BROKEN,
        Status.TIMED_OUT,
        Status.FAILED,
    ]
    assert text.failures(mixed, mixed.adapters[0]) == []


def test_an_answer_of_the_right_kind_is_told_from_the_right_answer(mixed: RunResult) -> None:
    question = QuestionResult(
        "x", Status.FAILED, "accepted", "accepted", differences=(DifferenceResult("/ok/a", "1", "2"),)
    )
    assert text.found_text(question) == "accepted, but /ok/a differs"
    case = CaseResult("lmdl/slot/one", Status.FAILED, Counts(failed=1), (question,))
    assert "  found     accepted, but /ok/a differs" in text.failure_lines(mixed.cases[1], case, "rust")


def test_what_is_unsupported_is_told_with_the_way_to_leave_it_out(mixed: RunResult) -> None:
    lines = [
        "1 case unsupported: the handshake does not list pfc.open",
        "to judge only what it lists: -k lmdl.slot.decode",
    ]
    assert [text.unsupported(mixed, adapter) for adapter in mixed.adapters] == [[], lines, []]


def test_no_line_hides_anything(hostile: RunResult) -> None:
    lines = text.failure_lines(hostile.cases[0], hostile.adapters[0].cases[0], hostile.adapters[0].name)
    assert all(line.isprintable() for line in lines)
    assert any("\\x1b[31m\\x00\\u202e\\ud800" in line for line in lines)


def test_visible_leaves_writing_alone_and_cuts_what_is_too_long() -> None:
    assert text.visible("größer 数 🙂") == "größer 数 🙂"
    assert text.visible("a\nb\u2028c\U0001d173") == "a\\x0ab\\u2028c\\U0001d173"
    assert text.visible("a" * 3000) == "a" * 2000 + "… (3000 characters)"


def test_of_many_differences_and_much_stderr_the_first_and_the_last_are_shown(mixed: RunResult) -> None:
    differences = tuple(DifferenceResult(f"/ok/{n}", "1", "2") for n in range(10))
    stderr = "".join(f"line {n}\r\n" for n in range(30))
    question = QuestionResult("lmdl/slot/one", Status.FAILED, "a", "b", stderr=stderr, differences=differences)
    case = CaseResult("lmdl/slot/one", Status.FAILED, Counts(failed=1), (question,))
    lines = text.failure_lines(mixed.cases[1], case, "rust")
    assert "  /ok/7: expected 1, found 2" in lines
    assert not any(line.startswith("  /ok/8") for line in lines)
    assert "  … and 2 more differences" in lines
    start = lines.index("  stderr, its last 20 lines")
    assert lines[start + 1 : -1] == [f"    line {n}" for n in range(10, 30)]


def test_an_adapter_given_by_its_folder_is_quoted_for_the_shell(mixed: RunResult) -> None:
    lines = text.failure_lines(mixed.cases[1], mixed.adapters[1].cases[1], "port", "../my port")
    assert lines[0] == "FAILED lmdl/slot/one (port)"
    assert lines[-1] == "  replay: conformance replay 'lmdl/slot/one' --adapter '../my port'"


def test_heads_say_who_was_judged(mixed: RunResult) -> None:
    assert [text.adapter_head(adapter) for adapter in mixed.adapters] == [
        "formats-of-them 2.1; Rust; rustc 1.85; 2 operations",
        "formats-of-them 2.1; Rust; rustc 1.85; 2 operations; reasons only; started anew 2 times",
        "TypeScript; did not start",
    ]


def test_problems_of_an_adapter_name_what_went_wrong_outside_cases(mixed: RunResult) -> None:
    assert [text.adapter_problems(mixed, adapter) for adapter in mixed.adapters] == [
        [],
        ["it ended with status 3 when it was told to stop"],
        ["did not start: ./run: no such file", "build it with: npm ci && npm run build", "6 cases of 6 not judged"],
    ]


def test_problems_of_the_run() -> None:
    empty = RunResult("1.0.0", (), (), seconds=0.0, complete=False)
    assert text.run_problems(empty) == [
        "the run was broken off: some cases were not put to some adapter",
        "no adapter was judged",
        "no case was selected",
    ]


def test_the_summary_counts_cases_once_for_each_adapter(mixed: RunResult, passing: RunResult) -> None:
    assert text.summary(mixed) == (
        "FAILED: 7 passed, 2 failed, 1 unsupported, 1 broken, 1 timed out (6 cases, 3 adapters, 19 questions) in 3.5 s"
    )
    assert text.summary(passing) == "PASSED: 6 passed, 0 failed (6 cases, 1 adapter, 6 questions) in 3.5 s"


def test_a_run_that_could_not_begin_is_told_from_one_that_failed(mixed: RunResult) -> None:
    none = replace(mixed, adapters=mixed.adapters[2:])
    assert text.summary(none) == "NOT JUDGED: no adapter could be started, so no question was put (6 cases, 1 adapter)"
    assert not text.none_started(replace(mixed, adapters=()))


def test_a_build_command_that_was_told_is_not_told_again(mixed: RunResult) -> None:
    told: AdapterResult = replace(mixed.adapters[2], error="no program; build it first: npm ci && npm run build")
    assert text.adapter_problems(mixed, told) == [f"did not start: {told.error}", "6 cases of 6 not judged"]


def test_the_place_of_a_wrong_reason_follows_what_was_found(mixed: RunResult) -> None:
    question = QuestionResult("x", Status.FAILED, "rejected as a", "rejected as b", order="b is checked after a")
    case = CaseResult("lmdl/slot/one", Status.FAILED, Counts(failed=1), (question,))
    lines = text.failure_lines(mixed.cases[1], case, "rust")
    assert lines[lines.index("  found     rejected as b") + 1] == "  order     b is checked after a"


def test_a_run_that_missed_a_case_is_no_pass(passing: RunResult) -> None:
    adapter: AdapterResult = replace(passing.adapters[0], cases=passing.adapters[0].cases[:-1])
    short = replace(passing, adapters=(adapter,))
    assert text.summary(short).startswith("FAILED: 5 passed")
    assert text.adapter_problems(short, adapter) == ["1 case of 6 not judged"]
