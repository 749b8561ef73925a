"""What a run of a program leaves for the check; it comes from the process that ran the program, and is not trusted."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.program_record import ProgramLaunch, ProgramResult

MAX_CONTENT_BYTES = 64 << 20
"""The most bytes of one array."""


class ArrayContent(msgspec.Struct, frozen=True):
    """The contents of an array.

    Attributes:
        dtype: NumPy's name of the type of a number.
        shape: the shape.
        data: the bytes.
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class LaunchEvent(msgspec.Struct, frozen=True):
    """A launch with the contents of its arguments.

    Attributes:
        number: the number of the launch in the program.
        kernel: the name of the kernel.
        launch: the launch as records describe it.
        before: the contents of all leaves before the launch.
        after: those of arrays after it.
        problem: why its contents are not known; empty if they are.
    """

    number: int
    kernel: str
    launch: Launch | None
    before: dict[str, ArrayContent]
    after: dict[str, ArrayContent]
    problem: str = ""


class ObservedProgram(msgspec.Struct, frozen=True):
    """A run of a program.

    Attributes:
        error: why the program failed; empty if it ran.
        sources: the Python of each kernel as a file that runs alone, by the kernel's name.
        launches: the different launches.
        order: the launches in order, as positions in ``launches``.
        results: what arrays contain at the end.
        backward_passes: how many there were.
        events: some launches with their contents.
        recordings: the backward passes as `warpsmith.core.records.tape_lines` writes them, with their pairs.
    """

    error: str = ""
    sources: dict[str, str] = {}
    launches: tuple[ProgramLaunch, ...] = ()
    order: tuple[int, ...] = ()
    results: tuple[ProgramResult, ...] = ()
    backward_passes: int = 0
    events: tuple[LaunchEvent, ...] = ()
    recordings: tuple[bytes, ...] = ()


def content_of(values: Values) -> ArrayContent:
    """Return the contents of an array; records of structs have no name of a type, and are no arrays here."""
    return ArrayContent(values.dtype.name, tuple(values.shape), np.ascontiguousarray(values).tobytes())


def values_of(content: ArrayContent) -> Values:
    """Return contents as an array.

    Raises:
        WarpsmithError: if the contents have another size than their shape, or no numbers.
    """
    try:
        dtype = np.dtype(content.dtype)
    except TypeError:
        raise WarpsmithError(f"contents of type {content.dtype!r:.40}") from None
    size = math.prod(content.shape) * dtype.itemsize
    if (
        dtype.kind not in "fiub"
        or min(content.shape, default=0) < 0
        or not 0 <= size <= MAX_CONTENT_BYTES
        or size != len(content.data)
    ):
        raise WarpsmithError("contents that do not fit their shape")
    return np.frombuffer(content.data, dtype).reshape(content.shape)
