"""`warpsmith-gpu`: check and time the pairs of a dataset on a CUDA device.

Imports within functions keep `--help` and shell completion fast: Warp, the levels and the sandbox take a second to load.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warpsmith import gpu_checks
from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import EXIT_BAD_INPUT, EXIT_DONE, EXIT_FAILED

if TYPE_CHECKING:  # see above
    from warpsmith.gpu_checks import PairTimes, SmokeResult

EXAMPLES = """\b
Examples:
  warpsmith-gpu smoke                      list the driver and the devices, and run one kernel on each
  warpsmith-gpu run data/samples           every pair of a dataset, forward and backward, compared with the CPU
  warpsmith-gpu run data/cuda --sample 200
  warpsmith-gpu bench data/samples         build and launch times

Exit codes: 0 all passed (also smoke without CUDA), 1 some pairs failed, 2 bad arguments, 3 no CUDA device.
"""

SMOKE_EXAMPLES = """\b
Examples:
  warpsmith-gpu smoke
  warpsmith-gpu smoke --json               print the driver, the devices and the results as JSON

Exit codes: 0 all passed or no CUDA device, 1 a kernel failed.
"""

RUN_EXAMPLES = """\b
Examples:
  warpsmith-gpu run data/samples                      every pair
  warpsmith-gpu run data/cuda --sample 200            200 pairs; the choice is always the same
  warpsmith-gpu run data/cuda --device cuda:1 --again
  warpsmith-gpu run data/samples --device cpu         try the checks without a GPU

Exit codes: 0 all passed, 1 some pairs failed, 2 bad arguments, an incomplete dataset, or a device that cannot be used in the
sandbox, 3 no such device.
"""

BENCH_EXAMPLES = """\b
Examples:
  warpsmith-gpu bench data/samples
  warpsmith-gpu bench data/cuda --count 100 --launches 1000
  warpsmith-gpu bench data/samples --device cpu       try the command without a GPU

Exit codes: 0 done, 1 some pairs were refused, 2 bad arguments or no such dataset, 3 no such device.
"""

unconfined_option = click.option(
    "--unconfined",
    is_flag=True,
    help="Use the device without a sandbox, if its driver or this system does not support it. Only for pairs that you trust.",
)
SHOWN = ("pass", "fail", "inconclusive", "skipped")
"""The statuses in the table of a run."""

MAX_SHOWN_FAILURES = 20
"""How many failures are printed."""


@groups.group("warpsmith-gpu-checks", EXAMPLES)
def cli() -> None:
    """Run pairs of Warp kernels and generated code on a CUDA device."""


@cli.command(context_settings=options.CONTEXT, epilog=SMOKE_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def smoke(as_json: bool) -> int:
    """List the driver and the CUDA devices, and launch one kernel on each device.

    Without CUDA, the command reports that and exits with 0.
    """
    from warpsmith.gpu_checks.device import NO_CUDA, versions

    available = gpu_checks.devices()
    results = {device.alias: gpu_checks.smoke(device.alias) for device in available}
    if as_json:
        options.print_json({"versions": versions(), "devices": available, "kernel": results})
    elif not available:
        terminal.out.print(NO_CUDA)
    else:
        for name, version in versions().items():
            terminal.out.print(f"{name} {version}")
        rows = [
            (device.alias, device.name, f"sm_{device.arch}", f"{device.memory / 2**30:.0f} GiB", *_words(results[device.alias]))
            for device in available
        ]
        terminal.print_table("devices", ("", "name", "arch", "memory", "forward", "backward"), rows)
    return EXIT_DONE if all(result.passed for result in results.values()) else EXIT_FAILED


def _words(result: SmokeResult) -> list[str]:
    return ["pass" if right else "fail" for right in (result.forward, result.backward)]


@cli.command(context_settings=options.CONTEXT, epilog=RUN_EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--device", default="cuda:0", show_default=True, help="A CUDA device, or cpu to try the checks without a GPU.")
@options.sample_option("Run only so many pairs; the choice is always the same.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="The folder of the verdicts.  [default: DATASET]"
)
@click.option("--again", is_flag=True, help="Also run pairs that already have verdicts.")
@unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def run(
    dataset: Path, device: str, sample: str | None, output: Path | None, again: bool, unconfined: bool, as_json: bool
) -> int:
    """Build, load and launch the pairs of DATASET on the device, forward and backward, and compare with the CPU.

    Verdicts of the level "gpu" are written next to the shards.
    """
    from warpsmith.gpu_checks.device_checks import check_dataset

    found = _open_complete(dataset)
    size = found.sample_size(sample)
    outcome = check_dataset(found, device, sample=size, again=again, output=output, unconfined=unconfined)
    if as_json:
        counts = {"reused": outcome.reused, "discarded": outcome.discarded, "not_checked": outcome.not_checked}
        counts["sandbox"] = outcome.sandbox or {}
        options.print_json({"pairs": outcome.pairs, "levels": outcome.statuses, "failures": outcome.failures, **counts})
    else:
        for remark in outcome.remarks:
            terminal.err.print(remark, soft_wrap=True)
        for verdict in outcome.failures[:MAX_SHOWN_FAILURES]:
            terminal.err.print(f"fail: {verdict.id}: {verdict.level}: {verdict.reason}", soft_wrap=True)
        rows = [(name, *(f"{counts[status]:,}" for status in SHOWN)) for name, counts in outcome.statuses.items()]
        terminal.print_table(f"{outcome.pairs:,} pairs on {device}", ("level", *SHOWN), rows)
    if outcome.not_checked:
        return EXIT_BAD_INPUT
    return EXIT_FAILED if outcome.failures else EXIT_DONE


@cli.command(context_settings=options.CONTEXT, epilog=BENCH_EXAMPLES)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--device", default="cuda:0", show_default=True, help="A CUDA device, or cpu to try the command without a GPU.")
@click.option("--count", type=options.COUNT, default=20, show_default=True, help="The number of pairs.")
@click.option("--launches", type=options.COUNT, default=100, show_default=True, help="The number of launches per pair.")
@unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def bench(dataset: Path, device: str, count: int, launches: int, unconfined: bool, as_json: bool) -> int:
    """Measure how long pairs of DATASET take to build and to launch on the device, in a separate process."""
    times = gpu_checks.bench(_open_complete(dataset), device, count=count, launches=launches, unconfined=unconfined)
    if as_json:
        options.print_json(_figures(times))
    else:
        rows = [(name, f"{value:,}") for name, value in _figures(times).items()]
        terminal.print_table(f"{times.accepted} pairs on {device}", ("", ""), rows)
    return EXIT_FAILED if times.refused or times.failed else EXIT_DONE


def _figures(times: PairTimes) -> dict[str, float]:
    """Return the figures that ``bench`` prints."""
    figures: dict[str, float] = {"pairs": times.pairs, "failed": times.failed} if times.accepted else {}
    if times.build_ms is not None and times.run_ms is not None:
        figures |= {"build ms": times.build_ms, "run ms": times.run_ms}
    return figures | {"refused": times.refused}


def _open_complete(dataset: Path) -> Dataset:
    """Open a dataset whose files are the ones of its manifest."""
    opened = Dataset.open(dataset)
    opened.require_complete()
    return opened


def main() -> None:
    """Run the command and exit with its code."""
    sys.exit(options.run(cli))
