"""`warpsmith-dataset stats`: Warp API coverage, sizes and near duplicates of a dataset.

Imports within the function keep the help of `warpsmith-dataset` fast, which loads this module.
"""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED
from warpsmith.core.files import storage

CODE = click.Path(exists=True, path_type=Path)
"""The type of options that name a file or a folder of real code."""

EXAMPLES = """\b
Examples:
  warpsmith-dataset stats data/both                          Warp API coverage, sizes and near-duplicate rate
  warpsmith-dataset stats data/both --beside warp.examples   the same, compared with the kernels in Warp's examples
  warpsmith-dataset stats data/both --beside ~/src/newton    features, functions and texts, compared with those of real code
  warpsmith-dataset stats data/both --transfer               how much a model learns from the dataset about real kernels

The figures are also written to stats.json in the folder of the dataset. They are printed from there as long as every shard has
the size that the manifest states; --again counts again. If the folder is read-only, they are only printed.

Exit codes: 0 done, 1 some lines are not pairs or differ from the manifest, 2 bad arguments or no such dataset.
"""


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path())
@click.option(
    "--beside",
    metavar="TARGET",
    help="Compare with other kernels: a dataset, a folder of Python files, which are parsed, or a module, package or file, "
    "which is imported.",
)
@click.option("--again", is_flag=True, help="Count again although stats.json is current.")
@click.option("--transfer", is_flag=True, help="Measure what models of tokens learn from DATASET about real kernels.")
@click.option(
    "--reference",
    type=CODE,
    help="Real code to learn from, with --transfer or a folder for --beside.  [default: modules of Warp]",
)
@click.option("--held-out", type=CODE, help="Real code to predict, with --transfer.  [default: examples of Warp]")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.  [default: DATASET/stats.json]"
)
@options.workers_option
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def stats(
    dataset: str,
    beside: str | None,
    again: bool,
    transfer: bool,
    reference: Path | None,
    held_out: Path | None,
    output: Path | None,
    workers: str,
    unconfined: bool,
    as_json: bool,
) -> int:
    """Measure DATASET: sizes, Warp builtins called, syntax, near duplicates, and similarity to real code."""
    from warpsmith.core.datasets.checks import COLUMNS, check_rows, count_verdicts
    from warpsmith.validation.sandbox.supervisor import WORKERS
    from warpsmith.validation.statistics.measure import known_statistics, measure
    from warpsmith.validation.statistics.real_code import is_real_code, read_reference, read_transfer
    from warpsmith.validation.statistics.stats_table import print_statistics

    beside_code = beside is not None and is_real_code(Path(beside))
    if (held_out and not transfer) or (reference and not (transfer or beside_code)):
        raise click.UsageError("--held-out requires --transfer, and --reference requires --transfer or a folder for --beside")
    opened = Dataset.open(storage.open_path(dataset))
    processes = options.processes(workers)
    if output is not None:
        storage.check_replaceable(output)
    stored = None if again or beside or transfer or output else known_statistics(opened, opened.stated_digests())
    if stored is not None:
        problems, statistics = [], stored
        terminal.err.print("from stats.json: the shards have not changed since (--again counts again)")
    else:
        problems = list(opened.problems())
        module = WORKERS[unconfined]
        learned = read_reference(reference, processes, module) if transfer or beside_code else None
        compared = read_transfer(learned, held_out, processes, module) if learned and transfer else None
        statistics = measure(opened, processes, beside, compared, learned, output=output, unconfined=unconfined)
    verdicts = count_verdicts(opened, opened.stated_digests())
    unusable = statistics["broken_lines"] + statistics["unread_lines"]
    if as_json:
        options.print_json({"problems": problems, "statistics": statistics, "verdicts": verdicts})
    else:
        terminal.print_problems(problems)
        print_statistics(statistics)
        if verdicts:
            terminal.print_table("verdicts", COLUMNS, check_rows(verdicts, statistics["pairs"] + unusable))
    return EXIT_FAILED if problems or unusable else EXIT_DONE
