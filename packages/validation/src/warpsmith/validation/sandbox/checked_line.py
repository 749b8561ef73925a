"""A line and its verdicts, as a supervisor collects them level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.sandbox.fault_attribution import Trouble, reported


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A line and its verdicts.

    Attributes:
        line: the line.
        verdicts: the verdicts in the order of the levels; those that a worker has given so far.
    """

    line: Line
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def trouble(self) -> Trouble | None:
        """The trouble that the verdicts report, or None."""
        return reported(self.verdicts)

    @property
    def is_out(self) -> bool:
        """Whether later levels skip the line, because it failed a level or a level was not checked."""
        return any(verdict.status == "fail" or verdict.is_about_machine for verdict in self.verdicts)


def next_to_check(lines: Sequence[CheckedLine]) -> int:
    """Return the position of the line that a worker was checking when it died, level by level in the order of the lines.

    Lines that failed an earlier level are not checked by a later one: the worker was at the next line that passed.
    """
    behind = min(len(checked.verdicts) for checked in lines)
    number = next(number for number, checked in enumerate(lines) if len(checked.verdicts) == behind)
    while lines[number].is_out and number + 1 < len(lines):
        number += 1
    return number
