"""The secret launches of a pair: several sizes, and numbers that its own launch lacks.

The interpreter of the Python decides what is allowed. A launch at which it accesses an element beyond an array, or does
anything undefined, is replaced by a launch that differs less from the pair's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from warpsmith.core.inputs.values import Values, generator, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.launch_sizes import (
    DEGREES,
    LARGE,
    NARROW,
    ODD,
    SINGLE,
    SQUARE,
    TINY,
    WIDE,
    Sizes,
    resized,
)
from warpsmith.scoring.judging.python_check import PythonCheck
from warpsmith.scoring.judging.secret_values import (
    integer_leaves,
    starting_leaves,
    with_extremes,
    with_large_integers,
    with_magnitudes,
    with_negatives,
    with_starting_values,
    with_ties,
)
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Unsupported
from warpsmith.validation.running.extracted_variants import extracted_variants
from warpsmith.validation.running.launch_variants import DUPLICATES, launch_variants

ANY_ORDER, SURPLUS, EXACT, ROWS = (0, 1, 2, 3, 4), (2, 4), (0, 1, 3), (0, 1)
"""The numbers of the shapes of a grid: all, those with more threads than elements in each dimension, the other ones, and of
these those whose blocks are rows.

The first three run threads in order, see `running.entry_calls` and `warpsmith.scoring.plain.grids`."""

ATTEMPTS = 4
"""How often sizes are drawn for a launch without surplus threads.

Its last dimensions should be longer than the first ones: a grid of rows of threads does not cover it if an answer exchanges
dimensions.
"""

RECORDED = Sizes("own")
"""The sizes of the pair's own launch."""

DOUBTFUL = ("magnitudes", "planted")
"""The numbers that a kernel may not allow although it allows the sizes, or which may lead to NaN."""

SEVERAL_GRADIENTS = ("ties", "extremes")
"""The numbers at which several gradients are right: equal ones, and vectors of length zero."""

Contents = dict[str, Values]
Fits = Callable[[Launch, Mapping[str, Values]], bool]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a secret launch should be.

    Attributes:
        sizes: the sizes.
        numbers: ``drawn`` from the domains, ``ties``, ``negatives``, ``magnitudes`` or ``planted``. For a captured kernel the
            last two become ``signs`` and ``extremes``.
        shapes: the numbers of the shapes of grids to choose from. Where more threads than elements run in each dimension, an
            answer that exchanges dimensions may be right.
        small: whether outputs and gradients start with small numbers.
    """

    sizes: Sizes
    numbers: str = "drawn"
    shapes: tuple[int, ...] = ANY_ORDER
    small: bool = False


PLANS = (
    Plan(SINGLE, shapes=SURPLUS),
    Plan(TINY, "negatives"),
    Plan(ODD, "ties", ROWS),
    Plan(SQUARE, "negatives", SURPLUS, small=True),
    Plan(NARROW, "magnitudes", ROWS),
    Plan(WIDE, small=True),
    Plan(LARGE, "negatives", EXACT),
    Plan(RECORDED, "magnitudes", small=True),
    Plan(RECORDED, "planted"),
)
"""The secret launches, in order."""


@dataclass(frozen=True, slots=True)
class SecretLaunch:
    """One secret launch.

    Attributes:
        plan: what it was meant to be; a kernel may not allow all of it.
        numbers: what its numbers are.
        launch: the launch.
        values: the values of its arguments.
    """

    plan: Plan
    numbers: str
    launch: Launch
    values: Contents


def secret_launches(pair: Pair, launch: Launch, key: str, fits: Fits | None = None) -> Iterator[SecretLaunch]:
    """Yield the secret launches of a pair; a launch of more threads than the arrays have elements only if the Python allows it.

    Args:
        pair: the pair.
        launch: its own launch.
        key: determines the sizes and the values.
        fits: whether the judged text is written for a launch; None if it is for all. Other launches are replaced, as those that
            the Python does not allow are.
    """
    allowed = _allowed(_Kernel(pair.python_source, pair.metadata.kernel_name, launch, pair.id))
    check = PythonCheck(pair.python_source, pair.metadata.kernel_name, allowed.wraps)
    for number, plan in enumerate(PLANS, start=1):
        maker = _Maker(pair, launch, plan, f"{key}/{number}", allowed, fits)
        found = maker.checked(check) if allowed.is_known else None
        found = found or maker.unchecked()
        if found is not None:
            yield SecretLaunch(plan, *found)


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel with its own launch; the pair's id determines the values with which it is examined."""

    source: str
    name: str
    launch: Launch
    identity: str


@dataclass(frozen=True, slots=True)
class _Allowed:
    """What the Python of a kernel allows in launches of the recorded size.

    Attributes:
        is_known: whether the interpreter supports the kernel.
        wraps: whether negative indices of arrays count from the end.
        accumulators: the arrays that may start with other numbers than those of their domain.
        integers: the arrays that may contain negative integers.
        large_integers: the arrays that may contain large integers.
    """

    is_known: bool
    wraps: bool = False
    accumulators: frozenset[str] = frozenset()
    integers: frozenset[str] = frozenset()
    large_integers: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def _allowed(kernel: _Kernel) -> _Allowed:
    """Return what a kernel allows."""
    launch, key = kernel.launch, f"{kernel.identity}/allowed"
    values = make_inputs(launch, kernel.identity)
    check = PythonCheck(kernel.source, kernel.name)
    wraps, accumulators, integers, large_integers = False, *(frozenset[str]() for _ in range(3))
    try:
        wraps = check.wraps = not check.allows(launch, values)
        accumulators = _largest(
            [leaf.name for leaf in starting_leaves(launch)],
            lambda names: check.allows(launch, with_starting_values(launch, values, key, names)),
        )
        started = with_starting_values(launch, values, key, accumulators)
        integers = _largest(
            sorted(integer_leaves(launch, np.signedinteger)),
            lambda names: check.allows(launch, with_negatives(launch, started, key, names)),
        )
        large_integers = _largest(
            sorted(integer_leaves(launch, np.integer)),
            lambda names: check.allows(launch, with_large_integers(launch, started, key, names)),
        )
    except Exhausted:  # smaller launches may take less time
        pass
    except Unsupported:
        return _Allowed(is_known=False)
    return _Allowed(True, wraps, accumulators, integers, large_integers)


def _largest(names: list[str], allows: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """Return all names if they are allowed together, otherwise those that are allowed in addition to the ones before them."""
    if not names or allows(frozenset(names)):
        return frozenset(names)
    found: frozenset[str] = frozenset()
    for name in names if len(names) > 1 else ():
        if allows(found | {name}):
            found |= {name}
    return found


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes one secret launch."""

    pair: Pair
    launch: Launch
    plan: Plan
    key: str
    allowed: _Allowed
    fits: Fits | None = None

    def checked(self, check: PythonCheck) -> tuple[str, Launch, Contents] | None:
        """Return a launch by the plan, or the next one to it that the kernel's Python allows; None if there is none."""
        try:
            for degree in (0,) if self.plan.sizes is RECORDED else reversed(range(DEGREES)):
                if (changed := self._resized(degree)) is None:
                    continue
                for kind in self.numbers:
                    values = self._values(changed, kind)
                    if self.fits is not None and not self.fits(changed, values):
                        continue
                    if check.allows(changed, values, nan=kind not in DOUBTFUL):
                        return kind, changed, values
        except Unsupported:
            return None
        return None

    @property
    def numbers(self) -> tuple[str, ...]:
        """What the numbers should be, and otherwise. Those of a captured kernel are recorded, and no domain describes them."""
        wanted = self.plan.numbers
        if wanted == "planted" and self.pair.is_extracted:
            return "extremes", "signs", "drawn"
        if wanted == "magnitudes" and self.pair.is_extracted:
            return "signs", "magnitudes", "drawn"
        return (wanted, "drawn") if wanted in DOUBTFUL else (wanted,)

    def unchecked(self) -> tuple[str, Launch, Contents] | None:
        """Return a launch of the pair's own size, or of fewer threads, which all kernels allow; None for wider ones."""
        changed = self._resized(0) if self.plan.sizes in (SINGLE, NARROW) else self.launch
        if changed is None or self.plan.sizes not in (SINGLE, NARROW, RECORDED):
            return None
        return "drawn", changed, self._values(changed, "drawn")

    def _resized(self, degree: int) -> Launch | None:
        if self.plan.sizes is RECORDED:
            return self.launch
        for attempt in range(ATTEMPTS):
            random = generator(f"{self.key}/sizes {degree} {attempt}")
            found = resized(self.pair, self.launch, self.plan.sizes, degree, random)
            if found is None or self.plan.shapes not in (EXACT, ROWS) or list(found.dim) == sorted(set(found.dim)):
                break
        return found

    def _values(self, launch: Launch, numbers: str) -> Contents:
        values = self._planted(launch) if numbers == "planted" else self._drawn(launch)
        match numbers:
            case "ties":
                values = with_ties(launch, values)
            case "negatives":
                values = with_negatives(launch, values, self.key, self.allowed.integers)
                values = with_large_integers(launch, values, self.key, self.allowed.large_integers)
            case "magnitudes":
                values = with_magnitudes(launch, values, self.key, large=True)
            case "extremes" | "signs":
                values = with_extremes(launch, values, self.key, zeros=numbers == "extremes")
        return with_starting_values(launch, values, self.key, self.allowed.accumulators, small=self.plan.small)

    def _drawn(self, launch: Launch) -> Contents:
        """Return drawn values. Those of a captured kernel are stored: its floats move as in its variants."""
        if not self.pair.is_extracted:
            return make_inputs(launch, self.key)
        return next(extracted_variants(launch, make_inputs(launch, self.pair.id), self.key))

    def _planted(self, launch: Launch) -> Contents:
        """Return values with numbers of the Python, few of which repeat in all arrays."""
        drawn = launch_variants(launch, self.key, self.pair.python_source)
        return next(islice(drawn, DUPLICATES[0] - 1, None))[1]
