"""Terminal output of all commands: progress, texts and tables.

Results go to stdout, everything else to stderr, so that commands work in pipes. All texts are shown literally: they may come
from a dataset, and contain control characters or Rich's markup.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from warpsmith.core.printable import printable


class Terminal(Console):
    """A console that prints texts literally, without codes for the terminal and without Rich's markup and emoji codes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print objects; a text is printed as one line."""
        super().print(*(printable(item) if isinstance(item, str) else item for item in objects), **settings)

    def on_broken_pipe(self) -> None:
        """Raise the error, which `options.run` handles; Rich would end the process with exit code 1."""
        raise BrokenPipeError


out = Terminal()
"""Results."""

err = Terminal(stderr=True)
"""Progress and remarks, which ``--quiet`` omits."""

errors = Terminal(stderr=True)
"""Errors and the log."""

LOG_EVERY = 10.0
"""Seconds between two lines of progress without a terminal."""

MAX_ROWS = 200
"""The most rows of a table that are printed."""

LOG_WIDTH = 240
"""The most characters of a line of a table with texts, where there is no terminal."""


class Advance(Protocol):
    """The function that `progress` yields; it is called with the number of finished units."""

    def __call__(self, count: int = 1) -> None:
        """Count ``count`` more units as finished."""


@contextlib.contextmanager
def progress(label: str, total: int, unit: str, done: int = 0) -> Iterator[Advance]:
    """Show the progress of a job on stderr: a bar on a terminal, a line every ten seconds in a log.

    Args:
        label: the name of the job, such as ``"synthesize"``.
        total: the number of units.
        unit: the plural name of a unit, such as ``"pairs"``.
        done: the number of units finished earlier, which do not count for the rate.
    """
    if err.is_terminal:
        yield from _bar(label, total, unit, done)
    else:
        yield from _lines(label, total, unit, done)


def _bar(label: str, total: int, unit: str, done: int) -> Iterator[Advance]:
    start = time.monotonic()
    rate = TextColumn("{task.fields[rate]}")
    name = TextColumn("{task.description}", markup=False)
    with Progress(name, BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn(), console=err) as bar:
        task = bar.add_task(printable(label), total=total, completed=done, rate="")
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
            err.print(f"{label}: {done + finished}/{total} {unit}, {_rate(finished, start, unit)}, {left:.0f} s left")

    yield advance


def _rate(finished: int, start: float, unit: str) -> str:
    seconds = time.monotonic() - start
    return f"{finished / seconds:.0f} {unit}/s" if seconds > 0 else ""


def print_problems(problems: Iterable[str]) -> None:
    """Print on stderr how a dataset differs from its manifest."""
    for problem in problems:
        errors.print(f"dataset: {problem}", style="red")


def print_text(text: str) -> None:
    """Print a text of several lines on stdout: exactly in a pipe or file, and without codes on a terminal."""
    out.file.write(printable(text, keep="\n\t") if out.is_terminal else text)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Print a table on stdout.

    Of a long table, the first `MAX_ROWS` rows are printed, and the number of the remaining ones.

    Args:
        title: the title above the table.
        columns: the heads of the columns.
        rows: the cells of each row.
        left: how many columns are aligned to the left, the others to the right. A table with several columns of text is as wide
            as its texts where there is no terminal.
    """
    table = Table(title=printable(title), title_justify="left")
    for position, column in enumerate(columns):
        table.add_column(printable(column), justify="left" if position < left else "right", overflow="fold")
    for row in rows[:MAX_ROWS]:
        table.add_row(*map(printable, row))
    if len(rows) > MAX_ROWS:
        table.add_row(f"… and {len(rows) - MAX_ROWS:,} more")
    console = out if left == 1 or out.is_terminal else Terminal(width=LOG_WIDTH)
    console.print(table)
