"""`TimeBudget`: how long the launches of one answer and the judgement of a batch may take."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

SECONDS_PER_ANSWER = 10.0
"""The default limit for all launches of one answer, which take some milliseconds."""

NO_DEADLINE = 1.0e9
"""The seconds that stand for a batch without a limit; JSON has no infinity."""

NO_LIMITS = (SECONDS_PER_ANSWER, NO_DEADLINE)
"""The seconds of one answer and of all answers, as a worker receives them by default."""

SPENT = "the time of the batch is used up"
"""The reason of an answer that was not judged for lack of time."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """How long judgements may take.

    Attributes:
        answer: the seconds for all launches of one answer.
        deadline: the time of `time.monotonic` at which the batch ends.

    Examples:
        >>> TimeBudget.starting(2.0, 0.0).is_spent, TimeBudget.starting(2.0, None).is_spent
        (True, False)
    """

    answer: float = SECONDS_PER_ANSWER
    deadline: float = math.inf

    @staticmethod
    def starting(answer: float, batch: float | None) -> TimeBudget:
        """Return the budget of a batch that starts now and may last ``batch`` seconds."""
        return TimeBudget(answer, math.inf if batch is None else time.monotonic() + batch)

    @property
    def references(self) -> TimeBudget:
        """The budget of the references of the batch, whose launches have the default limit."""
        return TimeBudget(SECONDS_PER_ANSWER, self.deadline)

    @property
    def left(self) -> float:
        """The seconds until the deadline."""
        return self.deadline - time.monotonic()

    @property
    def is_spent(self) -> bool:
        """Whether the deadline is over."""
        return self.left <= 0.0
