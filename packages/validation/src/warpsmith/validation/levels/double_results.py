"""The results of a launch in double precision: the pair's text, with ``float32`` read as ``float64``."""

from __future__ import annotations

import numpy as np

from warpsmith.core.inputs.values import objects
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.common import DOUBLE, repeated_kernel
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LaunchResult
from warpsmith.validation.running.entry_calls import in_order, on_fibers, seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena


def double_results(line: Line, context: BatchContext, result: LaunchResult, *, backward: bool) -> LaunchOutputs | None:
    """Run one launch of a pair in double precision; return None where that is impossible.

    The libraries are those of level `gradient`, which compiles most texts before.

    Args:
        line: the pair.
        context: the state of the batch; its arena is not used.
        result: the launch, and its values in single precision.
        backward: whether to run the backward pass, too.
    """
    if objects(result.launch):  # objects store single precision
        return None
    repeated = repeated_kernel(line, context, DOUBLE)
    if repeated is None:
        return None
    part, kernel = repeated
    shape = on_fibers(result.launch, part.block_dim) if part.synchronizes else in_order(result.launch)[0]
    values = {name: promoted(value) for name, value in result.values.items()}
    seeds = {name: seed(value).astype(np.float64) for name, value in result.values.items()}
    prepared = prepare_launch(kernel, result.launch, values, Arena(), backward=backward, shape=shape, seeds=seeds)
    if run_forked([prepared.calls], context.launch_seconds) != [None]:
        return None
    return prepared.outputs()
