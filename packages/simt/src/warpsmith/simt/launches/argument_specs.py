"""Arguments of a kernel as texts: ``n=int32:1000``, ``x=float32[64,64]:zeros``, ``y=@values.npy``, ``p=null``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from warpsmith.core.errors import WarpsmithError, single_line

Argument: TypeAlias = "np.ndarray[Any, Any] | np.generic"
"""The value of an argument: an array for a pointer, a scalar for a number."""

TYPES = (
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64", "bool"),
)
"""The types of numbers and elements."""

_ALIASES = {"int": "int32", "float": "float32", "double": "float64", "half": "float16", "unsigned": "uint32"}
_POINTER = "uint64"

FILLS = ("random", "zeros", "ones", "arange", "LOW..HIGH", "a number")
"""The ways to fill an array."""

FORM = "NAME=TYPE:VALUE, NAME=TYPE[SIZE], NAME=TYPE[SIZE]:FILL, NAME=@FILE.npy or NAME=null"

LARGEST_ARRAY = 2**30
"""The most bytes of an array."""

_SPEC = re.compile(r"(?:(?P<name>[A-Za-z_]\w*)=)?(?P<value>.+)", re.DOTALL)
_VALUE = re.compile(r"(?P<type>\w+)(?P<shape>\[[^\]]*\])?(?::(?P<fill>.+))?", re.DOTALL)

_DEFAULT_FLOATS = (-1.0, 1.0)
_DEFAULT_INTEGERS = (0, 9)


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One argument as a user states it.

    Attributes:
        name: the name of the parameter, empty if the argument is stated by its position.
        type: the type of the number or of the elements; empty for a file.
        shape: the shape of an array, None for a number.
        fill: what the array contains, or the number.
        file: the file that contains the array, None without one.
        text: the text of the user.
    """

    name: str
    type: str
    shape: tuple[int, ...] | None
    fill: str
    file: Path | None
    text: str

    @property
    def is_array(self) -> bool:
        """Whether the argument is an array."""
        return self.shape is not None or self.file is not None


def parse_argument(text: str) -> ArgumentSpec:
    """Parse an argument.

    Raises:
        WarpsmithError: if the text has another form; the message shows the forms.

    Examples:
        >>> parse_argument("x=float32[2,3]:zeros").shape
        (2, 3)
        >>> parse_argument("int32:7").fill
        '7'
    """
    match = _SPEC.fullmatch(text)
    if match is None:
        raise _wrong(text, f"the forms are {FORM}")
    name, value = match["name"] or "", match["value"]
    if value.startswith("@"):
        return ArgumentSpec(name, "", None, "", Path(value[1:]), text)
    if value == "null":
        return ArgumentSpec(name, _POINTER, None, "0", None, text)
    parts = _VALUE.fullmatch(value)
    if parts is None:
        raise _wrong(text, f"the forms are {FORM}")
    kind = _ALIASES.get(parts["type"], parts["type"])
    if kind not in TYPES:
        raise _wrong(text, f"{parts['type']!r} is not a type: {', '.join(TYPES)}")
    shape = _parse_shape(text, parts["shape"], kind)
    if shape is None and parts["fill"] is None:
        raise _wrong(text, f"a number needs a value, such as {kind}:1, and an array a size, such as {kind}[1000]")
    spec = ArgumentSpec(name, kind, shape, parts["fill"] or "random", None, text)
    _check_fill(spec)
    return spec


def build_argument(spec: ArgumentSpec, rng: np.random.Generator) -> Argument:
    """Return the value of an argument.

    Args:
        spec: the argument.
        rng: where random elements come from.

    Raises:
        WarpsmithError: if a file cannot be read.
    """
    if spec.file is not None:
        return _read(spec.file)
    if spec.shape is None:
        return _number(spec, spec.fill)
    dtype = np.dtype(spec.type)
    match spec.fill:
        case "random":
            return _random(spec, _DEFAULT_FLOATS if dtype.kind == "f" else _DEFAULT_INTEGERS, rng)
        case "arange":
            return np.arange(math.prod(spec.shape)).astype(dtype).reshape(spec.shape)
        case "zeros" | "ones":
            return np.full(spec.shape, spec.fill == "ones", dtype)
    if ".." in spec.fill:
        return _random(spec, _interval(spec), rng)
    return np.full(spec.shape, _number(spec, spec.fill), dtype)


def _parse_shape(text: str, shape: str | None, kind: str) -> tuple[int, ...] | None:
    if shape is None:
        return None
    words = [word.strip() for word in shape[1:-1].split(",")]
    if not all(word.isascii() and word.isdecimal() and len(word) <= len(str(LARGEST_ARRAY)) for word in words):
        raise _wrong(text, f"the size {shape} is not of the form [1000] or [64,64]")
    sizes = tuple(map(int, words))
    if math.prod(sizes) * np.dtype(kind).itemsize > LARGEST_ARRAY or len(sizes) > 8:
        raise _wrong(text, f"the array has more than {LARGEST_ARRAY:,} bytes or more than 8 dimensions")
    return sizes


def _check_fill(spec: ArgumentSpec) -> None:
    if spec.shape is not None and spec.fill in FILLS:
        return
    if spec.shape is not None and ".." in spec.fill:
        _interval(spec)
    else:
        _number(spec, spec.fill)


def _interval(spec: ArgumentSpec) -> tuple[Any, Any]:
    low, _, high = spec.fill.partition("..")
    ends: tuple[Any, Any] = _number(spec, low), _number(spec, high)
    if not (np.isfinite(ends[0]) and np.isfinite(ends[1]) and ends[0] <= ends[1]):
        raise _wrong(spec.text, f"{spec.fill!r} is not of the form LOW..HIGH")
    return ends


def _random(spec: ArgumentSpec, interval: tuple[Any, Any], rng: np.random.Generator) -> Argument:
    """Return random elements: floats below the upper end, integers up to it."""
    dtype = np.dtype(spec.type)
    low, high = interval
    if dtype.kind == "f":
        start = float(low)
        return (start + rng.random(spec.shape) * (float(high) - start)).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(bool(low), bool(high), spec.shape, endpoint=True).astype(dtype)
    return rng.integers(low, high, spec.shape, dtype, endpoint=True)


def _number(spec: ArgumentSpec, text: str) -> np.generic:
    dtype = np.dtype(spec.type)
    try:
        if dtype.kind == "f":
            return _float(dtype, text)
        number = {"true": 1, "false": 0}.get(text) if dtype.kind == "b" else None
        number = int(text, 0) if number is None else number
    except ValueError:
        fills = f" and not one of {', '.join(FILLS)}" if spec.shape is not None else ""
        raise _wrong(spec.text, f"{single_line(text, 40)!r} is not a number of type {spec.type}{fills}") from None
    low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not low <= number <= high:
        raise _wrong(spec.text, f"{single_line(text, 40)} is outside {spec.type}: {low} to {high}")
    value: np.generic = dtype.type(number)
    return value


def _float(dtype: np.dtype[Any], text: str) -> np.generic:
    number = float(text)
    with np.errstate(over="ignore"):
        value: np.generic = dtype.type(number)
    if math.isinf(float(value)) and not math.isinf(number):
        raise ValueError(text)
    return value


def _read(file: Path) -> Argument:
    try:
        array = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise WarpsmithError(f"{file} cannot be read as an array: {single_line(str(error))}") from None
    if not isinstance(array, np.ndarray) or array.dtype.name not in TYPES:
        kind = array.dtype.name if isinstance(array, np.ndarray) else "a collection of arrays"
        raise WarpsmithError(f"{file} contains {kind}: the types are {', '.join(TYPES)}")
    return np.ascontiguousarray(array)


def _wrong(text: str, reason: str) -> WarpsmithError:
    return WarpsmithError(f"the argument {single_line(text, 80)!r}: {reason}")
