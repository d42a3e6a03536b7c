"""``conformance list``: the cases there are."""

from __future__ import annotations

import click

from conformance.cli.options import format_option, glob_option
from conformance.suite.load import load_suite
from conformance.suite.pairs import Pairs
from conformance.suite.sweep import Sweep


@click.command("list")
@format_option
@glob_option
def list_cases(formats: tuple[str, ...], globs: tuple[str, ...]) -> None:
    """List the cases: id, operation, title; a sweep or list of faults with the number of its members."""
    for entry in load_suite().select(formats, globs):
        size = f" [{sum(1 for _ in entry.members())} members]" if isinstance(entry, Sweep | Pairs) else ""
        click.echo(f"{entry.id}  {entry.operation}  {entry.title}{size}")
