"""The launches by which a candidate is judged: those of the ladder, which are known, and secret ones, which a seed determines.

No candidate can prepare for a secret launch: its values are drawn anew for each call of the scorer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.branches.branch_launches import variants_of

SECRET = 6
"""The number of secret launches."""

IN_ORDER, ANY_ORDER = (0, 1, 2), (0, 1, 2, 3, 4)
"""The numbers of the shapes of a grid: the first three run threads in order, see `running.launches`."""

REVERSED = 4
"""The shape that runs the last thread first."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One launch.

    Attributes:
        name: ``own``, or ``public`` or ``secret`` with a number.
        launch: the size of the launch and its arguments.
        values: contents of the arguments before the launch, by leaf.
        gradients: contents of the adjoints of all arrays of floats before the backward pass, by leaf. Those of inputs are not
            zero: an adjoint adds to them.
        shapes: the numbers of the shapes of grids that the launch runs over.
    """

    name: str
    launch: Launch
    values: dict[str, Values]
    gradients: dict[str, Values]
    shapes: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """How many numbers the arguments hold."""
        return sum(value.size for value in self.values.values())


def trials(pair: Pair, seed: str) -> list[Trial]:
    """Return the launches of a pair: its own over all shapes of grids, and others over one.

    Args:
        pair: a pair with a launch.
        seed: determines the secret values.

    Raises:
        ValueError: if the pair has no launch.
        WarpsmithError: if no values can be made for an argument.
    """
    if pair.metadata.launch is None:
        raise ValueError("a pair that is not launched")
    return [
        Trial(name, launch, values, _gradients(launch, values, f"{seed}/{name}"), shapes)
        for name, launch, values, shapes in _launches(pair, pair.metadata.launch, f"{seed}/{pair.id}")
    ]


def _launches(pair: Pair, launch: Launch, secret: str) -> Iterator[tuple[str, Launch, dict[str, Values], tuple[int, ...]]]:
    values = make_inputs(launch, pair.id)
    yield "own", launch, values, ANY_ORDER
    chosen = generator(f"{secret}/shapes")
    for number, variant in enumerate(variants_of(pair, launch, values, pair.id), start=1):
        yield f"public {number}", variant.launch, variant.values, (int(chosen.choice(ANY_ORDER)),)
    for number, variant in enumerate(variants_of(pair, launch, values, secret)[:SECRET], start=1):
        hidden = _with_random_outputs(variant.launch, variant.values, secret)
        yield f"secret {number}", variant.launch, hidden, (int(chosen.choice(ANY_ORDER)),)


def _with_random_outputs(launch: Launch, values: dict[str, Values], key: str) -> dict[str, Values]:
    """Return values in which outputs of floats hold random numbers: an answer must not rely on zeros. Stored values stay."""
    random = {
        leaf.name: generator(f"{key}/before {leaf.name}").uniform(-1.0, 1.0, values[leaf.name].shape)
        for leaf in leaves(launch)
        if leaf.role == "output" and leaf.kind == "array" and values[leaf.name].dtype.kind == "f" and not is_stored(leaf)
    }
    return values | {name: np.asarray(numbers, values[name].dtype) for name, numbers in random.items()}


def _gradients(launch: Launch, values: dict[str, Values], key: str) -> dict[str, Values]:
    found = {}
    for leaf in leaves(launch):
        value = values[leaf.name]
        if leaf.kind == "array" and value.dtype.kind == "f":
            random = generator(f"{key}/{leaf.name}")
            size = random.uniform(0.5, 1.5, value.shape)
            found[leaf.name] = np.asarray(size * random.choice((-1.0, 1.0), value.shape), value.dtype)
    return found
