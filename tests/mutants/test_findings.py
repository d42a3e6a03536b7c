"""Names, records and reports of mutants."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.paths import ROOT
from conformance.rules.data import FORMATS
from mutants import explained
from mutants.explained import StaleError, load_explained
from mutants.judge import Fate, Finding
from mutants.mutant import Change, named
from mutants.records import Moment, Now, Record, Records, killers
from mutants.report import with_table
from mutants.run import Shard
from mutants.scope import LANGUAGES, formats_of, load_reach, load_scope, sources_digests

SOURCE = "if a:\n    b = 1\nif a:\n    b = 2\n"
SOURCES = dict.fromkeys(sources_digests("python"), "s")
BEFORE = {"lmdl/a/one": "d1", "lmdl/a/sweep": "d2"}
AFTER = {"lmdl/a/one": "d1", "lmdl/a/sweep": "changed", "lmdl/a/new": "d3"}
NOW = Now(SOURCES, "v1", BEFORE, BEFORE)
LATER = Now(SOURCES, "v2", AFTER, AFTER)


def test_name_holds_the_changed_lines_and_tells_equal_ones_apart() -> None:
    changes = [Change("x.py", "AddNot", at, at + 1, "not a") for at in (19, 3)] + [Change("x.py", "N", 14, 15, "2")]
    assert [(mutant.name, mutant.line) for mutant in named(changes, {"x.py": SOURCE})] == [
        ("x.py: if a: => if not a:", 1),
        ("x.py: b = 1 => b = 2", 2),
        ("x.py: if a: => if not a: [2]", 3),
    ]


def test_change_is_applied() -> None:
    assert Change("x.py", "N", 14, 15, "7").applied(SOURCE) == "if a:\n    b = 7\nif a:\n    b = 2\n"


def test_kill_stands_while_its_case_does() -> None:
    record = Record.of("m", Finding(Fate.KILLED, "lmdl/a/one", "failed"), NOW)
    assert record.still_holds(LATER)
    assert not record.still_holds(replace(LATER, sources=dict.fromkeys(SOURCES, "other")))
    assert not Record.of("m", Finding(Fate.KILLED, "lmdl/a/sweep#byte1.bit0", "failed"), NOW).still_holds(LATER)
    assert not Record.of("m", Finding(Fate.KILLED, "lmdl/a/gone", "failed"), NOW).still_holds(NOW)


def test_finding_depends_on_the_sources_of_its_formats_alone() -> None:
    later = replace(NOW, sources={part: "new" if "pfc" in part else "s" for part in SOURCES})
    names = {"reference_py/lmdl/slot.py: a => b": True, "reference_py/pfc/ranges.py: a => b": False}
    names |= {"reference_py/json_text.py: a => b": False, "reference_py/durable.py: a => b": False}
    kill = Finding(Fate.KILLED, "lmdl/a/one", "failed")
    assert {name: Record.of(name, kill, NOW).still_holds(later) for name in names} == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_format_uses_the_code_of_another(language: str) -> None:
    for file in load_scope(language).files:
        others = set(FORMATS) - set(formats_of(file))
        imports = re.findall(r"^\s*(?:from|import|use|.*\bfrom|pub use)\b.*$", (ROOT / file).read_text(), re.MULTILINE)
        used = [line for line in imports for name in others if re.search(rf"[./:]{name}\b", line)]
        assert not used or file.endswith(("/lib.rs", "src/index.ts")), f"{file}: {used}"


def test_files_of_few_operations_are_mutated_files() -> None:
    files = {file for language in LANGUAGES for file in load_scope(language).files}
    assert all(reach.files <= files for reach in load_reach())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_few_operations_reach_is_used_by_nothing_else(language: str) -> None:
    files = load_scope(language).files
    index = ("__init__.py", "/mod.rs", "/lib.rs", "/index.ts")
    for reach in load_reach():
        few = reach.files & set(files)
        for file in set(files) - few:
            near = {other for other in few if set(formats_of(other)) & set(formats_of(file))}
            names = {other.rsplit("/", 1)[1].split(".")[0] for other in near}
            if file.endswith(index):
                continue
            text = (ROOT / file).read_text()
            imports = re.findall(r"^\s*(?:from \S+ import|use (?:super|crate)::.*|.*\bfrom \"\S+)", text, re.MULTILINE)
            used = [line for line in imports for name in names if re.search(rf"(?:[./:]|::){name}\b", line)]
            assert not used, f"{file} uses {used}"


@pytest.mark.parametrize("fate", [Fate.SURVIVED, Fate.TIMED_OUT])
def test_survival_is_of_all_vectors(fate: Fate) -> None:
    record = Record.of("m", Finding(fate), NOW)
    assert record.still_holds(NOW)
    assert not record.still_holds(LATER)


def test_survivor_is_asked_only_what_is_new_or_changed(tmp_path: Path) -> None:
    records = Records(tmp_path, "python")
    survivor = Record.of("m", Finding(Fate.SURVIVED), NOW)
    records.add(survivor, NOW, "1-of-1")
    assert Records(tmp_path, "python").cases_asked(survivor, LATER) == {"lmdl/a/one"}
    assert records.cases_asked(survivor, replace(LATER, sources=dict.fromkeys(SOURCES, "other"))) == frozenset()
    assert records.cases_asked(Record.of("m", Finding(Fate.TIMED_OUT), NOW), LATER) == frozenset()


def test_mutant_with_a_proof_is_asked_no_sweeps_but_a_kill_by_one_stands(tmp_path: Path) -> None:
    single = replace(NOW, vectors="single", asked={"lmdl/a/one": "d1"})
    moment = Moment(NOW, single, frozenset({"m"}))
    assert (moment.of("m"), moment.of("n")) == (single, NOW)
    records = Records(tmp_path, "python")
    survivor = Record.of("m", Finding(Fate.SURVIVED), single)
    records.add(survivor, single, "1-of-1")
    assert survivor.still_holds(single)
    assert not survivor.still_holds(NOW)
    assert Records(tmp_path, "python").cases_asked(survivor, NOW) == {"lmdl/a/one"}
    assert Record.of("m", Finding(Fate.KILLED, "lmdl/a/sweep#byte1", "failed"), NOW).still_holds(single)


def test_records_of_all_shards_are_read_and_a_torn_line_is_not(tmp_path: Path) -> None:
    records = Records(tmp_path, "python")
    records.add(Record.of("m", Finding(Fate.SURVIVED), NOW), NOW, "1-of-2")
    records.add(Record.of("n", Finding(Fate.NOT_BUILT), NOW), NOW, "2-of-2")
    with (tmp_path / "python.2-of-2.jsonl").open("a") as file:
        file.write('{"name": "torn", "sour')
    again = Records(tmp_path, "python")
    assert [record.fate for name in "mn" if (record := again.of(name, NOW))] == ["survived", "not-built"]
    assert again.of("torn", NOW) is None


def test_record_that_holds_is_found_whatever_the_order_of_the_shards(tmp_path: Path) -> None:
    kill = Record.of("m", Finding(Fate.KILLED, "lmdl/a/one", "failed"), NOW)
    stale = replace(kill, sources="before", fate="survived")
    for order in ((kill, stale), (stale, kill)):
        records = Records(tmp_path / order[0].fate, "python")
        for index, record in enumerate(order, 1):
            records.add(record, NOW, f"{index}-of-2")
        assert Records(tmp_path / order[0].fate, "python").of("m", NOW) == kill
    assert Records(tmp_path / "killed", "python").of("m", replace(NOW, cases={})) == stale


def test_the_deadliest_case_comes_first() -> None:
    kills = [Record.of("m", Finding(Fate.KILLED, case), NOW) for case in ("b", "a", "b#1", "c")]
    assert killers([*kills, Record.of("m", Finding(Fate.SURVIVED), NOW)]) == ["b", "a", "c"]


def test_shards_share_out_all_mutants() -> None:
    mutants = named([Change("x.py", "N", at, at + 1, "z") for at in range(len(SOURCE) - 1)], {"x.py": SOURCE})
    parts = [[mutant.name for mutant in mutants if Shard(index, 3).has(mutant)] for index in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(mutant.name for mutant in mutants)
    assert all(parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_scope_has_every_format_and_no_adapter(language: str) -> None:
    files = load_scope(language).files
    assert {name for file in files for name in formats_of(file)} == {"lmdl", "pfc", "flysess1"}
    assert not [file for file in files if "/adapter/" in file or "/test/" in file or "/operations/" in file]


def test_explained_mutants_need_a_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "equivalent.toml"
    monkeypatch.setattr(explained, "EXPLAINED", file)
    entry = '[[explained]]\nlanguage = "python"\nkind = "equivalent"\nproof = "{}"\nmutants = ["m"]\n'
    file.write_text(entry.format("as before"))
    assert [each.mutants for each in load_explained()] == [("m",)]
    file.write_text(entry.format(" "))
    with pytest.raises(StaleError, match="proof"):
        load_explained()
    file.write_text(entry.format("one") + entry.format("two"))
    with pytest.raises(StaleError, match="twice"):
        load_explained()


def test_page_without_its_marks_is_refused() -> None:
    with pytest.raises(StaleError, match="marks"):
        with_table("# Page\n", [])
