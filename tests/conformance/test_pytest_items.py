"""The vectors as pytest items, run as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_an_adapter_that_is_not_built_fails_once_with_its_build_command(tmp_path: Path) -> None:
    adapter = tmp_path / "adapters" / "absent"
    adapter.mkdir(parents=True)
    toml = 'name = "absent"\nlanguage = "None"\ncommand = ["./absent"]\nbuild = "make absent"\n'
    (adapter / "adapter.toml").write_text(toml)
    place = f"conformance.adapters.ADAPTERS = Path({str(adapter.parent)!r})"
    plugin = f"from pathlib import Path\nimport conformance.adapters\n{place}\n"
    (tmp_path / "absent_adapters.py").write_text(plugin)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "absent_adapters", "conformance", "-q", "-k", "lmdl/hash", "-rs"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    counts = done.stdout.splitlines()[-1]
    assert counts.startswith("1 failed, ")
    assert " skipped" in counts
    assert "passed" not in counts
    assert done.stdout.count("no case is judged: ") == 1
    assert "build it first: make absent" in done.stdout
    assert "not judged: the adapter absent could not be started" in done.stdout
