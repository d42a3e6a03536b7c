"""``conformance vectors``: the gate in front of a change of the formats' rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console

from conformance.build import vectors as on_disk
from conformance.build.generate import GenerationError


@click.group()
def vectors() -> None:
    """Generate vectors/ from the builders, or check that it is what they generate."""


@vectors.command("build")
def build() -> None:
    """Write vectors/ anew, if the cases are sound and the version rises as their change demands."""
    with _refusals():
        report = on_disk.build()
    click.echo("\n".join(report.lines()) or "vectors/ was up to date")


@vectors.command("check")
def check() -> None:
    """Regenerate everything in memory and compare it byte for byte with vectors/ (exit status 1 on a difference)."""
    with _refusals():
        report = on_disk.check()
    click.echo("\n".join(report.lines()) or "vectors/ is what the builders generate")
    if not report.clean:
        click.echo(
            "vectors/ is generated: `git checkout vectors/` undoes an edit there; a change that is meant is made in "
            "conformance/build/, then `conformance vectors build` writes it",
            err=True,
        )
        sys.exit(1)


@vectors.command("release")
def release() -> None:
    """Make this version the released one: from then on the version rule measures every change by it."""
    with _refusals():
        path = on_disk.release()
    click.echo(f"written: {path}")


@contextmanager
def _refusals() -> Iterator[None]:
    """Show on a terminal that work goes on; print what is wrong with the cases, a line each, and exit with 1."""
    try:
        with Console(stderr=True).status(
            "building every case and asking the reference every question: a minute or two"
        ):
            yield
    except GenerationError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        click.echo(f"{len(error.problems)} problems; nothing was written", err=True)
        sys.exit(1)
