"""A lowered kernel: what the machine needs to run it, and what findings need to name its places."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION, LOCATION, ROW, Code
from warpsmith.simt.ptx.source_locations import Location, Locations
from warpsmith.simt.ptx.syntax import Variable


@dataclass(frozen=True, slots=True)
class CallTarget:
    """A function that can be called.

    Attributes:
        name: the mangled name.
        entry: the index of its first instruction.
        first_slot: where the slots start that a call saves.
        slots: how many; 0 for a function that is never active twice in a lane.
        frame: bytes of local memory of its frame, a multiple of 16.
        used: bytes of the frame that the function may access.
    """

    name: str
    entry: int
    first_slot: int
    slots: int
    frame: int
    used: int


@dataclass(eq=False)
class Program:
    """A lowered kernel.

    Attributes:
        name: the mangled name.
        code: the instructions.
        slots: registers, constants and temporary values of a lane.
        constants: (slot, value).
        parameter_constants: (slot, offset in the parameters, bytes, whether signed).
        specials: the slot of each special register, or -1.
        parameters: the parameters of the kernel.
        parameter_offsets: where each parameter starts.
        parameter_size: bytes of all parameters.
        shared_size: bytes of static shared memory; dynamic shared memory starts there.
        uses_dynamic_shared: whether the kernel names an external array of shared memory.
        frame: bytes of local memory of the kernel's own frame.
        stack: bytes of local memory that the frames of calls may need besides it.
        targets: the functions that calls reach, then the kernel.
        function_numbers: the index in `targets` of each function of the module, or -1.
        tables: the targets of `brx` and the operand lists of matrix instructions, as one array.
        locations: source locations by number.
        max_threads: the largest block, 0 without a limit.
    """

    name: str
    code: Code = field(default_factory=Code)
    slots: int = 0
    constants: list[tuple[int, int]] = field(default_factory=list)
    parameter_constants: list[tuple[int, int, int, bool]] = field(default_factory=list)
    specials: list[int] = field(default_factory=list)
    parameters: tuple[Variable, ...] = ()
    parameter_offsets: tuple[int, ...] = ()
    parameter_size: int = 0
    shared_size: int = 0
    uses_dynamic_shared: bool = False
    frame: int = 0
    stack: int = 0
    targets: list[CallTarget] = field(default_factory=list)
    function_numbers: list[int] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    locations: Locations = field(default_factory=Locations)
    max_threads: int = 0

    @property
    def operations(self) -> set[int]:
        """The numbers of the operations of the table that the program uses."""
        return {number for number in self.code.words[::ROW] if number >= FIRST_OPERATION}

    def location(self, position: int) -> Location:
        """Return the source location of an instruction."""
        return self.locations.place(self.code.words[position * ROW + LOCATION])
