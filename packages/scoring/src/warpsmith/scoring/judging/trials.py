"""The launches by which a candidate is judged: those of the ladder, which are known, and secret ones, which a seed determines.

No candidate can prepare for a secret launch: its values are drawn anew for each call of the scorer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.secret_launches import ANY_ORDER, SEVERAL_GRADIENTS, Fits, Plan, secret_launches
from warpsmith.validation.branches.branch_launches import variants_of

SMALL = 2.0**-20
"""The factor of the gradients of inputs before some launches: beside larger ones, small contributions would be lost."""

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


def trials(pair: Pair, seed: str, fits: Fits | None = None) -> list[Trial]:
    """Return the launches of a pair: its own over all shapes of grids, and others over one.

    Args:
        pair: a pair with a launch.
        seed: determines the secret values.
        fits: see `secret_launches`.

    Raises:
        ValueError: if the pair has no launch.
        WarpsmithError: if no values can be made for an argument.
    """
    if pair.metadata.launch is None:
        raise ValueError("a pair that is not launched")
    return list(_launches(pair, pair.metadata.launch, f"{seed}/{pair.id}", fits))


def drawn_trial(pair: Pair, launch: Launch) -> Trial:
    """Return a launch of a pair over one grid, forward only; as for its own launch, the values follow from the pair's id."""
    return Trial("", launch, make_inputs(launch, pair.id), {}, (0,))


def _launches(pair: Pair, launch: Launch, secret: str, fits: Fits | None) -> Iterator[Trial]:
    values = make_inputs(launch, pair.id)
    yield Trial("own", launch, values, _gradients(launch, values, f"{secret}/own"), ANY_ORDER)
    chosen = generator(f"{secret}/shapes")
    for number, variant in enumerate(variants_of(pair, launch, values, pair.id, rounds_otherwise=True), start=1):
        name, shapes = f"public {number}", (int(chosen.choice(ANY_ORDER)),)
        gradients = _gradients(variant.launch, variant.values, f"{secret}/{name}")
        yield Trial(name, variant.launch, variant.values, gradients, shapes)
    for number, hidden in enumerate(secret_launches(pair, launch, secret, fits), start=1):
        name, shapes = f"secret {number}", (int(chosen.choice(hidden.plan.shapes)),)
        several = hidden.numbers in SEVERAL_GRADIENTS
        gradients = {} if several else _gradients(hidden.launch, hidden.values, f"{secret}/{name}", hidden.plan)
        yield Trial(name, hidden.launch, hidden.values, gradients, shapes)


def _gradients(launch: Launch, values: dict[str, Values], key: str, plan: Plan | None = None) -> dict[str, Values]:
    """Return the contents of gradients before the backward pass."""
    found = {}
    for leaf in leaves(launch):
        value = values[leaf.name]
        if leaf.kind == "array" and value.dtype.kind == "f":
            random = generator(f"{key}/{leaf.name}")
            size = random.uniform(0.5, 1.5, value.shape)
            if plan is not None and plan.small and leaf.role == "input":
                size *= SMALL
            found[leaf.name] = np.asarray(size * random.choice((-1.0, 1.0), value.shape), value.dtype)
    return found
