"""The recording of a tape: the launches of a program up to a backward pass, with what memory and gradients contained.

A program's own gradient is right if the kernels are, and if the program uses them rightly: what a launch reads still has to be
there when its adjoint runs, gradients have to start at zero, and each launch has to be on the tape. A recording contains what
is needed to tell, without the program: contents before and after each launch, contents and gradients before and after each
adjoint launch. One recording is one line of JSON.
"""

from __future__ import annotations

import base64
import math
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair

if TYPE_CHECKING:  # commands read recordings without NumPy; only their workers decode contents
    import numpy as np
    import numpy.typing as npt

MAX_BYTES = 1 << 30
"""The most bytes of contents that a recording may have, decompressed."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Where the numbers of a leaf are.

    Attributes:
        address: the first number.
        shape: the shape of the array, followed by that of an element.
        strides: the distance in bytes in each dimension.
        dtype: NumPy's name of the type of a number.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str

    @property
    def is_float(self) -> bool:
        """Whether the numbers are floats."""
        return self.dtype.startswith("float")

    @property
    def nbytes(self) -> int:
        """The bytes of all numbers."""
        import numpy as np  # noqa: PLC0415 - see above

        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True, slots=True)
class Content:
    """Contents of an array.

    Attributes:
        dtype: NumPy's name of the type of a number.
        shape: the shape.
        data: the bytes, compressed and in base 64.
    """

    dtype: str
    shape: tuple[int, ...]
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One array of numbers that a launch receives.

    Attributes:
        leaf: the name of the leaf, see `warpsmith.core.inputs.values.leaves`.
        memory: where it is.
        gradient: where its gradient is; None if it has none.
        before: the number of its contents before the launch.
        after: the number of its contents after the launch.
        fresh: whether no one has written the array since ``wp.empty`` returned it.
    """

    leaf: str
    memory: Memory
    gradient: Memory | None
    before: int
    after: int
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A launch, or a copy of an array, in the order in which the program made them.

    Attributes:
        place: file and line of the call in the program.
        name: the name of the kernel; ``wp.copy`` for a copy, whose leaves are ``dest`` and ``src``.
        pair: the number of the kernel's pair; -1 for a copy, or for a kernel that did not become a pair.
        launch: the number of the launch; -1 for none.
        on_tape: whether the tape recorded it.
        other: whether another tape did, or the program itself launches its adjoint.
        accesses: the arrays.
        values: the numbers of the contents of other leaves, such as plain arguments and the parts of meshes.
        reason: why the launch cannot be repeated; empty if it can.
    """

    place: str
    name: str
    pair: int
    launch: int
    on_tape: bool
    accesses: tuple[Access, ...]
    other: bool = False
    values: dict[str, int] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjoint:
    """One adjoint launch of the backward pass.

    Attributes:
        event: the number of the event.
        contents: the numbers of the contents of the event's arrays when the adjoint runs.
        before: those of their gradients before; -1 where there is none.
        after: those of their gradients after; -1 where there is none.
    """

    event: int
    contents: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientState:
    """A gradient array around the backward pass.

    Attributes:
        memory: where it is.
        name: the array that has it, for people.
        start: the number of its contents before the backward pass.
        seed: that of the seeds, which replace them, or that of its contents, if the program has set them itself since the last
            backward pass; -1 where the program seeds nothing.
        end: that of its contents after the backward pass.
        earlier: whether the array's own contents have changed since the last backward pass that reached it.
    """

    memory: Memory
    name: str
    start: int
    seed: int
    end: int
    earlier: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A tape up to the end of its backward pass.

    Attributes:
        id: the file and function that call ``backward``, such as ``sim/train.py::step``, and ``#2`` for a second recording.
        place: file and line of the call of ``backward``.
        kernels: the ids of the pairs of its kernels, which come with the recording.
        modules: the Python modules of its kernels.
        launches: different launches of its events; their values are in the events.
        events: launches and copies.
        adjoints: the adjoint launches in their order, which is the reverse.
        gradients: all gradient arrays of the events.
        contents: different contents.
        functions: the numbers of the events before which the tape recorded functions of the program.
        reason: why the recording is incomplete; empty if it is not.
    """

    id: str
    place: str
    kernels: tuple[str, ...]
    modules: tuple[str, ...]
    launches: tuple[Launch, ...]
    events: tuple[Event, ...]
    adjoints: tuple[Adjoint, ...]
    gradients: tuple[GradientState, ...]
    contents: tuple[Content, ...]
    functions: tuple[int, ...] = ()
    reason: str = ""


def encode_content(values: npt.NDArray[np.generic]) -> Content:
    """Return the contents of an array for a recording."""
    import numpy as np  # noqa: PLC0415 - see above

    data = base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 1)).decode("ascii")
    return Content(values.dtype.name, values.shape, data)


def decode_content(content: Content) -> npt.NDArray[np.generic]:
    """Return contents as an array that cannot be written.

    Raises:
        WarpsmithError: if the text is damaged or has another number of bytes.
    """
    import numpy as np  # noqa: PLC0415 - see above

    try:
        expected = math.prod(content.shape) * np.dtype(content.dtype).itemsize
        if not 0 <= expected <= MAX_BYTES:
            raise WarpsmithError(f"contents of {expected} bytes")
        data = zlib.decompressobj().decompress(base64.b64decode(content.data, validate=True), expected + 1)
    except (TypeError, ValueError, zlib.error) as error:
        raise WarpsmithError(f"damaged contents: {error}") from None
    if len(data) != expected:
        raise WarpsmithError(f"contents that are not {expected} bytes")
    return np.frombuffer(data, content.dtype).reshape(content.shape)


@dataclass(frozen=True, slots=True)
class RecordedProgram:
    """A recording, and the pairs of its kernels in their order.

    Attributes:
        recording: the recording.
        pairs: the pairs, without launches.
    """

    recording: Recording
    pairs: tuple[Pair, ...]
