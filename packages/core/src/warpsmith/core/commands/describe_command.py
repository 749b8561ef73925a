"""`warpsmith-dataset describe`: texts about a pair at three levels, and how much of the code they repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from warpsmith.core.commands import options
from warpsmith.core.commands.show import find_pair
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import index_dataset
from warpsmith.core.descriptions.levels import TEXT_LEVELS, TextLevel, describe_pair
from warpsmith.core.descriptions.parsed_kernel import parse_kernel
from warpsmith.core.descriptions.repeated_code import repeated_share
from warpsmith.core.errors import EXIT_DONE
from warpsmith.core.files import storage
from warpsmith.core.records.pair import Pair
from warpsmith.core.terminal import progress

EXAMPLES = """\b
Examples:
  warpsmith-dataset describe data/both                         how much of the code each text repeats
  warpsmith-dataset describe data/both 5-2000-17               the specification of one kernel
  warpsmith-dataset describe data/both 5-2000-17 --level intent

Exit codes: 0 done, 2 no such dataset or pair.
"""

QUANTILES = {"median": 0.5, "p95": 0.95, "max": 1.0}
"""The quantiles of the table."""


@click.command("describe", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("dataset", metavar="DATASET")
@click.argument("identity", metavar="[ID]", required=False)
@click.option("--level", type=click.Choice(TEXT_LEVELS), help="Which text of a pair; the specification unless given.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures of the dataset as JSON.")
def describe_command(dataset: str, identity: str | None, level: TextLevel | None, as_json: bool) -> int:
    """Print what a pair's kernel does in words, at one of three levels, or how much of the code these texts repeat.

    The intent is what a person would ask for. The specification contains what is needed to write an equivalent kernel. The
    description is `metadata.description`. Without an ID, the table contains the share of the tokens of a kernel's statements
    that occur in the text in their order.
    """
    opened = Dataset.open(storage.open_path(dataset))
    if identity is not None:
        if as_json:
            raise click.UsageError("--json prints the figures of a dataset: name no pair")
        click.echo(describe_pair(find_pair(opened, identity), level or "specification"))
        return EXIT_DONE
    if level is not None:
        raise click.UsageError("--level prints the text of a pair: name its ID")
    figures = repeated_shares(_pairs(opened))
    if as_json:
        options.print_json(figures)
    else:
        for line in _table(figures):
            click.echo(line)
    return EXIT_DONE


def repeated_shares(pairs: Iterable[Pair]) -> dict[str, dict[str, float]]:
    """Return, by level, mean and quantiles of the shares of code that the texts of some pairs repeat.

    Extracted pairs have no description, which therefore repeats nothing.
    """
    shares: dict[str, list[float]] = {level: [] for level in TEXT_LEVELS}
    for pair in pairs:
        parsed = parse_kernel(pair)
        for level in TEXT_LEVELS:
            shares[level].append(repeated_share(parsed, describe_pair(pair, level)))
    return {level: _summary(sorted(values)) for level, values in shares.items() if values}


def _summary(values: list[float]) -> dict[str, float]:
    """Return the number, the mean and the quantiles of sorted values."""
    last = len(values) - 1
    quantiles = {name: round(values[round(quantile * last)], 4) for name, quantile in QUANTILES.items()}
    return {"pairs": len(values), "mean": round(sum(values) / len(values), 4), **quantiles}


def _pairs(dataset: Dataset) -> Iterator[Pair]:
    total = sum(len(index.numbers) for index in index_dataset(dataset.shards))
    with progress("describe", total, "pairs") as advance:
        for line in dataset.lines():
            yield line.checked()
            advance()


def _table(figures: dict[str, dict[str, float]]) -> Iterator[str]:
    yield f"{'tokens of the code in order':30}{'pairs':>8}{'mean':>9}{''.join(f'{name:>9}' for name in QUANTILES)}"
    for level, values in figures.items():
        shares = "".join(f"{values[name]:9.1%}" for name in ("mean", *QUANTILES))
        yield f"{level:30}{values['pairs']:8,.0f}{shares}"
