"""`warpsmith-dataset filter`: a new dataset from the pairs that have certain verdicts."""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.filter import filter_dataset
from warpsmith.core.datasets.uncopied_lines import left_out_lines
from warpsmith.core.errors import EXIT_DONE

EXAMPLES = """\b
Examples:
  warpsmith-dataset filter data/both --require gradient=pass -o data/verified
  warpsmith-dataset filter data/both --only gradient=fail -o data/compiler-errors

Exit codes: 0 done, 2 bad arguments, missing verdicts or unusable output folder.
"""


@click.command("filter", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@options.condition_options
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder of the new dataset.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def filter_command(dataset: Path, required: tuple[str, ...], only: tuple[str, ...], output: Path, as_json: bool) -> int:
    """Copy the pairs of DATASET that have certain verdicts to a new dataset, byte for byte, with their verdicts."""
    if not required and not only:
        raise click.UsageError("name what the pairs must have: --require LEVEL=STATUS or --only LEVEL=STATUS")
    wanted, exact = ([Condition.read(text) for text in texts] for texts in (required, only))
    result = filter_dataset(Dataset.open(dataset), wanted, exact, output)
    if as_json:
        options.print_json(result)
    else:
        for line in left_out_lines(result.repeated_ids, result.not_records):
            terminal.err.print(line)
        rows = [(name, f"{count:,}") for name, count in result.categories.items()]
        terminal.print_table(f"{result.taken:,} of {result.pairs:,} pairs are in {output}", ("category", "pairs"), rows)
    return EXIT_DONE
