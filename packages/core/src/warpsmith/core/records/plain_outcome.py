"""What became of the stand-alone CUDA of a pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

VERIFIED = "verified"

PlainProblem = Literal["", "unsupported", "reference", "compile", "launch", "result"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainOutcome:
    """The verification of the stand-alone CUDA of a pair.

    Attributes:
        launches: on how many launches its results are right; 0 without a text.
        problem: why there is no text. ``unsupported``: the writer does not support something of the kernel. ``reference``: the
            code of Warp cannot be launched. The text was written and failed otherwise: at ``compile``, in a ``launch``, or with
            a wrong ``result``. Empty if there is a text.
        reason: details of the problem.
    """

    launches: int = 0
    problem: PlainProblem = ""
    reason: str = ""

    @property
    def status(self) -> str:
        """The problem, or ``"verified"``; what summaries count."""
        return self.problem or VERIFIED


def plain_line(counts: Mapping[str, int]) -> str:
    """Return a line for a summary: how many pairs have stand-alone CUDA, and why others have none.

    Examples:
        >>> plain_line({"verified": 1290, "unsupported": 9, "result": 1})
        'stand-alone CUDA: 1,290 of 1,300 pairs, without: 9 unsupported, 1 result'
    """
    missing = ", ".join(f"{count:,} {status}" for status, count in counts.items() if status != VERIFIED)
    line = f"stand-alone CUDA: {counts.get(VERIFIED, 0):,} of {sum(counts.values()):,} pairs"
    return f"{line}, without: {missing}" if missing else line
