"""The command `warpsmith-synthesize`: datasets of generated kernels."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from warpsmith.core.commands import groups, options
from warpsmith.core.commands.pair_texts import View, show_pair, view_options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED
from warpsmith.core.files import storage
from warpsmith.synthesis.idea_commands import ideas
from warpsmith.synthesis.kernel_key import Complexity, Profile

if TYPE_CHECKING:  # this module takes longer to load than --help may take
    from warpsmith.core.records.ir import Device

EXAMPLES = """\b
Examples:
  warpsmith-synthesize make -n 1000 -d cuda -b -o data/cuda
  warpsmith-synthesize make -n 200 -d both -b --categories vector,atomic -o data/some
  warpsmith-synthesize make -n 100 -d cpu --build -o data/built   also build and load every kernel
  warpsmith-synthesize make -n 100 -d cuda --codegen-only -o data/cuda   generate CUDA code without a GPU; the default
  warpsmith-synthesize make -n 1000 -d both -b --profile stress -o data/stress
  warpsmith-synthesize make -n 1000 -d cuda --plain -o data/plain   with stand-alone CUDA, verified
  warpsmith-synthesize make -n 1000 -d cuda -b --ptx sm_80 -o data/ptx   with the PTX of every kernel
  warpsmith-synthesize make -n 500 -d both -b --programs -o data/programs   whole programs with host code
  warpsmith-synthesize make -n 1 -d cuda -b --show 17   print the pair with index 17, write nothing
  warpsmith-synthesize verify data/cuda --sample 1%            check digests, and generate one pair in a hundred again
  warpsmith-synthesize ideas check                             check the ideas that kernels are composed of

The same seed gives the same bytes for any number of workers. The same command continues an interrupted run, and with a
larger --count it extends the dataset.

Exit codes: 0 done, 1 some pairs were rejected or differ, 2 bad arguments or output folder, 3 no CUDA device.
"""

VERIFY_EXAMPLES = """\b
Examples:
  warpsmith-synthesize verify data/cuda                        check digests, and generate one pair in a hundred again
  warpsmith-synthesize verify data/cuda --sample all           generate every pair again
  warpsmith-synthesize verify data/cuda --sample 0 --json      check digests only, print the result as JSON

Exit codes: 0 no differences, 1 some pairs or digests differ, 2 bad arguments or no such dataset.
"""


@groups.group("warpsmith-synthesis", EXAMPLES)
def cli() -> None:
    """Generate random, valid and realistic Warp kernels, with the C++ and CUDA code that Warp generates for them."""


@cli.command(context_settings=options.CONTEXT, epilog=EXAMPLES, no_args_is_help=True)
@click.option("-n", "--count", type=options.COUNT, default=1000, show_default=True, help="Number of pairs.")
@click.option(
    "-d",
    "--device",
    type=click.Choice(["cpu", "cuda", "both"]),
    default="cpu",
    show_default=True,
    help="Target of the generated code.",
)
@click.option("-b", "--backward", is_flag=True, help="Include adjoints.")
@click.option("-o", "--output", type=click.Path(), help="Folder of the dataset, or s3://bucket/folder.  [default: data/DEVICE]")
@click.option("--seed", type=options.INDEX, default=2000, show_default=True, help="Seed of all kernels.")
@options.executor_options
@click.option("--categories", default="core", show_default=True, metavar="A,B", help="Categories, or groups of them.")
@click.option(
    "--profile",
    type=click.Choice(["default", "stress"]),
    default="default",
    show_default=True,
    help="stress includes dynamic loops that Warp differentiates incorrectly.",
)
@click.option(
    "--complexity",
    type=click.Choice(["small", "medium", "large"]),
    default="medium",
    show_default=True,
    help="Length of the kernels; large follows the lengths of real kernels.",
)
@click.option(
    "--build/--codegen-only",
    default=False,
    help="Also build and load every kernel for the device, which needs a GPU for cuda and both; or generate the code only, "
    "which needs none.  [default: --codegen-only]",
)
@click.option(
    "--accelerate/--no-accelerate",
    default=True,
    help="Cache Warp's code generation; the output is identical.  [default: on]",
)
@click.option(
    "--ptx",
    metavar="ARCH",
    help="Add the PTX that NVRTC writes for an architecture such as sm_80, with registers, spills and counts.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Add stand-alone CUDA as an engineer would write it, where its results are right in all launches.",
)
@click.option(
    "--programs",
    is_flag=True,
    help="Make whole programs instead: Python files of several kernels and the host code that launches them. Each is run on "
    "the CPU.",
)
@click.option("--shard-size", type=options.COUNT, default=1000, show_default=True, help="Pairs per file.")
@click.option(
    "--show",
    "shown",
    type=options.INDEX,
    metavar="INDEX",
    help="Print one pair, side by side on a wide terminal, and write nothing.",
)
@view_options
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
    build: bool,
    accelerate: bool,
    ptx: str | None,
    plain: bool,
    programs: bool,
    shard_size: int,
    shown: int | None,
    view: View,
    as_json: bool,
) -> int:
    """Generate a dataset, continue one, or extend one by a larger --count."""
    start = time.monotonic()
    names = tuple(name.strip() for name in categories.split(","))
    if programs:
        _require_no_kernel_options(click.get_current_context())
    if programs and shown is not None:
        return _show_program(seed, shown)
    if shown is not None or not view.is_default:
        return _show(seed, shown, names, device, complexity, profile, backward, ptx, plain, view)

    from warpsmith.synthesis.production import synthesis_workers as worker_processes  # see TYPE_CHECKING

    worker_processes.start_server()  # before the imports below, which take as long as its start
    from warpsmith.synthesis.make_summary import summarize
    from warpsmith.synthesis.production.dataset_plan import Plan, ProgramPlan, chosen_categories, program_categories
    from warpsmith.synthesis.production.produce import produce
    from warpsmith.synthesis.production.ptx_texts import require_texts

    require_texts(ptx, plain, device)
    selected = worker_processes.executor_for(executor, workers, ray_address, accelerate)
    run_in_worker = worker_processes.run_in_worker
    plan = (ProgramPlan if programs else Plan)(
        count=count,
        seed=seed,
        device=device,
        backward=backward,
        codegen_only=not build,
        categories=run_in_worker(program_categories) if programs else run_in_worker(chosen_categories, names),
        shard_size=shard_size,
        profile=profile,
        complexity=complexity,
        ptx=ptx,
        plain=plain,
    )
    folder = storage.open_path(output or (f"data/programs-{device}" if programs else f"data/{device}"))
    outcome = produce(plan, folder, selected, _build_device(device) if build else None)
    return summarize(outcome, folder, time.monotonic() - start, selected.workers, as_json, "program" if programs else "pair")


def _require_no_kernel_options(context: click.Context) -> None:
    """Raise an error if an option was given that programs do not have."""
    for name in ("categories", "profile", "complexity", "build", "ptx", "plain"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--programs has no --{name}: omit it")


def _show_program(seed: int, index: int) -> int:
    from warpsmith.synthesis.programs.program_key import ProgramKey
    from warpsmith.synthesis.programs.program_writer import write_program

    click.echo(write_program(ProgramKey(seed, index)).source, nl=False)
    return EXIT_DONE


def _build_device(device: Device) -> str:
    from warpsmith.synthesis.production.build import require_device  # loads Warp

    return require_device("cpu" if device == "cpu" else "cuda")


def _show(
    seed: int,
    index: int | None,
    categories: tuple[str, ...],
    device: Device,
    complexity: Complexity,
    profile: Profile,
    backward: bool,
    ptx: str | None,
    plain: bool,
    view: View,
) -> int:
    """Print the pair with an index."""
    if index is None:
        raise click.UsageError("--stacked and --text print one pair: name it with --show INDEX")

    from warpsmith.extraction.codegen.preamble import pair_preamble
    from warpsmith.synthesis.api import generate
    from warpsmith.synthesis.production.dataset_plan import chosen_categories
    from warpsmith.synthesis.writing.catalogue.categories import core_categories

    first = chosen_categories(categories)[0]
    category = None if first in {core.name for core in core_categories()} else first  # a core index implies its category
    show_pair(generate(seed, index, category, device, complexity, profile, backward, ptx, plain), pair_preamble, view)
    return EXIT_DONE


@cli.command(context_settings=options.CONTEXT, epilog=VERIFY_EXAMPLES)
@click.argument("dataset")
@options.sample_option("Pairs to generate again; the choice is always the same. 0 checks digests only.", default="1%")
@options.workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def verify(dataset: str, sample: str, workers: str, as_json: bool) -> int:
    """Check DATASET against its manifest.

    The check covers the digest of every shard, the ids of all pairs, and the bytes of a sample of pairs that are generated
    again. It needs the versions of Warp and warpsmith that made the dataset.
    """
    from warpsmith.synthesis.production import synthesis_workers as worker_processes  # see TYPE_CHECKING

    worker_processes.start_server()  # before the imports below, which take as long as its start

    from warpsmith.core import terminal
    from warpsmith.synthesis.production import verify as verification

    executor = worker_processes.local_processes(options.processes(workers))
    comparison = verification.verify(storage.open_path(dataset), sample, executor)
    if as_json:
        options.print_json(comparison)
    else:
        for difference in comparison.differences:
            terminal.err.print(f"differs: {difference}", soft_wrap=True)
        result = f"{len(comparison.differences)} differences" if comparison.differences else "no differences"
        terminal.out.print(f"{comparison.shards} shards and {comparison.pairs:,} pairs compared: {result}")
    return EXIT_FAILED if comparison.differences else EXIT_DONE


cli.add_command(ideas)


def main() -> None:
    """Run the command and exit with its code; the installed command starts at `start.main`."""
    sys.exit(options.run(cli))
