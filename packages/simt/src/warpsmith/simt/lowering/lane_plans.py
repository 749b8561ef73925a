"""Plans of instructions that work on each lane alone: operations of the table, moves, packs, and conversions of addresses."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION, NONE, SPACE, WINDOWS, WORK_NUMBER
from warpsmith.simt.operations.table import UnsupportedOperation, number, operation
from warpsmith.simt.ptx.statements import members
from warpsmith.simt.ptx.syntax import SIZES, PtxError, UnsupportedPtx


def operation_number(opcode: str) -> int:
    """Return the number of an operation of the table as an instruction of the machine."""
    return FIRST_OPERATION + number(opcode)


def plan_operation(opcode: str) -> Plan:
    """Return the plan of an operation of the table.

    Raises:
        UnsupportedPtx: if the table lacks the opcode.
    """
    try:
        meaning, index = operation(opcode), operation_number(opcode)
    except UnsupportedOperation:
        raise UnsupportedPtx(opcode) from None
    results, sources, work = len(meaning.result_types), meaning.source_types, WORK_NUMBER[meaning.work]
    if results > 2 or len(sources) > 4:
        raise UnsupportedPtx(opcode)
    padding, count = [NONE] * (4 - len(sources)), len(sources) + 1

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        if len(operands) != count:
            raise PtxError(f"{opcode} has {len(operands)} operands instead of {count}")
        slots = [*map(lowering.registers.get, operands)]  # most operations have registers only
        first, second = slots[0], NONE
        if first is None:
            target, _, other = operands[0].partition("|")
            first = lowering.target(target)
            if other:
                second = lowering.target(other)
        if results == 2 and second == NONE:
            second = lowering.slot("_")
        if None in slots[1:]:
            pairs = zip(operands[1:], sources, strict=True)
            lowering.emit_operation(index, work, first, second, [lowering.source(*pair) for pair in pairs] + padding)
        else:
            lowering.emit_operation(index, work, first, second, slots[1:] + padding)  # type: ignore[arg-type]

    return encode


def plan_move(opcode: str) -> Plan:
    """Return the plan of ``mov``: registers, addresses, and vectors that are packed or unpacked."""
    ptx_type = opcode.rpartition(".")[2]
    size = SIZES[ptx_type]
    if ptx_type == "b128":
        return _move_wide
    index = operation_number("mov.pred" if ptx_type == "pred" else "mov.b64")

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, source = operands
        if source[0] == "{":
            parts = members(source)
            _check_pack(opcode, size, parts)
            slots = (lowering.target(target), *(lowering.source(part) for part in parts))
            lowering.emit("pack", slots, "move", count=len(parts), size=size // len(parts))
        elif target[0] == "{":
            parts = members(target)
            _check_pack(opcode, size, parts)
            slots = tuple(lowering.target(part) if part != "_" else NONE for part in parts)
            slots += (NONE,) * (4 - len(parts)) + (lowering.source(source),)
            lowering.emit("unpack", slots, "move", count=len(parts), size=size // len(parts))
        else:
            lowering.emit(index, (lowering.target(target), NONE, lowering.source(source, ptx_type)), "move")

    return encode


def _move_wide(lowering: FunctionLowering, operands: list[str]) -> None:
    """Encode ``mov.b128``: its registers are two neighbouring slots."""
    move = operation_number("mov.b64")
    target, source = (
        [lowering.slot(member) for member in members(operand)] if operand[0] == "{" else list(lowering.wide(operand))
        for operand in operands
    )
    for to, half in zip(target, source, strict=True):
        lowering.emit(move, (to, NONE, half), "move")


def _check_pack(opcode: str, size: int, parts: list[str]) -> None:
    if size > 8 or len(parts) not in (2, 4) or size % len(parts):
        raise UnsupportedPtx(f"{opcode} with {len(parts)} members")


def plan_address_conversion(opcode: str) -> Plan:
    """Return the plan of ``cvta``: a generic address is the address in its space plus the start of the window."""
    parts = opcode.split(".")
    space = next((part.partition("::")[0] for part in parts if part.partition("::")[0] in WINDOWS), "")
    add, subtract, move = operation_number("add.u64"), operation_number("sub.u64"), operation_number("mov.b64")

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, source = lowering.target(operands[0]), lowering.source(operands[1])
        if not space or (space == "param" and not lowering.function.is_kernel):
            lowering.emit(move, (target, NONE, source), "move")
        else:
            change = subtract if "to" in parts else add
            lowering.emit(change, (target, NONE, source, lowering.layout.constant(WINDOWS[space])), "move")

    return encode


def plan_space_test(opcode: str) -> Plan:
    """Return the plan of ``isspacep``."""
    space = opcode.split(".")[1].partition("::")[0]
    mode = SPACE.get(space, 0)
    if space not in (*SPACE, "global", "const"):
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        lowering.emit("space_test", (lowering.target(operands[0]), NONE, lowering.source(operands[1])), "logic", mode=mode)

    return encode
