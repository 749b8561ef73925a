"""`SCORER`: the scorer of this process, which the adapters of training libraries share."""

from __future__ import annotations

import atexit
import inspect
import os
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.any_task import AnyTask


class ProcessScorer:
    """A scorer that any thread may use: one call runs at a time. A forked process makes its own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._scorer: Scorer | None = None
        self._of_parent: Scorer | None = None
        self.configure()

    def configure(self, *arguments: Any, **options: Any) -> None:
        """Set the arguments of the scorer, which are those of `Scorer`, for all later calls.

        Raises:
            TypeError: if `Scorer` has no such argument.
        """
        inspect.signature(Scorer).bind(*arguments, **options)
        self.close()
        self._make: Callable[[], Scorer] = lambda: Scorer(*arguments, **options)

    def score_all(self, items: Sequence[tuple[AnyTask, str | None]]) -> list[Score]:
        """Judge completions, each of its task, and return their scores in order.

        Raises:
            SandboxError: if the sandbox does not work or is incomplete on this machine.
        """
        with self._lock:
            if self._scorer is None:
                self._scorer = self._make()
            return self._scorer.score_all(items)

    def close(self) -> None:
        """Stop the workers; the next call starts new ones."""
        with self._lock:
            if self._scorer is not None:
                self._scorer.close()
                self._scorer = None

    def leave_to_parent(self) -> None:
        """Give up the scorer in a forked process: its workers and files belong to the parent, whose threads ended."""
        self._lock, self._scorer, self._of_parent = Lock(), None, self._scorer


SCORER = ProcessScorer()
"""The scorer of this process: made on first use, closed at exit."""

atexit.register(SCORER.close)
os.register_at_fork(after_in_child=SCORER.leave_to_parent)
