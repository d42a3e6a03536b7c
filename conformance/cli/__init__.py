"""The command ``conformance``. Exit status: 0 all passed, 1 something failed, 2 could not run.

One whose output nobody reads any more (``| head``) ends as by SIGPIPE, with 141.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import NoReturn

import click

from conformance.cli.group import LazyGroup
from conformance.errors import CannotRunError
from conformance.signals import ignore_signal
from conformance.suite.errors import SuiteError
from conformance.version import SUITE_VERSION
from reports.text import visible

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


_COMMANDS = {
    "coverage": ("conformance.cli.coverage", "coverage", "Show which sentence of the documents is tested by what."),
    "crash": ("conformance.cli.crash", "crash", "Kill commits, fail their system calls, cut the power."),
    "explain": ("conformance.cli.explain", "explain", "Explain a reason, rule, ruling, operation or sentence."),
    "fuzz": ("conformance.cli.fuzz", "fuzz", "Compare the adapters with the reference on random inputs."),
    "inspect": (
        "conformance.cli.inspect",
        "inspect",
        "Inspect a file or bundle: verdicts, layout, first bad byte.",
    ),
    "list": ("conformance.cli.listing", "list_cases", "List the cases."),
    "replay": ("conformance.cli.replay", "replay", "Put one case to an adapter, and print the line that does so."),
    "run": ("conformance.cli.run", "run", "Put the vectors to the adapters and judge every answer."),
    "show": ("conformance.cli.show", "show", "Show one case and its bytes, the changed ones marked."),
    "vectors": ("conformance.cli.vectors", "vectors", "Generate vectors/, check it, release it."),
}


@click.group(
    cls=LazyGroup,
    commands_by_name=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(SUITE_VERSION, prog_name="conformance", message="%(prog)s, suite version %(version)s")
def cli() -> None:
    """Judge implementations of the checkpoint formats by one set of vectors."""


def main() -> None:
    """Run the command; turn what it cannot do into one line on stderr and exit status 2."""
    _refuse_closed_stdout()
    _print_anything()
    _handle_signals()
    try:
        # Not `cli.main`, which makes an exit of status 1 of a pipe that nobody reads.
        with cli.make_context("conformance", sys.argv[1:]) as context:
            cli.invoke(context)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        sys.exit(2)
    except BrokenPipeError:
        _nobody_reads()
    except SystemExit as leave:
        # rich, too, makes an exit of status 1 of it.
        if isinstance(leave.__context__, BrokenPipeError):
            _nobody_reads()
        raise
    except (CannotRunError, SuiteError) as error:
        _complain(str(error))
        sys.exit(2)
    except OSError as error:
        _drop_output()
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        _complain(f"{where}{error.strerror or error}")
        sys.exit(2)


class _Stdout(TextIOWrapper):
    """Names itself in the errors of what is written to it; the system's name no file."""

    def write(self, text: str, /) -> int:
        with _named("stdout cannot be written to"):
            return super().write(text)

    def flush(self) -> None:
        with _named("stdout cannot be written to"):
            super().flush()


@contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        error.filename = name
        raise


def _complain(message: str) -> None:
    """Say why on stderr; what files and adapters put into the message does not steer the terminal."""
    click.echo("\n".join(map(visible, f"conformance: {message}".splitlines())), err=True)


def _print_anything() -> None:
    """Escape what the terminal's encoding has no character for (ASCII; names of files that are no UTF-8)."""
    if isinstance(sys.stdout, TextIOWrapper):
        encoding, lines = sys.stdout.encoding, sys.stdout.line_buffering
        sys.stdout = _Stdout(sys.stdout.detach(), encoding, line_buffering=lines)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _handle_signals() -> None:
    for stop in _STOPS:
        # One that is ignored was so made for us: by nohup, or by a shell whose background job is not to hear Ctrl-C.
        if signal.getsignal(stop) is not signal.SIG_IGN:
            signal.signal(stop, _interrupt)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    """End as Ctrl-C does, so that adapters and temporary files go first.

    Once: `timeout` signals a program and then its whole group, and the second must not break into what cleans up.
    """
    for stop in _STOPS:
        signal.signal(stop, ignore_signal)
    raise KeyboardInterrupt


def _nobody_reads() -> NoReturn:
    """End quietly with the status of a program that SIGPIPE ends: whoever reads us (`| head`) has seen enough."""
    _drop_output()
    sys.exit(128 + signal.SIGPIPE)


def _refuse_closed_stdout() -> None:
    if sys.stdout is None:
        _complain("stdout is closed, and there is nowhere to print to; redirect it to /dev/null if it is not wanted")
        sys.exit(2)


def _drop_output() -> None:
    """Send what Python still holds back for stdout nowhere: at the exit it would only fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
