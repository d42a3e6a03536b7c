"""Reports as files, each written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

from harness.results import RunResult
from reports.junit import junit_xml
from reports.markdown import markdown
from reports.page import html_page


class ReportError(Exception):
    """A report that could not be written; the message names the file, the reason and what to do next."""


def write_reports(result: RunResult, folder: Path) -> list[Path]:
    """Write ``results.json``, ``junit.xml``, ``report.md`` and ``report.html`` into ``folder``; return their paths.

    The folder is made if it is not there. All are composed before the first is written. Raises :class:`ReportError`.
    """
    reports = {
        "results.json": results_json(result),
        "junit.xml": junit_xml(result),
        "report.md": markdown(result).encode(),
        "report.html": html_page(result).encode(),
    }
    for name, data in reports.items():
        write_whole(folder / name, data)
    return [folder / name for name in reports]


def write_results(result: RunResult, file: Path) -> None:
    """Write the results document alone. Raises :class:`ReportError`."""
    write_whole(file, results_json(result))


def results_json(result: RunResult) -> bytes:
    """Return the document of ``harness/results.schema.json`` as text, in ASCII: adapters may send lone surrogates."""
    return json.dumps(result.to_json(), indent=2, allow_nan=False).encode("ascii") + b"\n"


def require_writable(*paths: Path) -> None:
    """Find out, before work that takes minutes, whether files can be written to ``paths``; leave nothing there.

    Raises :class:`ReportError`.
    """
    for path in paths:
        try:
            _try(path)
        except (OSError, RuntimeError) as error:
            raise _refusal(path, error) from error


def _try(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        # What is written to a pipe or a terminal cannot be taken back, and to open a FIFO would wait for its reader.
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return
    target = path.resolve()
    missing = [folder for folder in target.parents[::-1] if not folder.exists()]
    made: list[Path] = []
    temporary = _temporary(target)
    try:
        for folder in missing:
            folder.mkdir()
            made.append(folder)
        temporary.touch()
    finally:
        temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            folder.rmdir()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises :class:`ReportError`."""
    try:
        if path.exists() and not path.is_file():
            # A pipe or a terminal (/dev/stdout) is written to; it must not be replaced.
            path.write_bytes(data)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path.resolve(), data)
    except (OSError, RuntimeError) as error:  # resolve() tells a loop of links by a RuntimeError
        raise _refusal(path, error) from error


def _refusal(path: Path, error: OSError | RuntimeError) -> ReportError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return ReportError(f"{path}: cannot be written: {reason}; name a place that can be written to")


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def _replace(path: Path, data: bytes) -> None:
    temporary = _temporary(path)
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:  # an interruption leaves no half report behind either
        temporary.unlink(missing_ok=True)
        raise
