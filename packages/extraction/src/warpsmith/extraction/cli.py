"""`warpsmith-extract`: pairs of the kernels of files, modules and packages."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

import click
import orjson

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.commands.pair_texts import View, show_pair, view_options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, TargetError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.plain_outcome import plain_line
from warpsmith.extraction.capturing.capture_command import CapturedProgram, CommandWithProgram, KernelSelection, capture_options
from warpsmith.extraction.capturing.capture_run import Output
from warpsmith.extraction.codegen.preamble import pair_preamble
from warpsmith.extraction.launches.launch_options import LaunchRequest, launch_options
from warpsmith.extraction.results_file import Arguments, Finished, PrintedResults, Results, write_rejects, writing_results
from warpsmith.extraction.run_arguments import run_arguments

EXAMPLES = """\b
Examples:
  warpsmith-extract my_kernels.py -d both -b --show        print Python, C++ and CUDA side by side
  warpsmith-extract my_kernels.py -k scale -d cuda --text cuda > scale.cu
  warpsmith-extract my_package -d cuda -b -o pairs.jsonl   write a pair for every kernel
  warpsmith-extract warp.examples.core.example_dem | jq .id
  git show v1:kernels.py | warpsmith-extract - -d cuda     the kernels of a text on stdin
  warpsmith-extract my_kernels.py -d cuda --guess-launches --plain --text plain   stand-alone CUDA
  warpsmith-extract my_kernels.py -d cuda -b --ptx sm_80 -o pairs.jsonl   with PTX, registers and spills
  warpsmith-extract my_kernels.py -b -o pairs.jsonl --launches launches.json --guess-launches
  warpsmith-extract -d both -b -o pairs.jsonl --run simulate.py --frames 10
  warpsmith-extract -d both -b -o pairs.jsonl --only my_package --run -- pytest -q tests

Exit codes: 0 all kernels became pairs, 1 some were rejected, 2 a target cannot be imported.
"""


@groups.standard_options("warpsmith-extraction")
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
@click.option(
    "--guess-overloads",
    is_flag=True,
    help="Extract generic kernels without overloads for the first of at most 128 combinations of common types that Warp "
    "accepts; metadata.origin.reason of the pairs says so.",
)
@click.option(
    "--ptx",
    metavar="ARCH",
    help="Add the PTX that NVRTC writes for an architecture such as sm_80, with registers, spills and counts.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Add stand-alone CUDA as an engineer would write it, where its results are right in all launches; needs launches.",
)
@click.option("--show", is_flag=True, help="Print the texts instead of JSONL, side by side on a wide terminal.")
@view_options
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON on stderr.")
@launch_options
@capture_options
def cli(
    targets: tuple[str, ...],
    device: Device,
    backward: bool,
    output: Path | None,
    names: tuple[str, ...],
    accelerate: bool,
    guess_overloads: bool,
    ptx: str | None,
    plain: bool,
    show: bool,
    view: View,
    as_json: bool,
    launches: LaunchRequest,
    program: CapturedProgram | None,
) -> int:
    """Extract a pair from every Warp kernel of TARGET: a file, a module, a package with its submodules, or - for stdin.

    Targets are imported: use only code that you trust. No GPU is needed, because the generated code is not run. Kernels that
    cannot become pairs are listed with the reason, with -o also in OUTPUT.rejects.jsonl.

    With --run a program runs instead, and every kernel that it launches becomes pairs with the launches.
    """
    shown = view if show or not view.is_default else None
    selection = KernelSelection(device, backward, accelerate, names)
    if plain:
        from warpsmith.extraction.plain_texts import require_plain  # as rare as the option

        require_plain(device)
    if ptx is not None:
        from warpsmith.extraction.kernel_ptx import require_ptx  # as rare as the option

        require_ptx(ptx, device)
    if program is not None:
        launches.reject()
        return program.run(selection, Output(output, shown, as_json, plain, ptx), targets)
    if not targets:
        raise click.UsageError("name a file, a module, a package, or - for stdin, or a program after --run")
    summary = _extract(targets, selection, launches, output, shown, guess_overloads=guess_overloads, plain=plain, ptx=ptx)
    if output is not None:
        write_rejects(output, summary.rejects)
    summary.print(as_json)
    return EXIT_FAILED if summary.rejects else EXIT_DONE


def _extract(
    targets: Sequence[str],
    selection: KernelSelection,
    launches: LaunchRequest,
    output: Path | None,
    shown: View | None,
    *,
    guess_overloads: bool,
    plain: bool,
    ptx: str | None,
) -> Summary:
    """Import the targets, write a pair for every selected kernel, and return what became of the kernels."""
    # Imported here: loading Warp takes a second, which --help does not need.
    from warpsmith.extraction.accelerate import accelerated
    from warpsmith.extraction.harvest import harvest, kernels_of
    from warpsmith.extraction.kernel_ptx import text_writer
    from warpsmith.extraction.launches.launch_source import LaunchSource
    from warpsmith.extraction.targets.importing import import_target, sources_digest

    summary, stdout, names = Summary(), sys.stdout, selection.names
    with contextlib.redirect_stdout(sys.stderr):  # targets may print between pairs
        imported = [import_target(name) for name in targets]
        kernels = [kernel for target in imported for kernel in kernels_of(target)]
        source = LaunchSource.read(launches.path, launches.guess, kernels)
        counts = [len(kernels_of(target, names)) + len(target.rejects) for target in imported]
        if not sum(counts):
            raise _no_kernels(targets, names)
        arguments = run_arguments(
            targets, sources_digest(imported), selection, launches, guess_overloads=guess_overloads, plain=plain, ptx=ptx
        )
        with contextlib.ExitStack() as stack:
            results = stack.enter_context(_results(output, shown, stdout, arguments))
            summary.count_earlier(results.earlier)
            earlier = [result.id for result in results.earlier]
            stack.enter_context(accelerated(selection.accelerate))
            add_texts = stack.enter_context(text_writer(ptx, plain))
            advance = stack.enter_context(terminal.progress("extract", sum(counts), "kernels", done=len(earlier)))
            for target, count in zip(imported, counts, strict=True):
                finished, earlier = earlier[:count], earlier[count:]
                make = partial(harvest, target, selection.device, selection.include_backward, names)
                for result in make(guess_overloads=guess_overloads, launches=source, finished=finished):
                    added = add_texts(result) if isinstance(result, Pair) else result
                    results.add(added)
                    summary.count(added)
                    del result, added  # its texts may take 40 MB
                    advance()
    return summary


def _no_kernels(targets: Sequence[str], names: Sequence[str]) -> TargetError:
    missing = f"kernel named {', '.join(names)}" if names else "@wp.kernel"
    return TargetError(f"no {missing} found in {', '.join(targets)}; kernels of functions exist only after a call")


@contextlib.contextmanager
def _results(output: Path | None, shown: View | None, stdout: TextIO, arguments: Arguments) -> Iterator[Results]:
    """Yield where results are written as they come: no pair stays in memory. A file appears when all pairs are in it."""
    if shown:
        yield PrintedResults(lambda pair: _show_on(stdout, pair, shown))
    elif output is None:
        yield PrintedResults(lambda pair: stdout.buffer.write(encode(pair)))
        stdout.flush()
    else:
        with writing_results(output, arguments) as results:
            if results.earlier:
                terminal.err.print(f"continue {output}: {len(results.earlier)} kernels were finished by an interrupted run")
            yield results


def _show_on(stdout: TextIO, pair: Pair, view: View) -> None:
    with contextlib.redirect_stdout(stdout):
        show_pair(pair, pair_preamble, view)


@dataclass
class Summary:
    """What became of the kernels of a run."""

    pairs: int = 0
    rejects: list[Reject] = field(default_factory=list)
    without_backward: list[str] = field(default_factory=list)
    plain: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.perf_counter)

    def count_earlier(self, finished: Sequence[Finished]) -> None:
        """Add the results of an interrupted run."""
        self.rejects += [result.reject for result in finished if result.reject]
        self.pairs += sum(result.reject is None for result in finished)
        self.without_backward += [result.without_backward for result in finished if result.without_backward]

    def count(self, result: Pair | Reject) -> None:
        """Add the result of one kernel."""
        if isinstance(result, Reject):
            self.rejects.append(result)
            return
        self.pairs += 1
        if result.metadata.plain is not None:
            self.plain[result.metadata.plain.status] += 1
        if not result.metadata.has_backward:
            self.without_backward.append(result.metadata.kernel_name)

    def print(self, as_json: bool) -> None:
        """Print the rejects, the numbers and the rate on stderr; the rate includes the import of the targets."""
        rate = round((self.pairs + len(self.rejects)) / (time.perf_counter() - self.started), 1)
        if as_json:
            summary = {"pairs": self.pairs, "without_backward": self.without_backward, "rejects": self.rejects}
            plain = {"plain": self.plain} if self.plain else {}
            sys.stderr.write(orjson.dumps(summary | plain | {"kernels_per_second": rate}).decode() + "\n")
            return
        for reject in self.rejects:
            terminal.err.print(f"reject: {reject}", soft_wrap=True)
        counts = f"{self.pairs} pairs, {len(self.rejects)} rejects, {len(self.without_backward)} without backward code"
        terminal.err.print(f"{counts}, {rate} kernels/s")
        if self.plain:
            terminal.err.print(plain_line(self.plain))


def main() -> None:
    """Run the command and exit with its code. The entry point of the distribution is `start.main`."""
    sys.exit(options.run(cli))
