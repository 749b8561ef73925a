"""`Theme`, the type of every theme, and the types of its words."""

from __future__ import annotations

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Distribution
from warpsmith.synthesis.language.types import Type


class Quantity(Struct, frozen=True, gc=False):
    """An input of a kernel: an array, or a parameter that is a single value.

    Attributes:
        name: the name of the array or the parameter, such as ``"positions"``.
        local: the name of a local with one element, such as ``"pos"``; for parameters the same as ``name``.
        type: the type of one element.
        low: the lower bound of its components.
        high: the upper bound.
        distribution: how components are drawn: ``"uniform"``, ``"unit"`` or ``"near_identity"``.
    """

    name: str
    local: str
    type: Type
    low: float
    high: float
    distribution: Distribution = "uniform"


class Result(Struct, frozen=True, gc=False):
    """An output of a kernel: the name of the array, the name of a local with one element, and its type."""

    name: str
    local: str
    type: Type


class Theme(Struct, frozen=True, gc=False):
    """The words of one subject.

    Attributes:
        item: the word for the work of one thread, in the singular, such as ``"particle"``.
        part: the word for an element of an inner loop, such as ``"neighbor"``.
        inputs: arrays to read.
        scalars: parameters that are single values.
        results: arrays to write.
    """

    item: str
    part: str
    inputs: tuple[Quantity, ...]
    scalars: tuple[Quantity, ...]
    results: tuple[Result, ...]
