"""Compilation of C++ units with the clang that Warp contains, and loading of the result into this process."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from warpsmith.core.records.text_format import DEFAULT_BLOCK
from warpsmith.extraction.warp import compilers, runtime
from warpsmith.extraction.warp.compiler_log import Log
from warpsmith.validation.compiling import unset
from warpsmith.validation.compiling.batch import CompileError, compile_parts, rejection
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import double_cpp, emulation, plain
from warpsmith.validation.confinement.machine_problems import MachineProblem

_FLAGS = ("-w", "-fpch-instantiate-templates")
"""Arguments for clang's front end. The second one instantiates the templates that the headers use when these are precompiled;
otherwise each unit does so, which takes longer than to compile a forward pass."""


@dataclass(frozen=True, slots=True)
class HeaderFolder:
    """Headers that are precompiled together.

    Attributes:
        name: the name of the precompiled file, without its block size.
        path: the folder, whose ``builtin.h`` includes all others.
        flags: further arguments for clang's front end, for the headers and for units.
        optimization: the level of optimization of units; headers that were precompiled for another one do not fit.
    """

    name: str
    path: Path
    flags: tuple[str, ...] = ()
    optimization: int = 0

    @property
    def all_flags(self) -> tuple[str, ...]:
        """All arguments for clang's front end."""
        return (*_FLAGS, *self.flags)


EMULATION = HeaderFolder("headers", Path(__file__).parent / "native")
"""Warp's headers with an emulation of CUDA."""

STATEMENTS = replace(EMULATION, name="statements", optimization=1)
"""The same for compiled statements that run many times."""

UNIT_TYPES = {
    "cpp": plain,
    "emulated": emulation,
    "double": lambda parts: emulation([replace(part, in_double=True) for part in parts]),
    "double_cpp": double_cpp,
}
"""The functions that write each type of unit, by name."""

_numbers = itertools.count()


class Programs(Protocol):
    """The programs of one part, see `warpsmith.validation.calls`."""

    @property
    def subjects(self) -> Set[Any]:
        """All types and statements of the text; empty if it contains functions that no program calls."""

    def address(self, direction: str) -> int:
        """Return the address of a program; 0 if the part lacks the direction."""

    def fill(self, pattern: int) -> None:
        """Set what variables without a value contain, by a number in `PATTERNS`."""


class Runner(Protocol):
    """Makes programs of parts, which then need no compilation; see `warpsmith.validation.calls`.

    Attributes:
        run: the address of the function that runs a program once.
        run_grid: the address of the function that runs a program over a grid.
    """

    run: int
    run_grid: int

    def programs(self, unit_type: str, parts: Sequence[UnitPart]) -> Mapping[str, Programs]:
        """Return the programs of those parts that can run as such, by key."""


class Library:
    """The machine code of some parts, loaded into this process until `close`.

    Attributes:
        errors: the compiler's errors for parts without code, by key.
    """

    def __init__(self, unit_type: str, parts: Sequence[UnitPart], scratch: Path, runner: Runner | None = None) -> None:
        """Compile ``parts`` as a unit of ``unit_type``, one of `UNIT_TYPES`, writing below ``scratch`` only.

        Parts that ``runner`` makes programs of are not compiled.
        """
        self.errors: dict[str, str] = {}
        self._handles: dict[str, str] = {}
        self._scratch = scratch
        self._runner = runner
        runtime.start_runtime()
        self._programs: Mapping[str, Programs] = runner.programs(unit_type, parts) if runner is not None else {}
        by_options: dict[tuple[tuple[str, object], ...], list[UnitPart]] = {}
        for part in parts:
            if part.key in self._programs:
                continue
            by_options.setdefault(part.options, []).append(part)
        for same_options in by_options.values():
            self._add(unit_type, same_options)

    def _add(self, unit_type: str, parts: Sequence[UnitPart]) -> None:
        result = self._scratch / f"warpsmith_{unit_type}.o"

        def compile_unit(unit: Sequence[UnitPart]) -> None:
            compile_text(UNIT_TYPES[unit_type](unit), result, self._scratch, unit[0].block_dim)

        def load(unit: Sequence[UnitPart]) -> None:
            handle = f"warpsmith_{unit_type}_{next(_numbers)}"
            runtime.load_object(result, handle)
            result.unlink()  # the linker reads the file later, so that the next unit must be another one
            self._handles |= dict.fromkeys((part.key for part in unit), handle)

        self.errors |= compile_parts(parts, compile_unit, load)
        result.unlink(missing_ok=True)

    def address(self, part: UnitPart, direction: str, ending: str = "") -> int:
        """Return the address of the ``"forward"`` or ``"backward"`` entry point of a part; 0 if there is none.

        If `runner` returns an address, this one is that of a program.
        """
        if part.key in self._programs:
            return self._programs[part.key].address(direction)
        return runtime.look_up(self._handles[part.key], part.symbol(direction) + ending)

    def runner(self, part: UnitPart, takes_grid: bool) -> int:
        """Return the address of the function that runs the programs of a part, once or over a grid; 0 for machine code."""
        if self._runner is None or part.key not in self._programs:
            return 0
        return self._runner.run_grid if takes_grid else self._runner.run

    def subjects(self, part: UnitPart) -> Set[Any]:
        """Return the types and statements of a text that runs as programs; empty for machine code."""
        return self._programs[part.key].subjects if part.key in self._programs else frozenset()

    def filler(self, part: UnitPart) -> Callable[[int], None]:
        """Return the function that sets what variables of ``part`` without a value contain, by a number in `PATTERNS`."""
        if part.key in self._programs:
            return self._programs[part.key].fill
        memory = runtime.look_up(self._handles[part.key], unset.SYMBOL)

        def fill(pattern: int) -> None:
            ctypes.memset(memory, unset.PATTERNS[pattern], unset.SIZE)

        return fill

    def close(self) -> None:
        """Unload the code."""
        for handle in set(self._handles.values()):
            runtime.unload_object(handle)
        self._handles = {}


def precompile(scratch: Path) -> None:
    """Precompile the headers for Warp's default block size into ``scratch``, where `Library` looks for them."""
    runtime.start_runtime()
    precompiled_header(DEFAULT_BLOCK, scratch)


def compile_probe(scratch: Path) -> int:
    """Compile a function that returns 42 with the precompiled headers, load it, and return its address.

    Raises:
        MachineProblem: if the machine does not allow that.
    """
    runtime.start_runtime()
    result = scratch / "probe.o"
    try:
        compile_text('extern "C" int warpsmith_probe() { return 42; }\n', result, scratch)
    except CompileError as error:
        raise MachineProblem(f"a unit does not compile: {str(error)[:500]}") from None
    handle = f"warpsmith_probe_{next(_numbers)}"
    runtime.load_object(result, handle)
    result.unlink()
    return runtime.look_up(handle, "warpsmith_probe")


def compile_text(
    text: str, result: Path, scratch: Path, block_dim: int = DEFAULT_BLOCK, headers: HeaderFolder = EMULATION
) -> None:
    """Compile a unit with precompiled headers.

    Args:
        text: the unit.
        result: the path of the object.
        scratch: the folder of the precompiled headers, and of temporary files.
        block_dim: threads a block.
        headers: the headers.

    Raises:
        CompileError: if clang rejects the text.
        MachineProblem: if the machine prevents the compilation.
    """
    header = precompiled_header(block_dim, scratch, headers)
    flags = (*headers.all_flags, "-include-pch", str(header))
    with Log(scratch) as log:
        done = compilers.compile_cpp(text, result, headers.path, block_dim, flags, optimization=headers.optimization)
    if not done:
        raise rejection(log.text())


def precompiled_header(block_dim: int, scratch: Path, headers: HeaderFolder = EMULATION) -> Path:
    """Return the path of precompiled headers; clang does not delete a file of this name when a unit fails.

    Raises:
        MachineProblem: if the headers do not compile.
    """
    kept = scratch / f"{headers.name}_{block_dim}.pch"
    if not kept.exists():
        folder = scratch / f"{headers.name}_pch_{block_dim}"
        folder.mkdir(exist_ok=True)
        empty = '#include "builtin.h"\nextern "C" void warpsmith_nothing() {}\n'
        result = scratch / "nothing.o"
        with Log(scratch) as log:
            done = compilers.compile_cpp(
                empty, result, headers.path, block_dim, headers.all_flags, pch_folder=folder, optimization=headers.optimization
            )
        compiled = list(folder.glob("*.pch"))
        if not done or not compiled:
            raise MachineProblem(f"the headers do not compile: {log.text()[:500]}")
        compiled[0].rename(kept)
    return kept
