"""The protocol of executors: one task applied to many items, in this process, in local processes or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol, TypeAlias, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Report: TypeAlias = Callable[[int], object]
"""A function that is called from time to time with the number of units finished since the last call."""

Task: TypeAlias = Callable[[Item, Report], Result]
"""A function of one item. It reports its progress where the executor supports that."""


class Executor(Protocol):
    """A way to apply a task to many items."""

    @property
    def remote(self) -> bool:
        """Whether tasks run on other machines: items should be large, and nothing is reported before a task ends."""

    @property
    def workers(self) -> int | None:
        """The number of tasks that run at the same time, None for one on each processor of a cluster."""

    def session(self) -> AbstractContextManager[object]:
        """Return a context that keeps what several calls of `run` share, such as the connection to a cluster."""

    def run(self, task: Task[Item, Result], items: Iterable[Item], report: Report) -> Iterator[tuple[Item, Result]]:
        """Call ``task`` with each item, and yield each item with its result in the order of completion.

        Args:
            task: a function of an item and a `Report`. Executors with other processes pickle it, and may call it more than
                once with the same item.
            items: hashable and all different.
            report: receives what tasks report.
        """


@dataclass(frozen=True, slots=True)
class InProcess:
    """Runs tasks in this process, one after the other, see `Executor`.

    Attributes:
        workers: the number of workers that a task may start itself.
    """

    workers: int = 1

    remote: ClassVar[bool] = False

    def session(self) -> AbstractContextManager[object]:
        """Implement `Executor.session`: nothing is shared."""
        return nullcontext()

    def run(self, task: Task[Item, Result], items: Iterable[Item], report: Report) -> Iterator[tuple[Item, Result]]:
        """Implement `Executor.run`; results come in the order of the items."""
        for item in items:
            yield item, task(item, report)


def ignore(_: int) -> None:
    """Drop a report."""


def without_report(function: Callable[[Item], Result]) -> Task[Item, Result]:
    """Return a task that calls ``function`` with the item and reports no progress."""
    return partial(_without_report, function)


def _without_report(function: Callable[[Item], Result], item: Item, _: Report) -> Result:
    return function(item)
