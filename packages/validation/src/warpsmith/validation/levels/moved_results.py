"""How far the results of a launch move with its inputs and the order of sums, by the pair's text in single precision."""

from __future__ import annotations

from itertools import cycle

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.common import SINGLE, repeated_kernel
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LaunchResult
from warpsmith.validation.running.entry_calls import in_order, on_fibers, out_of_order
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.moved_inputs import largest_changes, moved_inputs
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_memory import Arena


def changes_of_results(line: Line, context: BatchContext, result: LaunchResult, *, backward: bool) -> LaunchOutputs | None:
    """Return the largest change of each element by moved inputs, half of the times with the last thread first, or None.

    Args:
        line: the pair.
        context: the state of the batch; its arena is not used.
        result: the launch, its values and its results.
        backward: whether to run the backward pass, too.
    """
    repeated = repeated_kernel(line, context, SINGLE)
    if repeated is None:
        return None
    part, kernel = repeated
    if part.synchronizes:
        shapes = [on_fibers(result.launch, part.block_dim, last_first=last_first) for last_first in (False, True)]
    else:
        shapes = [in_order(result.launch)[0], out_of_order(result.launch)[-1]]
    runs = []
    for values, shape in zip(moved_inputs(result.launch, result.values), cycle(shapes), strict=False):
        prepared = prepare_launch(kernel, result.launch, values, Arena(), backward=backward, shape=shape)
        if run_forked([prepared.calls], context.launch_seconds) == [None]:
            runs.append(prepared.outputs())
    expected = result.outputs
    return LaunchOutputs(
        largest_changes(expected.arrays, (run.arrays for run in runs)),
        largest_changes(expected.gradients, (run.gradients for run in runs)),
    )
