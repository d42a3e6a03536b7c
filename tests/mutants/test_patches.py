"""Patches are applied strictly, and say what is wrong when they cannot be."""

from pathlib import Path

import pytest

from mutants.controls import load_controls, planted
from mutants.patches import PatchError, parse_patch
from mutants.workshop import Workshop

TEXT = "one\ntwo\nthree\nfour\n"
DIFF = "Why.\n--- a/x.py\n+++ b/x.py\n@@ -2,2 +2,3 @@\n two\n-three\n+3\n+3.5\n"


def test_applies_where_the_old_lines_are() -> None:
    patch = parse_patch("p", DIFF)
    assert patch.preamble == "Why."
    assert patch.apply("x.py", TEXT) == "one\ntwo\n3\n3.5\nfour\n"
    assert patch.apply("x.py", "more\n" + TEXT) == "more\none\ntwo\n3\n3.5\nfour\n"


@pytest.mark.parametrize(("text", "times"), [("one\ntwo\nfour\n", 0), (TEXT + TEXT, 2)])
def test_says_that_the_code_has_changed(text: str, times: int) -> None:
    with pytest.raises(PatchError, match=f"p: the lines of a hunk stand {times} times in x.py.*the code has changed"):
        parse_patch("p", DIFF).apply("x.py", text)


@pytest.mark.parametrize(
    "diff",
    [
        "no diff at all\n",
        "--- a/x\n+++ b/x\n",
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\nstray\n",
        "--- a/x\n+++ b/x\n@@ somewhere @@\n-one\n",
    ],
)
def test_refuses_what_is_no_patch(diff: str) -> None:
    with pytest.raises(PatchError, match=r"^p: "):
        parse_patch("p", diff)


def test_a_control_names_its_cases(tmp_path: Path) -> None:
    file = tmp_path / "c.patch"
    file.write_text("Caught-by: lmdl/a/b\nCaught-by: pfc/c/d\n" + DIFF)
    assert [control.cases for control in load_controls(tmp_path)] == [("lmdl/a/b", "pfc/c/d")]
    file.write_text(DIFF)
    with pytest.raises(PatchError, match=r"c\.patch: name a case"):
        load_controls(tmp_path)


def test_the_copy_is_as_before_afterwards(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(TEXT)
    with planted(Workshop(tmp_path), parse_patch("p", DIFF)):
        assert "3.5" in (tmp_path / "x.py").read_text()
    assert (tmp_path / "x.py").read_text() == TEXT


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(PatchError, match=r"p: there is no x\.py"), planted(Workshop(tmp_path), parse_patch("p", DIFF)):
        pass
