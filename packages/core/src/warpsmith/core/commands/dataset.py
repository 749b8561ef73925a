"""`warpsmith-dataset`: everything that reads a finished dataset.

This package contains `show`, `describe`, `filter`, `export` and `croissant`. Other distributions add sub-commands, click
commands each, through the entry point group `warpsmith.dataset_commands`.
"""

from __future__ import annotations

import sys
from importlib import metadata
from typing import NoReturn

import click

from warpsmith.core.commands import groups, options
from warpsmith.core.commands.croissant_command import croissant_command
from warpsmith.core.commands.describe_command import describe_command
from warpsmith.core.commands.export import export_command
from warpsmith.core.commands.filter_command import filter_command
from warpsmith.core.commands.show import show_command
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.installation import sibling_command

ENTRY_POINTS = "warpsmith.dataset_commands"

ELSEWHERE = {
    "stats": ("warpsmith-validation", "Measure sizes, Warp API coverage and the near-duplicate rate."),
    "report": ("warpsmith-validation", "Write an HTML report: figures and a browser of pairs."),
}
"""Sub-commands that another distribution contributes, with that distribution and their summary."""

EXAMPLES = """\b
Examples:
  warpsmith-dataset show data/both 5-2000-17
  warpsmith-dataset describe data/both 5-2000-17 --level intent
  warpsmith-dataset filter data/both --require gradient=pass -o data/verified
  warpsmith-dataset export data/verified --format chat -o data/chat
  warpsmith-dataset stats data/both                  with warpsmith-validation installed

Exit codes: 0 done, 2 bad arguments, input or output folder.
"""


class DatasetGroup(groups.Group):
    """The group of commands on datasets, of this and of other distributions."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click defines the signature
        """Return the names of all sub-commands, installed or not."""
        return [*dict.fromkeys([*self.commands, *sorted(metadata.entry_points(group=ENTRY_POINTS).names)])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a sub-command; a known one that is not installed fails with the name of its distribution."""
        if cmd_name not in self.commands or cmd_name in ELSEWHERE:
            for entry_point in metadata.entry_points(group=ENTRY_POINTS, name=cmd_name):
                loaded = entry_point.load()
                return self.complete(loaded) if isinstance(loaded, click.Command) else None
        return super().get_command(ctx, cmd_name)


def _placeholder(name: str) -> click.Command:
    distribution, summary = ELSEWHERE[name]

    def fail(arguments: tuple[str, ...]) -> NoReturn:  # noqa: ARG001 - any arguments end with the same message
        installing = sibling_command("extraction", "validation")
        raise WarpsmithError(f"warpsmith-dataset {name} needs another distribution, {distribution}: {installing}")

    anything = click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True}
    return click.Command(name, settings, fail, [anything], help=f"{summary} Needs {distribution}.", add_help_option=False)


@groups.group("warpsmith-core", EXAMPLES, DatasetGroup)
def cli() -> None:
    """Show, describe, filter, export and measure datasets of Warp kernels and their generated code, without Warp itself."""


cli.add_command(show_command)
cli.add_command(describe_command)
cli.add_command(filter_command)
cli.add_command(export_command)
cli.add_command(croissant_command)
for name in ELSEWHERE:
    cli.add_command(_placeholder(name))


def main() -> NoReturn:
    """Run the command and exit with its code."""
    sys.exit(options.run(cli))
