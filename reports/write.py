"""Reports as files, each written whole or not at all."""

from __future__ import annotations

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
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ReportError(f"{path}: cannot be written: {reason}; name a place that can be written to") from error


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:  # an interruption leaves no half report behind either
        temporary.unlink(missing_ok=True)
        raise
