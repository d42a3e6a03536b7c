"""The vectors as pytest items, run as a user runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from conformance.adapters import own_adapters
from conformance.paths import VECTORS

ROOT = Path(__file__).resolve().parents[2]


def run_items(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `pytest conformance` on its own, with ``path`` ahead of the checkout."""
    folders = [str(folder) for folder in (path, ROOT) if folder is not None]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "conformance", "-q", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_every_case_of_a_format_is_an_item_of_every_adapter_and_passes() -> None:
    index = json.loads((VECTORS / "index.json").read_bytes())
    cases = sum(name.startswith("lmdl/") for name in index["cases"])
    done = run_items("-m", "lmdl")
    assert done.returncode == 0, done.stdout
    assert re.match(rf"{cases * len(own_adapters())} passed, \d+ deselected in ", done.stdout.splitlines()[-1])


def test_an_adapter_that_is_not_built_fails_once_with_its_build_command(tmp_path: Path) -> None:
    adapter = tmp_path / "adapters" / "absent"
    adapter.mkdir(parents=True)
    toml = 'name = "absent"\nlanguage = "None"\ncommand = ["./absent"]\nbuild = "make absent"\n'
    (adapter / "adapter.toml").write_text(toml)
    place = f"conformance.adapters.ADAPTERS = Path({str(adapter.parent)!r})"
    plugin = f"from pathlib import Path\nimport conformance.adapters\n{place}\n"
    (tmp_path / "absent_adapters.py").write_text(plugin)
    done = run_items("-p", "absent_adapters", "-k", "lmdl/hash", "-rs", path=tmp_path)
    assert done.returncode == 1
    counts = done.stdout.splitlines()[-1]
    assert counts.startswith("1 failed, ")
    assert " skipped" in counts
    assert "passed" not in counts
    assert done.stdout.count("no case is judged: ") == 1
    assert "build it first: make absent" in done.stdout
    assert "not judged: the adapter absent could not be started" in done.stdout
