"""Comparison of what a candidate leaves with what its reference leaves, and the counterexample that a difference gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument
from warpsmith.scoring.judging.element_tolerance import element_limits
from warpsmith.scoring.judging.rounded_launches import DIRECTIONS
from warpsmith.scoring.judging.trials import REVERSED, Trial
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.tolerance import allowed

MAX_ROW = 16
"""The most numbers of one array that a counterexample contains if all of them are too many."""

MAX_NUMBERS = 96
"""The most numbers of inputs that a counterexample contains."""

GROUPS = (("output", "arrays"), ("gradient", "gradients"), ("output", "rewritten"))
"""The fields of `LaunchOutputs` that are compared, in this order, and what a difference is called."""

_EVERYWHERE = 1.0e30
"""A limit that no difference of finite values exceeds."""


Limits = Callable[[str, str], Values]
"""Returns the largest allowed error of each element, for a field of `LaunchOutputs` and a leaf."""


@dataclass(frozen=True)
class Reference:
    """What the reference of a task leaves in one trial.

    Attributes:
        trial: the launch.
        outputs: the results where threads run in order.
        other_shapes: the results over other shapes of grids, by number; None for a run that stopped.
        exact: the results in double precision; None if there are none.
        encoded: ``outputs`` in the text of a worker's answer; empty if it is unknown.
    """

    trial: Trial
    outputs: LaunchOutputs
    other_shapes: Mapping[int, LaunchOutputs | None]
    exact: LaunchOutputs | None
    encoded: str = ""

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """The trial's shapes over which the reference gives the same results, apart from rounding; at least the first."""
        same = [number for number in self.trial.shapes if number == 0 or self._agrees(self.other_shapes.get(number))]
        return tuple(same) or (0,)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether the last thread may run first, or that is unknown: the results are the same, apart from rounding."""
        other = self.other_shapes.get(REVERSED)
        return other is None or self._agrees(other)

    def limits(self, group: str, name: str) -> Values:
        """Return the errors that rounding explains, or for sums of several threads their order."""
        if (group, name) not in self._known_limits:
            self._known_limits[group, name] = self._allowed(group, name, (*self._rounded, self.other_shapes.get(REVERSED)))
        return self._known_limits[group, name]

    @cached_property
    def _known_limits(self) -> dict[tuple[str, str], Values]:
        return {}

    @cached_property
    def _rounded(self) -> tuple[LaunchOutputs | None, ...]:
        return (self.exact, *(self.other_shapes.get(direction) for direction in DIRECTIONS))

    def _rounding(self, group: str, name: str) -> Values:
        return self._allowed(group, name, self._rounded)

    def _allowed(self, group: str, name: str, alternatives: Iterable[LaunchOutputs | None]) -> Values:
        """Return the errors that the differences from other results of the same text explain; inputs may not change."""
        expected = arrays_of(self.outputs, group)[name]
        if group != "gradients" and self._leaves[name].role == "input":
            return np.zeros(expected.shape)
        known = [arrays_of(other, group)[name] for other in alternatives if other is not None]
        components = len(element(self._leaves[name].dtype)[1])
        limits = element_limits(expected, known, components) if known else allowed(expected)
        # Gradients where a function has none, or an infinite one, are nobody's.
        return np.where(np.isfinite(expected), limits, np.inf) if group == "gradients" else limits

    @cached_property
    def _leaves(self) -> Mapping[str, Argument]:
        return {leaf.name: leaf for leaf in leaves(self.trial.launch)}

    def differences(self, actual: LaunchOutputs, limits: Limits) -> Iterator[Difference]:
        """Yield a difference for each array that is not within ``limits``."""
        for what, group in GROUPS:
            found = arrays_of(actual, group)
            for name, expected in arrays_of(self.outputs, group).items():
                if np.array_equal(found[name], expected):
                    continue
                shown = "input" if what == "output" and self._leaves[name].role == "input" else what
                largest = _largest(shown, name, found[name], expected, limits(group, name))
                if largest is not None:
                    yield largest

    def _agrees(self, other: LaunchOutputs | None) -> bool:
        return other is not None and next(self.differences(other, self._rounding), None) is None


class _Element(TypedDict):
    trial: str
    seed: str
    dim: list[int]
    shape: int
    what: str
    argument: str
    element: list[int]
    got: float
    expected: float


class Counterexample(_Element, total=False):
    """A launch that shows a wrong result, as JSON values.

    It contains the name, the seed, the size and the shape of the launch, and the element with its value and the expected one.
    ``inputs`` and ``gradients`` are the contents of arguments by leaf, as numbers or as nested lists. If these are many,
    ``inputs_at`` contains what the arrays hold at the indices of the element, such as ``x[3]``.
    """

    inputs: dict[str, Any]
    inputs_at: dict[str, Any]
    gradients: dict[str, Any]


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

    def to_json(self, trial: Trial, shape: int, seed: str) -> Counterexample:
        """Return the counterexample: a launch, the element, and the inputs and gradients before the launch if they are few."""
        found: Counterexample = {
            "trial": trial.name, "seed": seed, "dim": list(trial.launch.dim), "shape": shape, "what": self.what,
            "argument": self.name, "element": list(self.index), "got": self.got, "expected": self.expected,
        }  # fmt: skip
        if trial.numbers <= MAX_NUMBERS:
            found["inputs"] = {name: value.tolist() for name, value in trial.values.items()}
            if self.what == "gradient":
                found["gradients"] = {name: value.tolist() for name, value in trial.gradients.items()}
        else:
            found["inputs_at"] = dict(_at(leaf, trial.values[leaf.name], self.index) for leaf in leaves(trial.launch))
        return found


def _at(leaf: Argument, value: Values, index: tuple[int, ...]) -> tuple[str, Any]:
    """Return the place in an argument that has the indices of an element, as far as it has them, and what it holds.

    Of what is still long, the first numbers are returned.
    """
    shared = index[: len(leaf.shape)]
    while shared and any(number >= length for number, length in zip(shared, leaf.shape, strict=False)):
        shared = shared[:-1]
    content = value[shared].reshape(-1)[:MAX_ROW] if leaf.shape and value[shared].size > MAX_ROW else value[shared]
    return f"{leaf.name}[{', '.join(map(str, shared))}]" if shared else leaf.name, content.tolist()


def first_difference(reference: Reference, actual: LaunchOutputs) -> Difference | None:
    """Return a difference between the results of a candidate and its reference that rounding does not explain, or None."""
    return next(reference.differences(actual, reference.limits), None)


def arrays_of(outputs: LaunchOutputs, group: str) -> Mapping[str, Values]:
    """Return the arrays of one field of `LaunchOutputs` by leaf."""
    arrays: Mapping[str, Values] = getattr(outputs, group)
    return arrays


def excess_of(actual: Values, expected: Values, limits: Values) -> Values:
    """Return by how much the error of each element is larger than its limit; at most zero where it is right."""
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    if expected.dtype.kind == "f":
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected)) | (~np.isfinite(expected) & np.isinf(limits))
        error = np.where(same, 0.0, np.where(np.isfinite(error), error, np.inf))
    limits = np.minimum(limits, _EVERYWHERE)  # a value that is not finite is wrong also where every finite one is allowed
    return np.asarray(error - limits)


def _largest(what: str, name: str, actual: Values, expected: Values, limits: Values) -> Difference | None:
    excess = excess_of(actual, expected, limits)
    if not (excess > 0.0).any():
        return None
    index = tuple(int(number) for number in np.unravel_index(int(np.argmax(excess)), excess.shape))
    return Difference(what, name, index, float(actual[index]), float(expected[index]), float(np.mean(excess > 0.0)))
