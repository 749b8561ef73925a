"""The sequence of one launch: lay out arguments, run forward, set the gradients of outputs, keep arrays, run backward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.running.entry_calls import Call, GridShape, cpp_backward, cpp_forward, grid, program, seed_gradients
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.shared_arguments import Arguments, lay_out
from warpsmith.validation.running.shared_memory import Arena


@dataclass(slots=True)
class EntryPoints:
    """The compiled entry points of one kernel; launches over a grid use the addresses that are set when they run.

    Attributes:
        forward: the address of the forward pass.
        backward: the address of the backward pass; 0 if there is none.
        dimensions: how many coordinates ``wp.tid()`` returns; None if the text does not say.
        takes_grid: whether the entry points run a `GridShape`; otherwise they are called as Warp's CPU launcher does.
        backward_rewrites_arrays: whether the backward pass may write arrays again.
        runner: the address of the function that runs the programs at these addresses, see `calls`; 0 if they are machine code.
    """

    forward: int
    backward: int
    dimensions: int | None
    takes_grid: bool
    backward_rewrites_arrays: bool
    runner: int = 0


@dataclass(slots=True)
class PreparedLaunch:
    """One launch with its arguments in place.

    Attributes:
        arguments: the arguments.
        forward: the calls of the forward pass.
        backward: the calls of the backward pass; empty if it does not run.
    """

    arguments: Arguments
    forward: list[Call]
    backward: list[Call] = field(default_factory=list)

    @property
    def calls(self) -> list[Call]:
        """All calls, in order."""
        return [*self.forward, *self.backward]

    def outputs(self) -> LaunchOutputs:
        """Return copies of what the launch left.

        The gradients of outputs are included, because adjoints change them.
        """
        arguments = self.arguments
        return LaunchOutputs(
            _copies(arguments.after_forward),
            _copies(arguments.adjoints) if self.backward else {},
            _copies(arguments.arrays) if arguments.kept else {},
        )


def prepare_launch(
    kernel: EntryPoints,
    launch: Launch,
    values: Mapping[str, Values],
    arena: Arena,
    *,
    backward: bool,
    shape: GridShape | None = None,
    seeds: Mapping[str, Values] | None = None,
) -> PreparedLaunch:
    """Prepare a launch of ``kernel``.

    Args:
        kernel: what to launch.
        launch: the size of the launch, and the names and types of the arguments.
        values: contents of the arguments by leaf; they are copied.
        arena: shared memory for the arguments.
        backward: whether to run the backward pass, too.
        shape: the grid, for entry points that take one.
        seeds: gradients of the outputs by leaf; without them, `entry_calls.seed`.
    """
    arguments = lay_out(launch, values, arena)
    prepared = PreparedLaunch(arguments, [entry_call(kernel, launch, arguments, shape, backward=False)])
    if backward:
        seed_gradients(launch, arguments, seeds)
        if kernel.backward_rewrites_arrays:
            prepared.backward.append(arguments.keep(arena))
        prepared.backward.append(entry_call(kernel, launch, arguments, shape, backward=True))
    return prepared


def entry_call(kernel: EntryPoints, launch: Launch, arguments: Arguments, shape: GridShape | None, *, backward: bool) -> Call:
    """Return the call of one pass of a kernel with arguments in place."""
    if kernel.takes_grid:
        if shape is None:
            raise ValueError("these entry points need the shape of a grid")
        run = grid(launch, kernel.dimensions, shape, arguments, backward, kernel.runner)
        return lambda: run(kernel.backward if backward else kernel.forward)
    address = kernel.backward if backward else kernel.forward
    if kernel.runner:
        return program(kernel.runner, address, launch, kernel.dimensions, arguments)
    return (cpp_backward if backward else cpp_forward)(address, launch, kernel.dimensions, arguments)


def _copies(arrays: Mapping[str, Values]) -> dict[str, Values]:
    return {name: array.copy() for name, array in arrays.items()}
