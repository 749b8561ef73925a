"""Plans of `mbarrier`, the barrier objects in shared memory, and of copies that arrive at them."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import (
    AFTER_COPIES,
    BLOCK_SCOPE,
    NONE,
    PHASE_ACTION,
    VOLATILE,
    WITHOUT_COMPLETION,
)
from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx

_ACTIONS = {
    "init": "init", "inval": "invalidate", "arrive": "arrive", "arrive_drop": "drop", "expect_tx": "expect",
    "complete_tx": "complete", "test_wait": "wait", "try_wait": "wait", "pending_count": "pending",
}  # fmt: skip
_WITH_RESULT = ("arrive", "arrive_expect", "drop", "wait", "wait_parity", "pending")


def plan_phase_barrier(opcode: str) -> Plan:
    """Return the plan of an instruction of `mbarrier`."""
    parts = opcode.split(".")
    action = _ACTIONS[parts[1]]
    if action == "arrive" and "expect_tx" in parts:
        action = "arrive_expect"
    elif action == "drop" and "expect_tx" in parts:
        raise UnsupportedPtx(opcode)
    elif action == "wait" and "parity" in parts:
        action = "wait_parity"
    flags = VOLATILE if "relaxed" in parts else 0
    flags |= (0 if "cluster" in parts else BLOCK_SCOPE) | (WITHOUT_COMPLETION if "noComplete" in parts else 0)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        result = NONE
        if action in _WITH_RESULT:
            result, operands = lowering.target(operands[0]), operands[1:]
        if action == "pending":
            lowering.emit("mbarrier", (result, lowering.source(operands[0])), "synchronization", mode=PHASE_ACTION[action])
            return
        slot, offset, space, _ = lowering.address(operands[0], parts)
        if len(operands) < 2 and action not in ("arrive", "drop", "invalidate"):
            raise PtxError(f"{opcode} has no second operand")
        value = lowering.source(operands[1]) if len(operands) > 1 else NONE
        slots = (result, value, NONE, NONE, slot)
        lowering.emit("mbarrier", slots, "synchronization", offset, space=space, mode=PHASE_ACTION[action], flags=flags)

    return encode


def plan_arrival_of_copies(opcode: str) -> Plan:
    """Return the plan of ``cp.async.mbarrier.arrive``: the thread's copies are made at once, and it arrives."""
    parts = opcode.split(".")
    action = "arrive" if "noinc" in parts else "copies"

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        slot, offset, space, _ = lowering.address(operands[0], parts)
        slots = (NONE, NONE, NONE, NONE, slot)
        flags = BLOCK_SCOPE | AFTER_COPIES
        lowering.emit("mbarrier", slots, "synchronization", offset, space=space, mode=PHASE_ACTION[action], flags=flags)

    return encode
