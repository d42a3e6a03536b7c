"""The implementations under test: ours, found by their folders, and anybody's, given by path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conformance.errors import CannotRunError
from conformance.paths import ADAPTERS
from harness.adapter_file import FILE_NAME, AdapterFileError, load_adapter
from harness.model import AdapterSpec


def own_adapters() -> dict[str, AdapterSpec]:
    """Return every adapter below ``adapters/`` by its name, in the order of the names.

    Raises :class:`CannotRunError` for an ``adapter.toml`` that cannot be used.
    """
    files = sorted(ADAPTERS.glob(f"*/{FILE_NAME}"))
    return {spec.name: spec for spec in sorted(map(_load, files), key=lambda spec: spec.name)}


def choose(names: Sequence[str]) -> list[AdapterSpec]:
    """Return the adapters of these names or paths, each once; all of ours when none is named.

    Raises :class:`CannotRunError` for an unknown name, and for two adapters of one name, whose results could not be
    told apart.
    """
    own = own_adapters()
    if not names:
        if not own:
            raise CannotRunError(f"{ADAPTERS}: no adapter found; give one with --adapter PATH")
        return list(own.values())
    chosen: dict[str, AdapterSpec] = {}
    for name in names:
        spec = own[name] if name in own else _by_path(name, own)
        known = chosen.setdefault(spec.name, spec)
        if known != spec:
            raise CannotRunError(
                f"two adapters are called {spec.name!r}: {known.directory} and {spec.directory}; rename one"
            )
    return list(chosen.values())


def argument(spec: AdapterSpec) -> str:
    """Return what names the adapter on the command line: its name if it is ours, else its folder, relative if below."""
    if spec.directory.parent == ADAPTERS:
        return spec.name
    here = Path.cwd()
    return str(spec.directory.relative_to(here) if spec.directory.is_relative_to(here) else spec.directory)


def _by_path(name: str, own: dict[str, AdapterSpec]) -> AdapterSpec:
    path = Path(name)
    if not path.exists():
        raise CannotRunError(f"--adapter {name}: neither a name ({', '.join(own)}) nor a path that exists")
    return _load(path)


def _load(path: Path) -> AdapterSpec:
    try:
        return load_adapter(path)
    except AdapterFileError as error:
        raise CannotRunError(str(error)) from None
