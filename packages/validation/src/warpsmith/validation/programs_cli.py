"""The command `warpsmith-validate programs`; it loads what it needs when it runs."""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core.commands import options
from warpsmith.validation.levels.registry import LEVELS

PROGRAMS_EXAMPLES = """\b
Examples:
  warpsmith-validate programs data/programs
  warpsmith-validate programs data/programs -n 50 --level oracle --json
  warpsmith-validate programs data/programs -o verdicts.jsonl    continues there after it was interrupted

Exit codes: 0 no program fails, 1 some fail, 2 bad arguments or input.
"""


@click.command("programs", context_settings=options.CONTEXT, epilog=PROGRAMS_EXAMPLES)
@click.argument("dataset", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--level",
    type=click.Choice([level.name for level in LEVELS]),
    default="gradient",
    show_default=True,
    help="The highest level at which each kernel is checked.",
)
@click.option("-n", "--count", type=options.COUNT, help="Check only the first programs.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write one verdict per line; a later run with the same file goes on after them.",
)
@options.workers_option
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def check_programs(
    dataset: Path, level: str, count: int | None, output: Path | None, workers: str, unconfined: bool, as_json: bool
) -> int:
    """Check the programs of DATASET, a folder with programs-*.jsonl or one JSONL file.

    Each kernel is checked at the levels of pairs. Each program is run in the sandbox: its launches are compared with an
    interpreter that is independent of Warp, and the gradients of its tapes with the derivatives of its launches.
    """
    from warpsmith.validation.programs.programs_command import ProgramsRequest, programs_command

    request = ProgramsRequest(dataset, level, count, options.processes(workers), unconfined, output, as_json)
    return programs_command(request)
