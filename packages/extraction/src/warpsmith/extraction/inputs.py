"""Launch -> arrays: the values that a judge runs a kernel with, which follow from the pair's ``launch`` and id alone."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.extraction.errors import WarpsmithError
from warpsmith.extraction.record import Argument, Domain, Launch

Values = npt.NDArray[Any]

_SCALARS: dict[str, Any] = {
    name: getattr(np, name)
    for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
} | {"bool": np.bool_}
_LETTERS = {"h": np.float16, "f": np.float32, "d": np.float64, "i": np.int32, "l": np.int64, "u": np.uint32, "ul": np.uint64,
            "b": np.int8, "ub": np.uint8, "s": np.int16, "us": np.uint16}  # fmt: skip
_VECTOR = re.compile(r"(?:vec(\d)|(quat))([a-z]+)")
_MATRIX = re.compile(r"mat(\d)(\d)([a-z]+)")


@cache
def element(dtype: str) -> tuple[Any, tuple[int, ...]]:
    """Return the NumPy scalar type and the shape of one element of a Warp type, such as (float32, (3,)) for ``"vec3f"``.

    Raises:
        WarpsmithError: for a type that is neither scalar, vector, quaternion nor matrix.
    """
    if dtype in _SCALARS:
        return _SCALARS[dtype], ()
    if (match := _VECTOR.fullmatch(dtype)) and match[3] in _LETTERS:
        return _LETTERS[match[3]], (int(match[1] or 4),)
    if (match := _MATRIX.fullmatch(dtype)) and match[3] in _LETTERS:
        return _LETTERS[match[3]], (int(match[1]), int(match[2]))
    raise WarpsmithError(f"no values can be made for the type {dtype!r}")


def make_inputs(launch: Launch, identity: str) -> dict[str, Values]:
    """Return the values of every argument by name; arrays have the argument's shape and then the element's.

    Values of an argument depend on the pair's id and the argument's name, so that they stay what they are when other arguments
    come or go.
    """
    return {argument.name: _values(argument, identity) for argument in launch.args}


def _values(argument: Argument, identity: str) -> Values:
    if argument.domain is None:
        raise WarpsmithError(f"no values can be made for the struct {argument.name!r}")
    scalar, shape = element(argument.dtype)
    if argument.domain.kind == "fill":
        return np.full((*argument.shape, *shape), argument.domain.low, dtype=scalar)
    return _draw(argument.domain, scalar, shape, argument.shape, generator(f"{identity}/{argument.name}"))


def generator(key: str) -> np.random.Generator:
    """Random numbers that follow from ``key`` alone."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return np.random.Generator(np.random.Philox(int.from_bytes(digest, "little")))


def _draw(domain: Domain, scalar: Any, shape: tuple[int, ...], outer: tuple[int, ...], random: np.random.Generator) -> Values:
    whole = (*outer, *shape)
    if not issubclass(scalar, np.floating):
        return random.integers(int(domain.low), int(domain.high), whole, endpoint=True).astype(scalar)
    values = domain.low + (domain.high - domain.low) * random.random(whole)
    if domain.kind == "unit":
        directions = random.standard_normal(whole)
        values = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    elif domain.kind == "near_identity":
        values = values + np.eye(shape[0])
    return np.asarray(values.astype(scalar))
