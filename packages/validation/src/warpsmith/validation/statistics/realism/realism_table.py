"""Prints the figures of realism as tables: a column for the dataset, and one for what it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warpsmith.core import terminal
from warpsmith.validation.statistics.realism.entropy import SAMPLES
from warpsmith.validation.statistics.realism_types import RealismSummary, TransferStep, TransferSummary


class Column(NamedTuple):
    """The figures of a dataset or of real code."""

    name: str
    realism: RealismSummary
    transfer: TransferSummary | None


def print_realism(columns: Sequence[Column]) -> None:
    """Print the tables of skeletons and features, and that of the transfer ratio if it was measured."""
    heads = ["", *(column.name for column in columns)]
    summaries = [column.realism for column in columns]
    terminal.print_table("resemblance to real code", heads, _resemblance_rows(summaries))
    terminal.print_table("kernels with a feature", heads, _feature_rows(summaries))
    transfers = [(column.name, column.transfer) for column in columns if column.transfer is not None]
    if transfers:
        _print_transfers(transfers)


def _resemblance_rows(summaries: Sequence[RealismSummary]) -> list[tuple[str, ...]]:
    rows = [("kernels", *(f"{summary['kernels']:,}" for summary in summaries))]
    rows.append(("distinct statement skeletons", *(_distinct(summary) for summary in summaries)))
    rows.append(("share of the ten most frequent", *(f"{summary['skeletons']['top_share']:.1%}" for summary in summaries)))
    for size in SAMPLES:
        if any(_bits(summary, size) for summary in summaries):
            label = f"bits per token, of {size >> 10:,} KiB"
            rows.append((label, *(_bits(summary, size) or "-" for summary in summaries)))
    return rows


def _distinct(summary: RealismSummary) -> str:
    skeletons = summary["skeletons"]
    return f"{skeletons['distinct']:,} ({skeletons['distinct_share']:.1%})"


def _bits(summary: RealismSummary, size: int) -> str | None:
    return next((f"{sample['bits_per_token']:.2f}" for sample in summary["entropy"] if sample["bytes"] == size), None)


def _feature_rows(summaries: Sequence[RealismSummary]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for group, features in summaries[0]["features"].items():
        rows.append((group, *("" for _ in summaries)))
        rows += [(f"  {name}", *(_share(summary, group, name) for summary in summaries)) for name in features]
    return rows


def _share(summary: RealismSummary, group: str, name: str) -> str:
    return f"{summary['features'][group][name]['share']:.1%}"


def _print_transfers(transfers: Sequence[tuple[str, TransferSummary]]) -> None:
    first = transfers[0][1]
    tokens = sorted({step["tokens"] for _, transfer in transfers for step in transfer["steps"]})
    found = [{step["tokens"]: step for step in transfer["steps"]} for _, transfer in transfers]
    rows = [(f"{number:,}", _reference(found, number), *(_step(steps.get(number)) for steps in found)) for number in tokens]
    columns = ("training tokens", "reference", *(name for name, _ in transfers))
    terminal.print_table("bits per held-out token, and their ratio to those of the reference", columns, rows)
    terminal.out.print(f"reference: {first['reference']}, {first['reference_tokens']:,} tokens", soft_wrap=True)
    terminal.out.print(f"held out: {first['held_out']}, {first['held_out_tokens']:,} tokens", soft_wrap=True)
    for name, transfer in transfers:
        ratio = "-" if transfer["ratio"] is None else f"{transfer['ratio']:.3f}"
        terminal.out.print(f"transfer ratio of {name}: {ratio} at {transfer['tokens']:,} tokens", soft_wrap=True)


def _reference(found: Sequence[dict[int, TransferStep]], tokens: int) -> str:
    bits = next((steps[tokens]["reference_bits"] for steps in found if tokens in steps), None)
    return "-" if bits is None else f"{bits:.2f}"


def _step(step: TransferStep | None) -> str:
    if step is None:
        return "-"
    return f"{step['bits']:.2f}" + ("" if step["ratio"] is None else f" ({step['ratio']:.3f})")
