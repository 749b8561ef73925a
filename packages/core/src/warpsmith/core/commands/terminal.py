"""Terminal output of all commands: progress, tables and side-by-side text.

Results go to stdout, everything else to stderr, so that commands work in pipes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.syntax import Syntax
from rich.table import Table


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # Rich would end the process with exit code 1


out = _Console(highlight=False)
err = _Console(stderr=True, highlight=False)

LOG_EVERY = 10.0
"""Seconds between two lines of progress without a terminal."""


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


def print_problems(problems: Iterable[str]) -> None:
    """Print on stderr how a dataset differs from its manifest."""
    for problem in problems:
        err.print(f"dataset: {problem}", style="red", markup=False)


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
        title: the title above the texts.
        texts: for each column its heading, its language for highlighting, and its text.
    """
    console = out if out.is_terminal else _Console(width=80 * len(texts), highlight=False)
    table = Table(title=title, title_justify="left", expand=True)
    for heading, _, _ in texts:
        table.add_column(heading, ratio=1)
    table.add_row(*(Syntax(text, language, word_wrap=True, background_color="default") for _, language, text in texts))
    console.print(table)
