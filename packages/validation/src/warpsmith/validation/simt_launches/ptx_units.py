"""CUDA texts as programs of the SIMT machine: NVRTC compiles many texts as one unit of PTX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.nvrtc_program import CudaCompileError
from warpsmith.simt.compilers.ptx_compiler import compile_ptx
from warpsmith.simt.compilers.warp_options import warp_options
from warpsmith.simt.launches.module import Module
from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.engine import start_machine
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.operations import table
from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx
from warpsmith.validation.compiling.batch import compile_parts, rejection
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import plain
from warpsmith.validation.confinement.machine_problems import MachineProblem

ARCH = 90
"""The compute capability of the PTX, times ten."""

PARTS_PER_UNIT = 50
"""The most texts of one unit. The headers of a unit take NVRTC as long as two texts."""

USUAL_INSTRUCTIONS = frozenset("add bfind cos cvt div ex2 fma lg2 mad max min mul rcp rem rsqrt sin sqrt sub".split())
"""Instructions whose operations `load_machine` compiles, besides the common ones. Others take seconds at their first use."""

_PLACE = re.compile(r"^line \d+: |\bK\d+_(?=forward|backward)")

_HEADERS = "ptx_headers"
"""The folder of NVRTC's precompiled headers, below the working folder."""


@dataclass(frozen=True, slots=True)
class PtxKernel:
    """The programs of one kernel.

    Attributes:
        key: the key of the text, which the PTX names as the source file.
        module: the module of the unit.
        forward: the program of the forward pass.
        backward: the program of the backward pass, or None.
    """

    key: str
    module: Module
    forward: Program
    backward: Program | None


@dataclass(slots=True)
class PtxKernels:
    """The programs of some texts.

    Attributes:
        kernels: the programs by key.
        errors: the errors of texts that NVRTC rejects, by key.
        unsupported: the instructions or directives that the machine lacks, by key.
    """

    kernels: dict[str, PtxKernel] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    unsupported: dict[str, str] = field(default_factory=dict)


def load_machine() -> None:
    """Load the machine and the operations that generated kernels use, which takes half a minute where they are not cached.

    Raises:
        NativeCodeError: if Warp's clang does not compile them.
    """
    start_machine()
    usual = {table.number(opcode) for opcode in table.opcodes() if opcode.partition(".")[0] in USUAL_INSTRUCTIONS}
    operation_table({FIRST_OPERATION} | {FIRST_OPERATION + number for number in usual})


def compile_kernels(parts: Sequence[UnitPart], scratch: Path, *, fuse: bool) -> PtxKernels:
    """Compile CUDA texts to programs that are ready to run in a fork of this process.

    Args:
        parts: the texts.
        scratch: the folder to write in.
        fuse: whether NVRTC makes fused multiply-add of products and sums, as Warp does.

    Raises:
        MachineProblem: if NVRTC or the machine cannot be used.
    """
    found = PtxKernels()
    folder = scratch / _HEADERS
    folder.mkdir(exist_ok=True)
    options = warp_options(fuse, folder=folder)
    try:
        start_machine()
        for same_options in sorted({repr(part.options) for part in parts}):
            group = [part for part in parts if repr(part.options) == same_options]
            for start in range(0, len(group), PARTS_PER_UNIT):
                _compile_unit(group[start : start + PARTS_PER_UNIT], options, found)
    except WarpsmithError as error:
        raise MachineProblem(str(error)) from error
    return found


def _compile_unit(parts: Sequence[UnitPart], options: Sequence[str], found: PtxKernels) -> None:
    texts: list[str] = []

    def compile_text(unit: Sequence[UnitPart]) -> None:
        try:
            texts[:] = [compile_ptx(plain(unit), ARCH, options, "unit")]
        except CudaCompileError as error:
            raise rejection(error.log) from None

    def keep(unit: Sequence[UnitPart]) -> None:
        _lower_unit(unit, texts[0], options, found)

    found.errors |= compile_parts(parts, compile_text, keep)


def _lower_unit(unit: Sequence[UnitPart], ptx: str, options: Sequence[str], found: PtxKernels) -> None:
    """Lower the kernels of a unit; a unit with a directive that the machine lacks is compiled again text by text."""
    try:
        module = Module(ptx)
    except (PtxError, UnsupportedPtx) as reason:
        if len(unit) == 1:
            _refuse(unit[0], reason, found)
            return
        for part in unit:
            _compile_unit([part], options, found)
        return
    for part in unit:
        try:
            programs = [_program(module, part.symbol(direction)) for direction in part.directions]
        except (PtxError, UnsupportedPtx) as reason:
            _refuse(part, reason, found)
            continue
        found.kernels[part.key] = PtxKernel(part.key, module, programs[0], programs[1] if len(programs) > 1 else None)


def _program(module: Module, symbol: str) -> Program:
    """Return the lowered kernel with a C name, and load the operations that it uses."""
    program = module.program(symbol)
    operation_table(program.operations)
    return program


def _refuse(part: UnitPart, reason: WarpsmithError, found: PtxKernels) -> None:
    """Note why a text has no programs; the lines of the PTX depend on the other texts of its unit."""
    where = found.unsupported if isinstance(reason, UnsupportedPtx) else found.errors
    where[part.key] = _PLACE.sub("", str(reason))
