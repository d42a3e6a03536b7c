"""``conformance list``: the cases there are."""

from __future__ import annotations

import click

from conformance.cli.options import Name, format_option, glob_option
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.names import did_you_mean
from conformance.rules import load_rules
from conformance.suite.load import load_suite
from conformance.suite.pairwise import Pairwise
from conformance.suite.sweep import Sweep


@click.command("list")
@format_option
@glob_option
@click.option("--reason", type=Name(), help="Only cases in which a rejection for this reason is expected.")
def list_cases(formats: tuple[str, ...], globs: tuple[str, ...], reason: str | None) -> None:
    """List the cases: id, operation, title; a sweep or list of faults with the number of its members."""
    chosen = load_suite(FORMATS).select(formats, globs)
    if reason is not None:
        _refuse_unknown(reason)
        chosen = tuple(entry for entry in chosen if entry.expects(reason))
        if not chosen:
            raise CannotRunError(f"no case that is selected expects {reason!r}; `conformance explain {reason}`")
    for entry in chosen:
        size = f" [{sum(1 for _ in entry.members())} members]" if isinstance(entry, Sweep | Pairwise) else ""
        click.echo(f"{entry.id}  {entry.operation}  {entry.title}{size}")


def _refuse_unknown(reason: str) -> None:
    known = {one for book in load_rules().formats.values() for one in book.reasons}
    if reason not in known:
        raise CannotRunError(
            f"there is no reason {reason!r}{did_you_mean(reason, known) or '; docs/formats/ lists them'}"
        )
