"""Copies of our implementations, in which a change can be made, built and put to the vectors.

A copy has the layout of the checkout, so that a change names its file as the checkout does.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from conformance.paths import ROOT
from harness.adapter_file import load_adapter
from harness.model import AdapterSpec

_BUILD_SECONDS = 600
_MEMORY_KIB = 4 * 1024 * 1024
"""Address space of one adapter: a changed one may ask for any amount."""


class BuildError(Exception):
    """A copy that cannot be built; the message is the compiler's."""


@dataclass(frozen=True)
class Workshop:
    """A copy of one implementation below ``root``. Call :meth:`build` before :meth:`adapter`, and after each change."""

    root: Path

    def read(self, path: str) -> str:
        """Return the text of a file, named as in the checkout."""
        return (self.root / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        """Replace the text of a file, named as in the checkout."""
        (self.root / path).write_text(text, encoding="utf-8")

    def build(self) -> None:
        """Turn the copy as it stands into something that runs. Raises :class:`BuildError`."""
        raise NotImplementedError

    def adapter(self) -> AdapterSpec:
        """Return how the copy is started."""
        raise NotImplementedError


class PythonWorkshop(Workshop):
    """The Python reference; nothing is compiled ahead."""

    def build(self) -> None:
        """Do nothing: what cannot be compiled shows when the adapter is started."""

    def adapter(self) -> AdapterSpec:
        """Start it without byte code: that is found by the second of a change, and changes come faster."""
        command = ("sh", "-c", f"ulimit -v {_MEMORY_KIB} && exec python -B adapter.py")
        return dataclasses.replace(load_adapter(self.root / "adapters/python"), command=command)


@dataclass(frozen=True)
class RustWorkshop(Workshop):
    """The Rust workspace, built without optimization into ``target``, where what has not changed stays built."""

    target: Path

    def build(self) -> None:
        """Build the adapter and what it stands on."""
        _run(
            ["cargo", "build", "--quiet", "--locked", "--package", "checkpoint-formats-adapter"],
            self.root / "adapters/rust",
            {
                "CARGO_TARGET_DIR": str(self.target),
                "CARGO_PROFILE_DEV_DEBUG": "false",
                "CARGO_INCREMENTAL": "1",
            },
        )

    def adapter(self) -> AdapterSpec:
        """Start the program just built."""
        program = self.target / "debug/checkpoint-formats-adapter"
        command = ("sh", "-c", f'ulimit -v {_MEMORY_KIB} && exec "$0"', str(program))
        return dataclasses.replace(load_adapter(self.root / "adapters/rust"), command=command)


class TypeScriptWorkshop(Workshop):
    """The TypeScript package, with the checkout's ``node_modules``."""

    def build(self) -> None:
        """Compile it; types are left unchecked, so that a mistake is judged by the vectors and not by the compiler."""
        folder = self.root / "adapters/typescript"
        compiler = folder / "node_modules/typescript/bin/tsc"
        _run(
            [str(node()), str(compiler), "--noCheck", "--incremental", "false", "--tsBuildInfoFile", "null"], folder, {}
        )

    def adapter(self) -> AdapterSpec:
        """Start it as always."""
        return self.switched(None)

    def switched(self, mutant: str | None) -> AdapterSpec:
        """Start it with one of the mutants that Stryker has built in, or none."""
        switch = () if mutant is None else (f"__STRYKER_ACTIVE_MUTANT__={mutant}",)
        command = ("env", "NODE_OPTIONS=--max-old-space-size=2048", f"CONFORMANCE_NODE={node()}", *switch, "./run")
        return dataclasses.replace(load_adapter(self.root / "adapters/typescript"), command=command)


def open_workshop(language: str, root: Path, rust_target: Path) -> Workshop:
    """Copy the implementation in ``language`` to the empty folder ``root``."""
    match language:
        case "python":
            _copy(root, "reference_py", "adapters/python")
            shutil.copy(ROOT / "pyproject.toml", root)
            return PythonWorkshop(root)
        case "rust":
            _copy(root, "adapters/rust")
            return RustWorkshop(root, rust_target)
        case "typescript":
            _copy(root, "adapters/typescript")
            (root / "adapters/typescript/node_modules").symlink_to(ROOT / "adapters/typescript/node_modules")
            return TypeScriptWorkshop(root)
    raise ValueError(f"there is no implementation in {language!r}")


def node() -> Path:
    """Return the Node that nodejs-bin brings."""
    return Path(sys.prefix) / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/nodejs/bin/node"


def _copy(root: Path, *folders: str) -> None:
    leave = shutil.ignore_patterns("__pycache__", "target", "node_modules", "dist")
    for folder in folders:
        # With the time of copying: cargo would take what an earlier copy built from a mistake for newer than these.
        shutil.copytree(ROOT / folder, root / folder, ignore=leave, symlinks=True, copy_function=shutil.copy)


def _run(command: list[str], folder: Path, variables: dict[str, str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - building the copy is the purpose
            command,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BuildError(f"{command[0]}: not done after {_BUILD_SECONDS} s") from None
    except OSError as error:
        raise BuildError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise BuildError((done.stderr + done.stdout).strip()[-4000:])
