"""The command ``conformance``. Exit status: 0 all passed, 1 something failed, 2 could not run."""

from __future__ import annotations

import os
import sys

import click

from conformance.cli.crash import crash
from conformance.cli.explain import explain
from conformance.cli.fuzz import fuzz
from conformance.cli.inspect import inspect
from conformance.cli.listing import list_cases
from conformance.cli.replay import replay
from conformance.cli.run import run
from conformance.cli.show import show
from conformance.cli.vectors import vectors
from conformance.errors import CannotRunError
from conformance.suite.errors import SuiteError
from conformance.version import SUITE_VERSION


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(SUITE_VERSION, prog_name="conformance", message="%(prog)s, suite version %(version)s")
def cli() -> None:
    """Judge implementations of the checkpoint formats lmdl, pfc and flysess1 by one set of vectors."""


for command in (run, crash, fuzz, list_cases, show, replay, inspect, explain, vectors):
    cli.add_command(command)


def main() -> None:
    """Run the command; turn what it cannot do into one line on stderr and exit status 2."""
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit("conformance: interrupted")
    except BrokenPipeError:
        # Whoever reads us (`| head`) has seen enough. What Python still holds back goes nowhere, without a complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except (CannotRunError, SuiteError) as error:
        click.echo(f"conformance: {error}", err=True)
        sys.exit(2)
