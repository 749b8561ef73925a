"""Commands with sub-commands, and the options that every command has: ``--version``, ``--quiet`` and ``--verbose``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import click

from warpsmith.core.commands import options

C = TypeVar("C", bound=click.Command)


class Group(click.Group):
    """A group whose sub-commands have the options that every command has, and print their help without arguments.

    Attributes:
        distribution: the distribution whose version ``--version`` prints.
    """

    distribution: str

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a sub-command."""
        command = super().get_command(ctx, cmd_name)
        return None if command is None else self.complete(command)

    def complete(self, command: click.Command) -> click.Command:
        """Add to a sub-command what all of them have, unless it has it."""
        if any(parameter.name == "quiet" for parameter in command.params):
            return command
        if any(parameter.required for parameter in command.params):
            command.no_args_is_help = True
        return standard_options(self.distribution)(command)


def group(distribution: str, examples: str, cls: type[Group] = Group) -> Callable[[Callable[..., Any]], Group]:
    """Return the decorator of a function that is a command with sub-commands.

    Args:
        distribution: the distribution whose version ``--version`` prints.
        examples: what follows the options in the help.
        cls: the class of the group.
    """

    def decorate(function: Callable[..., Any]) -> Group:
        made = click.group(cls=cls, context_settings=options.CONTEXT, epilog=examples)(function)
        made.distribution = distribution
        return standard_options(distribution)(made)

    return decorate


def standard_options(distribution: str) -> Callable[[C], C]:
    """Return the decorator that adds ``--version``, ``--quiet`` and ``--verbose`` to a command."""

    def decorate(command: C) -> C:
        for names, callback, text in _OUTPUT_OPTIONS:
            command.params.append(click.Option(names, is_flag=True, expose_value=False, callback=callback, help=text))
        return click.version_option(package_name=distribution)(command)

    return decorate


def _be_quiet(_: click.Context, __: click.Parameter, value: bool) -> None:
    if value:
        from warpsmith.core import terminal  # Rich takes longer to load than the rest of a command

        terminal.err.quiet = True


def _log(_: click.Context, __: click.Parameter, value: bool) -> None:
    if value:
        from rich.logging import RichHandler  # see above

        from warpsmith.core import terminal

        handler = RichHandler(console=terminal.errors, show_path=False, omit_repeated_times=False)
        logger = logging.getLogger("warpsmith")
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)


_OUTPUT_OPTIONS = (
    (["-q", "--quiet"], _be_quiet, "Print results and errors only, no progress and no remarks."),
    (["-v", "--verbose"], _log, "Log on stderr which files the command finishes."),
)
