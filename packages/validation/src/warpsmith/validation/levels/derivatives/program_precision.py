"""The adjoint in the program's own precision, compared with the adjoint in double precision at the pair's own launch.

An adjoint that is right in double precision may be wrong in the precision of the program: a variance is the difference of two
large numbers, and a logarithm receives an exponential that overflows. Level `execute` has run the adjoint in that precision.
Launches whose inputs differ in their last bits show how much of a difference rounding explains. In double precision they show
the effect of the inputs. In the program's precision they also show how its own steps round, such as the difference of two close
results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.launch import Argument
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import has_gradient
from warpsmith.validation.levels.derivatives.disagreement import Disagreement
from warpsmith.validation.levels.derivatives.location import element_text
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.finding import Finding, fail, inconclusive
from warpsmith.validation.levels.moved_results import changes_of_results
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import PreparedLaunch, prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena, portions

COPIES = 16
"""How often memory holds the arguments of a pair: five launches with gradients, twice as large in double precision."""

ROUNDINGS = 4.0
"""By how many units in the last place an input differs at most in the launches that measure what its rounding explains."""

PAIRS = 2
"""How many launches there are, each with another whose inputs differ to the other side."""

COARSE = 0.1
"""The error of an element, relative to the largest one of its leaf, from which it is looked at."""

EXPLAINED = 30.0
"""How many times the effect of rounded inputs an error may have: the steps of a kernel round, too."""

IMPRECISE = 1.0e-4
"""The relative error from which an element is imprecise; the median of those of rounding to half is 2e-4."""

FAINT = 1.0e-2
"""The size of an element, relative to the largest one of its leaf, up to which its error is relative to this size: the
difference of two close numbers, such as 1 - tanh(x)², is imprecise by itself."""

NOISE = 5.0e-7
"""The relative error, some units in the last place, of a typical output, or of the product of an input and its gradient.
Rounding explains an error of this size in all gradients, since many are sums that cancel, to zero or nearly."""

SHARE = 0.05
"""The share of a leaf's elements that are imprecise in a wrong gradient: one of a vector's components may be wrong."""

FEW = 4
"""How many imprecise elements a wrong gradient has at least; those of smaller leaves are all imprecise."""

STABLE = 0.1
"""The largest relative effect of rounded inputs on a gradient that counts as finite."""

_ONLY_DOUBLE = "the gradient is right in double precision, but not in the kernel's own"

Gradients = Mapping[str, Values]


def check_program_precision(several: Sequence[Series], context: BatchContext) -> None:
    """Compare the gradients in the program's own precision with those in double precision; a difference is the finding."""
    for portion in portions(several, lambda series: COPIES * series.launches[0].nbytes):
        context.arena.clear()
        launches = [_prepare(series, _in_double(series), context.arena) for series in portion]
        problems = run_forked([launch.calls for launch in launches], context.launch_seconds)
        for series, launch, problem in zip(portion, launches, problems, strict=True):
            if problem is None and (finding := _finding(series, launch.arguments.adjoints, context)) is not None:
                series.tally.finish(finding)


def _finding(series: Series, double: Gradients, context: BatchContext) -> Finding | None:
    recorded = series.recorded_launch
    single, named = recorded.outputs.gradients, {leaf.name: leaf for leaf in leaves(recorded.launch)}
    both = [name for name in double if name in single and single[name].dtype == np.float32]
    noise = _noise(series, double)
    inputs = {name: _typical(recorded.values[name]) for name in both}
    compared = [
        _Comparison(named[name], single[name], double[name], noise / inputs[name] if inputs[name] else 0.0) for name in both
    ]
    different = [comparison for comparison in compared if comparison.differs]
    effects = _effects(series, double, context) if different else None
    if effects is None or _worst(series, different, effects) is None:
        return None
    moved = changes_of_results(series.line, context, recorded, backward=True)
    if moved is not None:  # what is not finite explains nothing: it is what the check looks for
        changes = {name: np.where(np.isfinite(change), change, 0.0) for name, change in moved.gradients.items()}
        effects = {name: np.fmax(effect, changes.get(name, effect)) for name, effect in effects.items()}
    return _worst(series, different, effects)


def _worst(series: Series, different: Sequence[_Comparison], effects: Gradients) -> Finding | None:
    """Return the finding on the first leaf that fails, or else on the first one with a finding."""
    findings = [
        found
        for comparison in different
        if (found := comparison.finding(effects[comparison.leaf.name], series.origin.imprecise)) is not None
    ]
    return next((finding for finding in findings if finding.status == "fail"), findings[0] if findings else None)


def _noise(series: Series, double: Gradients) -> float:
    """Return the error of outputs, whose gradients are about 1, and of products of inputs and gradients, see `NOISE`."""
    recorded = series.recorded_launch
    with np.errstate(invalid="ignore", over="ignore"):
        products = [gradient * recorded.values[name] for name, gradient in double.items()]
    written = [recorded.outputs.arrays.get(leaf.name) for leaf in leaves(recorded.launch) if leaf.role != "input"]
    outputs = [array for array in written if array is not None and array.dtype.kind == "f"]
    return NOISE * max((_typical(values) for values in (*products, *outputs)), default=0.0)


def _in_double(series: Series) -> dict[str, Values]:
    return {name: promoted(values) for name, values in series.recorded_launch.values.items()}


def _prepare(series: Series, values: Mapping[str, Values], arena: Arena) -> PreparedLaunch:
    recorded = series.recorded_launch
    seeds = {leaf.name: promoted(seed(recorded.values[leaf.name])) for leaf in leaves(recorded.launch) if leaf.role != "input"}
    return prepare_launch(
        series.kernel, recorded.launch, values, arena, backward=True, shape=series.shape(recorded.launch), seeds=seeds
    )


def _effects(series: Series, gradients: Gradients, context: BatchContext) -> Gradients | None:
    """Return by how much the gradients differ at most where inputs differ in their last bits; None for a kernel that stops."""
    random = generator(f"{series.identity}/last bits")
    values, launches = _in_double(series), []
    floats = [leaf.name for leaf in leaves(series.recorded_launch.launch) if has_gradient(leaf, values)]
    for _ in range(PAIRS):
        changes = {name: _unit(series.dtypes[name]) * random.uniform(-1.0, 1.0, values[name].shape) for name in floats}
        for sign in (1.0, -1.0):
            near = {name: values[name] * (1.0 + sign * ROUNDINGS * change) for name, change in changes.items()}
            launches.append(_prepare(series, {**values, **near}, context.arena))
    if run_forked([[call for launch in launches for call in launch.calls]], context.launch_seconds) != [None]:
        return None
    return {
        name: np.max([np.abs(launch.arguments.adjoints[name] - gradient) for launch in launches], axis=0)
        for name, gradient in gradients.items()
    }


def _largest(values: Values) -> float:
    """Return the largest size of the finite ones among numbers."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def _typical(values: Values) -> float:
    """Return the median size of the finite ones among numbers that are not zero; flags such as 1e10 are few."""
    seen = values[np.isfinite(values) & (values != 0.0)]
    return float(np.median(np.abs(seen))) if seen.size else 0.0


def _unit(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps)


@dataclass(frozen=True)
class _Comparison:
    """The gradients of one leaf in both precisions, and the error of its elements that rounding explains."""

    leaf: Argument
    single: Values
    double: Values
    noise: float

    @cached_property
    def is_infinite(self) -> Values:
        """Which elements are not finite in the program's precision although they could be."""
        largest = float(np.finfo(self.single.dtype).max)
        with np.errstate(invalid="ignore"):
            return ~np.isfinite(self.single) & (np.abs(self.double) < largest)

    @cached_property
    def error(self) -> Values:
        """The distance of elements that are finite in both precisions; 0 for others, and where it is noise."""
        finite = np.isfinite(self.single) & np.isfinite(self.double)
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(self.single - self.double)
            return np.where(finite & (distance > self.noise), distance, 0.0)

    @cached_property
    def size(self) -> float:
        return _largest(self.double)

    @property
    def differs(self) -> bool:
        return self._are_many(self._imprecise) or bool(np.any(self.is_infinite | (self.error > COARSE * self.size)))

    @cached_property
    def _sizes(self) -> Values:
        """What the error of each element is compared with, see `FAINT`."""
        return np.maximum(np.abs(self.double), FAINT * self.size)

    @cached_property
    def _imprecise(self) -> Values:
        """Which elements are imprecise; those that are zero in double precision are not."""
        with np.errstate(invalid="ignore"):
            imprecise: Values = (self.double != 0.0) & (self.error > IMPRECISE * self._sizes)
        return imprecise

    def _are_many(self, chosen: Values) -> bool:
        count = int(np.count_nonzero(self.double))
        return int(np.count_nonzero(chosen)) >= max(SHARE * count, min(FEW, count), 1)

    def finding(self, effect: Values, imprecise_finding: Callable[[str], Finding]) -> Finding | None:
        """Return the finding on a leaf that differs, or None if rounding explains the difference.

        Args:
            effect: by how much inputs that differ in their last bits change the gradient in double precision.
            imprecise_finding: makes the finding on a leaf with imprecise elements.
        """
        with np.errstate(invalid="ignore"):
            stable = effect <= STABLE * np.maximum(np.abs(self.double), COARSE * self.size)
            infinite = np.flatnonzero(self.is_infinite & stable)
            is_unexplained = self.error > EXPLAINED * effect
            wrong = np.flatnonzero((self.error > COARSE * self.size) & is_unexplained)
        if infinite.size:
            return fail(f"in the kernel's own precision, the gradient is not finite{self._text(infinite[0])}")
        if wrong.size:
            number = wrong[np.argmax(self.error.ravel()[wrong])]
            by = f"rounded inputs change it by up to {effect.ravel()[number]:.3g}"
            return inconclusive(f"{_ONLY_DOUBLE}, although {by}{self._text(number)}")
        imprecise = self._imprecise & is_unexplained
        if self._are_many(imprecise):
            sizes = np.where(imprecise, self._sizes, np.inf)
            number = int(np.argmax(self.error / sizes))
            error, explained = (float((values / sizes).ravel()[number]) for values in (self.error, effect))
            share = f"{np.count_nonzero(imprecise)} of its elements are imprecise, one by {error:.2g} of its size"
            return imprecise_finding(
                f"{_ONLY_DOUBLE}: {share}, of which rounded inputs explain {explained:.2g}{self._text(number)}"
            )
        return None

    def _text(self, number: int) -> str:
        got, expected = float(self.single.ravel()[number]), float(self.double.ravel()[number])
        return Disagreement(self.leaf.name, element_text(self.leaf, self.single.shape, number), got, expected).text
