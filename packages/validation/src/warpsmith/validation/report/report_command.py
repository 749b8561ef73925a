"""`warpsmith-dataset report`: an HTML page with the figures of a dataset and a browser of its pairs.

Imports within the function keep the help of `warpsmith-dataset` fast, which loads this module.
"""

from __future__ import annotations

from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, TargetError
from warpsmith.core.files import storage

EXAMPLES = """\b
Examples:
  warpsmith-dataset report data/both                       write data/both/report.html
  warpsmith-dataset report data/both -o page.html          write another file
  warpsmith-dataset report data/both --report-pairs 1000   include 1,000 pairs in the browser

Exit codes: 0 done, 1 the dataset differs from its manifest, 2 bad arguments or no such dataset.
"""


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", type=click.Path())
@click.option(
    "--report-pairs",
    type=options.COUNT,
    default=200,
    show_default=True,
    help="The number of pairs that the page contains.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The page.  [default: DATASET/report.html]"
)
@options.workers_option
@options.unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def report(dataset: str, report_pairs: int, output: Path | None, workers: str, unconfined: bool, as_json: bool) -> int:
    """Write report.html in the folder of DATASET, or another file: its figures and a browser of pairs, in one page.

    DATASET is measured first if its statistics are missing or outdated.
    """
    from warpsmith.validation.levels.registry import LEVELS
    from warpsmith.validation.report import extra
    from warpsmith.validation.report.write import write_report
    from warpsmith.validation.statistics.measure import known_statistics, measure

    extra.require()
    opened = Dataset.open(storage.open_path(dataset))
    processes = options.processes(workers)
    if output is not None:
        storage.check_replaceable(output)
    elif storage.is_read_only(opened.folder):
        raise TargetError(f"{opened.folder} is read-only: name the file of the page by -o")
    problems = list(opened.problems())
    statistics = known_statistics(opened) or measure(opened, processes, unconfined=unconfined)
    written = write_report(opened, statistics, [level.name for level in LEVELS], report_pairs, output, unconfined=unconfined)
    if as_json:
        facts = {"path": str(written.path), "bytes": written.bytes, "pairs": written.pairs, "shown": written.shown}
        options.print_json({"problems": problems, "report": facts})
    else:
        terminal.print_problems(problems)
        shown = f"{written.shown:,} of {written.pairs:,} pairs, {written.bytes / 1e6:.1f} MB"
        terminal.out.print(f"{written.path}: {shown}", soft_wrap=True)
    return EXIT_FAILED if problems else EXIT_DONE
