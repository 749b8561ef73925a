"""The receiver of all launches of a program: it counts them, and copies the arguments of those that are kept."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpsmith.core.errors import describe
from warpsmith.extraction.capturing.launch_selection import Selection, is_power_of_two
from warpsmith.extraction.launches.launch_dimensions import dimensions_of
from warpsmith.extraction.launches.launch_forms import form_of
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.launches.live_objects import LiveObjects
from warpsmith.extraction.launches.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.targets.origin import module_of
from warpsmith.extraction.warp import live_arguments
from warpsmith.extraction.warp.objects import is_generic_kernel, parameter_types


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


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """The arguments of a launch, not copied."""

    kernel: Any
    dim: tuple[int, ...]
    block_dim: int | None
    values: list[Any]
    device: Any

    @property
    def key(self) -> Hashable:
        """The kernel and, for a generic kernel, the types of the arguments."""
        if not is_generic_kernel(self.kernel):
            return id(self.kernel)
        return self.kernel, tuple(
            (type(value), getattr(value, "dtype", None), getattr(value, "ndim", None)) for value in self.values
        )


@dataclass(slots=True)
class _Recording:
    """The launches that a graph on a CPU contains, and how often it was launched."""

    calls: list[RecordedCall] = field(default_factory=list)
    selections: list[Selection[ObservedLaunch]] = field(default_factory=list)
    replays: int = 0


@dataclass(frozen=True, slots=True)
class KernelLaunches:
    """What was observed of one kernel.

    Attributes:
        kernel: the kernel, for a generic one the overload.
        count: how often it was launched.
        launches: the launches that are kept.
    """

    kernel: Any
    count: int
    launches: tuple[ObservedLaunch, ...]

    @property
    def module(self) -> str:
        """The Python module of the kernel."""
        return module_of(self.kernel)


@dataclass(slots=True)
class Recorder:
    """The `warpsmith.extraction.warp.launch_hooks.Observer` of a capture.

    Attributes:
        limits: how much is kept.
        selections: the launches that are kept, by kernel and, for generic kernels, by the types of the arguments.
        objects: the objects behind handles.
        graphs: the launches that graphs on a CPU contain; they are copied when a graph is launched. The memory of CUDA graphs
            may not exist outside of them, and is not copied.
        held: the bytes of all copies.
        faults: errors of the recorder itself, which are reported instead of raised in the program.
    """

    limits: Limits
    selections: dict[Hashable, Selection[ObservedLaunch]] = field(default_factory=dict)
    objects: LiveObjects = field(default_factory=LiveObjects)
    graphs: weakref.WeakKeyDictionary[Any, _Recording] = field(default_factory=weakref.WeakKeyDictionary)
    held: int = 0
    faults: list[str] = field(default_factory=list)
    _requested: threading.local = field(default_factory=threading.local)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def kernels(self) -> tuple[KernelLaunches, ...]:
        """Return the kernels that were launched, in the order of their first launch."""
        found: list[KernelLaunches] = []
        with self._lock:
            for selection in self.selections.values():
                if selection.kept:
                    launches = tuple(kept.item for kept in selection.kept)
                    found.append(KernelLaunches(launches[0].kernel, selection.count, launches))
        return tuple(found)

    # ------------------------------------------------------------------------------------------- calls from Warp's functions

    def launched(
        self, kernel: Any, dim: Any, inputs: Sequence[Any], outputs: Sequence[Any], device: Any, block_dim: int | None
    ) -> object:
        """Receive a launch, see `warpsmith.extraction.warp.launch_hooks.Observer`."""
        try:
            tiled = self._requested.__dict__.pop("block_dim", None)
            shape = dimensions_of(dim)
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
            dim = live_arguments.launch_shape(command.bounds)
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

    def graph_launched(self, graph: Any) -> None:
        """Receive the launches of a recorded graph: they were recorded before, and run now."""
        recording = self.graphs.get(graph)
        if recording is None:
            return
        try:
            with self._lock:
                self._replay(recording)
        except Exception as error:  # noqa: BLE001
            self._note("a graph", error)

    # -------------------------------------------------------------------------------------------------------------- launches

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], device: Any, block_dim: int | None) -> object:
        if 0 in dim or len(values) != len(parameter_types(kernel)):
            return None
        call = RecordedCall(kernel, dim, int(block_dim) if block_dim and block_dim > 1 else None, values, device)
        graph = live_arguments.captured_graph(device)
        with self._lock:
            if graph is not None and not graph.device.is_cuda:
                self.graphs.setdefault(graph, _Recording()).calls.append(call)
                return None
            selection = self._selection(call)
            selection.count += 1
            return self._keep(call, selection, None, graph is not None)

    def _replay(self, recording: _Recording) -> None:
        """Receive the launches of a graph; all but the 1st, 2nd, 4th, 8th, … replay are only counted."""
        recording.replays += 1
        selections = [self._selection(call) for call in recording.calls] if recording.replays == 1 else recording.selections
        recording.selections = selections
        for call, selection in zip(recording.calls, selections, strict=True):
            selection.count += 1
            if is_power_of_two(recording.replays):
                self._keep(call, selection, replaces=True, is_capturing=False)

    def _selection(self, call: RecordedCall) -> Selection[ObservedLaunch]:
        selection = self.selections.get(call.key)
        if selection is None:
            selection = self.selections[call.key] = Selection(self.limits.launches)
        return selection

    def _keep(
        self, call: RecordedCall, selection: Selection[ObservedLaunch], replaces: bool | None, is_capturing: bool
    ) -> object:
        """Copy the arguments of a launch, if it is one that is kept; return what `failed` needs."""
        form, plain = form_of(call.dim, call.block_dim, call.values)
        position = selection.place_for(form, plain, replaces)
        if position is None:
            return None
        launch = self._copy(call, is_capturing)
        replaced = selection.keep(position, form, plain, launch)
        self.held -= replaced.nbytes if replaced is not None else 0
        return selection, launch

    def _copy(self, call: RecordedCall, is_capturing: bool) -> ObservedLaunch:
        kernel = live_arguments.overload_for(call.kernel, call.values)
        launch = ObservedLaunch(kernel, call.dim, call.block_dim, None)
        if is_capturing:
            launch.reason = "launched while a CUDA graph was captured, when arguments cannot be copied"
            return launch
        if self.held >= self.limits.total_bytes:
            launch.reason = f"{self.limits.total_bytes} bytes of arguments were copied before"
            return launch
        copier = Copier(self.objects, min(self.limits.launch_bytes, self.limits.total_bytes - self.held))
        try:
            launch.arguments = copier.copy(live_arguments.parameters_of(kernel), call.values)
        except NotExpressible as error:
            launch.reason = str(error)
            return launch
        launch.nbytes = copier.copied
        self.held += copier.copied
        return launch

    def _note(self, kernel: Any, error: Exception) -> None:
        if len(self.faults) < 100:
            self.faults.append(f"{getattr(kernel, 'key', kernel)}: {describe(error)}")
