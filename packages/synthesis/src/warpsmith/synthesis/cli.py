"""`warpsmith-synthesize`: datasets of kernels by seed."""

from __future__ import annotations

import functools
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from warpsmith.core.commands import options
from warpsmith.core.datasets import storage
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED, WarpsmithError

if TYPE_CHECKING:
    from warpsmith.core.records.ir import Device
    from warpsmith.synthesis.kernel_key import Complexity, Profile
    from warpsmith.synthesis.production.run import Executor, Outcome

EXAMPLES = """\b
Examples:
  warpsmith-synthesize make -n 1000 -d cuda -b --codegen-only -o data/cuda
  warpsmith-synthesize make -n 200 -d both -b --codegen-only --categories vector,atomic -o data/some
  warpsmith-synthesize make -n 100 -d cpu -o data/built        every kernel is also built and loaded
  warpsmith-synthesize make -n 1000 -d both -b --codegen-only --profile stress -o data/stress
  warpsmith-synthesize make -n 1 -d cuda -b --codegen-only --show 17   print pair 17 and write nothing
  warpsmith-synthesize verify data/cuda --sample 1%       make one pair in a hundred again and compare the bytes
  warpsmith-synthesize export data/cuda --format chat       what trainers load, in splits that share no structure

The same seed gives the same bytes, whatever the number of workers. Running a command again continues where it stopped.

Exit codes: 0 done, 1 some pairs were rejected or differ, 2 bad arguments or output folder, 3 the device is not there.
"""


@click.group(context_settings=options.CONTEXT, epilog=EXAMPLES)
def cli() -> None:
    """Write random, valid, realistic Warp kernels and the C++ or CUDA code that Warp generates for them, as a dataset."""


@cli.command(context_settings=options.CONTEXT)
@click.option("-n", "--count", type=click.IntRange(min=1), default=1000, show_default=True, help="How many pairs.")
@click.option("-d", "--device", type=click.Choice(["cpu", "cuda", "both"]), default="cpu", show_default=True)
@click.option("-b", "--backward", is_flag=True, help="Hold the adjoints too.")
@click.option("-o", "--output", type=click.Path(), help="Folder of the dataset, or s3://bucket/folder.  [default: data/DEVICE]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=2000, show_default=True)
@options.executor_options
@click.option("--categories", default="core", show_default=True, metavar="A,B", help="Kinds of kernels, or groups of them.")
@click.option(
    "--profile",
    type=click.Choice(["default", "stress"]),
    default="default",
    show_default=True,
    help="stress adds to dynamic loops what Warp differentiates wrongly.",
)
@click.option(
    "--complexity",
    type=click.Choice(["small", "medium", "large"]),
    default="medium",
    show_default=True,
    help="How long kernels get: large follows the lengths of real code.",
)
@click.option("--codegen-only", is_flag=True, help="Text only: nothing is built or run, no GPU is needed.")
@click.option(
    "--accelerate/--no-accelerate",
    default=True,
    help="Remember what Warp found out before: the same bytes, sooner.  [default: on]",
)
@click.option("--shard-size", type=click.IntRange(min=1), default=1000, show_default=True, help="Pairs a file.")
@click.option(
    "--show", "shown", type=click.IntRange(min=0), metavar="INDEX", help="Print one pair side by side, write nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def make(
    count: int,
    device: Device,
    backward: bool,
    output: str | None,
    seed: int,
    workers: str,
    executor: str,
    ray_address: str | None,
    categories: str,
    profile: Profile,
    complexity: Complexity,
    codegen_only: bool,
    accelerate: bool,
    shard_size: int,
    shown: int | None,
    as_json: bool,
) -> int:
    """Generate a dataset of kernels and their C++ or CUDA code."""
    start = time.monotonic()
    from warpsmith.synthesis.production import server

    if shown is None:
        server.start()  # first of all: it takes the longest

    from warpsmith.synthesis.production.local import ask
    from warpsmith.synthesis.production.plan import Plan, chosen_categories
    from warpsmith.synthesis.production.run import produce

    processes = options.processes(workers)
    at_most = None if workers == "auto" else processes
    names = tuple(name.strip() for name in categories.split(","))
    plan = Plan(
        count=count,
        seed=seed,
        device=device,
        backward=backward,
        codegen_only=codegen_only,
        categories=ask(chosen_categories, names) if shown is None else chosen_categories(names),  # Warp is loaded there anyway
        shard_size=shard_size,
        profile=profile,
        complexity=complexity,
    )
    if shown is not None:
        return _show(plan, shown)
    built_on = None if codegen_only else _device_for(device)
    folder = storage.at(output or f"data/{device}")
    outcome = produce(plan, folder, processes, built_on, accelerate, _executor(executor, ray_address, at_most))
    _summarize(outcome, time.monotonic() - start, processes if executor == "local" else at_most, as_json)
    return EXIT_SOME_FAILED if outcome.manifest.rejects else EXIT_DONE


def _executor(name: str, address: str | None, at_most: int | None) -> Executor:
    from warpsmith.synthesis.production.cluster import on_cluster
    from warpsmith.synthesis.production.run import on_this_machine

    return on_this_machine if name == "local" else functools.partial(on_cluster, address=address, at_most=at_most)


def _device_for(device: Device) -> str:
    from warpsmith.synthesis.production.build import require_device

    return require_device("cpu" if device == "cpu" else "cuda")


@cli.command(context_settings=options.CONTEXT)
@click.argument("dataset")
@click.option(
    "--sample",
    default="1%",
    show_default=True,
    metavar="N|N%|all",
    help="How many pairs are made again, the same ones every time; 0 compares digests alone.",
)
@options.workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def verify(dataset: str, sample: str, workers: str, as_json: bool) -> int:
    """Hold DATASET against its manifest: the digest of every shard, the ids of all pairs, the bytes of a sample made again.

    What differs is named. If it was made with other versions, those are.
    """
    from warpsmith.synthesis.production import server

    server.start()

    from warpsmith.core.commands import terminal
    from warpsmith.synthesis.production import verify as verification

    found = verification.verify(storage.at(dataset), sample, options.processes(workers))
    if as_json:
        import orjson

        sys.stdout.write(orjson.dumps(found).decode() + "\n")
    else:
        for difference in found.differences:
            terminal.err.print(f"differs: {difference}", markup=False, soft_wrap=True)
        verdict = f"{len(found.differences)} differences" if found.differences else "all as the manifest says"
        terminal.out.print(f"{found.shards} shards and {found.pairs:,} pairs compared: {verdict}", markup=False)
    return EXIT_SOME_FAILED if found.differences else EXIT_DONE


def _show(plan: Any, index: int) -> int:
    from warpsmith.core.commands.show import show_pair
    from warpsmith.core.records.pair import Pair
    from warpsmith.synthesis.production.generate_pairs import make_pairs
    from warpsmith.synthesis.writing.catalogue.categories.category import CORE
    from warpsmith.synthesis.writing.generate import category_of

    only = category_of(0, plan.categories[0])
    (pair,) = make_pairs(plan, [plan.key(index, "" if only.group == CORE else only.name)])
    if not isinstance(pair, Pair):
        raise WarpsmithError(f"{pair.id} was rejected: {pair.stage}: {pair.error}")
    show_pair(pair)
    return EXIT_DONE


def _summarize(outcome: Outcome, seconds: float, processes: int | None, as_json: bool) -> None:
    from warpsmith.core.commands import terminal

    manifest = outcome.manifest
    rate = outcome.made / seconds
    if as_json:
        import orjson

        summary = {key: getattr(manifest, key) for key in ("pairs", "rejects", "bytes", "text_bytes", "categories")}
        summary |= {
            "made": outcome.made,
            "seconds": round(seconds, 3),
            "pairs_per_second": round(rate, 1),
            "workers": processes,
        }
        sys.stdout.write(orjson.dumps(summary).decode() + "\n")
        return
    if not outcome.made:
        terminal.err.print("already complete: nothing was made", markup=False)
    rows = [
        ("pairs", f"{manifest.pairs:,}"),
        ("rejected", f"{manifest.rejects:,}"),
        ("bytes", f"{manifest.bytes:,}"),
        ("generated code a pair", f"{(manifest.text_bytes or 0) / max(manifest.pairs, 1):,.0f} bytes"),
        ("time", f"{seconds:.1f} s, " + (f"{processes} worker{'s' * (processes > 1)}" if processes else "a Ray cluster")),
        ("rate", f"{rate:.0f} pairs/s"),
    ]
    terminal.print_table("dataset", ("", ""), rows)


def main() -> None:
    """Run the command and exit with its code; `start` is the entry point."""
    sys.exit(options.run(cli))
