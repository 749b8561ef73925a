"""`warpsmith-extract`: pairs of the kernels of files, modules and packages."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import click
import orjson

from warpsmith.core.commands import options, terminal
from warpsmith.core.commands.show import show_pair
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED, TargetError
from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.core.records.leftovers import remove_leftovers
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction.capturing.command import CapturedProgram, CommandWithProgram, KernelSelection, capture_options
from warpsmith.extraction.capturing.run import Output

EXAMPLES = """\b
Examples:
  warpsmith-extract my_kernels.py -d both -b --show        print Python, C++ and CUDA side by side
  warpsmith-extract my_package -d cuda -b -o pairs.jsonl   write a pair for every kernel
  warpsmith-extract warp.examples.core.example_dem | jq .id
  warpsmith-extract -d both -b -o pairs.jsonl --run simulate.py --frames 10
  warpsmith-extract -d both -b -o pairs.jsonl --only my_package --run -- pytest -q tests

Exit codes: 0 all kernels became pairs, 1 some were rejected, 2 a target cannot be imported.
"""


@click.command(cls=CommandWithProgram, context_settings=options.CONTEXT, epilog=EXAMPLES, no_args_is_help=True)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@click.option("-d", "--device", type=click.Choice(["cpu", "cuda", "both"]), default="cpu", show_default=True)
@click.option("-b", "--backward", is_flag=True, help="Generate the adjoint code as well.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write JSONL to a file instead of stdout."
)
@click.option("-k", "--kernel", "names", multiple=True, help="Extract only kernels of this name; repeat it for several names.")
@click.option(
    "--accelerate/--no-accelerate",
    default=True,
    help="Cache Warp's code generation; the output is identical.  [default: on]",
)
@click.option("--show", is_flag=True, help="Print Python, C++ and CUDA side by side instead of JSONL.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON on stderr.")
@capture_options
def cli(
    targets: tuple[str, ...],
    device: Device,
    backward: bool,
    output: Path | None,
    names: tuple[str, ...],
    accelerate: bool,
    show: bool,
    as_json: bool,
    program: CapturedProgram | None,
) -> int:
    """Extract a pair from every Warp kernel of TARGET: a file, a module, or a package with its submodules.

    Targets are imported: use only code that you trust. No GPU is needed, because the generated code is not run. Kernels that
    cannot become pairs are listed with the reason, with -o also in OUTPUT.rejects.jsonl.

    With --run a program runs instead, and every kernel that it launches becomes pairs with the launches.
    """
    if program is not None:
        selection = KernelSelection(device, backward, accelerate, names)
        return program.run(selection, Output(output, show, as_json), targets)
    if not targets:
        raise click.UsageError("name a file, a module or a package, or a program after --run")
    pairs, rejects = _harvest(targets, device, backward, names, accelerate)
    if show:
        for pair in pairs:
            show_pair(pair)
    else:
        _write(pairs, rejects, output)
    _summarize(pairs, rejects, as_json)
    return EXIT_SOME_FAILED if rejects else EXIT_DONE


def _harvest(
    targets: tuple[str, ...], device: Device, backward: bool, names: tuple[str, ...], accelerate: bool
) -> tuple[list[Pair], list[Reject]]:
    # Imported here: loading Warp takes a second, which --help does not need.
    from warpsmith.extraction.accelerate import accelerated
    from warpsmith.extraction.harvest import harvest
    from warpsmith.extraction.targets import import_target

    pairs: list[Pair] = []
    rejects: list[Reject] = []
    for name_of_target in targets:
        with contextlib.redirect_stdout(sys.stderr):  # output of a target must not appear between pairs
            target = import_target(name_of_target)
            with accelerated(accelerate):
                for result in harvest(target, device, backward, names):
                    if isinstance(result, Pair):
                        pairs.append(result)
                    else:
                        rejects.append(result)
    if not pairs and not rejects:
        missing = f"kernel named {', '.join(names)}" if names else "@wp.kernel"
        raise TargetError(f"no {missing} found in {', '.join(targets)}; kernels of functions exist only after a call")
    return pairs, rejects


def _write(pairs: list[Pair], rejects: list[Reject], output: Path | None) -> None:
    lines = b"".join(encode(pair) for pair in pairs)
    if output is None:
        sys.stdout.buffer.write(lines)
        sys.stdout.flush()
        return
    rejected = output.with_suffix(".rejects.jsonl")
    remove_leftovers(output)
    remove_leftovers(rejected)
    write_atomic(output, lines)
    if rejects:
        write_atomic(rejected, b"".join(encode(reject) for reject in rejects))


def _summarize(pairs: list[Pair], rejects: list[Reject], as_json: bool) -> None:
    without = [pair.metadata.kernel_name for pair in pairs if not pair.metadata.has_backward]
    if as_json:
        summary = {"pairs": len(pairs), "without_backward": without, "rejects": rejects}
        sys.stderr.write(orjson.dumps(summary).decode() + "\n")
        return
    for reject in rejects:
        terminal.err.print(f"reject: {reject.id}: {reject.stage}: {reject.error}", soft_wrap=True)
    terminal.err.print(f"{len(pairs)} pairs, {len(rejects)} rejects, {len(without)} without backward code")


def main() -> None:
    """Run the command and exit with its code. The entry point of the distribution is `start.main`."""
    sys.exit(options.run(cli))
