"""Adapters that do one thing wrongly: the reference's own, with Python put before its start."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def built(folder: Path, prelude: str) -> Path:
    """Copy the reference and its adapter below ``folder``, and put ``prelude`` before the adapter's own start."""
    shutil.copytree(ROOT / "reference_py", folder / "reference_py")
    shutil.copytree(ROOT / "adapters" / "python", folder / "adapters" / "wrong")
    shutil.copy(ROOT / "pyproject.toml", folder)
    adapter = folder / "adapters" / "wrong"
    toml = (adapter / "adapter.toml").read_text().replace('name = "python"', 'name = "wrong"')
    (adapter / "adapter.toml").write_text(toml)
    program, start = (adapter / "adapter.py").read_text(), 'if __name__ == "__main__":'
    assert start in program
    (adapter / "adapter.py").write_text(program.replace(start, f"{prelude}\n{start}"))
    return adapter
