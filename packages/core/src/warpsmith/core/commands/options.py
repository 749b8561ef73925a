"""The base of all commands: shared options, and the conversion of errors to exit codes.

This module loads quickly; `terminal`, which prints, imports Rich.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
import orjson
from click.shell_completion import shell_complete

from warpsmith.core.datasets.sample_size import sample_size
from warpsmith.core.errors import EXIT_DONE, EXIT_INTERNAL, WarpsmithError, describe, single_line

C = TypeVar("C", bound=Callable[..., Any])

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""Settings of every click command."""

LARGEST = 2**63 - 1
"""The largest seed or index."""

INDEX = click.IntRange(0, LARGEST)
"""The type of options that are seeds or positions."""

COUNT = click.IntRange(1, 2**31 - 1)
"""The type of options that are numbers of pairs, launches or rows."""


SYSTEM_ERRORS = (OSError, MemoryError, RecursionError, UnicodeError)
"""Errors that the machine or the input causes, and no fault of the program."""

MAX_WORKERS = 1024
"""The most processes of a command."""

CALLERS_NAMES = "WARPSMITH_OPTION_NAMES"
"""The variable in which `make` states the names of options that its users type, such as ``--count=COUNT``."""


def run(command: click.Command) -> int:
    """Run a command and return its exit code; each error for users is one line on stderr.

    SIGTERM, which batch systems send, ends the command like Ctrl-C. Only a fault of the program shows a traceback. If a shell
    asks for completions, they are printed, and nothing runs.
    """
    _open_standard_streams()
    with contextlib.suppress(ValueError):  # only the main thread can set signal handlers
        signal.signal(signal.SIGTERM, _terminate)
    try:
        code = _invoke(command)
    except click.ClickException as error:
        _print_usage_error(error)
        return error.exit_code
    except WarpsmithError as error:
        _print_error(f"error: {in_words_of_caller(str(error))}")
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as end:
        _print_error("stopped; what is finished is kept, and the same command continues", style=None)
        return 128 + (signal.SIGTERM if isinstance(end, _Terminated) else signal.SIGINT)
    except BrokenPipeError:
        _drop_output()  # the reader closed the pipe: no error at exit
        return EXIT_DONE
    except Exception:  # noqa: BLE001 - a fault of the program
        traceback.print_exc()
        _print_error("this is a fault of warpsmith: please report it with the lines above and the command")
        return EXIT_INTERNAL
    return code


def print_json(value: Any) -> None:
    """Print ``value`` on stdout as one line of JSON in UTF-8, whatever the encoding of the terminal."""
    try:
        encoded = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # numbers beyond 64 bits, or names of files that are not UTF-8
        encoded = f"{json.dumps(value, default=msgspec.to_builtins)}\n".encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(encoded)


def _open_standard_streams() -> None:
    """Open the standard streams that are closed, since the next files would take their numbers; print any character."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            os.set_inheritable(opened, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # a test may have replaced it
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
        raise


def _drop_output() -> None:
    """Send what is still in the buffer of stdout nowhere: Python writes it at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Terminated(KeyboardInterrupt):
    """An interruption by SIGTERM instead of Ctrl-C."""


def _terminate(*_: object) -> None:
    raise _Terminated


def _print_usage_error(error: click.ClickException) -> None:
    """Print a usage error as one line, or the help of a group that was called without arguments."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    else:
        _print_error(f"error: {in_words_of_caller(f'{error.format_message()} (see --help)')}")


def in_words_of_caller(text: str) -> str:
    """Return a message with the names of options that the user typed, see `CALLERS_NAMES`."""
    names = dict(pair.split("=", 1) for pair in os.environ.get(CALLERS_NAMES, "").split() if "=" in pair)
    for option, name in (names | {"--help": "make help"} if names else {}).items():
        text = re.sub(rf"(?<![\w-])(?:'-\w' / )?('?){re.escape(option)}(?![\w-])\1", name, text)
    return text


def _print_error(text: str, style: str | None = "red") -> None:
    with contextlib.suppress(OSError):  # stderr may be on a full disk
        from warpsmith.core.terminal import errors  # Rich takes longer to load than the rest of a command

        errors.print(text, style=style, soft_wrap=True)


def _invoke(command: click.Command) -> int:
    name = Path(sys.argv[0]).name
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()  # the name that click's scripts for shells set
    if instruction := os.environ.get(variable):
        return shell_complete(command, {}, name, variable, instruction)
    try:
        with command.make_context(name, sys.argv[1:]) as context:
            try:
                result = command.invoke(context)
                _flush()  # a closed pipe or a full disk raises here, where it is handled
            except BrokenPipeError:
                raise
            except SYSTEM_ERRORS as error:
                with contextlib.suppress(OSError):
                    _flush()
                raise WarpsmithError(f"{_operation(context)} stopped: {describe_system_error(error)}") from error
    except click.exceptions.Exit as end:
        return end.exit_code
    return result if isinstance(result, int) else EXIT_DONE


def _operation(context: click.Context) -> str:
    return context.invoked_subcommand or context.info_name or "the command"


def describe_system_error(error: BaseException) -> str:
    """Return one line for users about one of `SYSTEM_ERRORS`."""
    try:
        os.getcwd()  # noqa: PTH109 - whether it exists
    except OSError:
        return "the working directory does not exist or cannot be read: change to another one"
    match error:
        case OSError(strerror=str(reason), filename=name):
            return single_line(f"{reason}: {os.fsdecode(name)}") if isinstance(name, str | bytes) else reason
        case MemoryError():
            return "not enough memory"
        case RecursionError():
            return "the input is nested too deeply"
    return describe(error)


workers_option = click.option(
    "--workers", default="auto", show_default=True, metavar="N|auto", help="Processes; auto is one for each processor."
)
"""The option of commands that use several processes, see `processes`."""


unconfined_option = click.option(
    "--unconfined",
    is_flag=True,
    help="Work without the parts of the sandbox that this system lacks. Only for pairs that you trust.",
)
"""The option of commands that use sandboxed workers."""


def _check_sample(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        sample_size(value, 0)
    return value


def sample_option(text: str, default: str | None = None) -> Callable[[C], C]:
    """Return the option ``--sample`` of commands that treat a part of a dataset, see `sample_size`."""
    return click.option(
        "--sample", callback=_check_sample, metavar="N|N%|all", default=default, show_default=default is not None, help=text
    )


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
        WarpsmithError: if it is neither a number from 1 to `MAX_WORKERS` nor ``"auto"``.

    Examples:
        >>> processes("4")
        4
    """
    if workers == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not workers.isdecimal() or len(workers) > len(str(MAX_WORKERS)) or not 1 <= int(workers) <= MAX_WORKERS:
        raise WarpsmithError(f"--workers is a number from 1 to {MAX_WORKERS} or 'auto', not {single_line(workers, 80)!r}")
    return int(workers)
