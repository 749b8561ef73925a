"""Plans of barriers, fences, and instructions that exchange values among the lanes of a warp."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import ATOMIC_NUMBER, NONE
from warpsmith.simt.ptx.syntax import SIZES, UnsupportedPtx

_SHUFFLES = {"up": 0, "down": 1, "bfly": 2, "idx": 3}
_VOTES = {"all": 0, "any": 1, "uni": 2, "ballot": 3}
_BARRIERS = {"sync": 0, "arrive": 1, "popc": 2, "and": 3, "or": 4}
BLOCK_FENCE, DEVICE_FENCE = 0, 1


def plan_barrier(opcode: str) -> Plan:
    """Return the plan of ``bar`` and ``barrier``; an aligned barrier needs all lanes of a warp at one place."""
    parts = opcode.split(".")
    if "cluster" in parts:
        raise UnsupportedPtx(opcode)
    if "warp" in parts:
        return lambda lowering, operands: lowering.emit(
            "warp_barrier", (NONE, NONE, NONE, NONE, NONE, lowering.source(operands[0])), "synchronization"
        )
    action = next((part for part in parts if part in ("popc", "and", "or")), "arrive" if "arrive" in parts else "sync")
    aligned = parts[0] == "bar" or "aligned" in parts

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, predicate = NONE, NONE
        if "red" in parts:
            target, predicate = lowering.target(operands[0]), lowering.source(operands[-1])
            operands = operands[1:-1]
        barrier = lowering.source(operands[0]) if operands else lowering.layout.constant(0)
        threads = lowering.source(operands[1]) if len(operands) > 1 else NONE
        slots = (target, NONE, barrier, threads, predicate)
        lowering.emit("barrier", slots, "synchronization", mode=_BARRIERS[action], flags=int(aligned))

    return encode


def plan_fence(opcode: str) -> Plan:
    """Return the plan of ``fence`` and ``membar``."""
    parts = opcode.split(".")
    if "proxy" in parts or "mbarrier_init" in parts:
        return plan_nothing(opcode)
    mode = BLOCK_FENCE if "cta" in parts else DEVICE_FENCE
    return lambda lowering, _: lowering.emit("fence", (), "synchronization", mode=mode)


def plan_nothing(_opcode: str) -> Plan:
    """Return the plan of an instruction without an effect on results, such as ``prefetch`` or ``nanosleep``."""
    return lambda lowering, _: lowering.emit("nothing", (), "other")


def plan_active_mask(_opcode: str) -> Plan:
    """Return the plan of ``activemask``."""
    return lambda lowering, operands: lowering.emit("active_mask", (lowering.target(operands[0]),), "synchronization")


def plan_shuffle(opcode: str) -> Plan:
    """Return the plan of ``shfl.sync``."""
    parts = opcode.split(".")
    if parts[1] != "sync":
        raise UnsupportedPtx(opcode)
    mode = _SHUFFLES[parts[2]]

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        if len(operands) != 5:
            raise ValueError
        target, _, valid = operands[0].partition("|")
        slots = (
            lowering.target(target),
            lowering.target(valid) if valid else NONE,
            *(lowering.source(text) for text in operands[1:]),
        )
        lowering.emit("shuffle", slots, "synchronization", mode=mode)

    return encode


def plan_vote(opcode: str) -> Plan:
    """Return the plan of ``vote.sync``."""
    parts = opcode.split(".")
    if parts[1] != "sync":
        raise UnsupportedPtx(opcode)
    mode = _VOTES[parts[2]]

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        source = operands[1]
        predicate = lowering.source(source) if source[0] not in "01" else lowering.layout.constant(int(source, 0))
        slots = (lowering.target(operands[0]), NONE, predicate, NONE, NONE, lowering.source(operands[2]))
        lowering.emit("vote", slots, "synchronization", mode=mode)

    return encode


def plan_match(opcode: str) -> Plan:
    """Return the plan of ``match.sync``."""
    parts = opcode.split(".")
    mode, size = {"any": 0, "all": 1}[parts[1]], SIZES[parts[-1]]

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, _, agreed = operands[0].partition("|")
        results = (lowering.target(target), lowering.target(agreed) if agreed else NONE)
        slots = (*results, lowering.source(operands[1]), NONE, NONE, lowering.source(operands[2]))
        lowering.emit("match", slots, "synchronization", mode=mode, size=size)

    return encode


def plan_reduction(opcode: str) -> Plan:
    """Return the plan of ``redux.sync``."""
    parts = opcode.split(".")
    action, signed = parts[2], int(parts[-1] == "s32")
    if parts[-1] not in ("u32", "s32", "b32") or action not in ("add", "min", "max", "and", "or", "xor"):
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        slots = (lowering.target(operands[0]), NONE, lowering.source(operands[1]), NONE, NONE, lowering.source(operands[2]))
        lowering.emit("reduce", slots, "synchronization", mode=ATOMIC_NUMBER[action], kind=signed)

    return encode


def plan_election(_opcode: str) -> Plan:
    """Return the plan of ``elect.sync``."""

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        target, _, elected = operands[0].partition("|")
        slots = (lowering.target(target), lowering.target(elected), NONE, NONE, NONE, lowering.source(operands[1]))
        lowering.emit("elect", slots, "synchronization")

    return encode
