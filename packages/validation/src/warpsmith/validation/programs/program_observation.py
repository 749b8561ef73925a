"""The run of a program in a fork of the worker, which writes what it observed into a file of the worker's folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import warp as wp

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.program_record import ProgramRecord, ProgramResult
from warpsmith.core.records.tape_lines import encode_program
from warpsmith.extraction.capturing.program_execution import loaded_program
from warpsmith.extraction.capturing.program_recorder import ProgramRecorder
from warpsmith.extraction.capturing.tapes.gradient_recorder import GradientRecorder
from warpsmith.extraction.capturing.tapes.live_leaves import snapshot_leaves
from warpsmith.extraction.capturing.tapes.recordings import recorded_programs
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.launches.pair_launch import accesses_in, launch_from
from warpsmith.extraction.launches.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.source.standalone import standalone_source
from warpsmith.extraction.warp import launch_hooks, live_arguments
from warpsmith.extraction.warp.objects import registered_name
from warpsmith.validation.programs.observed_program import ArrayContent, LaunchEvent, ObservedProgram, content_of

KEPT_LAUNCHES = 12
"""How many launches of each kernel are kept with their contents: the first ones, then those whose numbers are powers of
two, and the last one."""

KERNEL_CACHE = "kernels"
"""The folder of Warp's binaries in that of the worker."""

_LIMITS = Limits(launches=1, launch_bytes=32 << 20, total_bytes=256 << 20)
_FIRST = 4


@dataclass
class _Kept:
    """A launch that is kept."""

    number: int
    kernel: Any
    dim: tuple[int, ...]
    block_dim: int | None
    values: list[Any]
    is_lasting: bool
    before: tuple[Snapshot, ...] | None = None
    problem: str = ""
    after: tuple[Snapshot, ...] | None = None


@dataclass(frozen=True)
class _Token:
    """What is kept of a launch until it ended."""

    of_gradients: object
    kept: _Kept | None


@dataclass
class ContentRecorder(ProgramRecorder):
    """A `ProgramRecorder` that also copies the arguments of launches, before and after them.

    Attributes:
        kept: the launches by kernel.
        gradients: the recorder of tapes.
    """

    kept: dict[str, list[_Kept]] = field(default_factory=dict)
    gradients: GradientRecorder = field(default_factory=lambda: GradientRecorder(_LIMITS))
    _counts: Counter[str] = field(default_factory=Counter)

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], device: Any, block_dim: int | None) -> object:
        number = len(self.order)
        super()._receive(kernel, dim, values, device, block_dim)
        token = self.gradients.launched(kernel, dim, values, (), device, block_dim)
        kept = self._keep_contents(number, kernel, dim, values, block_dim) if len(self.order) > number else None
        return _Token(token, kept)

    def _keep_contents(
        self, number: int, kernel: Any, dim: tuple[int, ...], values: list[Any], block_dim: int | None
    ) -> _Kept | None:
        name = registered_name(kernel)
        self._counts[name] += 1
        place = self._counts[name]
        kept = self.kept.setdefault(name, [])
        is_lasting = place <= _FIRST or place & (place - 1) == 0
        if kept and not kept[-1].is_lasting:
            kept.pop()  # the launch that was the last one so far
        overload = live_arguments.overload_for(kernel, values)
        item = _Kept(number, overload, dim, block_dim, values, is_lasting and len(kept) < KEPT_LAUNCHES)
        item.before, item.problem = self._copied(item)
        kept.append(item)
        return item

    def _copied(self, item: _Kept) -> tuple[tuple[Snapshot, ...] | None, str]:
        copier = Copier(self.objects, _LIMITS.launch_bytes)
        try:
            return copier.copy(live_arguments.parameters_of(item.kernel), item.values), ""
        except NotExpressible as error:
            return None, str(error)

    def failed(self, token: object) -> None:
        """Drop a launch that Warp refused."""
        if isinstance(token, _Token):
            self.gradients.failed(token.of_gradients)

    def completed(self, token: object) -> None:
        """Copy the arguments of a launch after it ran."""
        if isinstance(token, _Token):
            self.gradients.completed(token.of_gradients)
            if token.kept is not None and token.kept.before is not None:
                token.kept.after, token.kept.problem = self._copied(token.kept)
            return
        self.gradients.completed(token)

    def adjoint_launched(self, inputs: Any, kernel: Any) -> object:
        """Receive an adjoint launch."""
        return self.gradients.adjoint_launched(inputs, kernel)

    def entered(self, tape: Any) -> None:
        """Receive a tape before it records."""
        self.gradients.entered(tape)

    def backward_started(self, tape: Any, loss: Any, grads: Any) -> object:
        """Count and receive a backward pass."""
        super().backward_started(tape, loss, grads)
        return self.gradients.backward_started(tape, loss, grads)

    def backward_finished(self, token: object) -> None:
        """Receive a backward pass after it ran."""
        self.gradients.backward_finished(token)

    def copied(self, *arguments: Any) -> object:
        """Receive a copy."""
        return self.gradients.copied(*arguments)

    def adjoint_copied(self, *arguments: Any) -> object:
        """Receive the adjoint of a copy."""
        return self.gradients.adjoint_copied(*arguments)

    def created(self, array: Any) -> Any:
        """Receive and return an array without contents."""
        return self.gradients.created(array)

    def exposed(self, array: Any) -> None:
        """Receive an array that the program sets, or may set."""
        self.gradients.exposed(array)


def observe(program: ProgramRecord, path: Path) -> None:
    """Run a program and write the `ObservedProgram` to a file."""
    path.write_bytes(msgspec.msgpack.encode(_observed(program)))


def _observed(program: ProgramRecord) -> ObservedProgram:
    config: Any = wp.config
    config.kernel_cache_dir, config.log_level, config.optimization_level = str(Path.cwd() / KERNEL_CACHE), wp.LOG_ERROR, 0
    recorder = ContentRecorder(_LIMITS)
    pairs = {pair.id.rpartition("/")[2]: pair for pair in program.kernels}
    try:
        with loaded_program(program.python_source) as loaded:
            with launch_hooks.observed(recorder):
                loaded.run()
            return ObservedProgram(
                sources={registered_name(item.kernel): standalone_source(item.kernel) for item in recorder.kernels()},
                launches=tuple(recorder.launches),
                order=tuple(recorder.order),
                results=_results(recorder, pairs),
                backward_passes=recorder.backward_passes,
                events=tuple(_event(name, item, pairs.get(name)) for name, kept in recorder.kept.items() for item in kept),
                recordings=tuple(encode_program(item) for item in recorded_programs(recorder.gradients.tapes, loaded.name)),
            )
    except (KernelRejected, WarpsmithError) as error:
        return ObservedProgram(error=describe(error))


def _results(recorder: ProgramRecorder, pairs: Mapping[str, Pair]) -> tuple[ProgramResult, ...]:
    found: list[ProgramResult] = []
    for name, pair in pairs.items():
        found += recorder.results(name, accesses_in(pair)[0])
    return tuple(found)


def _event(name: str, item: _Kept, pair: Pair | None) -> LaunchEvent:
    number = item.number
    problem = item.problem or ("" if pair is not None else "the record has no such kernel")
    if problem or item.before is None or item.after is None or pair is None:
        return LaunchEvent(number, name, None, {}, {}, problem or "the launch did not end")
    try:
        launch = launch_from(pair, item.dim, item.before)
    except NotExpressible as error:
        return LaunchEvent(number, name, None, {}, {}, str(error))
    arrays = {leaf for leaf, _ in _arrays(item.after)}
    after = {leaf: content_of(values) for leaf, values in snapshot_leaves(item.after) if leaf in arrays}
    return LaunchEvent(number, name, launch, _contents(snapshot_leaves(item.before)), after)


def _arrays(snapshots: Any, prefix: str = "", inside: bool = False) -> Any:
    """Yield the leaves that are arrays, or members of structs in arrays."""
    for snapshot in snapshots:
        path, is_array = prefix + snapshot.name, inside or snapshot.kind == "array"
        if snapshot.fields:
            yield from _arrays(snapshot.fields, f"{path}.", is_array)
        elif is_array and snapshot.values is not None:
            yield path, snapshot.values


def _contents(leaves: Any) -> dict[str, ArrayContent]:
    contents: dict[str, ArrayContent] = {}
    for name, values in leaves:
        array: Values = values
        contents[name] = content_of(array)
    return contents
