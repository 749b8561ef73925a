"""`warpsmith-extract`: pairs from real code."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warpsmith.core.commands import options, terminal
from warpsmith.core.commands.show import show_pair
from warpsmith.core.errors import EXIT_DONE, EXIT_SOME_FAILED, TargetError

if TYPE_CHECKING:
    from warpsmith.core.records.ir import Device
    from warpsmith.core.records.pair import Pair, Reject

EXAMPLES = """\b
Examples:
  warpsmith-extract my_kernels.py -d both -b --show   look at Python, C++ and CUDA side by side
  warpsmith-extract my_package -d cuda -b -o pairs.jsonl
  warpsmith-extract warp.examples.core.example_dem | jq .id

Exit codes: 0 all kernels became pairs, 1 some were rejected, 2 a target cannot be imported.
"""


@click.command(context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("-d", "--device", type=click.Choice(["cpu", "cuda", "both"]), default="cpu", show_default=True)
@click.option("-b", "--backward", is_flag=True, help="Generate the adjoint too.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write JSONL here instead of stdout.")
@click.option("-k", "--kernel", "wanted", multiple=True, help="Only kernels of this name; may be given several times.")
@click.option(
    "--accelerate/--no-accelerate",
    default=True,
    help="Remember what Warp found out before: the same bytes, sooner.  [default: on]",
)
@click.option("--show", is_flag=True, help="Print Python, C++ and CUDA side by side instead of JSONL.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON on stderr.")
def cli(
    targets: tuple[str, ...],
    device: Device,
    backward: bool,
    output: Path | None,
    wanted: tuple[str, ...],
    accelerate: bool,
    show: bool,
    as_json: bool,
) -> int:
    """Extract a pair from every Warp kernel of TARGET: a file, a module, or a package with its submodules.

    The targets are imported, so name only code that you trust. No GPU is needed: C++ and CUDA code is generated, not run.
    Kernels that cannot become a pair are listed with the reason, in OUTPUT.rejects.jsonl if -o is given.
    """
    pairs, rejects = _harvest(targets, device, backward, wanted, accelerate)
    if show:
        for pair in pairs:
            show_pair(pair)
    else:
        _write(pairs, rejects, output)
    _summarize(pairs, rejects, as_json)
    return EXIT_SOME_FAILED if rejects else EXIT_DONE


def _harvest(
    targets: tuple[str, ...], device: Device, backward: bool, wanted: tuple[str, ...], accelerate: bool
) -> tuple[list[Pair], list[Reject]]:
    from warpsmith.core.records.pair import Pair
    from warpsmith.extraction.accelerate import accelerated
    from warpsmith.extraction.harvest import harvest, import_target  # Warp takes a second to load: not for --help

    pairs: list[Pair] = []
    rejects: list[Reject] = []
    for name in targets:
        with contextlib.redirect_stdout(sys.stderr):  # what a target prints must not stand between the pairs
            target = import_target(name)
            with accelerated(accelerate):
                for result in harvest(target, device, backward, wanted):
                    if isinstance(result, Pair):
                        pairs.append(result)
                    else:
                        rejects.append(result)
    if not pairs and not rejects:
        what = f"kernel named {', '.join(wanted)}" if wanted else "@wp.kernel"
        raise TargetError(f"no {what} found in {', '.join(targets)}; kernels made inside functions exist only once those ran")
    return pairs, rejects


def _write(pairs: list[Pair], rejects: list[Reject], output: Path | None) -> None:
    from warpsmith.core.records.jsonl import encode, write_atomic

    lines = b"".join(encode(pair) for pair in pairs)
    if output is None:
        sys.stdout.buffer.write(lines)
        sys.stdout.flush()
        return
    write_atomic(output, lines)
    if rejects:
        write_atomic(output.with_suffix(".rejects.jsonl"), b"".join(encode(reject) for reject in rejects))


def _summarize(pairs: list[Pair], rejects: list[Reject], as_json: bool) -> None:
    without = [pair.metadata.kernel_name for pair in pairs if not pair.metadata.has_backward]
    if as_json:
        import orjson

        summary = {"pairs": len(pairs), "without_backward": without, "rejects": rejects}
        sys.stderr.write(orjson.dumps(summary).decode() + "\n")
        return
    for reject in rejects:
        terminal.err.print(f"reject: {reject.id}: {reject.stage}: {reject.error}", markup=False, soft_wrap=True)
    terminal.err.print(f"{len(pairs)} pairs, {len(rejects)} rejects, {len(without)} without backward code", markup=False)


def main() -> None:
    """Run the command and exit with its code; `start` is the entry point."""
    sys.exit(options.run(cli))
