"""The rule that decides whether a pair or the machine is at fault when a check could not end.

A pair fails only if it has the same trouble again alone, in a new worker that has proved that it works, and the machine works
afterwards. Otherwise the verdict is ``inconclusive`` and names a problem of the machine. A process that somebody else killed,
and a machine that lacks something which a pair cannot take away, never make a pair fail. An extracted kernel never fails
because its check takes long: the launches of programs are large.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation.levels.registry import Level

TRIES = 3
"""How often a line is tried alone, and how often a worker is started that cannot work."""

BROKEN_SECONDS = 60.0
"""How long no worker is tried after a machine that worked has stopped working."""

_WITHIN_LIMITS = re.compile("MemoryError|Too many open files|File too large|out of memory", re.IGNORECASE)
"""Troubles of the machine that a pair causes if it exceeds the limits of a worker."""

_PATH = re.compile("'/[^']*'")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a check of a line did not end.

    Attributes:
        level: the position of the level.
        reason: one line.
        died: whether the worker died; otherwise it reported a problem of the machine.
        killed: whether somebody else killed the worker or one of its processes.
        slow: whether the worker was stopped because the check took too long.
    """

    level: int
    reason: str
    died: bool
    killed: bool
    slow: bool = False

    def is_like(self, other: Trouble) -> bool:
        """Whether a line had the same trouble twice; the names of temporary files differ."""
        return self.died == other.died and _PATH.sub("", self.reason) == _PATH.sub("", other.reason)

    @property
    def can_be_of_pair(self) -> bool:
        """Whether a pair can cause this trouble."""
        return not self.killed and (self.died or _WITHIN_LIMITS.search(self.reason) is not None)


def reported(verdicts: Sequence[Verdict]) -> Trouble | None:
    """Return the trouble that the verdicts on one line report, or None."""
    for position, verdict in enumerate(verdicts):
        if verdict.is_about_machine:
            reason = verdict.reason.removeprefix(MACHINE)
            return Trouble(position, reason, died=False, killed="SIGKILL" in reason)
    return None


def verdicts_of_trouble(
    line: Line, levels: Sequence[Level], trouble: Trouble, before: Sequence[Verdict], of_pair: bool
) -> list[Verdict]:
    """Return the verdicts on a line whose check did not end.

    Args:
        line: the line.
        levels: all levels.
        trouble: why it did not end.
        before: the verdicts of the earlier levels.
        of_pair: whether the pair is at fault.
    """
    name = levels[trouble.level].name
    reason = trouble.reason if trouble.died else f"the check stopped: {trouble.reason}"
    fails = of_pair and not (trouble.slow and line.pair is not None and line.pair.is_extracted)
    if not of_pair:
        reason = f"{MACHINE}{trouble.reason}"
    verdict = Verdict(line.identity, name, "fail" if fails else "inconclusive", reason, 0.0)
    skip_reason = f"{name} failed" if fails else f"{name} was not checked"
    skipped = [Verdict(line.identity, level.name, "skipped", skip_reason, 0.0) for level in levels[trouble.level + 1 :]]
    return [*before[: trouble.level], verdict, *skipped]


class MachineState:
    """Whether workers have proved that they work here; the workers of a run share one state."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._proved = False
        self._broken: tuple[float, str] | None = None

    @property
    def proved(self) -> bool:
        """Whether a worker has ever worked."""
        return self._proved

    @property
    def problem(self) -> str | None:
        """What the machine lacks, for `BROKEN_SECONDS` after it was seen; otherwise None."""
        with self._lock:
            if self._broken is not None and monotonic() > self._broken[0] + BROKEN_SECONDS:
                self._broken = None
            return None if self._broken is None else self._broken[1]

    def works(self) -> None:
        """Record that a worker works."""
        self._proved = True

    def lacks(self, problem: str) -> None:
        """Record that no worker works any more."""
        with self._lock:
            self._broken = (monotonic(), problem)
