"""A click group whose commands are imported when they are asked for, so that a light one starts without the heavy."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands by name: the module in which each stands, its name there, and the line that ``--help`` shows of it.

    The line is given here, so that the list of commands imports none of them; a test holds it to the command's own.
    """

    def __init__(self, *, commands_by_name: Mapping[str, tuple[str, str, str]], **settings: Any) -> None:
        """Take the commands, and what any click group takes."""
        super().__init__(**settings)
        self.commands_by_name = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, sorted."""
        del ctx
        return sorted(self.commands_by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None when there is none."""
        del ctx
        if cmd_name not in self.commands_by_name:
            return None
        module, attribute, _ = self.commands_by_name[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the lines given here."""
        rows = [(name, self.commands_by_name[name][2]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
