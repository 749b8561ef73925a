"""Tasks of a sandboxed worker other than checks: their failure, and the repetition of those whose worker was killed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.sandbox.fault_attribution import TRIES

T = TypeVar("T")


class TaskFailed(WarpsmithError):
    """A worker gave no answer on a task.

    Attributes:
        killed: whether a process other than the client has killed it.
    """

    def __init__(self, reason: str, killed: bool) -> None:
        super().__init__(reason)
        self.killed = killed


def repeated(task: Callable[[], T]) -> T:
    """Return the result of a task; it is run again, at most `TRIES` times, if another process kills the worker.

    Raises:
        TaskFailed: if the last worker gives no answer, too, or the task itself is at fault.
    """
    for _ in range(TRIES - 1):
        try:
            return task()
        except TaskFailed as error:
            if not error.killed:
                raise
    return task()
