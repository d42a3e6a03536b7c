"""Building, checking and loading a whole folder of vectors, with one small builder in place of all."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conformance.formats import FORMATS
from conformance.paths import VECTORS
from conformance.suite.errors import SuiteError
from conformance.suite.load import load_suite, parse_entries
from conformance.vectorgen import vectors
from conformance.vectorgen.generate import GenerationError
from conformance.vectorgen.vector_set import VectorSet
from tests.conformance.making import Part, part

COORDINATE = part("lmdl", "coordinate")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the coordinate's cases alone, just built."""
    shutil.copytree(VECTORS / "schema", tmp_path / "schema")
    vectors.build(COORDINATE, tmp_path)
    return tmp_path


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document))


def test_a_fresh_build_is_clean_whole_and_loadable(folder: Path) -> None:
    assert vectors.check(COORDINATE, folder).clean
    assert vectors.build(COORDINATE, folder).clean
    assert not list(folder.rglob("*.tmp"))
    suite = load_suite(FORMATS, folder)
    assert len(suite.cases) == json.loads((folder / "index.json").read_bytes())["counts"]["lmdl"]["cases"] + 6


def test_a_flipped_byte_is_not_judged_by(folder: Path) -> None:
    path = folder / "lmdl/golden/coordinate-plain.bin"
    data = path.read_bytes()
    path.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    with pytest.raises(SuiteError, match=r"coordinate-plain\.bin: SHA-256 is"):
        load_suite(FORMATS, folder)
    [line] = vectors.check(COORDINATE, folder).changed[0].lines
    assert line == "32 → 32 bytes, first difference at byte 0: 00 → 01"


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "lmdl/golden/coordinate-zero.bin").unlink()
    with pytest.raises(SuiteError, match=r"coordinate-zero\.bin"):
        load_suite(FORMATS, folder)
    assert vectors.check(COORDINATE, folder).added == ("lmdl/golden/coordinate-zero.bin",)


def test_no_index_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="conformance vectors build"):
        load_suite(FORMATS, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"suite":"1","files":[]}',
        '{"suite":"1","files":{"lmdl/a.json":{}}}',
        '{"suite":1,"files":{}}',
        "[" * 100_000,
        "[",
    ],
)
def test_a_corrupt_index_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(SuiteError, match=r"index\.json: not .*`conformance vectors check`"):
        load_suite(FORMATS, tmp_path)


def test_a_changed_case_is_told_from_what_to_what(folder: Path) -> None:
    path = folder / "lmdl/coordinate-decode.json"

    def change(document: dict[str, Any]) -> None:
        [case] = [case for case in document["cases"] if case["id"] == "lmdl/coordinate/size-one-short"]
        case["expect"]["reject"]["reason"] = "slot-size"

    edit(path, change)
    [told] = [
        change
        for change in vectors.check(COORDINATE, folder).changed
        if change.name == "lmdl/coordinate/size-one-short"
    ]
    assert told.lines == ('/expect/reject/reason: "slot-size" → "coordinate-size"',)


def test_added_and_removed_cases_are_told(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        document["cases"][0]["id"] = "lmdl/coordinate/zzz"

    before = json.loads((folder / "lmdl/coordinate-decode.json").read_bytes())["cases"][0]["id"]
    edit(folder / "lmdl/coordinate-decode.json", change)
    report = vectors.check(COORDINATE, folder)
    assert report.added == (before,)
    assert report.removed == ("lmdl/coordinate/zzz",)


def test_another_spelling_of_the_same_json_is_told(folder: Path) -> None:
    edit(folder / "lmdl/coordinate-decode.json", lambda _: None)
    [change] = vectors.check(COORDINATE, folder).changed
    assert change.lines == ("the same JSON, written differently; build anew",)


def test_a_stray_file_is_told_and_removed(folder: Path) -> None:
    stray = folder / "lmdl/golden/stray.bin"
    stray.write_bytes(b"?")
    assert vectors.check(COORDINATE, folder).removed == ("lmdl/golden/stray.bin",)
    vectors.build(COORDINATE, folder)
    assert not stray.exists()


def test_a_broken_file_is_told_and_built_anew(folder: Path) -> None:
    (folder / "lmdl/coordinate-decode.json").write_text("{")
    assert not vectors.check(COORDINATE, folder).clean
    vectors.build(COORDINATE, folder)
    assert vectors.check(COORDINATE, folder).clean


def test_after_a_release_the_version_rule_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors.release(COORDINATE, folder)
    assert vectors.check(COORDINATE, folder).clean
    more = part("lmdl", "coordinate", "hash")
    assert "needs a new minor version" in vectors.check(more, folder).objections[0]
    standing = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(GenerationError, match="needs a new minor version"):
        vectors.build(more, folder)
    assert standing == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    monkeypatch.setattr(vectors, "SUITE_VERSION", "1.1.0")
    vectors.build(more, folder)
    vectors.release(more, folder)
    assert "removed since 1.1.0" in vectors.check(COORDINATE, folder).objections[0]


def test_only_what_is_built_can_be_released(folder: Path) -> None:
    (folder / "lmdl/golden/coordinate-zero.bin").unlink()
    with pytest.raises(GenerationError, match="before their release"):
        vectors.release(COORDINATE, folder)
    assert not (folder / "released.json").exists()


@dataclass(frozen=True)
class WrongFormat(Part):
    """A format whose first case is spoilt after it was written."""

    spoil: Callable[[dict[str, Any]], None] = dict.clear

    def write_cases(self, book: VectorSet) -> None:
        super().write_cases(book)
        self.spoil(book.files[0].cases[0])


def test_a_wrong_case_writes_nothing(folder: Path) -> None:
    def spoil(case: dict[str, Any]) -> None:
        case["expect"] = {"reject": {"reason": "coordinate-size"}}

    standing = (folder / "lmdl/coordinate-decode.json").read_bytes()
    with pytest.raises(GenerationError, match="the vector expects coordinate-size"):
        vectors.build({"lmdl": WrongFormat("lmdl", ("coordinate",), spoil)}, folder)
    assert (folder / "lmdl/coordinate-decode.json").read_bytes() == standing


def test_a_case_against_the_schema_writes_nothing(tmp_path: Path) -> None:
    def spoil(case: dict[str, Any]) -> None:
        case["expects"] = {}

    with pytest.raises(GenerationError, match="'expects' was unexpected"):
        vectors.build({"lmdl": WrongFormat("lmdl", ("hash",), spoil)}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_select(folder: Path) -> None:
    suite = load_suite(FORMATS, folder)
    assert {entry.id for entry in suite.select(["lmdl"], ["lmdl/coordinate/size-*"])} == {
        f"lmdl/coordinate/size-{name}" for name in ("empty", "one-short", "one-long", "twice")
    }
    assert suite.select() == suite.cases
    assert len(suite.select(globs=["size-one"])) == 2
    assert suite.case("lmdl/coordinate/flips-plain#byte3.bit0").id == "lmdl/coordinate/flips-plain"
    for formats_, globs in ((["nope"], []), ([], ["lmdl/nope/*"]), ([], ["size-one", "nope"])):
        with pytest.raises(SuiteError):
            suite.select(formats_, globs)
    with pytest.raises(SuiteError, match="no case lmdl/nope/x"):
        suite.case("lmdl/nope/x")


def test_entries_are_in_the_order_of_their_ids(folder: Path) -> None:
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ids = [entry.id for entry in parse_entries(FORMATS, contents)]
    assert ids == sorted(ids)
