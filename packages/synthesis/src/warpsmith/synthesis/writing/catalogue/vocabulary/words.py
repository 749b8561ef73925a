"""The form of a theme."""

from __future__ import annotations

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Distribution
from warpsmith.synthesis.language.types import Type


class Quantity(Struct, frozen=True, gc=False):
    """Something a kernel reads: an array of it, or one value as a parameter.

    Attributes:
        name: of the array or the parameter, such as ``"positions"``.
        local: of one element in a local variable, such as ``"pos"``; for parameters the same as ``name``.
        type: of one element.
        low: bounds of its components.
        high: see ``low``.
        distribution: how components are drawn: ``"uniform"``, ``"unit"`` or ``"near_identity"``.
    """

    name: str
    local: str
    type: Type
    low: float
    high: float
    distribution: Distribution = "uniform"


class Result(Struct, frozen=True, gc=False):
    """Something a kernel writes: the array, one element in a local, and its type."""

    name: str
    local: str
    type: Type


class Theme(Struct, frozen=True, gc=False):
    """The words of one subject.

    Attributes:
        item: what a thread stands for, in the singular, such as ``"particle"``.
        part: what an inner loop goes over, such as ``"neighbor"``.
        inputs: arrays to read.
        scalars: parameters.
        results: arrays to write.
    """

    item: str
    part: str
    inputs: tuple[Quantity, ...]
    scalars: tuple[Quantity, ...]
    results: tuple[Result, ...]
