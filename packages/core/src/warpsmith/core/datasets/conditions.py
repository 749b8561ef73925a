"""Conditions on the verdicts of a pair: the meaning of ``--require`` and ``--only``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpsmith.core.datasets.verdict_files import VerdictKey
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import STATUSES, Verdict

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


def meets(line: Line, verdicts: Mapping[VerdictKey, Verdict], required: Sequence[Condition], only: Sequence[Condition]) -> bool:
    """Return whether the pair of ``line`` meets all conditions.

    Args:
        line: a line of a dataset with verdicts.
        verdicts: the verdicts of its shard, by (line number, level).
        required: conditions for which ``not_applicable`` counts as ``pass``.
        only: conditions that must hold exactly.

    Raises:
        WarpsmithError: if the pair lacks a verdict that a condition names.
    """
    return all(
        _status(line, verdicts, condition.level) in SATISFYING.get(condition.status, (condition.status,))
        for condition in required
    ) and all(_status(line, verdicts, condition.level) == condition.status for condition in only)


def _status(line: Line, verdicts: Mapping[VerdictKey, Verdict], level: str) -> str:
    verdict = verdicts.get((line.number, level))
    if verdict is None or verdict.id != line.identity:
        raise WarpsmithError(
            f"{line.identity} has no verdict of the level {level!r}: "
            f"run warpsmith-validate run {line.path.parent} --level {level} first"
        )
    return verdict.status
