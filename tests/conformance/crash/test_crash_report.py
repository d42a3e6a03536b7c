"""The reports of a crash campaign, from results made by hand."""

from __future__ import annotations

import json
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli.crash import crash
from conformance.crash.report import HEAD, exposures, html_page, markdown, problems, rows, summary
from conformance.crash.result import AdapterCrashes, Finding, ScenarioResult
from harness.model import Implementation

ODD = "one|*two* <b>\x1b[31m"


def _adapter(name: str, format_id: str, **counts: int) -> AdapterCrashes:
    scenario = ScenarioResult(f"{format_id}/later", "a later commit", "x.commit", Counter({"order": 1, **counts}))
    said = Implementation(name, "1.0.0", "Odd", "odd 1", frozenset({"x.commit"}))
    return AdapterCrashes(name, format_id, said, [scenario], seconds=2.0)


def _results() -> list[AdapterCrashes]:
    """Two adapters on one format, the second with a finding, and the first on another format."""
    good, bad, alone = _adapter("a", "lmdl", kill=1200), _adapter("b", "lmdl", kill=3), _adapter("a", "pfc", change=7)
    bad.scenarios[0].findings.append(Finding("lmdl/later", "kill", "killed after write", ODD, ("fsync(3) = 0",)))
    alone.scenarios[0].exposed.update({"visible and not whole": 5})
    return [good, bad, alone]


def test_rows_have_every_count_and_the_sum_of_each_format() -> None:
    assert (
        *("format", "adapter", "scenarios"),
        *("order", "kill", "fault", "short-write", "power-cut", "change"),
        *("exposed", "result"),
    ) == HEAD
    assert [row.cells for row in rows(_results())] == [
        ("lmdl", "a", "1", "1", "1,200", "0", "0", "0", "0", "0", "passed"),
        ("lmdl", "b", "1", "1", "3", "0", "0", "0", "0", "0", "1 finding"),
        ("lmdl", "all", "2", "2", "1,203", "0", "0", "0", "0", "0", "failed"),
        ("pfc", "a", "1", "1", "0", "0", "0", "0", "7", "5", "passed"),
    ]
    assert [row.is_sum for row in rows(_results())] == [False, False, True, False]


def test_the_summary_is_the_verdict() -> None:
    assert summary(_results()) == "FAILED: 1,213 trials, 1 finding (2 formats, 2 adapters)"
    assert summary(_results()[:1]) == "PASSED: 1,201 trials, 0 findings (1 format, 1 adapter)"
    assert summary([]).startswith("FAILED")


def test_one_that_does_not_start_or_lacks_the_operation_is_no_pass() -> None:
    lost, mute = AdapterCrashes("a", "lmdl", error="no such program"), _adapter("b", "lmdl")
    mute.scenarios[0].unsupported = True
    assert [row.cells[-1] for row in rows([lost, mute])] == ["not started", "unsupported", "failed"]
    assert problems(lost) == ["NOT STARTED no such program"]
    assert problems(mute) == ["UNSUPPORTED b does not list x.commit: 1 scenario"]


def test_adapters_that_list_none_of_the_operations_were_not_judged() -> None:
    mute, other, good = _adapter("a", "lmdl"), _adapter("a", "pfc"), _adapter("b", "pfc")
    mute.scenarios[0].unsupported = other.scenarios[0].unsupported = True
    other.scenarios[0].operation = "y.commit"
    assert summary([mute, other]) == "NOT JUDGED: the adapter lists none of x.commit, y.commit"
    assert summary([mute, good]).startswith("FAILED: ")
    assert summary([mute, AdapterCrashes("b", "lmdl", error="no such program")]).startswith("FAILED: ")
    good.scenarios[0].unsupported = True
    assert summary([mute, good]) == "NOT JUDGED: the adapters list none of x.commit"


def test_findings_past_the_most_are_counted() -> None:
    bad = _results()[1]
    bad.scenarios[0].findings *= 3
    assert problems(bad, 2)[-1] == "… and 1 findings more of b, lmdl; see --json"
    assert sum(line.startswith("FAILED") for line in problems(bad)) == 3


def test_what_is_exposed_is_told() -> None:
    (line,) = exposures(_results())
    assert line.startswith("pfc, a: 5 states that a power cut may leave are visible and not whole")


def test_markdown_has_counts_scenarios_and_findings_and_nothing_foreign_as_markup() -> None:
    text = markdown(_results())
    assert "| lmdl | a | 1 | 1 | 1,200 | 0 | 0 | 0 | 0 | 0 | passed |" in text
    assert "| **lmdl** | **all** | **2** |" in text
    assert "| lmdl/later | a later commit | b | 1 | 3 | 0 | 0 | 0 | 0 |" in text
    assert "## What b did not pass in lmdl" in text
    assert "    FAILED b lmdl/later (kill, killed after write): one|*two* <b>\\x1b[31m" in text
    assert "        fsync(3) = 0" in text
    assert text == markdown(_results())
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {len(HEAD) + 1, 10}


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name in {"src", "href"} for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html_has_the_same_counts_and_asks_for_nothing() -> None:
    page = _Cells()
    page.feed(html_page(_results(), "1.2.3"))
    for row in rows(_results()):
        assert all(cell in page.text for cell in row.cells)
    assert any("one|*two* <b>\\x1b[31m" in text for text in page.text)
    assert not page.tags & {"script", "b", "link", "img"}
    assert "1.2.3" in page.text


def test_the_command_writes_all_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["conformance.cli.crash"], "run_campaign", lambda *_: _results())
    done = CliRunner().invoke(crash, ["--reports", str(tmp_path / "new"), "--json", str(tmp_path / "one.json")])
    assert done.exit_code == 1
    assert "FAILED: 1,213 trials, 1 finding (2 formats, 2 adapters)" in done.output
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["crash.html", "crash.json", "crash.md"]
    # Eighty columns, as where nobody is at a terminal: names and verdicts are whole.
    lines = [line.rstrip() for line in done.output.splitlines()]
    assert any(line.startswith("lmdl   a ") and line.endswith(" passed") for line in lines)
    assert any(line.startswith("lmdl   b ") and line.endswith(" 1 finding") for line in lines)
    said = json.loads((tmp_path / "new" / "crash.json").read_text())
    assert said == json.loads((tmp_path / "one.json").read_text())
    assert [each["counts"]["kill"] for each in said["adapters"]] == [1200, 3, 0]
    assert (tmp_path / "new" / "crash.md").read_text() == markdown(_results())
