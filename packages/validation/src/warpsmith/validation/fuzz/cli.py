"""`warpsmith-fuzz`: search for bugs of Warp, and show the ledger of those that are known.

Imports within functions keep `--help` and shell completion fast: Warp and NumPy take most of a second to load.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, WarpsmithError

EXAMPLES = """\b
Examples:
  warpsmith-fuzz run -o fuzz --time 600
  warpsmith-fuzz forms --seed 1 -n 3
  warpsmith-fuzz ledger --list

Exit codes: 0 nothing new, 1 new clusters were found, 2 bad arguments.
"""

RUN_EXAMPLES = """\b
Examples:
  warpsmith-fuzz run -o fuzz --time 600 --seed 1
  warpsmith-fuzz run -o fuzz --time 600 --seed 1           continues the search
  warpsmith-fuzz run -o fuzz --time 600 --python ~/other/bin/python
  warpsmith-fuzz run -o fuzz --time 600 --levels 50 --json

The folder receives state.json, report.md, its plot over_time.svg, and for each new cluster a script that needs Warp and NumPy
only.

Exit codes: 0 no new clusters, 1 new clusters, 2 bad arguments, or the folder of another search.
"""

FORMS_EXAMPLES = """\b
Examples:
  warpsmith-fuzz forms --seed 1 -n 3                                             forms and their kernels
  warpsmith-fuzz forms --form "assign target=vec_name operator=add use=square"   the kernel of one form
  warpsmith-fuzz forms --json -n 100

Exit codes: 0 done, 2 no such form.
"""

LEDGER_EXAMPLES = """\b
Examples:
  warpsmith-fuzz ledger --list                   one line for each bug
  warpsmith-fuzz ledger --text loop_product      the text of an issue for Warp's tracker, with the output of the script
  warpsmith-fuzz ledger --markdown               the tables of notes/explanation/warp_findings.md
  warpsmith-fuzz ledger --json

Exit codes: 0 done, 2 no such ledger or bug.
"""


@groups.group("warpsmith-validation", EXAMPLES)
def cli() -> None:
    """Search for bugs of Warp with random kernels, and show those that are known."""


ledger_option = click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    default=Path("notes/warp_bugs"),
    show_default=True,
    help="Folder of the ledger.",
)
profile_option = click.option(
    "--profile",
    type=click.Choice(["explore"]),
    default="explore",
    show_default=True,
    help="Grammar of the kernels: explore has all forms, also those that are known to fail.",
)


@cli.command(context_settings=options.CONTEXT, epilog=RUN_EXAMPLES)
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), required=True, help="Folder of the search.")
@click.option("--time", "seconds", type=click.FloatRange(min=0.0), default=600.0, show_default=True, help="Seconds to search.")
@click.option("--seed", type=options.INDEX, default=1, show_default=True, help="Seed of all forms.")
@click.option(
    "--batches",
    type=click.IntRange(0, options.LARGEST),
    default=0,
    help="Stop after so many batches of 64 forms; 0 for no limit.",
)
@click.option("--python", "other", default="", metavar="FILE", help="Python with another release of Warp, to compare with.")
@click.option(
    "--levels",
    type=click.IntRange(0, options.LARGEST),
    default=0,
    help="Check one right form in so many by all levels; 0 for none.",
)
@click.option(
    "--reduce-time", type=click.FloatRange(min=0.0), default=30.0, show_default=True, help="Seconds to reduce each new cluster."
)
@ledger_option
@profile_option
@click.option("--json", "as_json", is_flag=True, help="Print the figures and clusters as JSON.")
def run(
    folder: Path, seconds: float, seed: int, batches: int, other: str, levels: int, reduce_time: float, ledger: Path,
    profile: str, as_json: bool,
) -> int:  # fmt: skip
    """Search for bugs of Warp with kernels made of forms, until the time is over.

    A gradient is compared with central differences, a kernel with one that means the same, and a release of Warp with another
    one. What fails is reduced to the simplest form. The same command continues the search.
    """
    from warpsmith.validation.fuzz.fuzz_run import FuzzRequest, search
    from warpsmith.validation.fuzz.fuzz_state import FuzzState
    from warpsmith.validation.fuzz.ledger import read_ledger

    del profile  # there is one

    def progress(state: FuzzState) -> None:
        new = sum(not cluster.bug for cluster in state.clusters)
        terminal.err.print(f"{state.seconds:6.0f} s {state.kernels:7,} kernels {len(state.clusters):4} clusters, {new} new")

    request = FuzzRequest(folder, seed, seconds, tuple(read_ledger(ledger)), other, levels, reduce_time, batches)
    state = search(request, progress)
    new = [cluster for cluster in state.clusters if not cluster.bug]
    if as_json:
        facts = {"warp": state.warp, "seed": state.seed, "seconds": state.seconds, "kernels": state.kernels}
        facts |= {"accepted": state.accepted, "forms": len(state.forms), "pairs": state.pairs, "clusters": state.clusters}
        options.print_json(facts)
    else:
        terminal.print_text(f"{len(new)} new clusters of {len(state.clusters)}: {folder / 'report.md'}\n")
    return EXIT_FAILED if new else EXIT_DONE


@cli.command(no_args_is_help=True, context_settings=options.CONTEXT, epilog=FORMS_EXAMPLES)
@click.option("--seed", type=options.INDEX, default=1, show_default=True, help="Seed of all forms.")
@click.option("-n", "--count", type=click.IntRange(1, 10_000), default=3, show_default=True, help="Number of forms.")
@click.option("--form", "text", help="One form as a line, in place of random ones.")
@profile_option
@click.option("--json", "as_json", is_flag=True, help="Print forms and kernels as JSON.")
def forms(seed: int, count: int, text: str | None, profile: str, as_json: bool) -> int:
    """Print random forms and their kernels."""
    from warpsmith.validation.fuzz.form_draws import draw_forms
    from warpsmith.validation.fuzz.grammar.cases import case_of
    from warpsmith.validation.fuzz.grammar.forms import parse_form

    del profile  # there is one
    try:
        drawn = [parse_form(text)] if text is not None else draw_forms(seed, 0, count, set(), [])
    except (KeyError, ValueError) as error:
        raise WarpsmithError(f"{text!r} is no form: {error}") from error
    if as_json:
        options.print_json([{"form": form.text, "source": case_of(form).source} for form in drawn])
    else:
        terminal.print_text("\n".join(f"# {form.text}\n{case_of(form).source}" for form in drawn))
    return EXIT_DONE


@cli.command("ledger", no_args_is_help=True, context_settings=options.CONTEXT, epilog=LEDGER_EXAMPLES)
@ledger_option
@click.option("--text", "name", metavar="NAME", help="Run the script of a bug, and print the text of an issue.")
@click.option("--list", "_lists", is_flag=True, help="Print one line for each bug.")
@click.option("--markdown", is_flag=True, help="Print the tables of the index page.")
@click.option("--json", "as_json", is_flag=True, help="Print the facts of all bugs as JSON.")
def ledger_command(ledger: Path, _lists: bool, name: str | None, markdown: bool, as_json: bool) -> int:
    """Show the bugs of Warp in a ledger."""
    from warpsmith.validation.fuzz.ledger import index, read_ledger
    from warpsmith.validation.fuzz.ledger_texts import issue_of

    bugs = read_ledger(ledger)
    if name is not None:
        terminal.print_text(issue_of(ledger, name))
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
