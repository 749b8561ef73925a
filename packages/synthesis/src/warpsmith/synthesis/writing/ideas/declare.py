"""Short constructors for the rows of a domain."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, Type
from warpsmith.synthesis.writing.ideas.parts import Code, Data, Distribution, Helper, Local, Loop, Number, Size


def size(key: str, low: int, high: int, names: str, about: str = "", constants: str = "") -> Size:
    """Declare the length of a dimension."""
    return Size(key, low, high, names, constants, about)


def data(
    key: str,
    dtype: Type,
    low: float,
    high: float | str,
    names: str,
    about: str,
    dims: str = "n",
    kind: Distribution = "uniform",
    *,
    start: float | None = None,
    shared: bool = False,
    indexed: bool = False,
) -> Data:
    """Declare an array."""
    return Data(key, dtype, low, high, names, about, dims, kind, start, shared, indexed)


def number(
    key: str,
    low: float,
    high: float,
    names: str,
    about: str = "",
    constants: str = "",
    typical: tuple[float, ...] = (),
    dtype: Type = FLOAT,
) -> Number:
    """Declare a number that all threads share."""
    return Number(key, dtype, low, high, names, about, constants, typical)


def integer(key: str, low: int, high: int, names: str, about: str = "", constants: str = "") -> Number:
    """Declare an integer that all threads share."""
    return Number(key, INT, low, high, names, about, constants)


def code(key: str, value: int | float, names: str, about: str = "") -> Code:
    """Declare a number with a fixed meaning."""
    return Code(key, value, names, about)


def local(key: str, *ways: str) -> Local:
    """Declare a value that ideas read."""
    return Local(key, ways)


def loop(key: str, *ways: str) -> Loop:
    """Declare a loop."""
    return Loop(key, ways)


def helper(key: str, *ways: str) -> Helper:
    """Declare a helper function."""
    return Helper(key, ways)
