"""Options that several commands share."""

from __future__ import annotations

import click

from conformance.rules.data import FORMATS

format_option = click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(FORMATS),
    help="Only this format; may be given again.",
)
glob_option = click.option(
    "-k",
    "globs",
    multiple=True,
    metavar="GLOB",
    help="Only cases whose whole id or operation matches; a word without * ? [ matches anywhere in them, "
    "or a whole tag; an operation's name just that operation. May be given again.",
)
adapter_option = click.option(
    "--adapter",
    "adapters",
    multiple=True,
    metavar="NAME|PATH",
    help="Only this adapter: the name of one of ours, or the folder of any. May be given again.",
)
