"""What a row says of a builtin: where it is safe to call, how large its value gets, and how people name the result."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.ranges import Range

Domain: TypeAlias = tuple[float, float]

ANY: Domain = (-1.0e4, 1.0e4)
POSITIVE: Domain = (0.05, 1.0e4)
UNIT: Domain = (0.0, 1.0)


class Row(Struct, frozen=True, gc=False):
    """A builtin of Warp's registry, beyond its signatures.

    Attributes:
        key: its name there.
        family: what kind of builtin it is; categories weigh families, see `writing.palette`.
        range: bounds of its value from those of its arguments.
        domains: for each argument the bounds within which the value and its derivative stay finite and moderate.
        names: names for a local that holds its value; ``{0}`` stands for the name of the first argument.
        weight: how often it is drawn within its family; the start are shares of calls counted in real Warp projects.
        says: what it contributes to a sentence about the kernel, or empty.
        literal: positions of arguments that people write as literals.
    """

    key: str
    family: str
    range: Range
    domains: tuple[Domain, ...]
    names: tuple[str, ...]
    weight: float = 1.0
    mention: str = ""
    literal: tuple[int, ...] = ()
