"""Comparison of what a candidate leaves with what its reference leaves, and the counterexample that a difference gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.scoring.judging.trials import REVERSED, Trial
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.tolerance import allowed

MOST_NUMBERS = 64
"""The most numbers of inputs that a counterexample contains."""

GROUPS = (("output", "arrays"), ("gradient", "gradients"), ("output", "rewritten"))
"""The fields of `LaunchOutputs` that are compared, in this order, and what a difference is called."""

_EVERYWHERE = 1.0e30
"""A limit that no difference of finite values exceeds."""


Limits = Mapping[tuple[str, str], Values]
"""The largest allowed error of each element, by the field of `LaunchOutputs` and the leaf."""


@dataclass(frozen=True)
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

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """The trial's shapes over which the reference gives the same results, apart from rounding; at least the first."""
        same = [number for number in self.trial.shapes if number == 0 or self._agrees(self.others.get(number))]
        return tuple(same) or (0,)

    @cached_property
    def limits(self) -> Limits:
        """The errors that rounding explains, or for sums of several threads their order."""
        reordered = self.others.get(REVERSED)
        if reordered is None:
            return self._roundings
        by_order = self._limits(reordered)
        floats = {key for key in by_order if _arrays(self.outputs, key[0])[key[1]].dtype.kind == "f"}
        return {key: np.maximum(own, by_order[key]) if key in floats else own for key, own in self._roundings.items()}

    @cached_property
    def _roundings(self) -> Limits:
        return self._limits(self.exact)

    def _limits(self, other: LaunchOutputs | None) -> Limits:
        """Return the errors that the difference from other results of the same text explains; inputs may not change."""
        roles = {leaf.name: leaf.role for leaf in leaves(self.trial.launch)}
        found: dict[tuple[str, str], Values] = {}
        for _, group in GROUPS:
            for name, expected in _arrays(self.outputs, group).items():
                if group != "gradients" and roles[name] == "input":
                    found[group, name] = np.zeros(expected.shape)
                else:
                    found[group, name] = allowed(expected, None if other is None else _arrays(other, group)[name])
        return found

    def _agrees(self, other: LaunchOutputs | None) -> bool:
        return other is not None and next(_differences(self, other, self._roundings), None) is None


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
    return next(_differences(reference, actual, reference.limits), None)


def _differences(reference: Reference, actual: LaunchOutputs, limits: Limits) -> Iterator[Difference]:
    roles = {leaf.name: leaf.role for leaf in leaves(reference.trial.launch)}
    for what, group in GROUPS:
        for name, expected in _arrays(reference.outputs, group).items():
            shown = "input" if what == "output" and roles[name] == "input" else what
            found = _largest(shown, name, _arrays(actual, group)[name], expected, limits[group, name])
            if found is not None:
                yield found


def _arrays(outputs: LaunchOutputs, group: str) -> Mapping[str, Values]:
    arrays: Mapping[str, Values] = getattr(outputs, group)
    return arrays


def _largest(what: str, name: str, actual: Values, expected: Values, limits: Values) -> Difference | None:
    if np.array_equal(actual, expected):
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    error = np.where(np.isfinite(error), error, np.inf)
    limits = np.minimum(limits, _EVERYWHERE)  # a value that is not finite is wrong also where every finite one is allowed
    excess = error - limits
    if not (excess > 0.0).any():
        return None
    index = tuple(int(number) for number in np.unravel_index(int(np.argmax(excess)), excess.shape))
    return Difference(what, name, index, float(actual[index]), float(expected[index]), float(np.mean(excess > 0.0)))
