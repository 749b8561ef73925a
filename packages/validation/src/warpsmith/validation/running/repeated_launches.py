"""Many launches of one kernel, one after another in the same memory, which is laid out once."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import partial

from warpsmith.core.inputs.values import Values, leaves, objects
from warpsmith.core.records.launch import Launch
from warpsmith.validation.running.entry_calls import Call, GridShape, seed
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared_launch import EntryPoints, PreparedLaunch, entry_call, prepare_launch
from warpsmith.validation.running.shared_arguments import Arguments, lay_out
from warpsmith.validation.running.shared_memory import Arena


class SharedLaunch:
    """One launch in shared memory; like a `PreparedLaunch`, it has `calls` to make, and `outputs` afterwards."""

    def __init__(self, calls: list[Call], saved: LaunchOutputs) -> None:
        self.calls, self._saved = calls, saved

    def outputs(self) -> LaunchOutputs:
        """Return copies of what the launch left."""
        saved = self._saved
        return LaunchOutputs(*({name: array.copy() for name, array in part.items()} for part in _parts(saved)))


class Launcher:
    """Prepares launches of one kernel whose arguments have the same shapes and types.

    Args:
        kernel: what to launch.
        arena: shared memory for the arguments.
        backward: whether to run the backward pass, too.
    """

    def __init__(self, kernel: EntryPoints, arena: Arena, *, backward: bool) -> None:
        self._kernel, self._arena, self._backward = kernel, arena, backward
        self._memory: _Memory | None = None
        self._entries: dict[tuple[tuple[int, ...], bytes, bool], Call] = {}

    def prepare(
        self, launch: Launch, values: Mapping[str, Values], shape: GridShape | None = None, *, backward: bool = True
    ) -> PreparedLaunch | SharedLaunch:
        """Prepare a launch; see `prepare_launch` for the arguments.

        Objects are built for each launch, and so are indexed arrays; such launches have memory of their own.
        """
        backward = backward and self._backward
        if objects(launch) or any(leaf.kind == "indexed_array" for leaf in leaves(launch)):
            return prepare_launch(self._kernel, launch, values, self._arena, backward=backward, shape=shape)
        if self._memory is None:
            self._memory = _Memory(launch, values, self._arena)
        memory = self._memory
        saved = memory.space(self._arena, backward, self._kernel.backward_rewrites_arrays)
        calls: list[Call] = [partial(memory.reset, values), self._entry(launch, shape, backward=False)]
        calls.append(partial(_save, memory.arguments.arrays, saved.arrays))
        if backward:
            calls.append(self._entry(launch, shape, backward=True))
            calls.append(partial(_save, memory.arguments.adjoints, saved.gradients))
            calls.append(partial(_save, memory.arguments.arrays, saved.rewritten))
        return SharedLaunch(calls, saved)

    def _entry(self, launch: Launch, shape: GridShape | None, backward: bool) -> Call:
        if self._memory is None:
            raise AssertionError("nothing is laid out")
        key = launch.dim, bytes(shape) if shape is not None else b"", backward
        if key not in self._entries:
            self._entries[key] = entry_call(self._kernel, launch, self._memory.arguments, shape, backward=backward)
        return self._entries[key]


class _Memory:
    """The memory of a kernel's arguments, and how it is before a launch."""

    def __init__(self, launch: Launch, values: Mapping[str, Values], arena: Arena) -> None:
        self.arguments: Arguments = lay_out(launch, values, arena)
        written = {leaf.name for leaf in leaves(launch) if leaf.role != "input"}
        self._seeds = {name: seed(adjoint) if name in written else 0.0 for name, adjoint in self.arguments.adjoints.items()}
        structures = (self.arguments.values, self.arguments.adjoint_values)
        self._structures = [
            (place, structure.tobytes(), structure.nbytes)
            for place, structure in zip(self.arguments.structures(), structures, strict=True)
        ]

    def space(self, arena: Arena, backward: bool, rewrites_arrays: bool) -> LaunchOutputs:
        """Return space for what a launch leaves."""
        parts = (self.arguments.arrays, self.arguments.adjoints, self.arguments.arrays)
        wanted = (True, backward, backward and rewrites_arrays)
        return LaunchOutputs(
            *(
                {name: arena.empty(array.shape, array.dtype) for name, array in part.items()} if needed else {}
                for part, needed in zip(parts, wanted, strict=True)
            )
        )

    def reset(self, values: Mapping[str, Values]) -> None:
        """Set everything that a launch before may have changed, also the descriptors of arrays."""
        for place, content, size in self._structures:
            ctypes.memmove(place, content, size)
        self.arguments.set(values)
        for name, adjoint in self.arguments.adjoints.items():
            adjoint[...] = self._seeds[name]


def _parts(outputs: LaunchOutputs) -> tuple[dict[str, Values], ...]:
    return outputs.arrays, outputs.gradients, outputs.rewritten


def _save(arrays: Mapping[str, Values], saved: Mapping[str, Values]) -> None:
    for name, content in saved.items():
        content[...] = arrays[name]
