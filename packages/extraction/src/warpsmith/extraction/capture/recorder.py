"""The receiver of all launches of a program: it counts them, and copies the arguments of those that are kept."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import warp as wp

from warpsmith.core.errors import describe
from warpsmith.extraction.capture.limits import Limits
from warpsmith.extraction.capture.live_objects import LiveObjects
from warpsmith.extraction.capture.selection import Selection
from warpsmith.extraction.capture.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.warp import arguments

_PLAIN = (bool, int, float, str, type(None))


@dataclass(slots=True)
class ObservedLaunch:
    """One launch that is kept.

    Attributes:
        kernel: the kernel, for a generic one the overload.
        dim: the dimensions of the launch.
        block_dim: the size of a block that the program requested, or None.
        arguments: copies of the arguments; None if they were not copied.
        reason: why they were not.
        nbytes: the bytes of the copies.
    """

    kernel: Any
    dim: tuple[int, ...]
    block_dim: int | None
    arguments: tuple[Snapshot, ...] | None
    reason: str = ""
    nbytes: int = 0


@dataclass(slots=True)
class Recorder:
    """The `warpsmith.extraction.warp.launching.Observer` of a capture.

    Attributes:
        limits: how much is kept.
        selections: the launches that are kept, by kernel and, for generic kernels, by the types of the arguments.
        objects: the objects behind handles.
        held: the bytes of all copies.
        faults: errors of the recorder itself, which are reported instead of raised in the program.
    """

    limits: Limits
    selections: dict[Hashable, Selection[ObservedLaunch]] = field(default_factory=dict)
    objects: LiveObjects = field(default_factory=LiveObjects)
    held: int = 0
    faults: list[str] = field(default_factory=list)
    _requested: threading.local = field(default_factory=threading.local)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    # ------------------------------------------------------------------------------------------------- calls from Warp's functions

    def launched(
        self, kernel: Any, dim: Any, inputs: Sequence[Any], outputs: Sequence[Any], device: Any, block_dim: int | None
    ) -> object:
        """Receive a launch, see `warpsmith.extraction.warp.launching.Observer`."""
        try:
            tiled = self._requested.__dict__.pop("block_dim", None)
            shape = _dimensions(dim)
            if tiled is not None and tiled > 1:
                shape, block_dim = (*shape[:-1], tiled), tiled
            return self._receive(kernel, shape, [*inputs, *outputs], device, block_dim)
        except Exception as error:  # noqa: BLE001 - nothing may reach the program, which may have made an invalid launch
            self._note(kernel, error)
            return None

    def command_launched(self, command: Any) -> object:
        """Receive a recorded launch."""
        try:
            if getattr(command, "fwd_args", None) is None:
                return None
            dim = arguments.launch_shape(command.bounds)
            return self._receive(command.kernel, dim, list(command.fwd_args), command.device, command.block_dim)
        except Exception as error:  # noqa: BLE001
            self._note(command, error)
            return None

    def failed(self, token: object) -> None:
        """Drop a launch that Warp refused."""
        if isinstance(token, tuple):
            selection, launch = token
            with self._lock:
                selection.kept = [kept for kept in selection.kept if kept.item is not launch]
                self.held -= launch.nbytes

    def tiled(self, block_dim: int | None) -> None:
        """Remember the block size for the launch that follows, whose last dimension is another one on a CPU."""
        self._requested.block_dim = block_dim

    def grid_built(self, grid: Any, points: Any, width: float) -> None:
        """Remember the points of a hash grid."""
        self.objects.grids[grid] = points, float(width)

    # ------------------------------------------------------------------------------------------------------------------ launches

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], device: Any, block_dim: int | None) -> object:
        if 0 in dim or len(values) != len(kernel.adj.args):
            return None
        block_dim = int(block_dim) if block_dim and block_dim > 1 else None
        key: Hashable = kernel
        if kernel.is_generic:
            key = kernel, tuple((type(value), getattr(value, "dtype", None), getattr(value, "ndim", None)) for value in values)
        form, plain = _form(dim, block_dim, values)
        with self._lock:
            selection = self.selections.get(key)
            if selection is None:
                selection = self.selections[key] = Selection(self.limits.launches)
            position = selection.place_for(form, plain)
            if position is None:
                return None
            launch = self._copy(arguments.overload_for(kernel, values), dim, block_dim, values, device)
            replaced = selection.keep(position, form, plain, launch)
            self.held -= replaced.nbytes if replaced is not None else 0
            return selection, launch

    def _copy(self, kernel: Any, dim: tuple[int, ...], block_dim: int | None, values: list[Any], device: Any) -> ObservedLaunch:
        if arguments.is_capturing(device):
            return ObservedLaunch(kernel, dim, block_dim, None, "its arguments cannot be copied while a CUDA graph is captured")
        if self.held >= self.limits.total_bytes:
            return ObservedLaunch(
                kernel, dim, block_dim, None, f"{self.limits.total_bytes} bytes of arguments were copied before"
            )
        copier = Copier(self.objects, min(self.limits.launch_bytes, self.limits.total_bytes - self.held))
        try:
            copies = copier.copy(arguments.parameters_of(kernel), values)
        except NotExpressible as error:
            return ObservedLaunch(kernel, dim, block_dim, None, str(error))
        self.held += copier.copied
        return ObservedLaunch(kernel, dim, block_dim, copies, nbytes=copier.copied)

    def _note(self, kernel: Any, error: Exception) -> None:
        if len(self.faults) < 100:
            self.faults.append(f"{getattr(kernel, 'key', kernel)}: {describe(error)}")


def _dimensions(dim: Any) -> tuple[int, ...]:
    return (int(dim),) if isinstance(dim, int) or not hasattr(dim, "__iter__") else tuple(int(length) for length in dim)


def _form(dim: tuple[int, ...], block_dim: int | None, values: list[Any]) -> tuple[Hashable, Hashable]:
    """Return what distinguishes launches: dimensions, shapes and arrays that are None; and plain values."""
    shapes: list[Hashable] = [dim, block_dim]
    plain: list[Hashable] = []
    for value in values:
        _add_form(value, shapes, plain)
    return tuple(shapes), tuple(plain)


def _add_form(value: Any, shapes: list[Hashable], plain: list[Hashable]) -> None:
    if isinstance(value, wp.array):
        shapes.append(value.shape)
    elif isinstance(value, _PLAIN):
        plain.append(value)
        shapes.append(value is None)
    elif (members := getattr(value, "_cls", None)) is not None:  # a struct
        for name in members.vars:
            _add_form(getattr(value, name), shapes, plain)
    elif hasattr(value, "shape"):
        shapes.append(tuple(value.shape) if hasattr(value.shape, "__iter__") else value.shape)
    else:
        plain.append(repr(value))
