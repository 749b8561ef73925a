"""`warpsmith-validate`: verdicts and statistics on a dataset."""

from __future__ import annotations

import functools
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.datasets import storage
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED, TargetError

if TYPE_CHECKING:
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.validation.dataset_run import Executor, Outcome
    from warpsmith.validation.report import Report

EXAMPLES = """\b
Examples:
  warpsmith-validate data/both                               schema and parse on all pairs
  warpsmith-validate data/both --level gradient              the whole ladder on all pairs
  warpsmith-validate data/both --level oracle --sample 500   and an independent interpreter, on 500 pairs
  warpsmith-validate data/both --stats                       what the dataset holds, also written to stats.json
  warpsmith-validate data/both --stats --beside warp.examples   and of what Warp's examples use, how much of it
  warpsmith-validate data/both --report                      a page to look at it: figures, and pairs line by line
  warpsmith-validate data/both --show 2-2000-17              one pair, Python and code side by side
  warpsmith-validate filter data/both --require gradient=pass -o data/clean
  warpsmith-validate filter data/both --only gradient=fail -o data/compiler-errors
  warpsmith-validate reduce data/both 2-2000-17 --level gradient

\b
Levels, in order of cost; each is given only what passed those before:
  schema      the line is a record and its fields agree
  parse       the Python is a kernel file that is safe to load, the text has the shape of its language
  regenerate  Warp generates the same bytes again from the Python
  compile     a CUDA compiler and clang accept the text, forward and backward
  execute     the kernel runs on the CPU, and every output is written, finite and not constant
  emulate     the CUDA text, run on the CPU over several grids, leaves the same bits, forward and backward
  gradient    the adjoint is what central differences in double precision give
  oracle      an interpreter of the Python that knows nothing of Warp leaves the same

Verdicts are written beside the shards, as verdicts-*.jsonl; a pair that has its verdicts is not judged again.

Exit codes: 0 all passed, 1 some failed, 2 no such dataset or bad arguments.
"""


@click.group(cls=options.DefaultGroup, default="judge", context_settings=options.CONTEXT, epilog=EXAMPLES)
def cli() -> None:
    """Judge the pairs of DATASET, a folder with pairs-*.jsonl or one JSONL file.

    Nothing is taken on trust: what a dataset holds is read, loaded, compiled and run in limited child processes only.
    """


@cli.command(context_settings=options.CONTEXT)
@click.argument("dataset", type=click.Path())
@click.option("--level", metavar="LEVEL", help="The highest level to check.  [default: parse]")
@click.option("--sample", type=click.IntRange(min=1), help="Judge this many pairs, the same ones every time.")
@options.executor_options
@click.option("--again", is_flag=True, help="Judge those too that have verdicts.")
@click.option("--stats", is_flag=True, help="Count and measure all pairs: sizes, builtins reached, near duplicates.")
@click.option(
    "--beside",
    metavar="TARGET",
    help="Measure, as --stats does, other kernels too: a dataset, or a module, package or file, which is imported.",
)
@click.option("--report", is_flag=True, help="Write report.html beside the dataset: figures and a browser of pairs.")
@click.option(
    "--report-pairs", type=click.IntRange(min=1), default=200, show_default=True, help="How many pairs a report holds."
)
@click.option("--show", "shown", metavar="ID", help="Print one pair side by side.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def judge(
    dataset: str,
    level: str | None,
    sample: int | None,
    workers: str,
    executor: str,
    ray_address: str | None,
    again: bool,
    stats: bool,
    beside: str | None,
    report: bool,
    report_pairs: int,
    shown: str | None,
    as_json: bool,
) -> int:
    """Judge the pairs of DATASET, which is what happens without a command."""
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.validation.dataset_run import validate_dataset
    from warpsmith.validation.levels.registry import levels_to
    from warpsmith.validation.report import extra

    opened = Dataset.open(storage.at(dataset))
    if shown:
        return _show(opened, shown)
    if report:
        extra.require()
    stats = stats or beside is not None
    levels = levels_to(level or "parse")
    processes = options.processes(workers)
    at_most = None if workers == "auto" else processes
    problems = list(opened.problems())
    outcome = (
        None
        if (stats or report) and level is None
        else validate_dataset(opened, levels, sample, processes, again, executor=_executor(executor, ray_address, at_most))
    )
    statistics = _measure(opened, processes, beside) if stats else None
    written = _report(opened, processes, report_pairs) if report else None
    if as_json:
        _print_json(problems, outcome, statistics, written)
    else:
        _print(problems, outcome, statistics, written)
    broken = statistics["broken_lines"] + statistics["unread_lines"] if statistics else 0
    return EXIT_SOME_FAILED if problems or broken or (outcome and outcome.failures) else EXIT_DONE


def _executor(name: str, address: str | None, at_most: int | None) -> Executor:
    from warpsmith.validation.cluster import on_cluster
    from warpsmith.validation.dataset_run import on_this_machine

    return on_this_machine if name == "local" else functools.partial(on_cluster, address=address, at_most=at_most)


@cli.command("filter", context_settings=options.CONTEXT)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--require", "required", multiple=True, metavar="LEVEL=STATUS", help="What must hold; not_applicable counts as pass."
)
@click.option("--only", multiple=True, metavar="LEVEL=STATUS", help="What must hold to the letter.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder of the new dataset.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def filter_command(dataset: Path, required: tuple[str, ...], only: tuple[str, ...], output: Path, as_json: bool) -> int:
    """Take the pairs of DATASET with certain verdicts into a dataset of their own, byte for byte, with their verdicts."""
    import orjson

    from warpsmith.core.datasets.conditions import Condition
    from warpsmith.core.datasets.filter import filter_dataset
    from warpsmith.core.datasets.folder import Dataset

    if not required and not only:
        raise click.UsageError("name what the pairs must have: --require LEVEL=STATUS or --only LEVEL=STATUS")
    wanted, exact = ([Condition.read(text) for text in texts] for texts in (required, only))
    filtered = filter_dataset(Dataset.open(dataset), wanted, exact, output)
    if as_json:
        sys.stdout.write(orjson.dumps(filtered).decode() + "\n")
    else:
        rows = [(name, f"{count:,}") for name, count in filtered.categories.items()]
        terminal.print_table(f"{filtered.taken:,} of {filtered.pairs:,} pairs are in {output}", ("category", "pairs"), rows)
    return EXIT_DONE


@cli.command("reduce", context_settings=options.CONTEXT)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.argument("identity", metavar="ID")
@click.option("--level", required=True, metavar="LEVEL", help="The level that the pair fails.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write what is left of the pair to this file, as a line.")
@options.workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def reduce_pair(dataset: Path, identity: str, level: str, output: Path | None, workers: str, as_json: bool) -> int:
    """Shrink the kernel of the pair ID, which fails a level, while it still fails there, and print its Python."""
    from warpsmith.validation.reduction.command import reduce_command

    return reduce_command(dataset, identity, level, output, as_json, workers)


def _show(dataset: Dataset, identity: str) -> int:
    from warpsmith.extraction.cli import show_pair

    for line in dataset.lines():
        if line.pair is not None and line.pair.id == identity:
            show_pair(line.pair)
            return EXIT_DONE
    raise TargetError(f"no pair {identity!r} in {dataset.folder}")


def _measure(dataset: Dataset, processes: int, beside: str | None) -> dict[str, Any]:
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.validation.statistics.comparison import harvested
    from warpsmith.validation.statistics.measure import measure

    if beside is None:
        return measure(dataset, processes)
    path = Path(beside)
    if path.is_dir() or path.suffix == ".jsonl":
        return measure(dataset, processes, (beside, Dataset.open(path)))
    with tempfile.TemporaryDirectory(prefix="warpsmith-") as folder:
        return measure(dataset, processes, (beside, Dataset.open(harvested(beside, Path(folder)))))


def _report(dataset: Dataset, processes: int, pairs: int) -> Report:
    from warpsmith.validation.levels.registry import LADDER
    from warpsmith.validation.report import write_report
    from warpsmith.validation.statistics.measure import known_statistics, measure

    statistics = known_statistics(dataset) or measure(dataset, processes)
    return write_report(dataset, statistics, [level.name for level in LADDER], pairs)


def _print_json(problems: list[str], outcome: Outcome | None, statistics: dict[str, Any] | None, report: Report | None) -> None:
    import orjson

    result: dict[str, Any] = {"problems": problems}
    if outcome is not None:
        result |= {"pairs": outcome.pairs, "levels": outcome.statuses, "failures": outcome.failures}
    if statistics is not None:
        result["statistics"] = statistics
    if report is not None:
        result["report"] = {"path": str(report.path), "bytes": report.bytes, "pairs": report.pairs, "shown": report.shown}
    sys.stdout.write(orjson.dumps(result).decode() + "\n")


def _print(problems: list[str], outcome: Outcome | None, statistics: dict[str, Any] | None, report: Report | None) -> None:
    from warpsmith.core.records.verdict import STATUSES
    from warpsmith.validation.statistics.table import print_statistics

    for problem in problems:
        terminal.err.print(f"dataset: {problem}", style="red", markup=False)
    if outcome is not None:
        for verdict in outcome.failures[:20]:
            terminal.err.print(f"fail: {verdict.id}: {verdict.level}: {verdict.reason}", markup=False, soft_wrap=True)
        if len(outcome.failures) > 20:
            terminal.err.print(f"… and {len(outcome.failures) - 20} more, see verdicts-*.jsonl", markup=False)
        rows = [(name, *(f"{counts[status]:,}" for status in STATUSES)) for name, counts in outcome.statuses.items()]
        terminal.print_table(f"verdicts on {outcome.pairs:,} pairs", ("level", *STATUSES), rows)
    if statistics is not None:
        judged = f"{len({verdict.id for verdict in outcome.failures}):,} of {outcome.pairs:,} judged" if outcome else None
        print_statistics(statistics, judged)
    if report is not None:
        shown = f"{report.shown:,} of {report.pairs:,} pairs, {report.bytes / 1e6:.1f} MB"
        terminal.out.print(f"{report.path}: {shown}", markup=False, soft_wrap=True)


def main() -> None:
    """Entry point of the command."""
    sys.exit(options.run(cli))
