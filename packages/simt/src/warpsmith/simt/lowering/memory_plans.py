"""Plans of instructions that access memory: loads, stores, atomics, asynchronous copies."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import (
    ACQUIRE,
    ATOMIC_NUMBER,
    BLOCK_SCOPE,
    NONE,
    RELEASE,
    SPACE,
    VOLATILE,
    kind_of,
)
from warpsmith.simt.lowering.lane_plans import operation_number
from warpsmith.simt.lowering.phase_barrier_plans import plan_arrival_of_copies
from warpsmith.simt.ptx.statements import members
from warpsmith.simt.ptx.syntax import SIZES, UnsupportedPtx

_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_ATOMICS_OF_FLOATS = {
    "f32": ("add",),
    "f64": ("add",),
    "f16": ("add",),
    "bf16": ("add",),
    "f16x2": ("add",),
    "bf16x2": ("add",),
}
_ATOMIC_TYPES = ("b16", "b32", "b64", "u32", "u64", "s32", "s64", *_ATOMICS_OF_FLOATS)
LARGEST_VECTOR = 16
"""Bytes of a vector that atomic operations change."""

_WORK = {
    "generic": ("load", "store"),
    "shared": ("shared_load", "shared_store"),
    "local": ("local_load", "local_store"),
    "param": ("other", "other"),
}


def order_flags(parts: list[str]) -> int:
    """Return the flags of the memory order that an opcode states."""
    flags = 0
    if "volatile" in parts or "relaxed" in parts or "mmio" in parts:
        flags |= VOLATILE
    if "release" in parts or "acq_rel" in parts:
        flags |= VOLATILE | RELEASE
    if "acquire" in parts or "acq_rel" in parts:
        flags |= VOLATILE | ACQUIRE
    if "cta" in parts:
        flags |= BLOCK_SCOPE
    return flags


def _work(space: int, store: bool) -> str:
    return _WORK[next(name for name, number in SPACE.items() if number == space)][store]


def plan_load(opcode: str) -> Plan:
    """Return the plan of ``ld``; parameters of the kernel at known places are constants."""
    parts = opcode.split(".")
    ptx_type = parts[-1]
    count = next((_VECTORS[part] for part in parts if part in _VECTORS), 1)
    if ptx_type == "b128":
        return _plan_wide_access(opcode)
    size, kind, flags = SIZES[ptx_type], int(ptx_type[0] == "s"), order_flags(parts)
    if count > 4:
        raise UnsupportedPtx(opcode)
    move = operation_number("mov.b64")

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        slot, offset, space, symbol = lowering.address(operands[1], parts)
        targets = members(operands[0])
        if len(targets) != count:
            raise ValueError
        if symbol is not None and symbol.space == "param":
            start = symbol.address + offset
            end = start + size * count
            if symbol.variable is not None and offset >= 0 and end <= symbol.address + symbol.variable.size:
                for number, target in enumerate(targets):
                    constant = lowering.layout.parameter(start + number * size, size, bool(kind))
                    lowering.emit(move, (lowering.target(target), NONE, constant), "other")
                return
        slots = tuple(lowering.target(target) for target in targets) + (NONE,) * (4 - count) + (slot,)
        work = "other" if symbol is not None and symbol.space == "local" and "param" in parts else _work(space, False)
        mode = int("param" in parts) | _unread(lowering, targets) << 1
        lowering.emit("load", slots, work, offset, size=size, count=count, space=space, kind=kind, flags=flags, mode=mode)

    return encode


def _unread(lowering: FunctionLowering, targets: list[str]) -> int:
    """Return how many of the last registers of a vector no other instruction names.

    NVRTC loads three neighbouring numbers of aligned shared memory as a vector of four, and nothing reads the fourth one.
    """
    count = 0
    while count < len(targets) - 1 and not lowering.names_again(targets[-1 - count]):
        count += 1
    return count


def plan_store(opcode: str) -> Plan:
    """Return the plan of ``st``."""
    parts = opcode.split(".")
    ptx_type = parts[-1]
    count = next((_VECTORS[part] for part in parts if part in _VECTORS), 1)
    if ptx_type == "b128":
        return _plan_wide_access(opcode)
    size, flags = SIZES[ptx_type], order_flags(parts)
    if count > 4 or "async" in parts:
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        slot, offset, space, symbol = lowering.address(operands[0], parts)
        sources = members(operands[1])
        if len(sources) != count:
            raise ValueError
        slots = tuple(lowering.source(source, ptx_type) for source in sources) + (NONE,) * (4 - count) + (slot,)
        work = "other" if symbol is not None and symbol.space == "local" and "param" in parts else _work(space, True)
        lowering.emit(
            "store", slots, work, offset, size=size, count=count, space=space, flags=flags, mode=int("param" in parts)
        )

    return encode


def _plan_wide_access(opcode: str) -> Plan:
    """Return the plan of ``ld.b128`` and ``st.b128``: two halves in neighbouring slots."""
    parts = opcode.split(".")
    stores = parts[0] == "st"
    if any(part in _VECTORS for part in parts) or "async" in parts:
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        address, register = operands if stores else operands[::-1]
        slot, offset, space, _ = lowering.address(address, parts)
        slots = (*lowering.wide(register), NONE, NONE, slot)
        name, work, flags = "store" if stores else "load", _work(space, stores), order_flags(parts)
        lowering.emit(name, slots, work, offset, size=8, count=2, space=space, flags=flags, mode=int("param" in parts))

    return encode


def plan_atomic(opcode: str) -> Plan:
    """Return the plan of ``atom`` and ``red``."""
    parts = opcode.split(".")
    ptx_type = parts[-1]
    action = next((part for part in parts[1:] if part in ATOMIC_NUMBER), None)
    if action is None or "async" in parts:
        raise UnsupportedPtx(opcode)
    if ptx_type == "b128" or any(part in _VECTORS for part in parts):
        return _plan_vector_atomic(opcode, action)
    if ptx_type in _ATOMICS_OF_FLOATS and action not in _ATOMICS_OF_FLOATS[ptx_type]:
        raise UnsupportedPtx(opcode)
    has_result, size, kind = parts[0] == "atom", SIZES[ptx_type], kind_of(ptx_type)
    if ptx_type not in _ATOMIC_TYPES or (action in ("inc", "dec") and ptx_type != "u32"):
        raise UnsupportedPtx(opcode)
    if size == 2 and ptx_type == "b16" and action not in ("cas", "exch"):
        raise UnsupportedPtx(opcode)
    flags = order_flags(parts)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        result = NONE
        if has_result:
            result = lowering.target(operands[0]) if operands[0] != "_" else NONE
            operands = operands[1:]
        slot, offset, space, _ = lowering.address(operands[0], parts)
        values = tuple(lowering.source(operand, ptx_type) for operand in operands[1:])
        if len(values) != (2 if action == "cas" else 1):
            raise ValueError
        slots = (result, *values, *(NONE,) * (3 - len(values)), slot)
        lowering.emit(
            "atomic", slots, "atomic", offset, size=size, space=space, kind=kind, mode=ATOMIC_NUMBER[action], flags=flags
        )

    return encode


def _plan_vector_atomic(opcode: str, action: str) -> Plan:
    """Return the plan of an atomic operation on the elements of a vector, or on 16 bytes."""
    parts = opcode.split(".")
    ptx_type = parts[-1] if parts[-1] not in _VECTORS else parts[-2]
    wide = ptx_type == "b128"
    size = 8 if wide else SIZES[ptx_type]
    count = 2 if wide else next(_VECTORS[part] for part in parts if part in _VECTORS)
    actions = ("exch", "cas") if wide else _ATOMICS_OF_FLOATS[ptx_type]
    if action not in actions or ptx_type == "f64" or size * count > LARGEST_VECTOR:
        raise UnsupportedPtx(opcode)
    flags, has_result = order_flags(parts), parts[0] == "atom"

    def slots_of(lowering: FunctionLowering, operand: str) -> list[int]:
        if wide:
            return list(lowering.wide(operand))
        slots = [lowering.slot(member) for member in members(operand)]
        if len(slots) != count:
            raise ValueError
        return slots

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        table = [NONE] * count
        if has_result:
            table = slots_of(lowering, operands[0]) if operands[0] != "_" else table
            operands = operands[1:]
        slot, offset, space, _ = lowering.address(operands[0], parts)
        if len(operands) != (3 if action == "cas" else 2):
            raise ValueError
        for operand in operands[1:]:
            table += slots_of(lowering, operand)
        tables = lowering.layout.program.tables
        slots = (NONE, NONE, NONE, NONE, slot, NONE, len(tables))
        tables.extend(table)
        properties = {"size": size, "count": count, "space": space, "kind": kind_of(ptx_type), "flags": flags}
        lowering.emit("vector_atomic", slots, "atomic", offset, mode=ATOMIC_NUMBER[action], **properties)

    return encode


def plan_asynchronous_copy(opcode: str) -> Plan:
    """Return the plan of ``cp.async``; the copies are made when the thread waits for them."""
    parts = opcode.split(".")
    if parts[2] == "mbarrier":
        return plan_arrival_of_copies(opcode)
    if parts[2] == "commit_group":
        return lambda lowering, _: lowering.emit("async_commit", work="synchronization")
    if parts[2] == "wait_all":
        return lambda lowering, _: lowering.emit("async_wait", work="synchronization", mode=1)
    if parts[2] == "wait_group":
        return lambda lowering, operands: lowering.emit("async_wait", work="synchronization", immediate=int(operands[0], 0))
    if parts[2] not in ("ca", "cg"):
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, offset, _, _ = lowering.address(operands[0], ["shared"])
        source, source_offset, _, _ = lowering.address(operands[1], ["global"])
        size = int(operands[2], 0)
        if size not in (4, 8, 16):
            raise ValueError
        if source_offset:
            address = lowering.layout.new_slots()
            addend = lowering.layout.constant(source_offset)
            lowering.emit(operation_number("add.u64"), (address, NONE, source, addend), "integer")
            source = address
        copied = lowering.source(operands[3]) if len(operands) > 3 and not operands[3].startswith("%rd") else NONE
        lowering.emit("async_copy", (source, copied, NONE, NONE, target), "load", offset, size=size)

    return encode
