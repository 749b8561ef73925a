"""The row of a builtin: where it is safe to call, the range of its value, and names for its result."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.ranges import Range

Domain: TypeAlias = tuple[float, float]

ANY: Domain = (-1.0e4, 1.0e4)
POSITIVE: Domain = (0.05, 1.0e4)
UNIT: Domain = (0.0, 1.0)


class Row(Struct, frozen=True, gc=False):
    """A builtin of Warp's registry, with the facts that the registry does not contain.

    Attributes:
        key: the name in the registry.
        family: the group of builtins that categories weigh together, see `ProductionWeights`.
        range: computes the bounds of the value from the bounds of the arguments.
        domains: for each argument, the bounds within which the value and its derivative stay finite and moderate.
        names: names for a local that holds the value; ``{0}`` stands for the name of the first argument.
        weight: the relative frequency within the family; initial weights are shares of calls in real Warp projects.
        mention: the phrase that the builtin adds to a kernel's description, or empty.
        literal: positions of arguments that are literals in typical code.
    """

    key: str
    family: str
    range: Range
    domains: tuple[Domain, ...]
    names: tuple[str, ...]
    weight: float = 1.0
    mention: str = ""
    literal: tuple[int, ...] = ()
