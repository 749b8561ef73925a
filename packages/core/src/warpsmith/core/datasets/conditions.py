"""Conditions on the verdicts of a pair: the meaning of ``--require`` and ``--only``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpsmith.core.datasets.verdict_files import VerdictKey
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import LEVELS, STATUSES, Verdict

SATISFYING = {"pass": ("pass", "not_applicable")}
"""The statuses that satisfy a required status; others satisfy themselves only. A level that does not apply to a pair, such as
`gradient` to integer kernels, does not exclude it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A level, and the status that a pair must have at this level.

    Examples:
        >>> Condition.read("gradient=pass").level
        'gradient'
    """

    level: str
    status: str

    @staticmethod
    def read(text: str) -> Condition:
        """Read ``"gradient=pass"``.

        Raises:
            WarpsmithError: if it is not of this form.
        """
        level, equals, status = text.partition("=")
        if not (level and equals and status in STATUSES):
            raise WarpsmithError(f"{text!r} is not LEVEL=STATUS; a status is one of {', '.join(STATUSES)}")
        return Condition(level, status)

    def __str__(self) -> str:
        return f"{self.level}={self.status}"


def meets(line: Line, verdicts: Mapping[str, Verdict], required: Sequence[Condition], only: Sequence[Condition]) -> bool:
    """Return whether the pair of ``line`` meets all conditions.

    A pair that any level fails is left out, unless a condition asks for failures.

    Args:
        line: a line of a dataset.
        verdicts: its verdicts by level.
        required: conditions for which ``not_applicable`` counts as ``pass``.
        only: conditions that must hold exactly.

    Raises:
        WarpsmithError: if the pair lacks a verdict that a condition names.
    """
    statuses = {level: verdict.status for level, verdict in verdicts.items() if verdict.id == line.identity}
    if "fail" in statuses.values() and not any(condition.status == "fail" for condition in (*required, *only)):
        return False
    return all(
        _status(line, statuses, condition.level) in SATISFYING.get(condition.status, (condition.status,))
        for condition in required
    ) and all(_status(line, statuses, condition.level) == condition.status for condition in only)


def _status(line: Line, statuses: Mapping[str, str], level: str) -> str:
    if level not in statuses and level not in LEVELS:
        raise WarpsmithError(f"there is no level {level!r}: choose from {', '.join(LEVELS)}")
    if level not in statuses:
        raise WarpsmithError(
            f"{line.identity} has no verdict of the level {level!r}: "
            f"run warpsmith-validate run {line.path.parent} --level {level} first"
        )
    return statuses[level]


def by_line(verdicts: Mapping[VerdictKey, Verdict]) -> Mapping[int, dict[str, Verdict]]:
    """Return the verdicts of a shard by line and level."""
    found: defaultdict[int, dict[str, Verdict]] = defaultdict(dict)
    for (number, level), verdict in verdicts.items():
        found[number][level] = verdict
    return found
