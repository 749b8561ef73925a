"""What the four commands share on the command line: the form of a group, options, and how errors become exit codes.

It loads in a moment, unlike what prints: see `terminal`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import click

from warpsmith.core.errors import EXIT_DONE, WarpsmithError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""Settings of every click command."""


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
        _print_error(f"error: {error}")
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as end:
        _print_error("stopped; what is finished is kept, and the same command continues", style=None)
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
        _print_error(f"error: {message} (see --help)")


def _print_error(text: str, style: str | None = "red") -> None:
    from warpsmith.core.commands.terminal import err

    err.print(text, style=style, markup=False, soft_wrap=True)


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


def condition_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that select pairs by their verdicts: ``--require`` and ``--only``."""
    require = click.option(
        "--require",
        "required",
        multiple=True,
        metavar="LEVEL=STATUS",
        help="A condition on the verdicts of a pair; not_applicable counts as pass. Repeatable.",
    )
    only = click.option("--only", multiple=True, metavar="LEVEL=STATUS", help="A condition that must hold exactly. Repeatable.")
    return require(only(command))


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
