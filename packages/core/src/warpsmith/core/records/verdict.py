"""A verdict: what one level says of one pair. One line of a `verdicts-*.jsonl`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Status = Literal["pass", "fail", "inconclusive", "not_applicable", "skipped"]

STATUSES: tuple[str, ...] = get_args(Status)
"""All of them, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a level says of a pair.

    Attributes:
        id: of the pair; of a line that is no pair, its file and number.
        level: which check.
        status: the outcome; ``skipped`` where a cheaper level failed or the means are not there.
        reason: one line; empty for ``pass``.
        ms: wall time of the check in milliseconds.
    """

    id: str
    level: str
    status: Status
    reason: str
    ms: float
