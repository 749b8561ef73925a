"""`warpsmith-dataset stats`: Warp API coverage, sizes and near duplicates of a dataset.

Imports within the function keep the help of `warpsmith-dataset` fast, which loads this module.
"""

from __future__ import annotations

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.datasets import storage
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED

EXAMPLES = """\b
Examples:
  warpsmith-dataset stats data/both                          Warp API coverage, sizes and near-duplicate rate
  warpsmith-dataset stats data/both --beside warp.examples   the same, compared with the kernels in Warp's examples

The figures are also written to stats.json in the folder of the dataset.

Exit codes: 0 done, 1 some lines are not pairs or differ from the manifest, 2 bad arguments or no such dataset.
"""


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path())
@click.option(
    "--beside",
    metavar="TARGET",
    help="Compare with other kernels: a dataset, or a module, package or file, which is imported.",
)
@options.workers_option
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def stats(dataset: str, beside: str | None, workers: str, unconfined: bool, as_json: bool) -> int:
    """Measure DATASET: sizes, Warp builtins called, syntax and near duplicates."""
    from warpsmith.core.datasets.checks import COLUMNS, check_rows, count_verdicts
    from warpsmith.validation.statistics.measure import measure, measure_and_compare
    from warpsmith.validation.statistics.table import print_statistics

    opened = Dataset.open(storage.open_path(dataset))
    processes = options.processes(workers)
    problems = list(opened.problems())
    statistics = (
        measure(opened, processes, unconfined=unconfined)
        if beside is None
        else measure_and_compare(opened, processes, beside, unconfined=unconfined)
    )
    verdicts = count_verdicts(opened)
    if as_json:
        options.print_json({"problems": problems, "statistics": statistics, "verdicts": verdicts})
    else:
        terminal.print_problems(problems)
        print_statistics(statistics)
        if verdicts:
            terminal.print_table("verdicts", COLUMNS, check_rows(verdicts, statistics["pairs"]))
    unusable = statistics["broken_lines"] + statistics["unread_lines"]
    return EXIT_SOME_FAILED if problems or unusable else EXIT_DONE
