"""A launch that is guessed from the signature and the code of a kernel; the origin of its pair says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.records.launch import Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.launches.described_launch import Description, Role, described_launch
from warpsmith.extraction.launches.pair_launch import accesses_in, forward_code, uses_objects
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.warp.live_arguments import Parameter

LENGTHS = (64, 16, 4)
"""The lengths of all dimensions that are tried: the first one whose arrays are small enough for all checks is taken."""

FLOATS = Domain(kind="uniform", low=0.1, high=1.0)
"""Floats of arrays and vectors: positive, because many kernels divide by them or take roots."""

FLOAT = Domain(kind="fill", low=0.5, high=0.5)
"""A plain float, such as a time step."""

DIRECTIONS = Domain(kind="unit", low=-1.0, high=1.0)
"""Quaternions, and transforms with positions from -1 to 1."""

NOTHING_YET = Domain(kind="fill", low=0, high=0)
"""Integers that the kernel reads and writes, such as counters."""

_FLOATS = re.compile(r"(?:float|bfloat)\d+|(?:vec\d|mat\d\d|spatial_vector|spatial_matrix)(?:h|f|d|bf)")
_ROTATIONS = ("quat", "transform")
_TILE = re.compile(r"\btile_\w+\(")


def guessed_launch(pair: Pair, parameters: Sequence[Parameter]) -> Launch:
    """Return a launch with 64 threads in each dimension of ``wp.tid()``, and arrays of as many elements in each dimension.

    Integers in arrays are valid indices of all arrays, and plain integers are the length of a dimension.

    Raises:
        NotExpressible: if no launch is plausible, such as for objects and tiles; the message is the reason.
    """
    forward, _ = forward_code(pair)
    if _TILE.search(forward):
        raise NotExpressible("no launch is guessed for tiles, whose shape the block of threads has to fit")
    accesses, dimensions = accesses_in(pair)
    reason = ""
    for length in LENGTHS:
        try:
            # Without wp.tid() all threads would do the same work at the same time.
            dim = (length,) * dimensions if dimensions else (1,)
            return described_launch(dim, parameters, accesses, _Guess(length), uses_objects=uses_objects(pair))
        except NotExpressible as error:
            reason = str(error)
    raise NotExpressible(f"no launch is guessed: {reason}")


@dataclass(frozen=True, slots=True)
class _Guess:
    """The source of guessed descriptions."""

    length: int

    def __call__(self, parameter: Parameter, _path: str, role: Role) -> Description:
        return Description((self.length,) * parameter.dimensions, None if parameter.members else self._domain(parameter, role))

    def _domain(self, parameter: Parameter, role: Role) -> Domain:
        if parameter.dtype.startswith(_ROTATIONS):
            return DIRECTIONS
        if _FLOATS.fullmatch(parameter.dtype):
            is_plain = parameter.kind == "value" and parameter.dtype.startswith(("float", "bfloat"))
            return FLOAT if is_plain else FLOATS
        if parameter.dtype == "bool":
            return Domain(kind="uniform", low=0, high=1)
        if parameter.kind == "value":
            return Domain(kind="fill", low=self.length, high=self.length)
        return NOTHING_YET if role == "inout" else Domain(kind="uniform", low=0, high=self.length - 1)
