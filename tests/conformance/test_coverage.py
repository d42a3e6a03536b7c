"""Coverage: nothing without a vector, the page as it stands, and what the command says."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance import coverage as module
from conformance.cli.coverage import all_passed
from conformance.cli.coverage import coverage as command
from conformance.coverage import Coverage, gaps, sentence_rows, verdict
from conformance.coverage_page import PAGE, page
from conformance.rules.sentences import LeftOut, Sentence, Sentences, load_sentences
from conformance.suite.load import Suite
from conformance.vectorgen.assemble import validator


def test_every_rule_reason_ruling_sentence_and_pair_has_a_vector(suite: Suite) -> None:
    assert gaps(Coverage(suite)) == []


def test_the_page_is_up_to_date(suite: Suite) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(Coverage(suite), all_passed(Coverage(suite)))


def test_the_page_claims_of_vectors_no_more_than_they_see(suite: Suite) -> None:
    text = page(Coverage(suite), all_passed(Coverage(suite)))
    assert "no vector can see whether something was synced" in text
    assert "`conformance crash`" in text.partition("## `")[0]
    assert "| reasons | vectors that bear on it |" in text


def test_without_vectors_everything_is_a_gap() -> None:
    found = "\n".join(gaps(Coverage(Suite("1.0.0", ()))))
    for told in (
        "lmdl: rule LMDL-SLOT has no vector",
        "flysess1: ruling R-FLY-1 has no vector",
        "pfc: reason metadata-too-deep has no vector of pfc.publish",
        "lmdl.slot.decode: the pair slot-magic, slot-crc has no vector, and no reason why not",
        "pfc-01: has no vector",
    ):
        assert told in found


def test_sentences_have_ids_of_their_own_and_say_why_they_are_left_out() -> None:
    for name, sentences in load_sentences().items():
        assert [one.id for one in sentences.covered] == [f"{name}-{i:02}" for i in range(1, len(sentences.covered) + 1)]
        assert all(one.text and one.section for one in sentences.covered)
        assert all(one.text and one.section and one.why for one in sentences.left_out)


def test_a_sentence_that_names_what_is_not_there_is_a_gap(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = (LeftOut("1", "t", "w"),)
    wrong = Sentences((Sentence("lmdl-01", "1", "t", ("LMDL-SLOT", "LMDL-NEW"), ("slot-majic",)),), left_out)
    monkeypatch.setattr(module, "load_sentences", lambda: {**load_sentences(), "lmdl": wrong})
    found = gaps(Coverage(suite))
    assert {"lmdl-01: there is no LMDL-NEW", "lmdl-01: there is no slot-majic"} <= set(found)
    assert "lmdl: no sentence became rule LMDL-HASH" in found


def test_verdicts(suite: Suite) -> None:
    _, _, entries = sentence_rows(Coverage(suite))[0]
    passed = {entry.id: "passed" for entry in entries}
    assert verdict(entries, passed) == "passed"
    assert verdict(entries, {**passed, entries[0].id: "failed"}) == f"1 of {len(entries)} not passed"
    assert verdict(entries, {}) == "not asked"


def test_the_command_shows_each_adapters_verdict(suite: Suite, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    cases = [{"id": entry.id, "status": "passed"} for entry in suite.cases]
    results.write_text(json.dumps({"adapters": [{"name": "one", "cases": cases}, {"name": "two", "cases": []}]}))
    shown = CliRunner().invoke(command, ["--results", str(results)])
    assert shown.exit_code == 0, shown.output
    assert "lmdl-01" in shown.output
    assert "not asked" in shown.output


def test_the_last_line_counts_what_has_a_vector_and_stands_only_where_all_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.json"
    results.write_text('{"adapters": []}')
    text = PAGE.read_text(encoding="utf-8")
    sentences = len(re.findall(r"^\| (?:lmdl|pfc|flysess1)-\d+ \|", text, re.MULTILINE))
    pairs = re.search(r"^\| all \|  \| (\d+) \|", text, re.MULTILINE)
    assert pairs is not None
    last = CliRunner().invoke(command, ["--results", str(results)]).output.splitlines()[-1]
    assert last.startswith(f"{sentences} sentences, ")
    assert last.endswith(f" reasons, {int(pairs[1]):,} pairs: all have a vector")
    # By its name in full: the package has the command itself under that of its module.
    module_of_command = import_module("conformance.cli.coverage")
    monkeypatch.setattr(module_of_command, "gaps", lambda _found: ["lmdl: rule LMDL-SLOT has no vector"])
    lacking = CliRunner().invoke(command, ["--results", str(results)])
    assert lacking.exit_code == 1
    assert "all have a vector" not in lacking.output


def test_the_page_is_not_written_from_a_run_that_left_something_out(suite: Suite, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    names = list(all_passed(Coverage(suite)))
    cases = [{"id": entry.id, "status": "passed"} for entry in suite.cases]
    adapters = [{"name": name, "cases": cases} for name in names]
    adapters[-1]["cases"] = cases[1:]
    results.write_text(json.dumps({"adapters": adapters}))
    before = PAGE.read_bytes()
    refused = CliRunner().invoke(command, ["--write", "--results", str(results)])
    assert f"1 of {len(cases)} vectors to {names[-1]}" in str(refused.exception)
    assert PAGE.read_bytes() == before


def test_results_that_are_none_are_told(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text("[]")
    for given in (path, tmp_path / "none.json"):
        result = CliRunner().invoke(command, ["--results", str(given)])
        assert result.exception is not None
        assert str(given) in str(result.exception)


def test_the_schema_of_pairwise_refuses_what_it_should() -> None:
    fault = {"name": "slot-magic", "reject": {"reason": "slot-magic"}, "edits": [{"at": 0, "xor": "20"}]}
    other = {**fault, "name": "slot-crc"}
    words = {"id": "lmdl/pairs/x", "title": "t", "why": "w", "rules": ["LMDL-SLOT"], "rulings": []}
    right = {**words, "tags": ["precedence"], "into": "data", "faults": [fault, other], "apart": []}
    assert list(validator("pairwise").iter_errors(right)) == []
    spoils: list[dict[str, Any]] = [
        {"faults": [fault]},
        {"faults": [fault, {**other, "edits": [{"truncate": 3}]}]},
        {"faults": [fault, {"name": "slot-crc", "reject": {"reason": "slot-crc"}}]},
        {"apart": [["slot-magic"]]},
        {"tags": []},
        {"reseal": ["slot"]},
        {"extra": 1},
    ]
    for spoil in spoils:
        assert list(validator("pairwise").iter_errors({**right, **spoil})), spoil
