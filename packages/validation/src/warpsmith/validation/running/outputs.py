"""The contents of arrays and gradients after a launch."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpsmith.core.inputs.values import Values


@dataclass(frozen=True, slots=True)
class LaunchOutputs:
    """Contents of arrays and gradients after a launch, by leaf.

    Attributes:
        arrays: all arrays after the forward pass.
        gradients: the gradients after the backward pass.
        rewritten: all arrays after the backward pass, if the backward pass may write them again; otherwise empty.
    """

    arrays: dict[str, Values]
    gradients: dict[str, Values]
    rewritten: dict[str, Values] = field(default_factory=dict)


def difference(first: LaunchOutputs, second: LaunchOutputs) -> str | None:
    """Return which result of two launches differs, or None."""
    for what, once, again in (("", first.arrays, second.arrays), ("the gradient of ", first.gradients, second.gradients)):
        for name in once:
            if once[name].tobytes() != again[name].tobytes():
                return f"{what}{name}"
    return None


def repetition_problem(first: LaunchOutputs, second: LaunchOutputs) -> str | None:
    """Return how the results of two equal launches differ, or None."""
    name = difference(first, second)
    return None if name is None else f"{name} is not the same when it is run twice"
