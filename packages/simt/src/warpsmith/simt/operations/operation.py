"""Operations: the effect of one PTX instruction on one lane, and the registry of instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError

INTEGER, FLOAT32, FLOAT64, SPECIAL = "integer", "float32", "float64", "special"
CONVERT, MOVE, LOGIC = "convert", "move", "logic"


class UnsupportedOperation(WarpsmithError):
    """An opcode that the table does not contain; ``opcode`` is its full text."""

    def __init__(self, opcode: str) -> None:
        self.opcode = opcode
        super().__init__(f"unsupported PTX instruction {opcode}")

    def __reduce__(self) -> tuple[type[UnsupportedOperation], tuple[str]]:
        return UnsupportedOperation, (self.opcode,)  # pickle would pass the message instead


@dataclass(frozen=True)
class Operation:
    """The effect of a PTX instruction on one lane.

    The statement reads the sources ``A``, ``B``, ``C``, ``E`` and writes the results ``D``, ``D2``: values of ``union V`` of
    ``arithmetic.h``. A result may be the same variable as a source. ``CC`` is the carry flag of the lane.

    Attributes:
        opcode: the instruction with all modifiers and types, such as ``"add.rn.f32"``.
        statement: C++ statements over one lane.
        result_types: the PTX types of the results.
        source_types: the PTX types of the sources, also of sources that have to be immediates.
        work: the class of the instruction in counts.
        rule: the rule of rounding, NaN and overflow.
        section: the title of the section of the PTX ISA document that defines the instruction.
    """

    opcode: str
    statement: str
    result_types: tuple[str, ...]
    source_types: tuple[str, ...]
    work: str
    rule: str
    section: str

    @property
    def uses_carry(self) -> bool:
        """Whether the statement reads or writes the carry flag."""
        return "CC" in self.statement


Rows = Callable[[], Iterable[Operation]]

INSTRUCTIONS: dict[str, list[Rows]] = {}
"""The functions that return the operations of each base instruction, such as ``add``."""


def instruction(*bases: str) -> Callable[[Rows], Rows]:
    """Register a function that returns operations of the base instructions ``bases``."""

    def register(rows: Rows) -> Rows:
        for base in bases:
            INSTRUCTIONS.setdefault(base, []).append(rows)
        return rows

    return register


def registered() -> Iterator[Operation]:
    """Yield the operations of all registered instructions, each function once."""
    functions = {rows: None for group in INSTRUCTIONS.values() for rows in group}
    for rows in functions:
        yield from rows()


def spell(*parts: str) -> str:
    """Return the opcode of its parts; empty parts are left out.

    Examples:
        >>> spell("add", "rn", "", "f32")
        'add.rn.f32'
    """
    return ".".join(part for part in parts if part)
