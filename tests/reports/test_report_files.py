"""The written reports, read back by readers that are not ours."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite
from markdown_it import MarkdownIt

from harness.results import RunResult
from reports import markdown
from reports.junit import junit_xml
from reports.markdown import markdown as markdown_report
from reports.page import html_page
from reports.text import failure_lines, summary, visible
from reports.write import ReportError, write_reports, write_results

NAMES = ["results.json", "junit.xml", "report.md", "report.html"]
ALLOWED = {"h1", "h2", "p", "strong", "ul", "li", "pre", "code", "details", "summary"} | {
    *("table", "thead", "tbody", "tr", "th", "td"),
}


class Page(HTMLParser):
    """What a browser would see: elements, ids, links and text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        return [value for name, value in self.attributes if name == attribute]


def suites(result: RunResult) -> list[TestSuite]:
    return list(JUnitXml.fromstring(junit_xml(result)))


def findings(suite: TestSuite) -> list[tuple[str | None, list[str]]]:
    return [(case.name, [type(each).__name__ for each in case.result]) for case in suite]


def test_all_reports_are_written_and_the_results_can_be_read_back(mixed: RunResult, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    assert write_reports(mixed, folder) == [folder / name for name in NAMES]
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    assert RunResult.from_json(json.loads((folder / "results.json").read_bytes())) == mixed


@pytest.mark.parametrize("which", ["mixed", "hostile", "passing"])
def test_reports_made_from_the_results_document_are_the_same(
    which: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    result: RunResult = request.getfixturevalue(which)
    write_reports(result, tmp_path / "a")
    write_reports(RunResult.from_json(json.loads((tmp_path / "a/results.json").read_bytes())), tmp_path / "b")
    for name in NAMES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_junit_has_a_suite_for_each_adapter_and_skips_nothing(mixed: RunResult) -> None:
    python, rust, typescript = suites(mixed)
    assert [(one.name, one.tests, one.failures, one.errors, one.skipped) for one in (python, rust, typescript)] == [
        ("python", 6, 0, 0, 0),
        ("rust", 7, 3, 3, 0),
        ("typescript", 3, 0, 3, 0),
    ]
    assert findings(rust) == [
        ("outside any case: it ended with status 3 when it was told to stop", ["Error"]),
        ("lmdl/slot/zero", []),
        ("lmdl/slot/one", ["Failure"]),
        ("lmdl/slot/two", ["Error"]),
        ("lmdl/slot/slow", ["Error"]),
        ("lmdl/slot/flips", ["Failure"]),
        ("pfc/open/plain", ["Failure"]),
    ]
    assert rust.time == 1.25


def test_junit_says_who_was_judged(mixed: RunResult) -> None:
    _, rust, typescript = ElementTree.fromstring(junit_xml(mixed))  # noqa: S314 - our own document
    assert [(one.get("name"), one.get("value")) for one in rust.iter("property")] == [
        ("suite_version", "1.0.0"),
        ("language", "Rust"),
        ("implementation", "formats-of-them"),
        ("version", "2.1"),
        ("runtime", "rustc 1.85"),
        ("locations", "false"),
    ]
    assert [one.get("name") for one in typescript.iter("property")] == ["suite_version", "language"]


def test_junit_counts_the_whole(mixed: RunResult) -> None:
    document = JUnitXml.fromstring(junit_xml(mixed))
    assert (document.tests, document.failures, document.errors, document.skipped) == (16, 3, 6, 0)
    assert document.time == 3.5


def test_junit_carries_the_text_of_the_failure(mixed: RunResult) -> None:
    case: TestCase = list(suites(mixed)[1])[2]
    assert case.classname == "rust.lmdl.slot.decode"
    (finding,) = case.result
    assert isinstance(finding, Failure)
    assert finding.message == "expected rejected as slot-crc at /slot, found rejected as slot-magic at /slot"
    assert finding.text == "\n".join(failure_lines(mixed.cases[1], mixed.adapters[1].cases[1], "rust"))


def test_junit_of_a_broken_off_run_is_not_green(passing: RunResult) -> None:
    *_, last = suites(replace(passing, complete=False))
    ((name, found),) = findings(last)
    assert name is not None
    assert name.endswith("some cases were not put to some adapter")
    assert found == ["Error"]


def test_junit_of_hostile_text_is_still_xml(hostile: RunResult) -> None:
    first, _ = suites(hostile)
    *_, case = list(first)
    (finding,) = case.result
    assert isinstance(finding, Error)
    assert visible(hostile.adapters[0].name) == first.name
    assert "]]> <script>alert(1)</script> | [red]x[/red] `tick` \\x1b[31m\\x00" in str(finding.text)


def test_markdown_shows_the_matrix_as_a_table_and_folds_failures(mixed: RunResult) -> None:
    text = markdown_report(mixed)
    assert text.startswith(f"# Checkpoint conformance\n\n**{summary(mixed)}**\n")
    page = Page(MarkdownIt("commonmark").enable("table").render(text))
    assert page.elements.count("table") == 1
    assert page.elements.count("tr") == 1 + 2 + 2
    assert page.elements.count("details") == page.elements.count("pre") - 1 == 4
    assert "LMDL-SLOT, R-EPOCH-ZERO" in page.text
    assert "build it with: npm ci && npm run build" in page.text


def test_markdown_of_hostile_text_makes_no_element_and_no_cell(hostile: RunResult) -> None:
    page = Page(MarkdownIt("commonmark").enable("table").render(markdown_report(hostile)))
    assert set(page.elements) <= ALLOWED
    assert page.elements.count("th") == 3
    assert page.text.count("\\ud800 ```") > 20
    assert page.elements.count("code") == page.elements.count("pre")


def test_markdown_names_the_failures_for_which_there_is_no_room(
    mixed: RunResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = "\n".join(failure_lines(mixed.cases[1], mixed.adapters[1].cases[1], "rust"))
    monkeypatch.setattr(markdown, "LARGEST", len(first) + 400)
    text = markdown_report(mixed)
    assert first in text
    assert "3 more cases, in full in `report.html`:\n\n- lmdl/slot/two\n- lmdl/slot/slow\n- lmdl/slot/flips\n" in text
    assert text.count("<details>") == 1


def test_html_tells_everything_and_needs_nothing_else(mixed: RunResult) -> None:
    page = Page(html_page(mixed))
    assert summary(mixed) in page.text
    for number in (1, 2, 4):
        assert "\n".join(failure_lines(mixed.cases[number], mixed.adapters[1].cases[number], "rust")) in page.text
    assert {"script", "link", "img", "iframe"}.isdisjoint(page.elements)
    assert page.values("src") == []
    assert page.values("href")
    assert all(link.startswith("#") for link in page.values("href"))


def test_html_links_lead_to_failures_that_are_there(mixed: RunResult) -> None:
    page = Page(html_page(mixed))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert sorted(link[1:] for link in page.values("href")) == sorted(each for each in ids if each != "failing")
    assert len(page.values("href")) == 4


def test_html_hides_what_all_passed_when_asked(mixed: RunResult, passing: RunResult) -> None:
    # Of six cases one was passed by those that could be judged, but the third adapter never began.
    assert Page(html_page(mixed)).values("class").count("case-failing") == 6
    two = replace(mixed, adapters=mixed.adapters[:2])
    assert Page(html_page(two)).values("class").count("case-failing") == 5
    assert Page(html_page(two)).values("class").count("case-passed") == 1
    page = Page(html_page(passing))
    assert page.values("class").count("operation all-passed") == 2
    assert "Every implementation passed every case." in page.text


def test_html_of_hostile_text_makes_no_element(hostile: RunResult, mixed: RunResult) -> None:
    page = Page(html_page(hostile))
    assert set(page.elements) <= set(Page(html_page(mixed)).elements)
    assert page.text.count("<script>alert(1)</script>") > 20


def test_a_report_that_cannot_be_written_leaves_nothing_half_done(mixed: RunResult, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(ReportError, match=r"taken.results\.json: cannot be written: .*; name a place"):
        write_reports(mixed, tmp_path / "taken")
    (tmp_path / "out" / "results.json").mkdir(parents=True)
    with pytest.raises(ReportError, match=r"results\.json: cannot be written"):
        write_results(mixed, tmp_path / "out" / "results.json")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["results.json"]


def test_a_link_is_followed_and_an_older_report_replaced(mixed: RunResult, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_results(mixed, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_bytes())["suite_version"] == "1.0.0"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "real.json"]


def test_what_is_no_file_is_written_to_and_stays(mixed: RunResult) -> None:
    write_results(mixed, Path("/dev/null"))
    assert Path("/dev/null").is_char_device()


def test_notes_on_an_adapter_stand_in_page_and_summary(passing: RunResult) -> None:
    adapter = replace(passing.adapters[0], notes=("it lists <b>x</b> twice",))
    noted = replace(passing, adapters=(adapter,))
    assert "note: it lists <b>x</b> twice" in Page(html_page(noted)).text
    assert "  - note: it lists &lt;b&gt;x&lt;/b&gt; twice\n" in markdown_report(noted)
