"""``conformance coverage``: which sentence of the documents is held by which vectors, and what the last run found."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from conformance.adapters import own_adapters
from conformance.cli.options import Place
from conformance.coverage import Coverage, Verdicts, gaps, sentence_rows, sums, verdict
from conformance.coverage_page import PAGE, page
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.paths import ROOT
from conformance.suite.load import load_suite
from reports.write import ReportError, write_whole

_LAST_RUN = ROOT / "reports" / "out" / "results.json"


@click.command()
@click.option("--results", type=Place(), help="A run's results.json; by default the last run's.")
@click.option("--write", is_flag=True, help="Write docs/coverage.md anew, with that run's verdicts.")
@click.option("--check", is_flag=True, help="Leave with exit status 1 when docs/coverage.md is not up to date.")
def coverage(results: Path | None, write: bool, check: bool) -> None:
    """Show each sentence of the documents with its vectors and each implementation's verdict on them.

    Exit status 1 when a rule, reason, ruling, sentence or pair has no vector.
    """
    found = Coverage(load_suite(FORMATS))
    problems = gaps(found)
    if check and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(found, all_passed(found))):
        problems.append(
            f"{PAGE.relative_to(ROOT)} is not up to date, or has a verdict that is no pass: run `make conformance`, "
            "then `conformance coverage --write`"
        )
    if write:
        _write(page(found, _whole(found, _verdicts(results))))
        click.echo(f"written: {PAGE.relative_to(ROOT)}")
    if not write and not check:
        _show(found, _verdicts(results))
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        sys.exit(1)
    click.echo(f"{sums(found)}: all have a vector")


def _write(text: str) -> None:
    try:
        write_whole(PAGE, text.encode())
    except ReportError as error:
        raise CannotRunError(str(error)) from None


def all_passed(found: Coverage) -> Verdicts:
    """Return the verdicts that the page must have: every implementation of ours passes every vector."""
    return {name: {entry.id: "passed" for entry in found.suite.cases} for name in own_adapters()}


def _whole(found: Coverage, verdicts: Verdicts) -> Verdicts:
    """Return a run's verdicts, refusing those of a run that did not ask everything."""
    for name in own_adapters():
        left = sum(entry.id not in verdicts.get(name, {}) for entry in found.suite.cases)
        if left:
            raise CannotRunError(
                f"the last run did not put {left} of {len(found.suite.cases)} vectors to {name}: "
                "run `make conformance` first"
            )
    return {name: verdicts[name] for name in own_adapters()}


def _verdicts(results: Path | None) -> Verdicts:
    """From a run's results; empty when there was no run."""
    path = results or _LAST_RUN
    if results is None and not path.exists():
        return {}
    try:
        document = json.loads(path.read_bytes())
        return {
            adapter["name"]: {case["id"]: case["status"] for case in adapter.get("cases", ())}
            for adapter in document["adapters"]
        }
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror}; give the results.json of a run") from None
    except (ValueError, KeyError, TypeError):
        raise CannotRunError(f"{path}: not the results of a run; `conformance run --json FILE` writes them") from None


def _show(found: Coverage, verdicts: Verdicts) -> None:
    table = Table("id", "section", "sentence", "vectors", *verdicts)
    for _, sentence, entries in sentence_rows(found):
        judged = [verdict(entries, statuses) for statuses in verdicts.values()]
        table.add_row(sentence.id, sentence.section, sentence.text, str(len(entries)), *judged)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)
    if not verdicts:
        console.print(
            "No run's results were found: `make conformance` or `conformance run --json FILE` gives verdicts."
        )
