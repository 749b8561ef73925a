"""The kind of a fault: what has to stay the same while a pair is reduced, so that the result shows the fault of the pair."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from warpsmith.core.records.verdict import MEMORY_ERROR, Verdict
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement

Causes: TypeAlias = Mapping[str, frozenset[str]]
"""What may make the gradient of each argument wrong, see `causes`."""

UNSET = ""
"""The name in place of an argument's under which causes have the variables that may be read before they have a value."""

_ASSERTION = re.compile(r"Warp's check of an index or a value failed: '(.*?)'(?: \(|$)")
_NOT_FINITE = "not finite"

CLEAR = 0.1
"""The relative error from which a wrong derivative is clear: it shows in single precision, and convinces a reader."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The kind of a fault.

    Attributes:
        pattern: the reason of the verdict without names and figures; of a gradient, whether it is finite.
        argument: the argument whose gradient is wrong; empty if the reason names none.
        causes: what may make the gradient of each argument wrong.
        is_clear: whether the derivative that the reason names has an error of at least `CLEAR`; true for other reasons.
    """

    pattern: str
    argument: str = ""
    causes: Causes = field(default_factory=dict)
    is_clear: bool = True

    def is_kept(self, other: Fault) -> bool:
        """Return whether a smaller pair has this fault.

        The gradient of the same argument is wrong, or of one that has the same causes, and nothing else may be the cause. An
        error that is clear stays so, and variables that have a value keep it. A gradient that is not finite has none of these
        causes, but an infinite derivative.
        """
        if other.pattern != self.pattern or (self.is_clear and not other.is_clear):
            return False
        if not other.causes.get(UNSET, frozenset()) <= self.causes.get(UNSET, frozenset()):
            return False
        if not (self.argument and other.argument) or (_NOT_FINITE in self.pattern and self.argument == other.argument):
            return True
        mine, same = self.causes.get(self.argument), self.causes.get(other.argument)
        if other.argument != self.argument and (not mine or mine != same):
            return False
        left = other.causes.get(other.argument)
        return mine is None or left is None or (left <= mine and bool(left) >= bool(mine))


def fault_of(verdict: Verdict, causes: Causes) -> Fault:
    """Return the kind of a fault from its verdict, and from what may make gradients of the pair wrong."""
    if verdict.level != "gradient":
        return Fault(_pattern(verdict.reason.removeprefix(MEMORY_ERROR)))
    found = parse_disagreement(verdict.reason)
    argument = found.argument.partition(".")[0] if found is not None else ""
    is_finite = _NOT_FINITE not in verdict.reason and (found is None or math.isfinite(found.got))
    return Fault(f"gradient, {'finite' if is_finite else _NOT_FINITE}", argument, causes, found is None or _is_clear(found))


def _is_clear(found: Disagreement) -> bool:
    return not abs(found.got - found.expected) < CLEAR * max(abs(found.got), abs(found.expected))


def _pattern(reason: str) -> str:
    assertion = _ASSERTION.search(reason)
    plain = reason.replace("Warp's", "Warp")
    return _without_names(plain)[:40] + (_without_names(assertion[1].replace("'", "")) if assertion is not None else "")


def _without_names(reason: str) -> str:
    return re.sub(r"'[^']*'|[\d.]+(e[-+]?\d+)?|\b[A-Za-z]\w?\b", "", reason)


def read_causes(answer: Any, count: int) -> list[Causes]:
    """Return the causes in an answer of a worker, which is not trusted: where it has another form, nothing is known."""
    answers = answer if isinstance(answer, list) and len(answer) == count else [None] * count
    return [_read(entry) if isinstance(entry, dict) else {} for entry in answers]


def _read(answer: Mapping[Any, Any]) -> Causes:
    return {str(name): frozenset(map(str, found)) for name, found in answer.items() if isinstance(found, list)}
