"""A format and a language that nothing in the suite has heard of, each registered by its folder alone.

They are put into a copy of the suite without its own formats: what then works does not depend on any of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.formats import FORMATS
from conformance.paths import ROOT

TOY = Path(__file__).parent / "toy"
MAIN = "import sys; from conformance.cli import main; sys.argv[0] = 'conformance'; main()"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that knows the toy format and the toy language alone, with the vectors that it has built."""
    root = tmp_path_factory.mktemp("suite")
    own = {str(ROOT / "conformance" / "formats" / name) for name in FORMATS}
    own |= {str(ROOT / "conformance" / "formats" / "json" / "cases")}

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name == "__pycache__" or str(Path(folder) / name) in own}

    for package in ("conformance", "harness", "reports", "reference_py"):
        shutil.copytree(ROOT / package, root / package, ignore=left_out)
    shutil.copytree(ROOT / "adapters" / "python", root / "adapters" / "python", ignore=left_out)
    shutil.copytree(ROOT / "vectors" / "schema", root / "vectors" / "schema")
    shutil.copy(ROOT / "pyproject.toml", root)
    # The format: one folder, and its code in each language, which is a file and a line in the reference.
    shutil.copytree(TOY / "format", root / "conformance" / "formats" / "toy", ignore=left_out)
    shutil.copy(TOY / "operations.py", root / "reference_py" / "operations" / "toy.py")
    operations = root / "reference_py" / "operations" / "__init__.py"
    source = operations.read_text()
    source = re.sub(r"(from reference_py\.operations import ).*", r"\1toy", source, count=1)
    source = re.sub(r"_FORMATS = .*", "_FORMATS = (toy,)", source, count=1)
    operations.write_text(source)
    # The language: one folder.
    shutil.copytree(TOY / "adapter", root / "adapters" / "toylang")
    built = conformance(root, "vectors", "build")
    assert built.returncode == 0, built.stderr
    return root


def conformance(suite: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=suite,
        env={**os.environ, "PYTHONPATH": str(suite), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_its_vectors_are_built_from_its_folder(suite: Path) -> None:
    index = json.loads((suite / "vectors" / "index.json").read_bytes())
    # Three cases; 16 flips of 2 bytes and 2 truncations.
    assert index["counts"] == {"toy": {"cases": 3, "sweeps": 2, "questions": 3 + 16 + 2}}
    assert conformance(suite, "vectors", "check").returncode == 0


def test_every_language_is_judged_by_them(suite: Path) -> None:
    done = conformance(suite, "run", "--json", str(suite / "results.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    adapters = json.loads((suite / "results.json").read_bytes())["adapters"]
    assert [each["name"] for each in adapters] == ["python", "toylang"]


def test_a_wrong_answer_is_shown_by_the_names_of_its_fields(suite: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    shutil.copytree(TOY / "adapter", wrong)
    program = wrong / "toylang"
    program.write_text(program.read_text().replace("b64encode(data)", 'b64encode(data[:1] + b"\\0")'))
    done = conformance(suite, "run", "--adapter", str(wrong))
    assert done.returncode == 1
    assert "/ok/data: first difference: count, byte 1 (0x1): expected 0x07, found 0x00" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["list"], "toy/decode/seven"),
        (["list", "--reason", "toy-magic"], "toy/decode/magic"),
        (["show", "toy/decode/magic"], "does not look at the magic"),
        (["explain", "toy-size"], "A counter is not two bytes long."),
        (["explain", "toy.decode"], "toy-magic"),
        (["explain", "TOY-COUNTER"], "one unsigned byte"),
        (["inspect", "vectors/toy/golden/seven.bin"], "count"),
        (["replay", "toy/decode/seven", "--adapter", "toylang"], "toy.decode"),
        (["fuzz", "--examples", "50", "--seed", "1"], "toy"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_command_knows_it(suite: Path, arguments: list[str], told: str) -> None:
    done = conformance(suite, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert told in done.stdout


def test_a_format_that_writes_nothing_has_nothing_to_crash(suite: Path) -> None:
    done = conformance(suite, "crash")
    assert done.returncode == 2
    assert done.stderr == "conformance: toy: there is nothing to crash; no operation writes to a disk\n"


def test_its_cases_are_items_of_pytest(suite: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "conformance", "-q", "-p", "no:cacheprovider", "-m", "toy"],
        cwd=suite,
        env={**os.environ, "PYTHONPATH": str(suite)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout.splitlines()[-1].startswith("10 passed"), done.stdout + done.stderr
