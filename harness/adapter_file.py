"""``adapter.toml``: the file that tells how an implementation under test is started."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from harness.model import AdapterSpec

FILE_NAME = "adapter.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LARGEST = 1024 * 1024
_REQUIRED = ("name", "language", "command")
_OPTIONAL = ("build",)


class AdapterFileError(Exception):
    """An ``adapter.toml`` that cannot be used; the message names the file, what is wrong and what to do."""


def load_adapter(path: Path) -> AdapterSpec:
    """Return what the ``adapter.toml`` at ``path``, or in the folder ``path``, says.

    Raises :class:`AdapterFileError`. The command is not looked up: whether it can be started shows when it is started.
    """
    file = path / FILE_NAME if path.is_dir() else path
    members = _read(file)
    unknown = sorted(set(members) - set(_REQUIRED) - set(_OPTIONAL))
    if unknown:
        raise AdapterFileError(f"{file}: unknown member {unknown[0]!r}; it may hold name, language, command and build")
    name = _text(file, members, "name")
    if _NAME.fullmatch(name) is None:
        raise AdapterFileError(f"{file}: name is {name!r}; use letters, digits, '.', '_' and '-' only")
    return AdapterSpec(
        name=name,
        language=_text(file, members, "language"),
        command=_command(file, members),
        directory=file.parent.resolve(),
        build=_text(file, members, "build") if "build" in members else "",
    )


def _read(file: Path) -> dict[str, object]:
    try:
        if file.exists() and not file.is_file():
            raise AdapterFileError(f"{file}: no regular file; an adapter.toml is one")
        if file.stat().st_size > _LARGEST:
            raise AdapterFileError(f"{file}: larger than {_LARGEST} bytes, which no adapter.toml needs")
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = "give the folder of an adapter, which holds an adapter.toml, or that file itself"
        raise AdapterFileError(f"{file}: no such file; {hint}") from None
    except OSError as error:
        raise AdapterFileError(f"{file}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise AdapterFileError(f"{file}: not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:  # beside TOML's own error: a number of 5000 digits, deep nesting
        raise AdapterFileError(f"{file}: not TOML: {error}") from None


def _text(file: Path, members: dict[str, object], key: str) -> str:
    value = members.get(key)
    if not isinstance(value, str) or not value:
        raise AdapterFileError(f"{file}: {key} is {_shown(members, key)}; write a string that is not empty")
    return value


def _command(file: Path, members: dict[str, object]) -> tuple[str, ...]:
    value = members.get("command")
    if not isinstance(value, list) or not value:
        hint = 'write a list of strings, such as ["python", "adapter.py"]'
        raise AdapterFileError(f"{file}: command is {_shown(members, 'command')}; {hint}")
    words = [word for word in value if isinstance(word, str) and "\0" not in word]
    if len(words) != len(value) or not words[0]:
        raise AdapterFileError(f"{file}: command is {value!r}; every element is a string, the first not empty")
    return tuple(words)


def _shown(members: dict[str, object], key: str) -> str:
    return repr(members[key]) if key in members else "missing"
