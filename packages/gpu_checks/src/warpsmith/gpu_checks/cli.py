"""`warpsmith-gpu`: the same pairs, on a CUDA device."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from typing import Any

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED

EXAMPLES = """\b
Examples:
  warpsmith-gpu smoke                           what driver, what devices, and does one kernel run
  warpsmith-gpu run data/samples                every pair of a dataset, forward and backward, compared with the CPU
  warpsmith-gpu run data/cuda --sample 200
  warpsmith-gpu bench data/samples              build and launch times

Exit codes: 0 all right (smoke without CUDA too), 1 some pairs failed, 2 bad arguments, 3 no CUDA device.
"""


@click.group(context_settings=options.CONTEXT, epilog=EXAMPLES)
def cli() -> None:
    """Run pairs of Warp kernels and generated code on a CUDA device."""


@cli.command(context_settings=options.CONTEXT)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def smoke(as_json: bool) -> int:
    """Say what driver and devices there are, and launch one kernel on each; without CUDA say so and exit 0."""
    from warpsmith.gpu_checks.device import NO_CUDA, devices, versions
    from warpsmith.gpu_checks.smoke import launch_one

    found = devices()
    results: dict[str, Any] = {device.alias: launch_one(device.alias) for device in found}
    if as_json:
        _print_json({"versions": versions(), "devices": found, "kernel": results})
    elif not found:
        terminal.out.print(NO_CUDA, markup=False)
    else:
        for name, version in versions().items():
            terminal.out.print(f"{name} {version}", markup=False)
        rows = [
            (device.alias, device.name, f"sm_{device.arch}", f"{device.memory / 2**30:.0f} GiB", *_words(results[device.alias]))
            for device in found
        ]
        terminal.print_table("devices", ("", "name", "arch", "memory", "forward", "backward"), rows)
    return EXIT_DONE if all(all(result.values()) for result in results.values()) else EXIT_SOME_FAILED


def _words(result: dict[str, bool]) -> tuple[str, str]:
    return tuple("pass" if result[direction] else "fail" for direction in ("forward", "backward"))  # type: ignore[return-value]


@cli.command(context_settings=options.CONTEXT)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--device", default="cuda:0", show_default=True, help="A CUDA device, or cpu to try the checks without a GPU.")
@click.option("--sample", type=click.IntRange(min=1), help="Run this many pairs, the same ones every time.")
@click.option("--again", is_flag=True, help="Run those too that have a verdict.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def run(dataset: Path, device: str, sample: int | None, again: bool, as_json: bool) -> int:
    """Build, load and launch the pairs of DATASET on the device, forward and backward, and compare with the CPU.

    Verdicts are written beside the shards, level "gpu".
    """
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.gpu_checks.device import VARIABLE, chosen_device
    from warpsmith.gpu_checks.worker import RUNG
    from warpsmith.validation.dataset_run import validate_dataset

    opened = Dataset.open(dataset)
    os.environ[VARIABLE] = chosen_device(device)
    outcome = validate_dataset(opened, RUNG, sample, 1, again, "warpsmith.gpu_checks.worker")
    if as_json:
        _print_json({"pairs": outcome.pairs, "levels": outcome.statuses, "failures": outcome.failures})
    else:
        for verdict in outcome.failures[:20]:
            terminal.err.print(f"fail: {verdict.id}: {verdict.level}: {verdict.reason}", markup=False, soft_wrap=True)
        rows = [
            (name, f"{counts['pass']:,}", f"{counts['fail']:,}", f"{counts['skipped']:,}")
            for name, counts in outcome.statuses.items()
        ]
        terminal.print_table(f"{outcome.pairs:,} pairs on {device}", ("level", "pass", "fail", "skipped"), rows)
    return EXIT_SOME_FAILED if outcome.failures else EXIT_DONE


@cli.command(context_settings=options.CONTEXT)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--device", default="cuda:0", show_default=True, help="A CUDA device, or cpu to try the command without a GPU.")
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True, help="How many pairs.")
@click.option("--launches", type=click.IntRange(min=1), default=100, show_default=True, help="How many launches of each.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def bench(dataset: Path, device: str, count: int, launches: int, as_json: bool) -> int:
    """Measure how long pairs of DATASET take to build and to launch on the device, in a process of their own."""
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.gpu_checks.device import chosen_device
    from warpsmith.gpu_checks.worker import RUNG, SAFE
    from warpsmith.validation.sandbox.supervisor import Supervisor

    opened = Dataset.open(dataset)
    device = chosen_device(device)
    lines = list(itertools.islice(opened.lines(), count))
    with Supervisor(RUNG, "warpsmith.gpu_checks.worker") as child, Supervisor(SAFE) as gate:
        refused = {verdict.id for verdict in gate.verdicts(lines) if verdict.status == "fail"}
        accepted = [line for line in lines if line.pair is not None and line.pair.id not in refused]
        figures = child.ask("bench", accepted, 60.0 * len(accepted), device=device, launches=launches) if accepted else {}
    figures["refused"] = len(lines) - len(accepted)
    if as_json:
        _print_json(figures)
    else:
        rows = [(name, f"{value:,}") for name, value in figures.items()]
        terminal.print_table(f"{len(accepted)} pairs on {device}", ("", ""), rows)
    return EXIT_SOME_FAILED if figures["refused"] else EXIT_DONE


def _print_json(value: Any) -> None:
    import orjson

    sys.stdout.write(orjson.dumps(value).decode() + "\n")


def main() -> None:
    """Entry point of the command."""
    sys.exit(options.run(cli))
