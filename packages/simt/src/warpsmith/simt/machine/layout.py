"""The structures that Python and the machine exchange, see ``native/launch.h``."""

from __future__ import annotations

import ctypes as c

from warpsmith.simt.lowering.instruction_encoding import WORK


class Instruction(c.Structure):
    """An instruction; `warpsmith.simt.lowering.instruction_encoding.row` writes the same 64 bytes."""

    _fields_ = [("words", c.c_int32 * 16)]


class CallTarget(c.Structure):
    """A function that can be called, see `warpsmith.simt.lowering.lowered_program.CallTarget`."""

    _fields_ = [(name, c.c_int32) for name in ("entry", "first_slot", "slots", "frame", "used")]


class Range(c.Structure):
    """Memory that a launch may use; ``low`` and ``high`` are addresses of the kernel, ``host`` is where ``low`` is."""

    _fields_ = [
        ("low", c.c_uint64),
        ("high", c.c_uint64),
        ("host", c.c_void_p),
        ("argument", c.c_int32),
        ("writable", c.c_uint32),
    ]


class RawFinding(c.Structure):
    """A finding as the machine reports it."""

    _fields_ = [
        *((name, c.c_uint32) for name in ("kind", "position", "other_position", "detail")),
        *((name, c.c_uint32) for name in ("block", "thread", "other_block", "other_thread")),
        *((name, c.c_uint64) for name in ("address", "size", "count")),
    ]


class RawCounts(c.Structure):
    """Counts of a launch; ``warp`` and ``thread`` are by class of instructions."""

    _fields_ = [
        ("warp", c.c_uint64 * len(WORK)),
        ("thread", c.c_uint64 * len(WORK)),
        *(
            (name, c.c_uint64)
            for name in (
                "global_requests", "global_sectors", "shared_requests", "shared_passes", "local_requests", "atomic_requests",
                "atomic_conflicts", "shared_conflicts", "global_footprint",
                "branches", "divergent_branches", "barriers", "steps", "longest_warp",
            )
        ),
    ]  # fmt: skip


class RawLaunch(c.Structure):
    """A launch."""

    _fields_ = [
        *(
            (name, c.c_void_p)
            for name in (
                "code", "operations", "targets", "function_numbers", "tables", "constant_slots", "constant_values", "specials",
                "parameters", "ranges", "heap", "findings", "printed", "executed",
            )
        ),
        *(
            (name, c.c_uint64)
            for name in ("heap_address", "heap_size", "printed_capacity", "printed_size", "limit", "memory")
        ),
        *(
            (name, c.c_uint32)
            for name in (
                "code_count", "target_count", "function_count", "table_count", "constant_count", "range_count", "heap_ranges",
                "parameter_size", "slots", "shared_size", "local_size", "checks", "reversed", "finding_capacity",
                "finding_count", "stopped",
            )
        ),
        ("grid", c.c_uint32 * 3),
        ("block", c.c_uint32 * 3),
        ("counts", RawCounts),
    ]  # fmt: skip


SIZES = tuple(c.sizeof(structure) for structure in (Instruction, CallTarget, Range, RawFinding, RawCounts, RawLaunch))
"""Bytes of the structures, in the order of ``simt_sizes``."""
