"""The programs of texts: what a worker keeps, from one batch to the next, to run texts without compiling them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from warpsmith.core.records.ir import Code
from warpsmith.extraction.warp import runtime
from warpsmith.validation.calls.call_machine import Program
from warpsmith.validation.calls.kernel_text import read
from warpsmith.validation.calls.planner import plan, types_of
from warpsmith.validation.calls.program_plan import Plan
from warpsmith.validation.calls.statement_table import MAX_STATEMENTS, CallTable, Signature, TypeInfo
from warpsmith.validation.calls.steps import Kernel, Unfit
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import double_opening, opening

_MACHINE = Path(__file__).with_name("machine.cpp")

_OPENINGS: Mapping[str, Callable[[], str]] = {"cpp": lambda: opening("cpu"), "double_cpp": double_opening}
"""The types of units whose texts can run as programs, with what stands before the statements."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs of a part by direction.

    Attributes:
        by_direction: the programs.
        subjects: all types and statements of the text; empty if it contains functions that no program calls.
    """

    by_direction: Mapping[str, Program]
    subjects: frozenset[str | Signature]

    def address(self, direction: str) -> int:
        """Return the address of a program; 0 if the part lacks the direction."""
        program = self.by_direction.get(direction)
        return program.address if program is not None else 0

    def fill(self, pattern: int) -> None:
        """Set what variables without a value contain, by a number in `PATTERNS`."""
        for program in self.by_direction.values():
            program.fill(pattern)


class Runner:
    """Makes programs; compiled statements stay until `clear_if_large` unloads them.

    Args:
        compile_unit: compiles a text to an object.
        scratch: the folder for objects, until they are loaded.

    Attributes:
        run: the address of the function that runs a program as Warp's CPU launcher runs a kernel.
        run_grid: the address of the function that runs a program over a grid.
        tables: the compiled statements by type of unit.
    """

    def __init__(self, compile_unit: Callable[[str, Path], None], scratch: Path) -> None:
        self._compile_unit, self._scratch = compile_unit, scratch
        self.tables: dict[str, CallTable] = {}
        self.run = self.run_grid = self._frame = 0

    def clear_if_large(self) -> None:
        """Unload the statements if there are too many; no program may be in use."""
        for table in self.tables.values():
            if len(table.calls) > MAX_STATEMENTS:
                table.clear()

    def programs(self, unit_type: str, parts: Sequence[UnitPart]) -> dict[str, Programs]:
        """Return the programs of the parts whose texts can run as programs, by key.

        Args:
            unit_type: how a unit reads the texts, one of `compiling.clang.UNIT_TYPES`.
            parts: the texts.
        """
        kernels = {part.key: read_part for part in parts if (read_part := _read(unit_type, part)) is not None}
        if not kernels:
            return {}
        self._load_machine()
        table = self._table(unit_type)
        table.add(
            sorted({ctype for directions in kernels.values() for kernel in directions.values() for ctype in types_of(kernel)}),
            (),
        )
        plans = {
            key: planned
            for key, directions in kernels.items()
            if (planned := _plans(directions, table.types, unit_type)) is not None
        }
        table.add(
            (), (signature for directions in plans.values() for each in directions.values() for signature in each.signatures)
        )
        return {
            key: Programs(
                {direction: Program(each, table.calls, self._frame) for direction, each in directions.items()},
                _subjects(directions.values()),
            )
            for key, directions in plans.items()
            if all(signature in table.calls for each in directions.values() for signature in each.signatures)
        }

    def _table(self, unit_type: str) -> CallTable:
        if unit_type not in self.tables:
            self.tables[unit_type] = CallTable(_OPENINGS[unit_type](), self._compile_unit, self._scratch)
        return self.tables[unit_type]

    def _load_machine(self) -> None:
        """Compile what runs programs, once."""
        if self.run:
            return
        handle = f"warpsmith_machine_{next(_numbers)}"
        result = self._scratch / f"{handle}.o"
        self._compile_unit(opening("cpu") + _MACHINE.read_text(encoding="utf-8"), result)
        runtime.load_object(result, handle)
        result.unlink()
        self._frame = runtime.look_up(handle, "warpsmith_frame")
        self.run_grid = runtime.look_up(handle, "warpsmith_run_grid")
        self.run = runtime.look_up(handle, "warpsmith_run")


def _read(unit_type: str, part: UnitPart) -> dict[str, Kernel] | None:
    """Return the directions of a part's kernel, or None if its text has to be compiled."""
    if unit_type not in _OPENINGS or part.target != "cpu" or part.options or part.keeps_shapes or part.forward_key:
        return None
    return _directions(part.code)


@lru_cache(maxsize=1024)  # the texts of a batch are read in two precisions
def _directions(code: Code) -> dict[str, Kernel] | None:
    try:
        return read(code)
    except Unfit:
        return None


def _plans(kernels: Mapping[str, Kernel], types: Mapping[str, TypeInfo], unit_type: str) -> dict[str, Plan] | None:
    try:
        return {
            direction: plan(kernel, direction == "backward", types, links_values=unit_type == "double_cpp")
            for direction, kernel in kernels.items()
        }
    except Unfit:
        return None


def _subjects(plans: Collection[Plan]) -> frozenset[str | Signature]:
    functions = {name for planned in plans for name in planned.kernel.functions}
    if functions != {name for planned in plans for name in planned.called}:
        return frozenset()
    types = (types_of(planned.kernel) for planned in plans)
    return frozenset(chain(*types, *(planned.signatures for planned in plans)))
