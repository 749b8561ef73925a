"""The NumPy types of Warp's types: scalars, and vectors, matrices and quaternions as arrays of scalars."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError

_SCALARS: dict[str, type[np.generic]] = {
    name: getattr(np, name)
    for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
} | {"bool": np.bool_}
_LETTERS = {"h": np.float16, "f": np.float32, "d": np.float64,
            "b": np.int8, "s": np.int16, "i": np.int32, "l": np.int64,
            "ub": np.uint8, "us": np.uint16, "u": np.uint32, "ui": np.uint32, "ul": np.uint64}  # fmt: skip
_VECTOR = re.compile(r"vec([1-9]\d*)([a-z]+)")
_MATRIX = re.compile(r"mat(\d)(\d)([a-z]+)")
_FIXED = re.compile(r"(quat|transform|spatial_vector|spatial_matrix)([hfd])")
SHAPES = {"quat": (4,), "transform": (7,), "spatial_vector": (6,), "spatial_matrix": (6, 6)}


@cache
def element(dtype: str) -> tuple[Any, tuple[int, ...]]:
    """Return the NumPy scalar type and the shape of one element of a Warp type, such as (float32, (3,)) for ``"vec3f"``.

    Raises:
        WarpsmithError: for any other type, such as a struct, or bfloat16, which NumPy lacks.
    """
    if dtype in _SCALARS:
        return _SCALARS[dtype], ()
    if match := _FIXED.fullmatch(dtype):
        return _LETTERS[match[2]], SHAPES[match[1]]
    if (match := _VECTOR.fullmatch(dtype)) and match[2] in _LETTERS:
        return _LETTERS[match[2]], (int(match[1]),)
    if (match := _MATRIX.fullmatch(dtype)) and match[3] in _LETTERS:
        return _LETTERS[match[3]], (int(match[1]), int(match[2]))
    raise WarpsmithError(f"no values can be made for the type {dtype!r}")
