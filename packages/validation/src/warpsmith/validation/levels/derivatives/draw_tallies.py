"""The findings of the draws of one pair, by the precision of its derivatives, and the finding that follows from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.finding import PASS, Finding, inconclusive
from warpsmith.validation.running.fork_runner import SLOW

DIRECTIONS = 7
"""How many directions are drawn at first in double precision, each at another launch: the pair's own or a variant of it."""

AGREEING = 4
"""How many directions have to agree in single precision, or of an extracted kernel: real kernels have more bends."""

SUSPECTS = 3
"""How many directions that do not agree end the draws in single precision."""

NOT_FINITE = "the gradient is not finite, and the kernel has no derivative at this launch"
"""The finding on a kernel whose derivative is infinite, such as the root of zero."""

CONSTANT = Finding("not_applicable", "no output depends on an input of floats at this launch")


class Suspect(NamedTuple):
    """A derivative that the adjoint does not agree with.

    Attributes:
        probe: its point and direction.
        adjoint: the derivative by the adjoint.
        moves_alone: whether one leaf moves alone in it, or one output alone has seeds.
    """

    probe: Probe
    adjoint: float
    moves_alone: bool


class Tally(ABC):
    """The findings of the draws of one pair.

    Args:
        agreeing: how many directions have to agree.
        may_be_constant: whether outputs need not depend on inputs, and whether derivatives may be infinite.

    Attributes:
        finding: the finding that follows from the draws.
        finished: whether the finding is final.
        suspects: the derivatives that the adjoint does not agree with.
        failing: the point and the direction at which the adjoint is wrong, if there are.
        hiding: a point and a direction at which rounding of some elements of outputs hides others, if there is one; these
            elements have no seeds in it.
        shares: the largest share of each leaf in a derivative that agrees, see `Derivative`.
        output_shares: likewise of each output.
        is_restarted: whether `restart` was called.
    """

    def __init__(self, agreeing: int, may_be_constant: bool) -> None:
        self._may_be_constant = may_be_constant
        self.suspects: list[Suspect] = []
        self.failing: Probe | None = None
        self.hiding: Probe | None = None
        self.shares: dict[str, float] = {}
        self.output_shares: dict[str, float] = {}
        self.is_restarted = False
        self._start(agreeing)

    def _start(self, agreeing: int) -> None:
        self.finding, self.finished = inconclusive("nothing was drawn"), False
        self._agreeing, self._agreed, self._drawn = agreeing, 0, 0

    def restart(self, draws: int) -> None:
        """Clear the finding on a kernel whose draws did not end in time; so many draws are enough then."""
        self.is_restarted = True
        self._start(draws)

    @property
    def is_slow(self) -> bool:
        """Whether the draws did not end in time."""
        return SLOW in self.finding.reason

    def finish(self, finding: Finding) -> None:
        """Make ``finding`` final."""
        self.finding, self.finished = finding, True

    def add(self, derivative: Derivative) -> None:
        """Count the finding of one draw."""
        if not self.finished:
            self._drawn += 1
            self._count(derivative, derivative.finding())

    def shows(self, derivative: Derivative) -> bool:
        """Return whether a derivative of one leaf shows that its gradient is right or wrong."""
        finding = derivative.finding()
        if finding.status == "fail":
            self._suspect(derivative, finding, moves_alone=True)
        return finding.status == "fail" or (finding.status == "pass" and derivative.contributions > 0.0)

    @abstractmethod
    def _count(self, derivative: Derivative, finding: Finding) -> None:
        """Count the finding of one draw of a pair whose finding is not final."""

    def _suspect(self, derivative: Derivative, _: Finding, *, moves_alone: bool) -> None:
        self.suspects.append(Suspect(derivative.probe, derivative.adjoint, moves_alone))

    def _agree(self, derivative: Derivative) -> None:
        self._agreed += 1
        self.shares = _largest(self.shares, derivative.shares)
        self.output_shares = _largest(self.output_shares, derivative.output_shares)

    def _is_constant(self, derivative: Derivative) -> bool:
        is_zero = derivative.adjoint == derivative.contributions == 0.0
        return self._may_be_constant and (is_zero or bool(derivative.hidden))


class DoubleTally(Tally):
    """The findings of draws in double precision: one failure is final."""

    def _start(self, agreeing: int) -> None:
        super()._start(agreeing)
        self._max_draws = agreeing if self.is_restarted else DIRECTIONS
        self._constant, self._singular, self._hidden = 0, "", ""

    def _suspect(self, derivative: Derivative, finding: Finding, *, moves_alone: bool) -> None:
        super()._suspect(derivative, finding, moves_alone=moves_alone)
        self.failing = derivative.probe
        self.finish(finding)

    def _count(self, derivative: Derivative, finding: Finding) -> None:
        if finding.status == "fail":
            self._suspect(derivative, finding, moves_alone=False)
        elif finding.status == "inconclusive":
            self.finding = inconclusive(f"{self._agreed} of {self._drawn} draws agree, others show nothing: {finding.reason}")
            if derivative.rounded:
                self.hiding = derivative.probe.without(derivative.rounded)
            if self._may_be_constant and not np.isfinite(derivative.adjoint):
                self._singular = f"{NOT_FINITE}: {finding.reason}"
        elif self._is_constant(derivative):
            self._constant, self._hidden = self._constant + 1, self._hidden or derivative.hidden
            if self._constant == self._drawn:
                self.finding = inconclusive(self._hidden) if self._hidden else CONSTANT
        else:
            self._agree(derivative)
        enough = self._agreed >= min(self._agreeing, self._drawn - self._constant) > 0
        if self._drawn >= self._max_draws and not self.finished and (enough or self._singular):
            self.finish(inconclusive(self._singular) if self._singular else PASS)


class SingleTally(Tally):
    """The findings of draws in single precision: failures are suspects until other steps confirm them."""

    def __init__(self, agreeing: int, may_be_constant: bool) -> None:
        super().__init__(agreeing, may_be_constant)
        self._all_constant = True

    def _count(self, derivative: Derivative, finding: Finding) -> None:
        self._all_constant &= self._is_constant(derivative)
        if finding.status == "pass":
            self._agree(derivative)
        elif finding.status == "fail":
            self._suspect(derivative, finding, moves_alone=False)
        if self._agreed >= self._agreeing:
            self.finish(CONSTANT if self._all_constant else PASS)
        elif len(self.suspects) >= SUSPECTS:
            self.finish(finding)
        else:
            self.finding = inconclusive(f"{self._agreed} of {self._drawn} draws in single precision agree: {finding.reason}")


def _largest(shares: Mapping[str, float], found: Mapping[str, float]) -> dict[str, float]:
    return {name: max(share, shares.get(name, 0.0)) for name, share in found.items()}
