"""`warpsmith-dataset show`: an overview of a dataset, or one pair, Python and generated code."""

from __future__ import annotations

import itertools

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.commands.overview import describe, overview
from warpsmith.core.commands.pair_texts import Preamble, View, show_pair, view_options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_DONE, TargetError
from warpsmith.core.files import storage
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import with_options

EXAMPLES = """\b
Examples:
  warpsmith-dataset show data/both               what the dataset contains, how much passed, and what to do next
  warpsmith-dataset show data/both 5-2000-17     one pair
  warpsmith-dataset show data/both --index 0     the first pair
  warpsmith-dataset show data/both --index 0 --text cuda > kernel.cu

Exit codes: 0 done, 2 no such dataset or pair.
"""


@click.command("show", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", metavar="DATASET")
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--index", "position", type=options.INDEX, help="The position of the pair in the dataset, from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures of the dataset as JSON.")
@view_options
def show_command(dataset: str, identity: str | None, position: int | None, as_json: bool, view: View) -> int:
    """Print an overview of DATASET, or one pair: Python, C++ and CUDA, side by side on a wide terminal.

    DATASET is a folder with pairs-*.jsonl or one JSONL file.
    """
    if identity is not None and position is not None:
        raise click.UsageError("name one pair: its ID or its --index")
    is_overview = identity is None and position is None
    if as_json and not is_overview:
        raise click.UsageError("--json prints the figures of a dataset: name no pair")
    if is_overview and not view.is_default:
        raise click.UsageError("--stacked and --text print a pair: name its ID or its --index")
    opened = Dataset.open(storage.open_path(dataset))
    if is_overview:
        figures = overview(opened)
        if as_json:
            options.print_json(figures)
        else:
            for line in describe(figures):
                click.echo(line)
        return EXIT_DONE
    pair = find_pair(opened, identity) if identity is not None else pair_at(opened, position or 0)
    show_pair(pair, stored_preamble(opened), view)
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


def stored_preamble(dataset: Dataset) -> Preamble:
    """Return the function that returns the preambles of a dataset's pairs, by its manifest; without one they are empty."""
    preambles = (dataset.manifest and dataset.manifest.preambles) or {}

    def preamble(pair: Pair, target: str) -> str:
        if target not in preambles:
            terminal.err.print(
                f"the {target} code is printed without its preamble, which only a manifest.json contains", soft_wrap=True
            )
            return ""
        return with_options(preambles[target], "".join(filter(None, pair.code(target))), pair.metadata.module_options)

    return preamble
