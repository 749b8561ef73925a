"""What the four commands share at the terminal: exit codes, progress, tables, side-by-side text.

Answers go to stdout, everything else to stderr, so that a command can stand in a pipe.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.syntax import Syntax
from rich.table import Table

from warpsmith.extraction.errors import EXIT_DONE, WarpsmithError


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # Rich would end the process with exit code 1


out = _Console(highlight=False)
err = _Console(stderr=True, highlight=False)

LOG_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""Settings of every click command."""


class DefaultGroup(click.Group):
    """A group of commands with a main one, `default`, which need not be named and does not show up in a list of the others.

    Without arguments the main command runs, unless it needs some: then there is help.
    """

    def __init__(self, *args: Any, default: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the main command where there is none."""
        needs_arguments = any(isinstance(given, click.Argument) for given in self.commands[self.default].params)
        if args[:1] not in [[name] for name in (*self.commands, *ctx.help_option_names)] and (args or not needs_arguments):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the other commands."""
        return [name for name in super().list_commands(ctx) if name != self.default]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how the main command is called."""
        self.commands[self.default].format_usage(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the main command and the list of the others."""
        self.commands[self.default].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


def run(command: click.Command) -> int:
    """Run a command and return its exit code; errors meant for users are one line on stderr.

    SIGTERM, which batch systems send, ends it as Ctrl-C does.
    """
    with contextlib.suppress(ValueError):  # not the main thread: signals are somebody else's
        signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _invoke(command)
        sys.stdout.flush()  # here, where it is noticed that the reader went away
    except click.ClickException as error:
        _complain(error)
        return error.exit_code
    except WarpsmithError as error:
        err.print(f"error: {error}", style="red", markup=False, soft_wrap=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as end:
        err.print("stopped; what is finished is kept, and the same command continues", markup=False)
        return 128 + (signal.SIGTERM if isinstance(end, _Terminated) else signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away; do not complain at exit
        return EXIT_DONE
    return code


class _Terminated(KeyboardInterrupt):
    """The process was asked to end, by a system instead of a user."""


def _terminate(*_: object) -> None:
    raise _Terminated


def _complain(error: click.ClickException) -> None:
    """Print a usage error as one line, like all errors; what is longer is help that was asked for by giving no arguments."""
    message = error.format_message()
    if "\n" in message:
        error.show()
    else:
        err.print(f"error: {message} (see --help)", style="red", markup=False, soft_wrap=True)


def _invoke(command: click.Command) -> int:
    try:
        with command.make_context(Path(sys.argv[0]).name, sys.argv[1:]) as context:
            result = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else EXIT_DONE


workers_option = click.option(
    "--workers", default="auto", show_default=True, metavar="N|auto", help="Processes; auto is one a processor."
)
"""The option of commands that work in several processes, see `processes`."""


def executor_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say where it works: ``--workers``, ``--executor`` and ``--ray-address``."""
    executor = click.option(
        "--executor",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help="This machine, or a Ray cluster.",
    )
    address = click.option(
        "--ray-address", metavar="HOST:PORT", help="The cluster.  [default: the one that runs here, or one of its own]"
    )
    return workers_option(executor(address(command)))


def processes(workers: str) -> int:
    """Return how many processes ``--workers`` asks for; ``"auto"`` is one for each processor that this process may use.

    Raises:
        WarpsmithError: if it is neither a number nor ``"auto"``.
    """
    if workers == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not workers.isdecimal() or int(workers) < 1:
        raise WarpsmithError(f"--workers is a number from 1 or 'auto', not {workers!r}")
    return int(workers)


class Advance(Protocol):
    """What `progress` yields: call it with the number of units that were finished."""

    def __call__(self, count: int = 1) -> None:
        """Count ``count`` more units as finished."""


@contextlib.contextmanager
def progress(label: str, total: int, unit: str, done: int = 0) -> Iterator[Advance]:
    """Show how far a job is, on stderr: a bar with rate and time left on a terminal, a line now and then in a log.

    Args:
        label: what is being done, such as ``"synthesize"``.
        total: how many units there are.
        unit: their name in the plural, such as ``"pairs"``.
        done: how many were finished earlier; they do not count for the rate.
    """
    if err.is_terminal:
        yield from _bar(label, total, unit, done)
    else:
        yield from _lines(label, total, unit, done)


def _bar(label: str, total: int, unit: str, done: int) -> Iterator[Advance]:
    start = time.monotonic()
    rate = TextColumn("{task.fields[rate]}")
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn(), console=err
    ) as bar:
        task = bar.add_task(label, total=total, completed=done, rate="")
        finished = 0

        def advance(count: int = 1) -> None:
            nonlocal finished
            finished += count
            bar.update(task, advance=count, rate=_rate(finished, start, unit))

        yield advance


def _lines(label: str, total: int, unit: str, done: int) -> Iterator[Advance]:
    start = last = time.monotonic()
    finished = 0

    def advance(count: int = 1) -> None:
        nonlocal finished, last
        finished += count
        now = time.monotonic()
        if now - last >= LOG_EVERY or done + finished >= total:
            last = now
            left = (total - done - finished) * (now - start) / max(finished, 1)
            err.print(
                f"{label}: {done + finished}/{total} {unit}, {_rate(finished, start, unit)}, {left:.0f} s left", markup=False
            )

    yield advance


def _rate(finished: int, start: float, unit: str) -> str:
    seconds = time.monotonic() - start
    return f"{finished / seconds:.0f} {unit}/s" if seconds > 0 else ""


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on stdout; all columns but the first are aligned to the right."""
    table = Table(title=title, title_justify="left")
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def print_side_by_side(title: str, texts: Sequence[tuple[str, str, str]]) -> None:
    """Print texts next to each other on stdout.

    Args:
        title: printed above.
        texts: (heading, language for highlighting, text) of each column.
    """
    console = out if out.is_terminal else _Console(width=80 * len(texts), highlight=False)
    table = Table(title=title, title_justify="left", expand=True)
    for heading, _, _ in texts:
        table.add_column(heading, ratio=1)
    table.add_row(*(Syntax(text, language, word_wrap=True, background_color="default") for _, language, text in texts))
    console.print(table)
