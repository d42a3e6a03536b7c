"""``conformance vectors``: the gate in front of a change of the formats' rules."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console

from conformance.formats import FORMATS
from conformance.vectorgen import vectors as on_disk
from conformance.vectorgen.generate import GenerationError

SECONDS_BETWEEN_LINES = 15.0
"""How often a line says that work goes on, where there is no terminal."""
_STDERR = 2
_LONGEST = 600
"""Characters of one problem that are printed."""
_NEXT = (
    "Where a vector and the reference disagree one of them is wrong: `conformance explain OPERATION` tells the order "
    "of the checks; cases are changed in conformance/formats/<format>/cases/, the reference is reference_py/"
)


@click.group()
def vectors() -> None:
    """Generate vectors/ from the builders, or check that it is what they generate."""


@vectors.command("build")
def build() -> None:
    """Write vectors/ anew, if the cases are sound and the version rises as their change demands."""
    with _refusals("nothing was written"):
        report = on_disk.build(FORMATS)
    click.echo("\n".join(report.lines()) or "vectors/ was up to date")


@vectors.command("check")
def check() -> None:
    """Regenerate everything in memory and compare it byte for byte with vectors/ (exit status 1 on a difference)."""
    with _refusals("vectors/ was not compared"):
        report = on_disk.check(FORMATS)
    click.echo("\n".join(report.lines()) or "vectors/ is what the builders generate")
    if not report.clean:
        click.echo(
            "vectors/ is generated: `git checkout vectors/` undoes an edit there; a change that is meant is made in "
            "conformance/formats/<format>/cases/, then `conformance vectors build` writes it",
            err=True,
        )
        sys.exit(1)


@vectors.command("release")
def release() -> None:
    """Make this version the released one: from then on the version rule measures every change by it."""
    with _refusals("nothing was released"):
        path = on_disk.release(FORMATS)
    click.echo(f"written: {path}")


@contextmanager
def _refusals(outcome: str) -> Iterator[None]:
    """Show that work goes on; print what is wrong with the cases, a line each, and exit with 1.

    ``outcome`` says what became of ``vectors/`` then.
    """
    try:
        with _progress("building every case and asking the reference every question: a minute or two"):
            yield
    except GenerationError as error:
        for problem in error.problems:
            click.echo(_cut(problem), err=True)
        click.echo(f"problems: {len(error.problems)}; {outcome}. {_NEXT}", err=True)
        sys.exit(1)


def _cut(problem: str) -> str:
    """Shorten a problem that holds a whole answer: its two ends tell the case and what is said of it."""
    if len(problem) <= _LONGEST:
        return problem
    half = _LONGEST // 2
    return f"{problem[:half]} … ({len(problem) - 2 * half} characters) … {problem[-half:]}"


@contextmanager
def _progress(what: str) -> Iterator[None]:
    """Say that work goes on: a line that moves on a terminal, elsewhere a line to stderr now and then."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(what):
            yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, done: threading.Event) -> None:
    began = time.monotonic()
    while not done.wait(SECONDS_BETWEEN_LINES):
        _say(f"{time.monotonic() - began:.0f} s: {what}")


def _say(line: str) -> None:
    """Write past Python's buffers: workers are forked meanwhile, and must not inherit a lock that a thread holds."""
    os.write(_STDERR, f"{line}\n".encode())
