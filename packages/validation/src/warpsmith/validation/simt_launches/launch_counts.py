"""Counts of the own launch of a pair with PTX: instructions, branches and traffic of the PTX in the record."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from functools import lru_cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs, objects
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.ptx_figures import LaunchCounts
from warpsmith.extraction.warp import runtime
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.launch_results import Counts
from warpsmith.simt.launches.module import Module
from warpsmith.simt.launches.program_launch import SHARED_LIMIT
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.entry_calls import seed_gradients
from warpsmith.validation.running.shared_arguments import Arguments, lay_out
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.simt_launches.launch_memory import LaunchMemory, SeparateArrays
from warpsmith.validation.simt_launches.machine_launch import LAUNCH_STEPS, SHARED_BYTES, parameter_bytes

_FIELDS = frozenset(LaunchCounts.__dataclass_fields__)


def with_launch_counts(pair: Pair) -> Pair:
    """Return a pair with the counts of its launch on the SIMT machine, if it has PTX that the machine runs.

    The machine runs no launches with meshes, grids, volumes or textures, and lacks some instructions; a fault ends a launch.
    The gradients of outputs are those that the levels of validation start the backward pass with. The machine runs in this
    process. It checks each access, but the pair should come from a source that you trust.

    Examples:
        >>> from warpsmith.simt import with_ptx
        >>> from warpsmith.synthesis import generate
        >>> pair = with_ptx(generate(seed=2000, index=17, device="cuda"), "sm_80")
        >>> pair = with_launch_counts(pair)
        >>> pair.metadata.ptx.forward.counts.global_requests > 0
        True
    """
    figures, launch = pair.metadata.ptx, pair.metadata.launch
    if figures is None or launch is None or objects(launch) or pair.ptx_forward is None:
        return pair
    forward, backward = _counts(pair, launch)
    figures = replace(figures, forward=replace(figures.forward, counts=forward))
    if figures.backward is not None:
        figures = replace(figures, backward=replace(figures.backward, counts=backward))
    return replace(pair, metadata=replace(pair.metadata, ptx=figures))


def _counts(pair: Pair, launch: Launch) -> tuple[LaunchCounts | None, LaunchCounts | None]:
    """Return the counts of both passes; the backward pass needs what the forward pass has written."""
    name, forward_text = pair.metadata.kernel_name, pair.cuda_ir_forward or ""
    options = tuple(pair.metadata.module_options.items())
    part = UnitPart("pair", "cuda", Code(name, forward_text, pair.cuda_ir_backward), options)
    arena = SeparateArrays(_arena())
    try:
        arguments = lay_out(launch, make_inputs(launch, pair.id), arena)
    except WarpsmithError:  # values that no launch has
        return None, None
    _, _, *arrays = arena.arrays
    memory = LaunchMemory(arguments, arrays, has_objects=False)
    forward = _pass(pair.ptx_forward, part, launch, arguments, memory, backward=False)
    if forward is None or pair.ptx_backward is None:
        return forward, None
    seed_gradients(launch, arguments)
    return forward, _pass(pair.ptx_backward, part, launch, arguments, memory, backward=True)


@lru_cache(maxsize=1)
def _known_arena() -> Arena:
    return Arena()


def _arena() -> Arena:
    """Return the memory of all launches, cleared: its arrays have the same places within a sector in every process."""
    arena = _known_arena()
    arena.clear()
    return arena


def _pass(
    ptx: str | None, part: UnitPart, launch: Launch, arguments: Arguments, memory: LaunchMemory, *, backward: bool
) -> LaunchCounts | None:
    try:
        module = Module(ptx or "")
        program = module.program(next(function.name for function in module.syntax.functions.values() if function.is_kernel))
        operation_table(program.operations)
    except (PtxError, UnsupportedPtx):
        return None
    bounds = runtime.launch_bounds(launch.dim, part.dimensions)
    block = min(part.block_dim, program.max_threads or part.block_dim)
    shared = min(SHARED_BYTES, SHARED_LIMIT - program.shared_size) if program.uses_dynamic_shared else 0
    raw, _, _ = module.run(
        program,
        max(-(-math.prod(launch.dim) // block), 1),
        block,
        parameter_bytes(program, arguments, bounds, backward),
        memory.regions,
        shared,
        Check.TRAFFIC,
        LAUNCH_STEPS,
    )
    return None if raw.stopped else _recorded(Counts.from_raw(raw.counts))


def _recorded(counts: Counts) -> LaunchCounts:
    found = {name: value for name, value in asdict(counts).items() if name in _FIELDS}
    for name in ("instructions", "thread_instructions"):
        found[name] = {kind: number for kind, number in found[name].items() if number}
    return LaunchCounts(**found)
