"""Renaming a directory without ever replacing what has the new name (PFC-PUBLISH)."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP})


def rename_without_replacing(source: Path, target: Path) -> None:
    """Rename a directory; FileExistsError if the target's name is taken, OSError for every other failure.

    Linux judges and renames in one step (`renameat2`). Where the system or the file system cannot, the target is looked
    for first and then renamed to: the remaining gap lets at most an empty directory that appears in it be replaced,
    since a rename over a file or a filled directory fails by itself.
    """
    try:
        _rename_in_one_step(source, target)
    except OSError as fault:
        if fault.errno not in _UNSUPPORTED:
            raise
        _look_then_rename(source, target)


def _rename_in_one_step(source: Path, target: Path) -> None:
    renameat2 = _renameat2()
    if renameat2 is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if renameat2(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), _RENAME_NOREPLACE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(source), None, str(target))


def _renameat2() -> Callable[..., Any] | None:
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):  # no such library here, or an older one without the call
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    return function


def _look_then_rename(source: Path, target: Path) -> None:
    try:
        target.lstat()
    except FileNotFoundError:
        source.rename(target)
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
