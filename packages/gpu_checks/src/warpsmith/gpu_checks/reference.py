"""What a pair has to leave: the results of its C++ text on the CPU, in single and in double precision.

The texts run in forks of the worker, as at level `execute`. The driver of the device never has these results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from warpsmith.core.inputs.values import Values, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks.device_results import Results, select
from warpsmith.validation.levels.common import entry_points, is_extracted, launch_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding, attributed, fail, inconclusive, skipped
from warpsmith.validation.running.entry_calls import in_order, on_fibers, out_of_order, seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.moved_inputs import largest_changes, moved_inputs
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_arguments import promoted


@dataclass(frozen=True)
class Reference:
    """What a pair has to leave, and what shows how exactly.

    Attributes:
        expected: the results of the C++ text in single precision.
        exact: the results in double precision, empty where it is impossible.
        measure: returns how far each element moves with the inputs, see `measure_changes`.
    """

    expected: Results
    exact: Results = field(default_factory=lambda: Results({}, {}))
    measure: Callable[[], Results] = lambda: Results({}, {})

    @cached_property
    def changes(self) -> Results:
        """How far each element moves with the inputs, measured when it is first needed."""
        return self.measure()

    def changes_of(self, kind: str, name: str) -> Values | None:
        """Return how far the elements of one array move; ``kind`` is a field of `Results`."""
        changes: Values | None = getattr(self.changes, kind).get(name)
        return changes


def measure_changes(line: Line, context: BatchContext, values: Mapping[str, Values], expected: Results) -> Results:
    """Return how far each element of the results moves with the inputs, see `moved_inputs`."""
    launch, _ = launch_of(line)
    runs = [run_on_cpu(line, context, moved) for moved in moved_inputs(launch, values)]
    results = [run for run in runs if isinstance(run, Results)]
    return Results(
        largest_changes(expected.outputs, (run.outputs for run in results)),
        largest_changes(expected.gradients, (run.gradients for run in results)),
    )


def run_on_cpu(line: Line, context: BatchContext, values: Mapping[str, Values]) -> Results | Finding:
    """Run a pair's C++ text on the CPU, and return its results or why there are none."""
    part = context.unit_part(line, "cpu")
    if part is None:
        return skipped("there is no C++ code of this pair")
    launch, backward = launch_of(line)
    library = context.library("cpp", [part])[part.key]
    if part.key in library.errors:
        return fail(f"cpu: {library.errors[part.key]}")
    context.arena.clear()
    kernel = entry_points(library, part, takes_grid=False)
    prepared = prepare_launch(kernel, launch, values, context.arena, backward=backward)
    (problem,) = run_forked([prepared.calls], context.launch_seconds)
    if problem is not None:
        finding = inconclusive if is_extracted(line) else fail
        return attributed(problem, lambda reason: finding(f"on the CPU: {reason}"))
    outputs = prepared.outputs()
    return select(launch, values, outputs.arrays, outputs.gradients)


def in_reverse(line: Line, context: BatchContext, values: Mapping[str, Values]) -> Results | None:
    """Run a pair's CUDA text on the CPU with the last thread first; return None where that is impossible."""
    part = context.unit_part(line, "cuda")
    if part is None or part.links_library:
        return None
    launch, backward = launch_of(line)
    library = context.library("emulated", [part])[part.key]
    if part.key in library.errors:
        return None
    context.arena.clear()
    shape = on_fibers(launch, part.block_dim, last_first=True) if part.synchronizes else out_of_order(launch)[-1]
    kernel = entry_points(library, part, takes_grid=True)
    prepared = prepare_launch(kernel, launch, values, context.arena, backward=backward, shape=shape)
    if run_forked([prepared.calls], context.launch_seconds) != [None]:
        return None
    outputs = prepared.outputs()
    return select(launch, values, outputs.arrays, outputs.gradients)


def in_double(line: Line, context: BatchContext, values: Mapping[str, Values]) -> Results:
    """Run a pair's text in double precision on the CPU; return no results where that is impossible."""
    target, unit_type = ("cuda", "double") if context.unit_part(line, "cuda") else ("cpu", "double_cpp")
    part = context.unit_part(line, target)
    launch, backward = launch_of(line)
    if part is None or objects(launch):  # objects hold single precision
        return Results({}, {})
    library = context.library(unit_type, [part])[part.key]
    if part.key in library.errors:
        return Results({}, {})
    kernel = replace(entry_points(library, part, takes_grid=target == "cuda"), backward_rewrites_arrays=False)
    context.arena.clear()
    promoted_values = {name: promoted(value) for name, value in values.items()}
    seeds = {name: seed(value).astype(np.float64) for name, value in values.items()}
    prepared = prepare_launch(
        kernel, launch, promoted_values, context.arena, backward=backward, shape=in_order(launch)[0], seeds=seeds
    )
    if run_forked([prepared.calls]) != [None]:
        return Results({}, {})
    outputs = prepared.outputs()
    return Results(outputs.arrays, outputs.gradients)
