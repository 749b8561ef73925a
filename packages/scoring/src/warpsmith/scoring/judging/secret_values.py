"""Values of secret launches: what arrays contain before them, and numbers at the ends of what a kernel's Python allows.

An answer must not rely on what an output contains, nor on sums that start at zero. The caller checks whether the kernel's
Python allows the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.launch import Argument, Launch

STEP = 0.125
"""The distance of the numbers of ties: sums and products of few of them are exact, so that computed numbers are equal."""

LARGEST_FACTOR, LEAST_EXPONENT = 16.0, -14
"""The largest factor of large numbers, and the least binary exponent of the factor of tiny ones."""

SHARE = 0.3
"""The share of the numbers of an array that become negative, large or tiny."""

_LARGE_INTEGER = 100_000

_INTEGERS = 20
"""The largest integer in an output before a launch."""

_SMALL = 2.0**-10
"""The factor of the floats in the outputs of every second launch: contributions that are small beside them would be lost."""


def starting_leaves(launch: Launch) -> list[Argument]:
    """Return the arrays that start with one number each although the kernel reads them, such as sums that start at zero."""
    return [
        leaf
        for leaf in leaves(launch)
        if leaf.role == "inout" and leaf.kind == "array" and leaf.domain is not None and leaf.domain.kind == "fill"
    ]


def with_starting_values(
    launch: Launch, values: Mapping[str, Values], key: str, accumulators: frozenset[str], *, small: bool = False
) -> dict[str, Values]:
    """Return values in which outputs, and the accumulators with these names, start with random numbers.

    Neighbours have both signs: a minimum or a maximum of the number and a result shows only one of them. Stored values stay.
    """
    changed = dict(values)
    for leaf in leaves(launch):
        if leaf.kind == "array" and not is_stored(leaf) and (leaf.role == "output" or leaf.name in accumulators):
            value = values[leaf.name]
            random = generator(f"{key}/before {leaf.name}")
            changed[leaf.name] = np.asarray(_random(value, random, small, leaf.role == "output"), value.dtype)
    return changed


def _random(value: Values, random: np.random.Generator, small: bool, anything: bool) -> Values:
    match value.dtype.kind:
        case "f":
            return random.uniform(-1.0, 1.0, value.shape) * (_SMALL if small else 1.0)
        case "b":
            return random.integers(0, 2, value.shape)
        case "u":
            return random.integers(1, _INTEGERS + 1, value.shape)
        case _:
            signs = random.choice((-1, 1), value.shape) if anything else 1
            return random.integers(2, _INTEGERS + 1, value.shape) * signs


def with_ties(launch: Launch, values: Mapping[str, Values]) -> dict[str, Values]:
    """Return values whose floats are multiples of `STEP`, as far as their domains contain these."""
    return _changed(launch, values, "f", _on_grid)


def _on_grid(leaf: Argument, value: Values) -> Values:
    low, high = _bounds(leaf)
    first, last = np.ceil(low / STEP), np.floor(high / STEP)
    if first > last:
        return value
    return np.asarray(np.clip(np.round(value / STEP), first, last) * STEP, value.dtype)


def with_negatives(launch: Launch, values: Mapping[str, Values], key: str, only: frozenset[str]) -> dict[str, Values]:
    """Return values in which a share of the integers of the arrays with these names are negative."""

    def negative(leaf: Argument, value: Values) -> Values:
        random = generator(f"{key}/negative {leaf.name}")
        low, high = _bounds(leaf)
        largest = int(max(abs(low), abs(high), 2.0))
        numbers = -random.integers(1, largest + 3, value.shape)
        return np.asarray(np.where(random.random(value.shape) < SHARE, numbers, value), value.dtype)

    return _changed(launch, values, "i", negative, only)


def integer_leaves(launch: Launch, kind: type[Any]) -> frozenset[str]:
    """Return the names of the arrays of integers of a kind of NumPy's that can get other numbers."""
    return frozenset(
        leaf.name
        for leaf in leaves(launch)
        if leaf.kind == "array" and issubclass(element(leaf.dtype)[0], kind) and _varies(leaf)
    )


def with_magnitudes(launch: Launch, values: Mapping[str, Values], key: str, *, large: bool) -> dict[str, Values]:
    """Return values with other magnitudes.

    A share of the floats of arrays are zero, or tiny, if their domain contains zero, and others are large if ``large``. Plain
    floats are up to sixteen times smaller than those of their domain, or four times larger.
    """

    def scaled(leaf: Argument, value: Values) -> Values:
        random = generator(f"{key}/magnitude {leaf.name}")
        if leaf.kind == "value":
            exponent = int(random.integers(-4, 3)) if random.random() < 0.5 else 0
            return np.asarray(value * 2.0**exponent, value.dtype)
        low, high = _bounds(leaf)
        tiny = low <= 0.0 <= high
        factors = np.ones(value.shape)
        kind = random.random(value.shape)
        if tiny:
            exponents = random.integers(LEAST_EXPONENT, -4, value.shape)
            factors = np.where(kind < SHARE, np.where(kind < SHARE / 6.0, 0.0, 2.0**exponents), factors)
        if large:
            factors = np.where(kind > 1.0 - SHARE / 2.0, random.uniform(2.0, LARGEST_FACTOR, value.shape), factors)
        return np.asarray(value * factors, value.dtype)

    return _changed(launch, values, "f", scaled)


def with_extremes(launch: Launch, values: Mapping[str, Values], key: str, *, zeros: bool) -> dict[str, Values]:
    """Return values in which a share of the elements of recorded arrays of floats are large or have another sign.

    Others are zero if ``zeros``. Rotations, whose length is one, stay.
    """

    def extreme(leaf: Argument, value: Values) -> Values:
        if not is_stored(leaf) or leaf.dtype.startswith(("quat", "transform")):
            return value
        random = generator(f"{key}/extreme {leaf.name}")
        outer = (*leaf.shape, *(1 for _ in value.shape[len(leaf.shape) :]))
        kind = random.random(outer)
        factors = np.where(kind < SHARE / 3.0, 0.0 if zeros else 0.5, np.where(kind < 2.0 * SHARE / 3.0, -1.0, 1.0))
        large = random.uniform(2.0, 2.0 * LARGEST_FACTOR, outer)
        return np.asarray(value * np.where(kind > 1.0 - SHARE / 3.0, large, factors), value.dtype)

    return _changed(launch, values, "f", extreme)


def with_large_integers(launch: Launch, values: Mapping[str, Values], key: str, only: frozenset[str]) -> dict[str, Values]:
    """Return values in which a share of the integers of the arrays with these names are large."""

    def large(leaf: Argument, value: Values) -> Values:
        random = generator(f"{key}/large {leaf.name}")
        largest = min(_LARGE_INTEGER, np.iinfo(value.dtype).max)
        numbers = np.exp(random.uniform(0.0, np.log(largest), value.shape))
        return np.asarray(np.where(random.random(value.shape) < SHARE / 2.0, numbers, value), value.dtype)

    return _changed(launch, values, "iu", large, only)


def _changed(
    launch: Launch,
    values: Mapping[str, Values],
    kinds: str,
    change: Callable[[Argument, Values], Values],
    names: frozenset[str] | None = None,
) -> dict[str, Values]:
    """Return values in which numbers of some kinds are changed that a domain describes, or those with these names."""
    changed = dict(values)
    for leaf in leaves(launch):
        if _varies(leaf) and values[leaf.name].dtype.kind in kinds and (names is None or leaf.name in names):
            changed[leaf.name] = change(leaf, values[leaf.name])
    return changed


def _varies(leaf: Argument) -> bool:
    return leaf.role != "output" and leaf.domain is not None and leaf.domain.kind in ("uniform", "stored")


def _bounds(leaf: Argument) -> tuple[float, float]:
    if leaf.domain is None:
        raise AssertionError("a leaf without a domain")
    return float(leaf.domain.low), float(leaf.domain.high)
