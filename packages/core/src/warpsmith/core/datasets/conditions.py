"""What a pair's verdicts must be for it to be taken: the meaning of ``--require`` and ``--only``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import STATUSES, Verdict

SATISFYING = {"pass": ("pass", "not_applicable")}
"""A level that cannot say anything about a kind of pair, such as `gradient` about whole numbers, stands in nobody's way."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A level and the status that a pair must have there."""

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


def meets(
    line: Line, verdicts: Mapping[tuple[str, str], Verdict], required: Sequence[Condition], only: Sequence[Condition]
) -> bool:
    """Whether the pair of ``line`` meets all conditions.

    Args:
        line: of a dataset that was judged.
        verdicts: those of its shard, by (id, level).
        required: what must hold; ``not_applicable`` counts as ``pass``.
        only: what must hold to the letter.

    Raises:
        WarpsmithError: if the pair lacks a verdict that is asked for.
    """
    return all(
        _status(line, verdicts, condition.level) in SATISFYING.get(condition.status, (condition.status,))
        for condition in required
    ) and all(_status(line, verdicts, condition.level) == condition.status for condition in only)


def _status(line: Line, verdicts: Mapping[tuple[str, str], Verdict], level: str) -> str:
    verdict = verdicts.get((line.identity, level))
    if verdict is None:
        raise WarpsmithError(
            f"{line.identity} has no verdict of the level {level!r}: "
            f"run warpsmith-validate run {line.path.parent} --level {level} first"
        )
    return verdict.status
