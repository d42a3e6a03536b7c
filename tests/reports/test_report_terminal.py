"""What is printed: at several widths, without colour, and with text that looks like markup."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from harness.model import Implementation
from harness.results import AdapterResult, CaseResult, Counts, RunResult
from reports.terminal import GROUPS_NAMED, GROUPS_SHOWN, print_result
from reports.text import failure_lines, summary


def printed(result: RunResult, width: int = 80, folder: Path | None = None) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    print_result(console, result, folder=folder)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_it_begins_with_who_was_judged_and_ends_with_the_summary(mixed: RunResult) -> None:
    lines = printed(mixed).splitlines()
    assert lines[:3] == [
        "python: formats-of-them 2.1; Rust; rustc 1.85; 2 operations; 2.0 s",
        "rust: formats-of-them 2.1; Rust; rustc 1.85; 2 operations; reasons only; started anew 2 times; 1.2 s",
        "typescript: TypeScript; did not start; 0.0 s",
    ]
    assert lines[-1] == summary(mixed)


def test_the_matrix_can_be_read_without_colour(mixed: RunResult) -> None:
    rows = [line.split() for line in printed(mixed).splitlines()]
    assert ["cases", "python", "rust", "typescript"] in rows
    assert ["lmdl.slot.decode", "✓", "5/5", "!", "1/5", "·", "0/5"] in rows
    assert ["all", "questions", "6/6", "8/13", "0/0"] in rows
    assert "✓ passed, ? unsupported, ! broken, · not judged" in printed(mixed)


def test_failures_are_printed_word_for_word_as_elsewhere(mixed: RunResult) -> None:
    text = printed(mixed, width=30)
    adapter = mixed.adapters[1]
    for number in range(1, 5):
        assert "\n".join(failure_lines(mixed.cases[number], adapter.cases[number], "rust")) + "\n" in text
    assert "rust: it ended with status 3 when it was told to stop\n" in text
    assert "rust: 1 case unsupported: the handshake does not list pfc.open\n" in text
    assert "typescript: did not start: ./run: no such file\n" in text
    assert "typescript: build it with: npm ci && npm run build\n" in text
    assert "    node: not found\n" in text


def test_each_group_has_one_example_and_further_groups_a_line(mixed: RunResult) -> None:
    rust = mixed.adapters[1]
    others = [replace(mixed.cases[1], id=f"lmdl/slot/{number}", operation=f"lmdl.op{number}") for number in range(30)]
    flips = rust.cases[4]
    wrong: list[CaseResult] = [replace(flips, id=one) for one in ("lmdl/slot/one", *(other.id for other in others))]
    worse: AdapterResult = replace(rust, cases=(*wrong, flips))
    result = replace(mixed, cases=(*others, *mixed.cases), adapters=(worse,))
    text = printed(result, folder=Path("out"))
    headline = "rust: 2 cases of lmdl.slot.decode: expected slot-crc, found accepted"
    assert text.index(f"{headline}\nFAILED lmdl/slot/one (rust)\n") < text.index("FAILED lmdl/slot/0 (rust)")
    assert "  … and 1 more: lmdl/slot/flips\n" in text
    assert text.count("\nFAILED lmdl/slot/") == GROUPS_SHOWN
    assert text.count(", such as lmdl/slot/") == GROUPS_NAMED
    assert "rust: 32 cases in 31 groups did not pass; all 32 are in out/report.html\n" in text
    assert "did not pass; --reports FOLDER writes each in full\n" in printed(result)


def test_of_a_sweep_one_member_is_shown(mixed: RunResult) -> None:
    rust = mixed.adapters[1]
    (first,) = rust.cases[4].shown
    flips: CaseResult = replace(
        rust.cases[4], questions=Counts(failed=2), shown=(first, replace(first, id="lmdl/slot/flips#byte4.bit0"))
    )
    worse: AdapterResult = replace(rust, cases=(flips,))
    text = printed(replace(mixed, adapters=(worse,)))
    assert "  members   0 passed, 2 failed, of 2; shown: 1\n" in text
    assert "flips#byte4.bit0" not in text


def test_a_run_that_could_not_begin_shows_no_matrix_but_the_build_command(mixed: RunResult) -> None:
    text = printed(replace(mixed, adapters=mixed.adapters[2:]))
    assert "0/5" not in text
    assert "typescript: build it with: npm ci && npm run build\n" in text
    assert text.splitlines()[-1].startswith("NOT JUDGED: no adapter could be started")


@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 200])
def test_no_number_is_lost_on_a_narrow_terminal(mixed: RunResult, width: int) -> None:
    many = replace(mixed, adapters=tuple(replace(mixed.adapters[0], name=f"adapter{n}") for n in range(12)))
    text = printed(many, width)
    if width >= 40:
        assert text.count("✓ 5/5") == 12
        table = text.partition("\n\n")[2]
        assert all(len(line) <= width for line in table.splitlines() if "✓" in line)
        assert all(f"adapter{n}" in table for n in range(12))


def test_colour_is_for_terminals(mixed: RunResult) -> None:
    assert "\x1b" not in printed(mixed)
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard", _environ={})
    print_result(console, mixed)
    assert isinstance(console.file, io.StringIO)
    assert re.search(r"\x1b\[32m *✓ 5/5", console.file.getvalue())


def test_foreign_text_is_no_markup_and_no_terminal_sequence(hostile: RunResult) -> None:
    text = printed(hostile, width=400)
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.count("[red]x[/red]") > 10


def test_a_run_without_adapters_says_so() -> None:
    text = printed(RunResult("1.0.0", (), (), seconds=0.0, complete=False))
    assert "the run: no adapter was judged\n" in text
    assert text.endswith("FAILED: 0 passed, 0 failed (0 cases, 0 adapters, 0 questions) in 0.0 s\n")


def test_a_name_in_brackets_stays(passing: RunResult) -> None:
    said = Implementation("[bold]", "1", "C", "cc", frozenset())
    adapter: AdapterResult = replace(passing.adapters[0], name="[b]", implementation=said)
    assert "[b]: [bold] 1; C; cc; 0 operations; 2.0 s\n" in printed(replace(passing, adapters=(adapter,)))


def test_notes_stand_below_who_was_judged(passing: RunResult) -> None:
    adapter: AdapterResult = replace(passing.adapters[0], notes=("it lists \x1b[31m twice",))
    noted = replace(passing, adapters=(adapter,))
    assert f"{adapter.name}: note: it lists \\x1b[31m twice\n" in printed(noted)
    assert noted.passed
