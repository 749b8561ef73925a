"""What the four commands share at the terminal: progress, tables, side-by-side text.

Answers go to stdout, everything else to stderr, so that a command can stand in a pipe.
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
"""Seconds between two lines of progress where there is no terminal."""


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
        title: printed above.
        texts: (heading, language for highlighting, text) of each column.
    """
    console = out if out.is_terminal else _Console(width=80 * len(texts), highlight=False)
    table = Table(title=title, title_justify="left", expand=True)
    for heading, _, _ in texts:
        table.add_column(heading, ratio=1)
    table.add_row(*(Syntax(text, language, word_wrap=True, background_color="default") for _, language, text in texts))
    console.print(table)
