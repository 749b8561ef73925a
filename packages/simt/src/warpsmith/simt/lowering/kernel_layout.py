"""What the functions of a kernel share while they are lowered: slots, constants, places in memory."""

from __future__ import annotations

from collections.abc import Mapping

from warpsmith.simt.lowering.instruction_encoding import NONE, SPECIAL_NUMBER
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.ptx.syntax import ModuleSyntax, UnsupportedPtx, Variable

SLOT_LIMIT = 1 << 18
"""Registers and constants of a kernel; NVRTC's largest kernels have some ten thousand. A warp needs 64 MiB for them."""


class Symbol:
    """A variable with its address space and its address in it."""

    __slots__ = ("address", "space", "variable")

    def __init__(self, space: str, address: int, variable: Variable | None = None) -> None:
        self.space = space
        self.address = address
        self.variable = variable


class Layout:
    """What the functions of one kernel share: the program, and addresses.

    Attributes:
        module: the module.
        program: the program that is made.
        symbols: variables of the module, and functions.
        constants: the slots of constants by bits.
        parameter_constants: the slots of parts of the kernel's parameters by offset, size and whether they are signed.
        numbers: the index in the program's targets of each function that can be called.
    """

    def __init__(self, module: ModuleSyntax, program: Program, symbols: Mapping[str, Symbol]) -> None:
        self.module = module
        self.program = program
        self.symbols = dict(symbols)
        self.constants: dict[int, int] = {}
        self.parameter_constants: dict[tuple[int, int, bool], int] = {}
        self.numbers: dict[str, int] = {}
        program.specials = [NONE] * len(SPECIAL_NUMBER)

    def new_slots(self, count: int = 1) -> int:
        """Return the first of ``count`` new slots."""
        first = self.program.slots
        self.program.slots += count
        if self.program.slots > SLOT_LIMIT:
            raise UnsupportedPtx(f"{self.program.name} has more than {SLOT_LIMIT} registers")
        return first

    def constant(self, bits: int) -> int:
        """Return the slot that contains ``bits``."""
        bits &= (1 << 64) - 1
        slot = self.constants.get(bits)
        if slot is None:
            slot = self.constants[bits] = self.new_slots()
            self.program.constants.append((slot, bits))
        return slot

    def parameter(self, offset: int, size: int, signed: bool) -> int:
        """Return the slot that contains a part of the kernel's parameters."""
        key = (offset, size, signed)
        slot = self.parameter_constants.get(key)
        if slot is None:
            slot = self.parameter_constants[key] = self.new_slots()
            self.program.parameter_constants.append((slot, *key))
        return slot

    def allocate_shared(self, variable: Variable) -> Symbol:
        """Return a place in static shared memory."""
        size = self.program.shared_size
        address = -(-size // variable.alignment) * variable.alignment
        self.program.shared_size = address + variable.size
        return Symbol("shared", address, variable)
