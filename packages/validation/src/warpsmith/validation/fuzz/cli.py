"""`warpsmith-fuzz`: search for bugs of Warp, and show the ledger of those that are known.

Imports within functions keep `--help` and shell completion fast: Warp and NumPy take most of a second to load.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.errors import EXIT_DONE

EXAMPLES = """\b
Examples:
  warpsmith-fuzz ledger
  warpsmith-fuzz ledger --text loop_product

Exit codes: 0 nothing new, 1 new clusters were found, 2 bad arguments.
"""

LEDGER_EXAMPLES = """\b
Examples:
  warpsmith-fuzz ledger                          one line for each bug
  warpsmith-fuzz ledger --text loop_product      the text of an issue for Warp's tracker, with the output of the script
  warpsmith-fuzz ledger --markdown               the tables of notes/explanation/warp_findings.md
  warpsmith-fuzz ledger --json

Exit codes: 0 done, 2 no such ledger or bug.
"""


@groups.group("warpsmith-validation", EXAMPLES)
def cli() -> None:
    """Search for bugs of Warp with random kernels, and show those that are known."""


@cli.command(context_settings=options.CONTEXT, epilog=LEDGER_EXAMPLES)
@click.option(
    "--ledger",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("notes/warp_bugs"),
    show_default=True,
    help="Folder of the ledger.",
)
@click.option("--text", "name", metavar="NAME", help="Run the script of a bug, and print the text of an issue.")
@click.option("--markdown", is_flag=True, help="Print the tables of the index page.")
@click.option("--json", "as_json", is_flag=True, help="Print the facts of all bugs as JSON.")
def ledger(folder: Path, name: str | None, markdown: bool, as_json: bool) -> int:
    """Show the bugs of Warp in a ledger."""
    from warpsmith.validation.fuzz.ledger import index, read_ledger
    from warpsmith.validation.fuzz.ledger_texts import issue_of

    bugs = read_ledger(folder)
    if name is not None:
        terminal.print_text(issue_of(folder, name))
    elif markdown:
        terminal.print_text(index(bugs))
    elif as_json:
        options.print_json(bugs)
    else:
        for bug in bugs:
            numbers = "".join(f" #{number}" for number in bug.issues)
            terminal.print_text(f"{bug.name:28} {bug.status + numbers:32} {bug.title}\n")
    return EXIT_DONE


def main() -> None:
    """Run the command, and exit with its code."""
    sys.exit(options.run(cli))
