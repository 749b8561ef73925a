"""The plan of each opcode: by its base instruction, or an operation of the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from warpsmith.simt.lowering import (
    control_plans,
    lane_plans,
    matrix_plans,
    memory_plans,
    phase_barrier_plans,
    synchronization_plans,
    texture_plans,
)
from warpsmith.simt.lowering.function_lowering import Plan
from warpsmith.simt.ptx.syntax import UnsupportedPtx

_PLANS: dict[str, Callable[[str], Plan]] = {
    "mov": lane_plans.plan_move,
    "cvta": lane_plans.plan_address_conversion,
    "isspacep": lane_plans.plan_space_test,
    "ld": memory_plans.plan_load,
    "ldu": memory_plans.plan_load,
    "st": memory_plans.plan_store,
    "atom": memory_plans.plan_atomic,
    "red": memory_plans.plan_atomic,
    "cp": memory_plans.plan_asynchronous_copy,
    "tex": texture_plans.plan_texture,
    "txq": texture_plans.plan_query,
    "mbarrier": phase_barrier_plans.plan_phase_barrier,
    "mma": matrix_plans.plan_product,
    "wmma": matrix_plans.plan_fragment,
    "ldmatrix": matrix_plans.plan_rows,
    "stmatrix": matrix_plans.plan_rows,
    "movmatrix": matrix_plans.plan_transposition,
    "bra": control_plans.plan_branch,
    "brx": control_plans.plan_branch_table,
    "ret": control_plans.plan_return,
    "exit": control_plans.plan_return,
    "call": control_plans.plan_call,
    "trap": control_plans.plan_trap,
    "bar": synchronization_plans.plan_barrier,
    "barrier": synchronization_plans.plan_barrier,
    "fence": synchronization_plans.plan_fence,
    "membar": synchronization_plans.plan_fence,
    "activemask": synchronization_plans.plan_active_mask,
    "shfl": synchronization_plans.plan_shuffle,
    "vote": synchronization_plans.plan_vote,
    "match": synchronization_plans.plan_match,
    "redux": synchronization_plans.plan_reduction,
    "elect": synchronization_plans.plan_election,
    **dict.fromkeys(
        ("prefetch", "prefetchu", "nanosleep", "discard", "applypriority", "griddepcontrol", "setmaxnreg", "pmevent", "brkpt"),
        synchronization_plans.plan_nothing,
    ),
}

_DIFFERENT = ("cp.async.bulk", "cp.reduce")
"""Opcodes that share the base instruction of a supported one but differ from it."""


@cache
def plan(opcode: str) -> Plan:
    """Return the plan of an opcode.

    Raises:
        UnsupportedPtx: if the machine does not support it.
    """
    if opcode.startswith(_DIFFERENT):
        raise UnsupportedPtx(opcode)
    try:
        return _PLANS.get(opcode.partition(".")[0], lane_plans.plan_operation)(opcode)
    except (KeyError, IndexError, ValueError, StopIteration):
        raise UnsupportedPtx(opcode) from None
