"""The verdict: the result of one level for one pair, as one line of a `verdicts-*.jsonl` file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Status = Literal["pass", "fail", "inconclusive", "not_applicable", "skipped"]

STATUSES: tuple[str, ...] = get_args(Status)
"""All statuses in their display order."""

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "oracle", "gradient", "simt", "gpu")
"""The levels of warpsmith's packages, in the order in which a pair passes them."""

MACHINE = "the machine, not the pair: "
"""The start of the reason of an ``inconclusive`` verdict that says nothing about the pair; such verdicts are not stored."""

MEMORY_ERROR = "memory error: "
"""The start of the reason of a ``fail`` verdict on the program itself, not on the generated code: at the launch of the program,
the kernel uses memory beyond an array, or a variable without a value."""

BACKWARD_STOPS = "the backward pass stops, and the forward pass does not: "
"""The start of the reason of a verdict on an adjoint that does not end, after `MEMORY_ERROR` if it ends with a fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one level for one pair.

    Attributes:
        id: the pair's id; for a line that is not a pair, its file and number.
        level: the name of the level.
        status: the outcome; ``skipped`` if a cheaper level failed or a required tool is absent.
        reason: one line; empty for ``pass``.
        ms: the wall time of the check in milliseconds.

    Examples:
        >>> Verdict(id="5-2000-17", level="parse", status="fail", reason="not Python", ms=0.2).reason
        'not Python'
    """

    id: str
    level: str
    status: Status
    reason: str
    ms: float

    @property
    def is_about_machine(self) -> bool:
        """Whether the check could not be made because the machine lacked something."""
        return self.status == "inconclusive" and self.reason.startswith(MACHINE)

    @property
    def is_memory_error(self) -> bool:
        """Whether the program itself is at fault, see `MEMORY_ERROR`."""
        return self.status == "fail" and self.reason.startswith(MEMORY_ERROR)
