"""Plans of branches, calls, traps, and the functions that CUDA's runtime provides: printf, assert, malloc, free."""

from __future__ import annotations

from warpsmith.simt.lowering.function_lowering import LARGEST_FRAME, FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import NONE, SPACE
from warpsmith.simt.lowering.kernel_layout import Symbol
from warpsmith.simt.ptx.statements import members
from warpsmith.simt.ptx.syntax import Function, PtxError, UnsupportedPtx

RUNTIME_FUNCTIONS = ("vprintf", "malloc", "free", "__assertfail")
"""Functions without a body that the machine provides."""

ARGUMENT_LIMIT = 4096
"""Arguments and results of a call; the machine counts them in 16 bits."""


def plan_branch(_opcode: str) -> Plan:
    """Return the plan of ``bra``."""
    return lambda lowering, operands: lowering.emit_branch(operands[0])


def plan_branch_table(_opcode: str) -> Plan:
    """Return the plan of ``brx.idx``."""

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        labels = lowering.label_operands[operands[1]]
        first = lowering.table_of_labels(labels)
        slots = (NONE, NONE, lowering.source(operands[0]))
        lowering.emit("branch_table", slots, "branch", immediate=first << 32 | len(labels))

    return encode


def plan_return(opcode: str) -> Plan:
    """Return the plan of ``ret`` and ``exit``."""

    def encode(lowering: FunctionLowering, _: list[str]) -> None:
        ends_thread = opcode.startswith("exit") or lowering.function.is_kernel
        lowering.emit("exit" if ends_thread else "return_call", work="branch")

    return encode


def plan_trap(_opcode: str) -> Plan:
    """Return the plan of ``trap``."""
    return lambda lowering, _: lowering.emit("trap", work="branch")


def plan_call(_opcode: str) -> Plan:
    """Return the plan of ``call``: arguments are copied to the frame of the function, and results back."""

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        results = [name for name in members(operands[0]) if name] if operands[0].startswith("(") else []
        rest = operands[1:] if operands[0].startswith("(") else operands
        name = rest[0]
        arguments = [name for name in members(rest[1]) if name] if len(rest) > 1 and rest[1].startswith("(") else []
        symbols = [lowering.symbols[argument] for argument in arguments]
        targets = [lowering.symbols[result] for result in results]
        if name in RUNTIME_FUNCTIONS:
            _call_runtime(lowering, name, symbols, targets)
            return
        indirect = name in lowering.registers
        if not indirect:
            function = lowering.layout.module.functions.get(name)
            if function is None or function.start < 0:
                raise UnsupportedPtx(f"call of {name}, which has no body")
            _check_call(function, symbols, targets)
        if len(arguments) > ARGUMENT_LIMIT or len(results) > ARGUMENT_LIMIT:
            raise UnsupportedPtx(f"a call with more than {ARGUMENT_LIMIT} arguments")
        copies = _argument_copies(symbols, targets)
        if sum(copies[2::3]) > LARGEST_FRAME:
            raise UnsupportedPtx(f"a call with more than {LARGEST_FRAME} bytes of arguments")
        first = len(lowering.layout.program.tables)
        lowering.layout.program.tables.extend(copies)
        counts = first << 32 | len(symbols) << 16 | len(targets)
        slots = (NONE, NONE, lowering.slot(name)) if indirect else (NONE, NONE, NONE, lowering.layout.numbers[name])
        lowering.emit("call_indirect" if indirect else "call", slots, "branch", immediate=counts)
        if targets:
            lowering.emit("copy_results", (), "other", immediate=counts)

    return encode


def _check_call(function: Function, arguments: list[Symbol], results: list[Symbol]) -> None:
    """Check the operands of a call of a known function.

    Raises:
        PtxError: if their number or sizes are not those of the function.
    """
    for symbols, variables in ((arguments, function.parameters), (results, function.results)):
        sizes = [symbol.variable.size if symbol.variable is not None else 0 for symbol in symbols]
        if sizes != [variable.size for variable in variables]:
            raise PtxError(f"the operands of the call do not match {function.name}")


def _argument_copies(arguments: list[Symbol], results: list[Symbol]) -> list[int]:
    """Return triples of the caller's offset, the function's offset and the size; a frame starts with results and parameters.

    The offsets in the frame are those of `FunctionLowering`, which allocates results and parameters first.
    """
    copies, frame = [], 0
    for symbol in (*results, *arguments):
        variable = symbol.variable
        if symbol.space != "local" or variable is None:
            raise UnsupportedPtx("a call whose arguments are no variables in .param space")
        alignment = max(variable.alignment, 8)
        frame = -(-frame // alignment) * alignment
        copies += [symbol.address, frame, variable.size]
        frame += variable.size
    return copies


def _call_runtime(lowering: FunctionLowering, name: str, arguments: list[Symbol], results: list[Symbol]) -> None:
    """Encode a call of a function of CUDA's runtime: arguments are loaded, and the result is stored."""
    if name == "__assertfail":
        if len(arguments) < 3:
            raise PtxError(f"{name} has {len(arguments)} arguments")
        loaded = [_load_argument(lowering, symbol) for symbol in arguments[:3]]
        lowering.emit("assert_fail", (NONE, NONE, *loaded), "branch")
        return
    if len(arguments) != (2 if name == "vprintf" else 1):
        raise PtxError(f"{name} has {len(arguments)} arguments")
    slots = tuple(_load_argument(lowering, symbol) for symbol in arguments)
    result = lowering.layout.new_slots()
    lowering.emit({"vprintf": "print", "malloc": "allocate", "free": "release"}[name], (result, NONE, *slots), "other")
    if results:
        size = 4 if name == "vprintf" else 8
        if results[0].space != "local" or results[0].variable is None or results[0].variable.size != size:
            raise PtxError(f"a result of {name} that has not {size} bytes")
        slots = (result, NONE, NONE, NONE, lowering.address_of(results[0]))
        lowering.emit("store", slots, "other", size=size, count=1, space=SPACE["local"], mode=1)


def _load_argument(lowering: FunctionLowering, symbol: Symbol) -> int:
    slot = lowering.layout.new_slots()
    size = symbol.variable.size if symbol.variable is not None else 0
    if symbol.space != "local" or size not in (1, 2, 4, 8):
        raise PtxError(f"an argument of {size} bytes")
    slots = (slot, NONE, NONE, NONE, lowering.address_of(symbol))
    lowering.emit("load", slots, "other", size=size, count=1, space=SPACE["local"], mode=1)
    return slot
