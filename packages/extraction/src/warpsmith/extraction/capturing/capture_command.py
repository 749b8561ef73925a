"""The options of `warpsmith-extract --run`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from warpsmith.core import terminal
from warpsmith.core.project_settings import read_settings
from warpsmith.core.records.ir import Device
from warpsmith.extraction.capturing.capture_request import CaptureRequest
from warpsmith.extraction.capturing.capture_run import Output, run_captured
from warpsmith.extraction.capturing.program import parse_program
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS, Limits

_RUN = "--run"
_WORDS = "warpsmith.program"


class CommandWithProgram(click.Command):
    """A command whose option ``--run`` takes the rest of the command line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words after ``--run`` away from the other options."""
        if _RUN in args:
            position = args.index(_RUN)
            ctx.meta[_WORDS] = args[position + 1 :]
            args = args[: position + 1]
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True)
class KernelSelection:
    """Which pairs are made: options that the command has without ``--run``, too."""

    device: Device
    include_backward: bool
    accelerate: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CapturedProgram:
    """The program after ``--run``, with the options that only apply to it."""

    words: tuple[str, ...]
    only: tuple[str, ...]
    limits: Limits
    tapes: Path | None

    def run(self, selection: KernelSelection, output: Output, targets: tuple[str, ...]) -> int:
        """Run the program and return the exit code of the command.

        Raises:
            click.UsageError: if there are targets as well.
            TargetError: see `parse_program` and `run_captured`.
        """
        if targets:
            raise click.UsageError(f"--run extracts what a program launches, and {targets[0]!r} is no part of it")
        program = parse_program(list(self.words))
        if advice := misplaced_options(program.arguments, click.get_current_context()):
            terminal.errors.print(advice, soft_wrap=True)
        if output.path is not None:
            Path(output.path).parent.mkdir(parents=True, exist_ok=True)
        request = CaptureRequest(
            program=program,
            device=selection.device,
            include_backward=selection.include_backward,
            accelerate=selection.accelerate,
            only=self.only,
            names=selection.names,
            limits=self.limits,
            pairs="",
            rejects="",
            summary="",
            tapes="" if self.tapes is None else str(self.tapes.absolute()),
        )
        return run_captured(request, output)


COMMON = frozenset(("-h", "--help", "-q", "--quiet", "-v", "--verbose", "--version", "--json", "-k", "--kernel"))
"""Options that programs such as pytest have, too; they raise no suspicion."""


def misplaced_options(arguments: Sequence[str], context: click.Context) -> str:
    """Return a warning if a program's arguments look like options of the command, which it was started without; else nothing.

    Args:
        arguments: the arguments of the program.
        context: the context of the command.
    """
    moved: list[str] = []
    kept: list[str] = []
    words = iter(arguments)
    for word in words:
        option = _option(word.partition("=")[0], context)
        if option is None:
            kept.append(word)
            continue
        moved.append(word)
        if not option.is_flag and "=" not in word and (value := next(words, None)) is not None:
            moved.append(value)
    if not moved:
        return ""
    program = list(context.meta[_WORDS])
    program = program[: len(program) - len(arguments)]
    given = sys.argv[1 : sys.argv.index(_RUN)] if _RUN in sys.argv else []
    right = shlex.join(["warpsmith-extract", *given, *moved, _RUN, *program, *kept])
    return (
        f"warning: the program receives {shlex.join(moved)}, and options of warpsmith-extract come before --run; "
        f"if they are meant for it: {right}"
    )


def _option(name: str, context: click.Context) -> click.Option | None:
    """Return the option of a command with a name, unless it was given or is common."""
    for parameter in context.command.params:
        if isinstance(parameter, click.Option) and name in (*parameter.opts, *parameter.secondary_opts) and name not in COMMON:
            given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
            return None if given else parameter
    return None


def capture_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a captured program, which the command receives as ``program``.

    The project in the working directory may have other defaults, see `ProjectSettings`.
    """

    @wraps(command)
    def with_program(
        *, run: bool, only: tuple[str, ...], per_kernel: int, copy_mib: int, tapes: Path | None, **settings: Any
    ) -> int:
        if not run:
            return command(program=None, **settings)
        context = click.get_current_context()
        project = read_settings(Path.cwd())
        per_kernel = _chosen(context, "per_kernel", per_kernel, project.per_kernel)
        copied = _chosen(context, "copy_mib", copy_mib, project.copy_mib) << 20
        limits = Limits(per_kernel, DEFAULT_LIMITS.launch_bytes, copied)
        words = tuple(context.meta.get(_WORDS, ()))
        return command(program=CapturedProgram(words, only or project.only, limits, tapes), **settings)

    for option in reversed(_OPTIONS):
        with_program = option(with_program)
    return with_program


def _chosen(context: click.Context, name: str, value: int, setting: int | None) -> int:
    """Return the value of an option: that of the command line, else that of the project, else the default."""
    is_typed = context.get_parameter_source(name) is not ParameterSource.DEFAULT
    return value if is_typed or setting is None else setting


_OPTIONS = (
    click.option(
        _RUN,
        is_flag=True,
        help="Run a program and extract the kernels that it launches, with their launches. The rest of the line is the "
        "program: SCRIPT args, -m MODULE args, or a command such as pytest.",
    ),
    click.option(
        "--only", multiple=True, metavar="PACKAGE", help="With --run: only kernels of this package or module; repeatable."
    ),
    click.option(
        "--per-kernel",
        type=click.IntRange(1, 100),
        default=DEFAULT_LIMITS.launches,
        show_default=True,
        help="With --run: how many launches of a kernel are kept, the most different ones.",
    ),
    click.option(
        "--copy-mib",
        type=click.IntRange(1, 1 << 20),
        default=DEFAULT_LIMITS.total_bytes >> 20,
        show_default=True,
        help="With --run: the most MiB of arguments that are copied.",
    ),
    click.option(
        "--tapes",
        type=click.Path(dir_okay=False, path_type=Path),
        help="With --run: also record backward passes of wp.Tape in FILE, for warpsmith-validate tapes.",
    ),
)
