"""The summary that `warpsmith-synthesize make` prints. Terminals take too long to load for --help."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click
from msgspec import UNSET

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED
from warpsmith.core.records.plain_outcome import plain_line
from warpsmith.synthesis.production.produce import Outcome


def summarize(
    outcome: Outcome, folder: Path, seconds: float, workers: int | None, as_json: bool, record: Literal["pair", "program"]
) -> int:
    """Print the figures of a run, and return the exit code.

    Args:
        outcome: what the run made.
        folder: the folder of the dataset.
        seconds: how long the run took.
        workers: the number of its workers; None for a cluster.
        as_json: whether to print JSON.
        record: the name of what a line of the dataset contains.
    """
    manifest = outcome.manifest
    exit_code = EXIT_FAILED if manifest.rejects else EXIT_DONE
    rate = outcome.made / seconds
    if as_json:
        summary = {
            "pairs": manifest.pairs,
            "rejects": manifest.rejects,
            "bytes": manifest.bytes,
            "text_bytes": manifest.text_bytes,
            "categories": manifest.categories,
            **({} if manifest.plain is UNSET else {"plain": manifest.plain}),
            "made": outcome.made,
            "seconds": round(seconds, 3),
            "pairs_per_second": round(rate, 1),
            "workers": workers,
        }
        options.print_json(summary)
        return exit_code
    _print_notes(outcome, folder, record)
    code = (manifest.text_bytes or 0) / max(manifest.pairs, 1)
    click.echo(
        f"{folder}: {manifest.pairs:,} {record}s, {manifest.rejects:,} rejected, "
        f"{code:,.0f} bytes of generated code per {record}"
    )
    if isinstance(manifest.plain, dict):
        click.echo(plain_line(manifest.plain))
    if outcome.made:
        by = f"{workers} worker{'s' * (workers > 1)}" if workers else "a Ray cluster"
        figures = f"{rate:.1f}" if record == "program" else f"{rate:.0f}"
        click.echo(f"{outcome.made:,} {record}s made in {seconds:.1f} s by {by}, {figures} {record}s/s")
    return exit_code


def _print_notes(outcome: Outcome, folder: Path, record: str) -> None:
    """Print on stderr what a run found in its folder, and its rejects."""
    rejects = outcome.manifest.rejects
    if outcome.was_complete:
        terminal.err.print(f"already complete: no {record} was missing")
    if outcome.extended is not None:
        terminal.err.print(f"extended from {outcome.extended:,} {record}s")
    if rejects:
        rejected = "program" if record == "program" else "kernel"
        count = f"1 {rejected} was" if rejects == 1 else f"{rejects:,} {rejected}s were"
        terminal.err.print(f"{count} rejected: see {folder / 'rejects.jsonl'}", soft_wrap=True)
