"""Compilation of C++ units with the clang that Warp contains, and loading of the result into this process."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from warpsmith.extraction.warp import compilers, runtime
from warpsmith.validation.compiling.batch import compile_parts, rejection
from warpsmith.validation.compiling.log import Log
from warpsmith.validation.compiling.part import DEFAULT_BLOCK, UnitPart
from warpsmith.validation.compiling.unit import double_cpp, emulation, plain
from warpsmith.validation.sandbox.machine import MachineProblem

HEADERS = Path(__file__).parent / "native"

UNIT_TYPES = {
    "cpp": plain,
    "emulated": emulation,
    "double": lambda parts: emulation([replace(part, in_double=True) for part in parts]),
    "double_cpp": double_cpp,
}
"""The functions that write each type of unit, by name."""

_numbers = itertools.count()


class Library:
    """The machine code of some parts, loaded into this process until `close`.

    Attributes:
        errors: the compiler's errors for parts without code, by key.
    """

    def __init__(self, unit_type: str, parts: Sequence[UnitPart], scratch: Path) -> None:
        """Compile ``parts`` as a unit of ``unit_type``, one of `UNIT_TYPES`, writing below ``scratch`` only."""
        self.errors: dict[str, str] = {}
        self._handles: dict[str, str] = {}
        self._scratch = scratch
        runtime.start_runtime()
        by_options: dict[tuple[tuple[str, object], ...], list[UnitPart]] = {}
        for part in parts:
            by_options.setdefault(part.options, []).append(part)
        for same_options in by_options.values():
            self._add(unit_type, same_options)

    def _add(self, unit_type: str, parts: Sequence[UnitPart]) -> None:
        handle = f"warpsmith_{unit_type}_{next(_numbers)}"
        result = self._scratch / f"{handle}.o"
        header = precompiled_header(parts[0].block_dim, self._scratch)

        def compile_unit(unit: Sequence[UnitPart]) -> None:
            with Log(self._scratch) as log:
                text = UNIT_TYPES[unit_type](unit)
                done = compilers.compile_cpp(text, result, HEADERS, unit[0].block_dim, ("-w", "-include-pch", str(header)))
            if not done:
                raise rejection(log.text())

        self.errors |= compile_parts(parts, compile_unit)
        built = [part for part in parts if part.key not in self.errors]
        if built:
            runtime.load_object(result, handle)
            self._handles |= dict.fromkeys((part.key for part in built), handle)
        result.unlink(missing_ok=True)

    def address(self, part: UnitPart, direction: str, ending: str = "") -> int:
        """Return the address of the ``"forward"`` or ``"backward"`` entry point of a part; 0 if there is none."""
        return runtime.look_up(self._handles[part.key], part.symbol(direction) + ending)

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
    header = precompiled_header(DEFAULT_BLOCK, scratch)
    with Log(scratch) as log:
        text = 'extern "C" int warpsmith_probe() { return 42; }\n'
        done = compilers.compile_cpp(text, result, HEADERS, DEFAULT_BLOCK, ("-w", "-include-pch", str(header)))
    if not done:
        raise MachineProblem(f"a unit does not compile: {log.text()[:500]}")
    handle = f"warpsmith_probe_{next(_numbers)}"
    runtime.load_object(result, handle)
    result.unlink()
    return runtime.look_up(handle, "warpsmith_probe")


def precompiled_header(
    block_dim: int, scratch: Path, headers: Path = HEADERS, name: str = "headers", flags: tuple[str, ...] = ("-w",)
) -> Path:
    """Return the path of precompiled headers; clang does not delete a file of this name when a unit fails.

    Args:
        block_dim: threads a block.
        scratch: the folder that contains the result.
        headers: the folder whose ``builtin.h`` is precompiled.
        name: distinguishes the results of several folders.
        flags: additional arguments for clang's front end, the same as those of the units.

    Raises:
        MachineProblem: if the headers do not compile.
    """
    kept = scratch / f"{name}_{block_dim}.pch"
    if not kept.exists():
        folder = scratch / f"{name}_pch_{block_dim}"
        folder.mkdir(exist_ok=True)
        empty = '#include "builtin.h"\nextern "C" void warpsmith_nothing() {}\n'
        with Log(scratch) as log:
            done = compilers.compile_cpp(empty, scratch / "nothing.o", headers, block_dim, flags, pch_folder=folder)
        compiled = list(folder.glob("*.pch"))
        if not done or not compiled:
            raise MachineProblem(f"the headers do not compile: {log.text()[:500]}")
        compiled[0].rename(kept)
    return kept
