"""Comparison of what a candidate leaves with what its reference leaves, and the counterexample that a difference gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.scoring.judging.trials import REVERSED, Trial
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.tolerance import allowed

MOST_NUMBERS = 64
"""The most numbers of inputs that a counterexample contains."""

_EVERYWHERE = 1.0e30
"""A limit that no difference of finite values exceeds."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What the reference of a task leaves in one trial.

    Attributes:
        trial: the launch.
        outputs: the results where threads run in order.
        others: the results over other shapes of grids, by number; None for a run that stopped.
        exact: the results in double precision; None if there are none.
    """

    trial: Trial
    outputs: LaunchOutputs
    others: Mapping[int, LaunchOutputs | None]
    exact: LaunchOutputs | None

    @property
    def shapes(self) -> tuple[int, ...]:
        """The trial's shapes over which the reference gives the same results, apart from rounding; at least the first."""
        same = [number for number in self.trial.shapes if number == 0 or self._agrees(self.others.get(number))]
        return tuple(same) or (0,)

    def _agrees(self, other: LaunchOutputs | None) -> bool:
        return other is not None and _difference(self, other, None) is None


@dataclass(frozen=True, slots=True)
class Difference:
    """The largest difference in one array.

    Attributes:
        what: ``output``, ``gradient`` or ``input``.
        name: the name of the leaf.
        index: the index of the element.
        got: the candidate's value; ``expected`` is the reference's.
        share: the share of the elements that differ.
    """

    what: str
    name: str
    index: tuple[int, ...]
    got: float
    expected: float
    share: float

    def __str__(self) -> str:
        what = {"output": "", "gradient": "the gradient of ", "input": "the input "}[self.what]
        index = ", ".join(map(str, self.index))
        found = f"{what}{self.name}[{index}] is {self.got:.9g}, expected {self.expected:.9g}"
        return f"{found} ({self.share:.1%} of the elements differ)"

    def to_json(self, trial: Trial, shape: int, seed: str) -> dict[str, Any]:
        """Return the counterexample: a launch, the element, and the inputs and gradients before the launch if they are few."""
        found: dict[str, Any] = {
            "trial": trial.name, "seed": seed, "dim": list(trial.launch.dim), "shape": shape, "what": self.what,
            "argument": self.name, "element": list(self.index), "got": self.got, "expected": self.expected,
        }  # fmt: skip
        if trial.numbers <= MOST_NUMBERS:
            found["inputs"] = {name: value.tolist() for name, value in trial.values.items()}
            if self.what == "gradient":
                found["gradients"] = {name: value.tolist() for name, value in trial.gradients.items()}
        return found


def first_difference(reference: Reference, actual: LaunchOutputs) -> Difference | None:
    """Return a difference between the results of a candidate and its reference that rounding does not explain, or None."""
    return _difference(reference, actual, reference.others.get(REVERSED))


def _difference(reference: Reference, actual: LaunchOutputs, reordered: LaunchOutputs | None) -> Difference | None:
    return next(_differences(reference, actual, reordered), None)


def _differences(reference: Reference, actual: LaunchOutputs, reordered: LaunchOutputs | None) -> Iterator[Difference]:
    roles = {leaf.name: leaf.role for leaf in leaves(reference.trial.launch)}
    for what, group in (("output", "arrays"), ("gradient", "gradients"), ("output", "rewritten")):
        expected: dict[str, Values] = getattr(reference.outputs, group)
        for name, values in expected.items():
            if roles[name] == "input" and group != "gradients":
                limits = np.zeros(values.shape)
                found = _largest("input", name, getattr(actual, group)[name], values, limits)
            else:
                limits = _limits(reference, group, name, reordered)
                found = _largest(what, name, getattr(actual, group)[name], values, limits)
            if found is not None:
                yield found


def _limits(reference: Reference, group: str, name: str, reordered: LaunchOutputs | None) -> Values:
    """Return the allowed error of each element: rounding, and for sums of several threads their order."""
    expected: Values = getattr(reference.outputs, group)[name]
    exact = getattr(reference.exact, group)[name] if reference.exact is not None else None
    limits = allowed(expected, exact)
    if reordered is not None and expected.dtype.kind == "f":
        other: Values = getattr(reordered, group)[name]
        limits = np.maximum(limits, allowed(expected, other))
    return limits


def _largest(what: str, name: str, actual: Values, expected: Values, limits: Values) -> Difference | None:
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    error = np.where(np.isfinite(error), error, np.inf)
    limits = np.minimum(limits, _EVERYWHERE)  # a value that is not finite is wrong also where every finite one is allowed
    excess = error - limits
    if not (excess > 0.0).any():
        return None
    index = tuple(int(number) for number in np.unravel_index(int(np.argmax(excess)), excess.shape))
    return Difference(what, name, index, float(actual[index]), float(expected[index]), float(np.mean(excess > 0.0)))
