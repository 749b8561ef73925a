"""The commands of authors: `warpsmith-synthesize ideas check` and `ideas show`."""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core.commands import groups, options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED

EXAMPLES = """\b
Examples:
  warpsmith-synthesize ideas check                             check the whole catalogue
  warpsmith-synthesize ideas check catalogue/particles/motion.ideas
  warpsmith-synthesize ideas check --tells                     texts that look generated: unread values, folded constants …
  warpsmith-synthesize ideas show particles/density            an idea, and a kernel of it
  warpsmith-synthesize ideas show particles/density --all      a kernel for each of its alternatives

Exit codes: 0 no mistakes, 1 mistakes, 2 bad arguments or no such idea.
"""


@groups.group("warpsmith-synthesis", EXAMPLES)
def ideas() -> None:
    """Check and show the ideas that kernels are composed of."""


@ideas.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[FILE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the mistakes as JSON.")
@click.option("--tells", is_flag=True, help="Print tells instead of mistakes: unread values, contradicting names, filler.")
def check(files: tuple[Path, ...], as_json: bool, tells: bool) -> int:
    """Check files of the catalogue, all by default, and print each mistake with its file and line.

    Tells are hints: texts with them are correct, and look generated. Their exit code is that of mistakes.
    """
    from warpsmith.synthesis.writing.catalogue.idea_checks import check_files  # loads Warp
    from warpsmith.synthesis.writing.catalogue.idea_files import all_files
    from warpsmith.synthesis.writing.catalogue.idea_tells import find_tells

    paths = files or tuple(all_files())
    mistakes = find_tells(paths) if tells else check_files(paths)
    if as_json:
        options.print_json(
            [{"path": str(mistake.path), "line": mistake.line, "reason": mistake.reason} for mistake in mistakes]
        )
        return EXIT_FAILED if mistakes else EXIT_DONE
    what = "tell" if tells else "mistake"
    for mistake in mistakes:
        click.echo(mistake)
    click.echo(f"{len(paths):,} file{'s' * (len(paths) != 1)}, {len(mistakes):,} {what}{'s' * (len(mistakes) != 1)}")
    return EXIT_FAILED if mistakes else EXIT_DONE


@ideas.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("idea", metavar="DOMAIN/IDEA")
@click.option("--all", "every", is_flag=True, help="Print a kernel for each alternative, not only for the first ones.")
def show(idea: str, every: bool) -> int:
    """Print an idea as its file contains it, and a kernel that consists of it alone."""
    from warpsmith.synthesis.writing.catalogue.idea_kernels import find_idea, kernels_of  # loads Warp

    found = find_idea(idea)
    click.echo(f"# {found.path}:{found.row.line}\n\n{found.source}")
    for number, (rendering, source) in enumerate(kernels_of(found), 1):
        chosen = ", ".join(f"{name} {position + 1}" for name, position in rendering.positions.items())
        click.echo(f"\n# ---- {number}{': ' if chosen else ''}{chosen}\n\n{source.rstrip()}")
        if not every:
            break
    return EXIT_DONE
