"""`warpsmith-dataset show`: an overview of a dataset, or one pair, Python and generated code side by side."""

from __future__ import annotations

import itertools

import click

from warpsmith.core.commands import options
from warpsmith.core.commands.overview import describe, overview
from warpsmith.core.datasets import storage
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import EXIT_DONE, TargetError
from warpsmith.core.records.pair import Pair

EXAMPLES = """\b
Examples:
  warpsmith-dataset show data/both               what the dataset contains, how much passed, and what to do next
  warpsmith-dataset show data/both 3-2000-17     one pair
  warpsmith-dataset show data/both --index 0     the first pair

Exit codes: 0 done, 2 no such dataset or pair.
"""


@click.command("show", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", metavar="DATASET")
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--index", "position", type=options.INDEX, help="The position of the pair in the dataset, from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures of the dataset as JSON.")
def show_command(dataset: str, identity: str | None, position: int | None, as_json: bool) -> int:
    """Print an overview of DATASET, or one pair side by side: Python, C++ and CUDA.

    DATASET is a folder with pairs-*.jsonl or one JSONL file.
    """
    if identity is not None and position is not None:
        raise click.UsageError("name one pair: its ID or its --index")
    is_overview = identity is None and position is None
    if as_json and not is_overview:
        raise click.UsageError("--json prints the figures of a dataset: name no pair")
    opened = Dataset.open(storage.open_path(dataset))
    if is_overview:
        figures = overview(opened)
        if as_json:
            options.print_json(figures)
        else:
            for line in describe(figures):
                click.echo(line)
        return EXIT_DONE
    show_pair(find_pair(opened, identity) if identity is not None else pair_at(opened, position or 0))
    return EXIT_DONE


def find_pair(dataset: Dataset, identity: str) -> Pair:
    """Return the pair with an id.

    Raises:
        TargetError: if the dataset has no such pair.
    """
    for line in dataset.lines():
        if line.pair is not None and line.pair.id == identity:
            return line.pair
    raise TargetError(f"no pair {identity!r} in {dataset.folder}")


def pair_at(dataset: Dataset, position: int) -> Pair:
    """Return the pair at a position in the dataset, counted from 0.

    Raises:
        TargetError: if the dataset is shorter.
        RecordError: if the line at this position is not a valid record.
    """
    line = next(itertools.islice(dataset.lines(), position, None), None)
    if line is None:
        raise TargetError(f"{dataset.folder} has no pair at index {position}: the first one has index 0")
    return line.checked()


def show_pair(pair: Pair) -> None:
    """Print a pair's Python and its generated code side by side."""
    from warpsmith.core.commands.side_by_side import print_side_by_side  # noqa: PLC0415 - loads the languages

    texts = [("Python", "python", pair.python_source)]
    for heading, language, target in (("C++", "cpp", "cpu"), ("CUDA", "cuda", "cuda")):
        forward, backward = pair.code(target)
        if forward is not None:
            texts.append((heading, language, forward + (backward or "")))
    print_side_by_side(f"{pair.id}  {pair.metadata.description}", texts)
