"""The system calls on one directory seen: each is recorded, and one can fail, fall short or be the last."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from reference_py.rejection import Rejection

_NAMES = ("open", "close", "fstat", "pread", "pwrite", "fsync", "ftruncate", "rename", "unlink")


class Killed(BaseException):
    """The process is gone: from here on no call of it has any effect, clean-up included."""


class SystemCalls:
    """Records the calls made on a directory's files, like `pwrite s.meta 64@0`, and disturbs one if told so.

    `fail_at` (an index) or `fail_on` (a call's text) fails by EIO without effect; `kill_at` is the last call, with or
    without effect; `most_bytes` is what one read or write moves at most.
    """

    def __init__(  # noqa: PLR0913 - each is one way to disturb, and a test names the one it uses
        self,
        directory: Path,
        *,
        fail_at: int | None = None,
        fail_on: str | None = None,
        kill_at: int | None = None,
        takes_effect: bool = False,
        most_bytes: int | None = None,
    ) -> None:
        self.made: list[str] = []
        self.open_files: dict[int, str] = {}
        self._directory = directory
        self._fail_at = fail_at
        self._fail_on = fail_on
        self._kill_at = kill_at
        self._takes_effect = takes_effect
        self._most_bytes = most_bytes
        self._patches = pytest.MonkeyPatch()
        self._real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in _NAMES}

    def __enter__(self) -> Self:
        for name in _NAMES:
            self._patches.setattr(os, name, self._disturbed(name))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._patches.undo()
        if self._kill_at is not None:
            for file in self.open_files:  # what the system does when a process is gone
                os.close(file)

    def _disturbed(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            index = len(self.made)
            if self._kill_at is not None and index > self._kill_at:
                raise Killed
            text = f"{name} {self._shown(name, arguments)}"
            self.made.append(text)
            if index == self._fail_at or text == self._fail_on:
                if name == "close":
                    self._perform(name, arguments, keywords)  # a failing close gives the number free all the same
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            if index == self._kill_at:
                if self._takes_effect:
                    self._perform(name, arguments, keywords)
                raise Killed
            return self._perform(name, arguments, keywords)

        return call

    def _perform(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if self._most_bytes is not None and name in ("pread", "pwrite"):
            file, subject, offset = arguments
            shorter = min(subject, self._most_bytes) if name == "pread" else subject[: self._most_bytes]
            return self._real[name](file, shorter, offset)
        result = self._real[name](*arguments, **keywords)
        if name == "open":
            self.open_files[result] = self._relative(arguments[0])
        elif name == "close":
            del self.open_files[arguments[0]]
        return result

    def _shown(self, name: str, arguments: tuple[Any, ...]) -> str:
        if name in ("open", "unlink"):
            return self._relative(arguments[0])
        if name == "rename":
            return f"{self._relative(arguments[0])} {self._relative(arguments[1])}"
        file = self.open_files[arguments[0]]
        match name:
            case "pread":
                return f"{file} {arguments[1]}@{arguments[2]}"
            case "pwrite":
                return f"{file} {len(arguments[1])}@{arguments[2]}"
            case "ftruncate":
                return f"{file} {arguments[1]}"
            case _:
                return file

    def _relative(self, path: str | Path) -> str:
        return str(Path(path).relative_to(self._directory))


def tree(directory: Path) -> dict[str, bytes | str]:
    """Everything below a directory: bytes of files, targets of links, `dir`, or `special`."""
    found: dict[str, bytes | str] = {}
    for path in sorted(directory.rglob("*")):
        name = str(path.relative_to(directory))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_dir():
            found[name] = "dir"
        else:
            found[name] = path.read_bytes() if path.is_file() else "special"
    return found


def is_told_as(number: int, rejection: Rejection) -> bool:
    """Whether a person is told what the system said."""
    return os.strerror(number) in rejection.detail
