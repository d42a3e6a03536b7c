"""Damaged data files of the rules: one line says which file, where, and how to get it back; no verdict is lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.formats import FORMATS
from conformance.notes.order import order_note
from conformance.rules import data, load_rules
from conformance.rules.data import RulesError
from conformance.rules.order import Order, load_order
from conformance.rules.sentences import load_sentences
from conformance.suite.load import load_suite
from harness.model import Answer, Outcome, Question, Reject

ROOT = Path(__file__).resolve().parents[3]
_LOADERS = (load_rules, load_order, load_sentences)
_COMMAND = (
    "import sys; from pathlib import Path; from conformance.rules import data; data.FOLDER = Path(sys.argv.pop(1)); "
    "from conformance.cli import main; main()"
)


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a copy of the data files that the loaders read in place of ours."""
    folder = tmp_path / "rules"
    shutil.copytree(data.FOLDER, folder)
    monkeypatch.setattr(data, "FOLDER", folder)
    for load in _LOADERS:
        load.cache_clear()
    yield folder
    for load in _LOADERS:
        load.cache_clear()


def conformance(rules: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _COMMAND, str(rules), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def refused(load: Callable[[], object], path: Path) -> str:
    """Return what is said of ``path``, which is in one line and names the way out."""
    with pytest.raises(RulesError) as caught:
        load()
    told = str(caught.value)
    assert told.startswith(f"{path}: ")
    assert told.endswith(f"; restore the file: git checkout -- {path}")
    assert "\n" not in told
    return told


FILES = [
    ("lmdl/rules.toml", load_rules),
    ("json/rules.toml", load_rules),
    ("pfc/order.toml", load_order),
    ("flysess1/sentences.toml", load_sentences),
]
DAMAGES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("empty", lambda _: b"", "is a required property"),
    ("cut-in-an-entry", lambda text: text[: text.rindex(b'"')], "expected TOML, found what is none: "),
    ("not-utf8", lambda text: b"# \xff\n" + text, "at byte 2: found 0xff, expected TOML in UTF-8"),
    ("binary", lambda text: bytes(len(text)), "expected TOML, found what is none: "),
    ("member-unknown", lambda text: b"surplus = 1\n" + text, "'surplus' was unexpected"),
    ("deep", lambda text: b"a = " + b"[" * 100_000 + b"\n" + text, "expected TOML, found "),
]


@pytest.mark.parametrize(("name", "load"), FILES, ids=[name for name, _ in FILES])
@pytest.mark.parametrize(("damage", "told"), [one[1:] for one in DAMAGES], ids=[one[0] for one in DAMAGES])
def test_a_damaged_file_is_named(
    rules: Path, name: str, load: Callable[[], object], damage: Callable[[bytes], bytes], told: str
) -> None:
    path = rules / name
    path.write_bytes(damage(path.read_bytes()))
    assert told in refused(load, path)


@pytest.mark.parametrize(("name", "load"), FILES, ids=[name for name, _ in FILES])
def test_a_file_that_is_not_there_is_named(rules: Path, name: str, load: Callable[[], object]) -> None:
    (rules / name).unlink()
    assert "cannot be read (No such file or directory)" in refused(load, rules / name)


@pytest.mark.parametrize(
    ("name", "load", "right", "wrong", "told"),
    [
        (
            "lmdl/rules.toml",
            load_rules,
            'rule = "LMDL-COORDINATE"\n',
            "",
            "at $.reasons[0]: 'rule' is a required property",
        ),
        (
            "lmdl/rules.toml",
            load_rules,
            "order = 1\n",
            'order = "1"\n',
            "at $.reasons[0].order: '1' is not of type 'integer'",
        ),
        ("lmdl/rules.toml", load_rules, 'rule = "LMDL-SLOT"\n', 'rule = "LMDL-SLOP"\n', "names rule LMDL-SLOP"),
        (
            "flysess1/rules.toml",
            load_rules,
            "[json]\n",
            "[json.more]\n",
            "at $.json: 'operations' is a required property",
        ),
        ("lmdl/order.toml", load_order, '"slot-magic"', '"slot-majic"', "but slot-majic is no reason of it"),
        ("lmdl/order.toml", load_order, '"slot-magic", ', "", "lmdl.slot.decode has no check for slot-magic"),
        ("lmdl/order.toml", load_order, "lmdl.recover", "lmdl.recove", "has lmdl.recove, which is no operation"),
        ("lmdl/order.toml", load_order, '"slot-magic", ', '"slot-size", ', "has non-unique elements"),
        ("lmdl/sentences.toml", load_sentences, 'section = "section 1"\n', "", "'section' is a required property"),
    ],
)
def test_an_entry_that_cannot_be_used_is_named(  # noqa: PLR0913, PLR0917 - the columns of a table
    rules: Path, name: str, load: Callable[[], object], right: str, wrong: str, told: str
) -> None:
    text = (rules / name).read_text(encoding="utf-8")
    assert right in text
    (rules / name).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    assert told in refused(load, rules / name)


def test_an_order_cut_between_two_operations_is_named(rules: Path) -> None:
    path = rules / "lmdl" / "order.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex("[[operations]]\n")], encoding="utf-8")
    assert "has no checks of lmdl." in refused(load_order, path)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pfc/rules.toml", ("explain", "slot-crc")),
        ("pfc/rules.toml", ("list", "--reason", "slot-crc")),
        ("pfc/order.toml", ("run", "--adapter", "python", "-k", "lmdl/hash")),
        ("pfc/order.toml", ("explain", "pfc.open")),
        ("pfc/sentences.toml", ("coverage",)),
    ],
)
def test_a_command_that_needs_a_damaged_file_exits_2_with_a_line_on_it(
    rules: Path, name: str, arguments: tuple[str, ...]
) -> None:
    (rules / name).write_bytes(b"\xff")
    done = conformance(rules, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    path, what = rules / name, "at byte 0: found 0xff, expected TOML in UTF-8"
    assert done.stderr == f"conformance: {path}: {what}; restore the file: git checkout -- {path}\n"


def test_a_list_of_cases_needs_no_rules(rules: Path) -> None:
    for path in rules.rglob("*.toml"):
        path.unlink()
    assert conformance(rules, "list", "--format", "lmdl", "-k", "lmdl/hash").returncode == 0


def test_rules_that_lost_what_a_vector_cites_are_named_by_show(rules: Path) -> None:
    path = rules / "lmdl/rules.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("[[rulings]]\n")] + "\n", encoding="utf-8")
    assert "at $: 'rulings' is a required property" in refused(load_rules, path)
    path.write_text(text[: text.rindex("[[rulings]]\n")], encoding="utf-8")
    lost = sorted(set(_rulings(text)) - set(_rulings(path.read_text(encoding="utf-8"))))
    assert len(lost) == 1
    case = next(entry.id for entry in load_suite(FORMATS).cases if lost[0] in entry.rulings)
    done = conformance(rules, "show", case)
    assert done.returncode == 2
    assert f"{path}: has no {lost[0]}, which the vectors cite; restore the file: " in done.stderr


def _rulings(text: str) -> list[str]:
    return [line.split('"')[1] for line in text.splitlines() if line.startswith('id = "R-')]


def _wrong_reason() -> str:
    question = Question("x", "lmdl.slot.decode", {}, Reject("slot-magic"))
    return order_note(question, Answer(Outcome.REJECTED, reason="slot-crc"))


@pytest.mark.parametrize("name", ["lmdl/rules.toml", "lmdl/order.toml"])
def test_a_damaged_file_costs_the_order_line_alone(rules: Path, name: str) -> None:
    assert _wrong_reason().startswith("slot-crc is checked after ")
    for load in _LOADERS:
        load.cache_clear()
    (rules / name).write_bytes(b"\xff")
    assert _wrong_reason().startswith(f"not told: {rules / name}: at byte 0")


@pytest.mark.parametrize("kept", ["slot-crc", "slot-magic"])
def test_an_order_that_lacks_a_reason_costs_the_order_line_alone(kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = {"lmdl.slot.decode": Order("lmdl.slot.decode", (kept,), ())}
    monkeypatch.setattr("conformance.notes.order.load_order", lambda: orders)
    (lost,) = {"slot-crc", "slot-magic"} - {kept}
    assert _wrong_reason() == f"not told: the checks of lmdl.slot.decode have none for {lost}"
