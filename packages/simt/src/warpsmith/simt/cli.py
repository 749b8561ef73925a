"""`warpsmith-simt`: run CUDA kernels on a CPU, with checks and counts.

Imports within functions keep `--help` and shell completion fast: NumPy and the machine take a second to load.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from warpsmith.core import terminal
from warpsmith.core.commands import groups, options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, WarpsmithError

if TYPE_CHECKING:  # see above
    from warpsmith.simt.launches.file_launches import FileLaunch
    from warpsmith.simt.launches.kernel_source import KernelSource

C = TypeVar("C", bound=Callable[..., Any])

EXAMPLES = """\b
Examples:
  warpsmith-simt check saxpy.cu --block 128 --arg n=int32:128 --arg a=float32:2 --arg x=float32[128] --arg y=float32[128]
  warpsmith-simt profile saxpy.cu --block 128 --arg n=int32:128 --arg a=float32:2 --arg x=float32[128] --arg y=float32[128]
  warpsmith-simt ptx saxpy.cu --arch 80

Exit codes: 0 done, no findings; 1 findings; 2 bad arguments or a text that NVRTC rejects.
"""

_ARGUMENTS = """\b
Arguments of the kernel, in any order if the names are those of the source, otherwise in the order of the parameters:
  n=int32:1000                 a number
  x=float32[1000]              an array of random numbers, floats from -1 to 1, integers from 0 to 9
  x=float32[64,64]:zeros       also: ones, arange, a number, LOW..HIGH for random numbers of a range
  x=@values.npy                an array from a file
  p=null                       a null pointer
Types: int8 to int64, uint8 to uint64, float16, float32, float64, bool.
"""

CHECK_EXAMPLES = f"""\b
Examples:
  warpsmith-simt check saxpy.cu --block 128 --arg n=int32:128 --arg a=float32:2 --arg x=float32[128] --arg y=float32[128]
  warpsmith-simt check sum.cu --kernel block_sum --grid 4 --block 256 --arg x=float32[1024] --arg out=float32[4]:zeros
  warpsmith-simt check sum.cu --grid 4 --block 256 --arg x=@x.npy --arg out=float32[4]:zeros --save results
  warpsmith-simt check sum.cu --grid 4 --block 256 --arg x=float32[1024] --arg out=float32[4]:zeros --html page.html

{_ARGUMENTS}
Exit codes: 0 no findings, 1 findings, 2 bad arguments or a text that NVRTC rejects.
"""

PROFILE_EXAMPLES = f"""\b
Examples:
  warpsmith-simt profile saxpy.cu --block 128 --arg n=int32:128 --arg a=float32:2 --arg x=float32[128] --arg y=float32[128]
  warpsmith-simt profile sum.cu --grid 4 --block 256 --arg x=float32[1024] --arg out=float32[4]:zeros --arch 80 --json

{_ARGUMENTS}
Exit codes: 0 done, 1 the launch ended early, 2 bad arguments or a text that NVRTC rejects.
"""

PTX_EXAMPLES = """\b
Examples:
  warpsmith-simt ptx saxpy.cu
  warpsmith-simt ptx saxpy.cu --arch 80 --define N=4 -o saxpy.ptx

Exit codes: 0 done, 2 bad arguments or a text that NVRTC rejects.
"""


MAX_BLOCKS = (2**31 - 1, 65535, 65535)
MAX_THREADS = (1024, 1024, 64)
"""The limits of CUDA for the sizes of grids and blocks."""

MAX_BLOCK_THREADS = 1024

MAX_SHARED = 227 * 1024
"""The most bytes of shared memory of a block on any architecture of the table."""


def _grid(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    return _size(value, MAX_BLOCKS, 2**31 - 1)


def _block(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    return _size(value, MAX_THREADS, MAX_BLOCK_THREADS)


def _size(text: str, limits: tuple[int, ...], product: int) -> tuple[int, ...]:
    """Parse one to three numbers with commas, such as ``2,2,1``."""
    words = text.split(",")
    if len(words) > len(limits) or not all(word.isascii() and word.isdecimal() and len(word) < 12 for word in words):
        raise click.BadParameter(f"{text!r} is not of the form 4, 2,2 or 2,2,1")
    size = tuple(map(int, words))
    if not all(1 <= number <= limit for number, limit in zip(size, limits, strict=False)) or math.prod(size) > product:
        allowed = " x ".join(f"{limit:,}" for limit in limits)
        raise click.BadParameter(f"{text!r} is empty, larger than {allowed}, or has more than {product:,} elements")
    return size


def compile_options(command: C) -> C:
    """Add the options of commands that compile a file."""
    for option in (
        click.option("--include", "folders", multiple=True, metavar="FOLDER", help="A folder of header files. Repeatable."),
        click.option("--define", "macros", multiple=True, metavar="NAME[=VALUE]", help="A macro. Repeatable."),
        click.option(
            "--arch", type=click.IntRange(0, 999), default=90, show_default=True, help="The compute capability, times ten."
        ),
    ):
        command = option(command)
    return command


def launch_options(command: C) -> C:
    """Add the options of commands that launch a kernel."""
    command = compile_options(command)
    for option in (
        click.option(
            "--limit", type=options.COUNT, default=2_000_000_000, show_default=True, help="The most instructions of warps."
        ),
        click.option("--seed", type=options.INDEX, default=0, show_default=True, help="The seed of random arrays."),
        click.option(
            "--shared",
            type=click.IntRange(0, MAX_SHARED),
            default=0,
            show_default=True,
            help="Bytes of dynamic shared memory.",
        ),
        click.option(
            "--arg", "arguments", multiple=True, metavar="SPEC", help="An argument of the kernel, see below. Repeatable."
        ),
        click.option(
            "--block", callback=_block, metavar="N[,N[,N]]", default="32", show_default=True, help="The threads of a block."
        ),
        click.option(
            "--grid", callback=_grid, metavar="N[,N[,N]]", default="1", show_default=True, help="The blocks of the grid."
        ),
        click.option("--kernel", metavar="NAME", help="The kernel.  [default: the only kernel of the file]"),
    ):
        command = option(command)
    return command


file_argument = click.argument("file", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@groups.group("warpsmith-simt", EXAMPLES)
def cli() -> None:
    """Run CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes. No GPU is needed."""


@cli.command(context_settings=options.CONTEXT, epilog=CHECK_EXAMPLES)
@file_argument
@launch_options
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), help="Write the arrays after the launch into this folder."
)
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page with the findings beside the lines."
)
@json_option
def check(
    file: Path,
    kernel: str | None,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    arguments: tuple[str, ...],
    shared: int,
    seed: int,
    limit: int,
    arch: int,
    macros: tuple[str, ...],
    folders: tuple[str, ...],
    save: Path | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Launch a kernel of FILE, and report memory errors, races, unwritten memory and barriers that threads miss.

    FILE is CUDA C++ or, with the extension .ptx, PTX.
    """
    from warpsmith.simt.launches import file_launches, launch_report

    source = _read(file, arch, macros, folders)
    launch = file_launches.check(source, kernel, grid, block, arguments, shared=shared, seed=seed, limit=limit)
    if save is not None:
        launch_report.save_arrays(launch, save)
    if html is not None:
        launch_report.write_page(launch, html)
    if as_json:
        options.print_json(launch_report.check_json(launch))
    else:
        _print_launch(launch)
    return EXIT_FAILED if launch.findings else EXIT_DONE


@cli.command(context_settings=options.CONTEXT, epilog=PROFILE_EXAMPLES)
@file_argument
@launch_options
@json_option
def profile(
    file: Path,
    kernel: str | None,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    arguments: tuple[str, ...],
    shared: int,
    seed: int,
    limit: int,
    arch: int,
    macros: tuple[str, ...],
    folders: tuple[str, ...],
    as_json: bool,
) -> int:
    """Launch a kernel of FILE, and print counts, registers, occupancy and an estimate of the time.

    The estimate orders variants of a kernel. It is no measurement: caches are not modelled.
    """
    from warpsmith.simt.launches import file_launches, launch_report

    source = _read(file, arch, macros, folders)
    found = file_launches.profile(source, kernel, grid, block, arguments, shared=shared, seed=seed, limit=limit)
    if as_json:
        options.print_json(launch_report.profile_json(found))
    else:
        title = launch_report.describe(found.launch)
        terminal.print_table(title, ("", "", "value"), launch_report.profile_rows(found), left=2)
        for line in launch_report.finding_lines(found.launch):
            terminal.errors.print(line, soft_wrap=True)
    return EXIT_FAILED if found.launch.findings else EXIT_DONE


@cli.command(context_settings=options.CONTEXT, epilog=PTX_EXAMPLES)
@file_argument
@compile_options
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file.  [default: stdout]")
def ptx(file: Path, arch: int, macros: tuple[str, ...], folders: tuple[str, ...], output: Path | None) -> int:
    """Print the PTX of FILE, with line numbers."""
    text = _read(file, arch, macros, folders).ptx
    if output is not None:
        output.write_text(text, encoding="utf-8")
    else:
        terminal.print_text(text)
    return EXIT_DONE


def _read(file: Path, arch: int, macros: tuple[str, ...], folders: tuple[str, ...]) -> KernelSource:
    """Read and compile a file; the log of NVRTC goes to stderr before the error ends the command."""
    from warpsmith.simt.compilers.nvrtc_program import CudaCompileError
    from warpsmith.simt.launches.kernel_source import KernelSource

    try:
        return KernelSource.read(file, arch, (*(f"-D{macro}" for macro in macros), *(f"-I{folder}" for folder in folders)))
    except CudaCompileError as failure:
        for line in failure.log.splitlines():
            terminal.errors.print(line, soft_wrap=True)
        raise WarpsmithError(f"NVRTC rejects {file}") from None


def _print_launch(launch: FileLaunch) -> None:
    from warpsmith.simt.launches import launch_report
    from warpsmith.simt.launches.findings_page import summary

    if launch.run.printed:
        terminal.print_text(launch.run.printed.rstrip("\n") + "\n")
    for line in launch_report.finding_lines(launch):
        terminal.out.print(line, soft_wrap=True)
    for name in launch.run.unchecked:
        terminal.err.print(f"not checked, the launch is too large: {name.lower()}", soft_wrap=True)
    terminal.out.print(f"{launch_report.describe(launch)}: {summary(launch.findings)}", soft_wrap=True)


def main() -> None:
    """Run the command line."""
    sys.exit(options.run(cli))
