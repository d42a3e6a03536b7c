"""Options that several commands share, and the values that they take."""

from __future__ import annotations

import math
import os
from pathlib import Path

import click

from conformance.rules.data import FORMATS

EMPTY = "it is empty; give a value, or leave it out where it may be left out"
_LONGEST = 60


class Name(click.types.StringParamType):
    """A text that names something. An empty one, as of an unset shell variable, is refused: it would name anything."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; fail, with exit status 2, for an empty one."""
        if value == "":
            self.fail(EMPTY, param, ctx)
        return str(super().convert(value, param, ctx))


class Place(click.Path):
    """A path. An empty one, which would be the current folder, is refused."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        """Take what a :class:`click.Path` takes."""
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; fail, with exit status 2, for an empty one."""
        if value == "":
            self.fail(EMPTY, param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class Whole(click.IntRange):
    """A whole number; who gives another text is told what is expected."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; fail, with exit status 2, for another text and outside the range."""
        try:
            number = int(str(value))
        except ValueError:
            span = f"from {self.min} to {self.max}" if self.max is not None else f"of at least {self.min}"
            self.fail(f"{_shown(value)} is no whole number; expected one in decimal digits, {span}", param, ctx)
        return int(super().convert(number, param, ctx))


class Seconds(click.FloatRange):
    """A duration in seconds above 0."""

    def __init__(self) -> None:
        """Bound it."""
        super().__init__(min=0, min_open=True)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; fail, with exit status 2, for what is no number above 0."""
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = math.nan
        if not math.isfinite(seconds):
            self.fail(f"{_shown(value)} is no number of seconds; expected one above 0, such as 90 or 0.5", param, ctx)
        return float(super().convert(seconds, param, ctx))


def _shown(value: object) -> str:
    text = str(value)
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r}… ({len(text)} characters)"


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
    type=Name(),
    metavar="GLOB",
    help="Only cases whose whole id or operation matches; a word without * ? [ matches anywhere in them, "
    "or a whole tag; an operation's name just that operation. May be given again.",
)
adapter_option = click.option(
    "--adapter",
    "adapters",
    multiple=True,
    type=Name(),
    metavar="NAME|PATH",
    help="Only this adapter: the name of one of ours, or the folder of any. May be given again.",
)
