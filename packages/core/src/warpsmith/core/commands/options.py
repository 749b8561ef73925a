"""The base of all commands: shared options, and the conversion of errors to exit codes.

This module loads quickly; `terminal`, which prints, imports Rich.
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
    """Run a command and return its exit code; each error for users is one line on stderr.

    SIGTERM, which batch systems send, ends the command like Ctrl-C.
    """
    with contextlib.suppress(ValueError):  # only the main thread can set signal handlers
        signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _invoke(command)
        sys.stdout.flush()  # a closed pipe raises here, where it is handled
    except click.ClickException as error:
        _print_usage_error(error)
        return error.exit_code
    except WarpsmithError as error:
        _print_error(f"error: {error}")
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as end:
        _print_error("stopped; what is finished is kept, and the same command continues", style=None)
        return 128 + (signal.SIGTERM if isinstance(end, _Terminated) else signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader closed the pipe: no error at exit
        return EXIT_DONE
    return code


class _Terminated(KeyboardInterrupt):
    """An interruption by SIGTERM instead of Ctrl-C."""


def _terminate(*_: object) -> None:
    raise _Terminated


def _print_usage_error(error: click.ClickException) -> None:
    """Print a usage error as one line; a longer message is the help of a group that was called without arguments."""
    message = error.format_message()
    if "\n" in message:
        error.show()
    else:
        _print_error(f"error: {message} (see --help)")


def _print_error(text: str, style: str | None = "red") -> None:
    from warpsmith.core.commands.terminal import err  # Rich takes longer to load than the rest of a command

    err.print(text, style=style, markup=False, soft_wrap=True)


def _invoke(command: click.Command) -> int:
    try:
        with command.make_context(Path(sys.argv[0]).name, sys.argv[1:]) as context:
            result = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else EXIT_DONE


workers_option = click.option(
    "--workers", default="auto", show_default=True, metavar="N|auto", help="Processes; auto is one for each processor."
)
"""The option of commands that use several processes, see `processes`."""


def executor_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that select where a command runs: ``--workers``, ``--executor`` and ``--ray-address``."""
    executor = click.option(
        "--executor",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help="This machine, or a Ray cluster.",
    )
    address = click.option(
        "--ray-address", metavar="HOST:PORT", help="The cluster.  [default: the cluster on this machine, or a new one]"
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
    """Return the number of processes for ``--workers``; ``"auto"`` is one for each processor that this process may use.

    Raises:
        WarpsmithError: if it is neither a positive number nor ``"auto"``.

    Examples:
        >>> processes("4")
        4
    """
    if workers == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not workers.isdecimal() or int(workers) < 1:
        raise WarpsmithError(f"--workers is a number from 1 or 'auto', not {workers!r}")
    return int(workers)
