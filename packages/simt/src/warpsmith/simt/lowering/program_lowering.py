"""Lowering of a kernel and of the functions that it calls to one program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from warpsmith.simt.lowering.call_graph import CallGraph, mentioned
from warpsmith.simt.lowering.function_lowering import LARGEST_FRAME, FunctionLowering
from warpsmith.simt.lowering.instruction_encoding import NONE, WINDOWS
from warpsmith.simt.lowering.kernel_layout import Layout, Symbol
from warpsmith.simt.lowering.lowered_program import CallTarget, Program
from warpsmith.simt.lowering.plans import plan
from warpsmith.simt.ptx.module_parser import parse_variable
from warpsmith.simt.ptx.syntax import Function, ModuleSyntax, UnsupportedPtx

STACK = 16384
"""Bytes of local memory for the frames of recursive and indirect calls."""

_SHARED = re.compile(r"\.shared\s+(\.[^;]*)(?:;|\Z)")


def lower(module: ModuleSyntax, kernel: Function, addresses: Mapping[str, int]) -> Program:
    """Return the program of a kernel.

    Args:
        module: the module.
        kernel: one of its kernels.
        addresses: the addresses of the module's global and constant variables.

    Raises:
        PtxError: if a body is no PTX.
        UnsupportedPtx: if the machine lacks an instruction.
    """
    program = Program(kernel.name, parameters=kernel.parameters, max_threads=kernel.max_threads)
    graph = CallGraph(module, kernel)
    called = graph.called
    symbols = {name: Symbol("generic", address, module.variables.get(name)) for name, address in addresses.items()}
    symbols |= {name: Symbol("function", WINDOWS["function"] + number) for number, name in enumerate(module.functions)}
    layout = Layout(module, program, symbols)
    layout.numbers = {function.name: number for number, function in enumerate(called)}
    program.function_numbers = [layout.numbers.get(name, NONE) for name in module.functions]
    _place_shared(layout, [*called, kernel])
    _place_parameters(layout, kernel)
    repeated = graph.active_twice()
    for function in (*called, kernel):  # called ones first: lanes with the smallest position run first
        entry, first_slot = len(program.code), program.slots
        lowering = FunctionLowering(layout, function, plan)
        lowering.lower()
        lowering.end()
        saved = program.slots - first_slot if function.name in repeated else 0
        program.targets.append(
            CallTarget(function.name, entry, first_slot, saved, -(-lowering.frame // 16) * 16, lowering.frame)
        )
    program.code.finish()
    program.frame = program.targets[-1].frame
    if called:
        program.stack = sum(target.frame for target in program.targets) + (STACK if repeated else 0)
    if program.frame + program.stack > LARGEST_FRAME:
        raise UnsupportedPtx(f"{kernel.name} needs more than {LARGEST_FRAME} bytes of local memory")
    return program


def _place_shared(layout: Layout, functions: Sequence[Function]) -> None:
    """Place the shared variables of functions and those of the module that they name; external arrays start at the end."""
    module, dynamic = layout.module, []
    for function in functions:
        for declaration in _SHARED.finditer(module.text, function.start, function.end):
            variable = parse_variable("shared", declaration[1], False)
            if variable.name not in layout.symbols:
                layout.symbols[variable.name] = layout.allocate_shared(variable)
    shared = {variable.name: variable for variable in module.variables.values() if variable.space == "shared"}
    named = {name for function in functions for name in mentioned(module, function, shared.keys())}
    for variable in shared.values():
        if variable.name not in named:
            continue
        if variable.external or variable.size == 0:
            dynamic.append(variable)
        else:
            layout.symbols[variable.name] = layout.allocate_shared(variable)
    if dynamic:
        alignment = max(16, *(variable.alignment for variable in dynamic))
        layout.program.shared_size = -(-layout.program.shared_size // alignment) * alignment
        layout.program.uses_dynamic_shared = True
    layout.symbols |= {variable.name: Symbol("shared", layout.program.shared_size, variable) for variable in dynamic}


def _place_parameters(layout: Layout, kernel: Function) -> None:
    """Place the parameters of a kernel as the CUDA driver does: each at the next multiple of its alignment."""
    offset, offsets = 0, []
    for parameter in kernel.parameters:
        offset = -(-offset // parameter.alignment) * parameter.alignment
        layout.symbols[parameter.name] = Symbol("param", offset, parameter)
        offsets.append(offset)
        offset += parameter.size
    layout.program.parameter_offsets, layout.program.parameter_size = tuple(offsets), offset
