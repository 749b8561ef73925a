"""Lowering of a kernel and of the functions that it calls to one program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from warpsmith.simt.lowering.function_lowering import FunctionLowering
from warpsmith.simt.lowering.instruction_encoding import NONE, WINDOWS
from warpsmith.simt.lowering.kernel_layout import Layout, Symbol
from warpsmith.simt.lowering.lowered_program import CallTarget, Program
from warpsmith.simt.lowering.plans import plan
from warpsmith.simt.ptx.module_parser import parse_variable
from warpsmith.simt.ptx.syntax import Function, Location, ModuleSyntax

STACK = 16384
"""Bytes of local memory for the frames of recursive and indirect calls."""

_SHARED = re.compile(r"\.shared\s+(\.[^;]*);")


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
    program.locations.append(Location(0, 0))
    called = _called(module, kernel)
    symbols = {name: Symbol("generic", address, module.variables.get(name)) for name, address in addresses.items()}
    symbols |= {name: Symbol("function", WINDOWS["function"] + number) for number, name in enumerate(module.functions)}
    layout = Layout(module, program, symbols)
    layout.numbers = {function.name: number for number, function in enumerate(called)}
    program.function_numbers = [layout.numbers.get(name, NONE) for name in module.functions]
    _place_shared(layout, [*called, kernel])
    _place_parameters(layout, kernel)
    repeated = _active_twice(module, called, kernel)
    for function in (*called, kernel):  # called ones first: lanes with the smallest position run first
        entry, first_slot = len(program.code), program.slots
        lowering = FunctionLowering(layout, function, plan)
        lowering.lower()
        lowering.end()
        saved = program.slots - first_slot if function.name in repeated else 0
        program.targets.append(
            CallTarget(function.name, entry, first_slot, saved, -(-lowering.frame // 16) * 16, lowering.frame)
        )
    program.frame = program.targets[-1].frame
    if called:
        program.stack = sum(target.frame for target in program.targets) + (STACK if repeated else 0)
    return program


def _called(module: ModuleSyntax, kernel: Function) -> list[Function]:
    """Return the functions with a body that a kernel can reach, each after those that it calls."""
    result: dict[str, Function] = {}
    visited = {kernel.name}
    path = [(kernel, iter(_callees(module, kernel)))]
    while path:
        function, callees = path[-1]
        for name in callees:
            if name not in visited:
                visited.add(name)
                callee = module.functions[name]
                path.append((callee, iter(_callees(module, callee))))
                break
        else:
            path.pop()
            if function is not kernel:
                result[function.name] = function
    return list(result.values())


def _callees(module: ModuleSyntax, function: Function) -> list[str]:
    """Return the functions with a body that a function names, itself or through a variable with addresses of functions."""
    candidates = [name for name, other in module.functions.items() if not other.is_kernel and other.start >= 0]
    if not candidates:
        return []
    tables = [
        variable for variable in module.variables.values() if variable.addresses and _names(module, function, variable.name)
    ]
    words = {name for variable in tables for _, name, _ in variable.addresses}
    return sorted(name for name in candidates if name in words or _names(module, function, name))


def _names(module: ModuleSyntax, function: Function, name: str) -> bool:
    """Whether the body of a function contains a name."""
    return name in module.text[function.start : function.end] and (
        re.search(rf"(?<![\w$%]){re.escape(name)}(?![\w$])", module.text[function.start : function.end]) is not None
    )


def _active_twice(module: ModuleSyntax, functions: Sequence[Function], kernel: Function) -> set[str]:
    """Return the functions that can be active twice in a lane; with calls through pointers, these can be all."""
    if any(re.search(r"\.callprototype\b", module.text[function.start : function.end]) for function in (*functions, kernel)):
        return {function.name for function in functions}
    callees = {function.name: _callees(module, function) for function in functions}
    result = set()
    for name, direct in callees.items():
        seen: set[str] = set()
        waiting = list(direct)
        while waiting:
            callee = waiting.pop()
            if callee not in seen:
                seen.add(callee)
                waiting += callees[callee]
        if name in seen:
            result.add(name)
    return result


def _place_shared(layout: Layout, functions: Sequence[Function]) -> None:
    """Place the shared variables of functions and those of the module that they name; external arrays start at the end."""
    module, dynamic = layout.module, []
    for function in functions:
        for declaration in _SHARED.finditer(module.text, function.start, function.end):
            variable = parse_variable("shared", declaration[1], False)
            if variable.name not in layout.symbols:
                layout.symbols[variable.name] = layout.allocate_shared(variable)
    for variable in module.variables.values():
        if variable.space != "shared" or not any(_names(module, function, variable.name) for function in functions):
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
