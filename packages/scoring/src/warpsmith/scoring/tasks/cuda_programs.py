"""Programs in CUDA: which statements of a program a function of the host replaces, its signature, and a text that does so."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.launch import Argument
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.scoring.plain.plain_signature import Signature, parameters_of
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.tasks.host_arrays import FILL, FILL_TEXT
from warpsmith.scoring.tasks.host_expressions import NumberKinds
from warpsmith.scoring.tasks.host_values import Interface, NotTranslated
from warpsmith.scoring.tasks.host_writer import HostFile, HostWriter, launching
from warpsmith.scoring.tasks.program_gaps import MAIN, Container, Gap, containers, statements

PASSES = 4
"""The most passes over the statements until all types are known."""

DIFFERENTIATED = "programs with a tape"
WITHOUT_FORM = "programs whose host code has no form in CUDA"
KERNEL_WITHOUT_FORM = "programs with a kernel that has no plain CUDA"


class NoCudaProgram(WarpsmithError):
    """A program that cannot carry the task; the message is a reason that is counted."""


@dataclass(frozen=True, slots=True)
class CudaProgram:
    """A part of a program in CUDA.

    Attributes:
        gap: the statements that it replaces.
        signature: the function of the host.
        arguments: its arguments; the lengths of arrays are not known.
        variables: their Python expressions at the start of the gap, by name.
        text: the kernels and the function.
    """

    gap: Gap
    signature: Signature
    arguments: tuple[Argument, ...]
    variables: dict[str, str]
    text: str


def cuda_program(program: ProgramRecord) -> CudaProgram:
    """Return the part of a program that launches most, in CUDA.

    Raises:
        NoCudaProgram: if there is none.
    """
    try:
        tree = parse_python(program.python_source)
    except NotPythonError:
        raise NoCudaProgram(WITHOUT_FORM) from None
    if "Tape(" in program.python_source:
        raise NoCudaProgram(DIFFERENTIATED)
    file = _file(tree, program)
    counts = {name: list(launching(statements(block), file.functions)) for name, block in containers(tree)}
    found = sorted((item for item in containers(tree) if sum(counts[item[0]])), key=lambda item: -sum(counts[item[0]]))
    for name, block in found:
        try:
            return _written(file, name, block, counts[name])
        except NotTranslated:
            continue
    raise NoCudaProgram(WITHOUT_FORM)


def reasons(program: ProgramRecord) -> list[str]:
    """Return what is in the way in each function that launches, for those who extend the translation."""
    tree = parse_python(program.python_source)
    file, found = _file(tree, program), []
    for name, block in containers(tree):
        if sum(counts := list(launching(statements(block), file.functions))):
            try:
                _written(file, name, block, counts)
                found.append(f"{name}: -")
            except (NotTranslated, NoCudaProgram) as error:
                found.append(f"{name}: {error}")
    return found


def _file(tree: ast.Module, program: ProgramRecord) -> HostFile:
    functions = {name.rpartition(".")[2]: node for name, node in containers(tree) if isinstance(node, ast.FunctionDef)}
    modules = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    kernels = {pair.id.rpartition("/")[2]: pair for pair in program.kernels}
    return HostFile(functions, kernels, frozenset(modules), NumberKinds(tree))


def _written(file: HostFile, name: str, block: Container, counts: Sequence[int]) -> CudaProgram:
    body = statements(block)
    places = [place for place, count in enumerate(counts) if count]
    first, last = places[0], places[-1]
    missing, behind = body[first : last + 1], body[last + 1 :]
    function = "main" if name == MAIN else name.rpartition(".")[2].strip("_")
    entry_point = f"{function}_cuda"
    kept = frozenset(part.id for node in behind for part in ast.walk(node) if isinstance(part, ast.Name))
    interface = Interface({entry_point, FILL, *file.kernels, *(f"{kernel}_kernel" for kernel in file.kernels)})
    for _ in range(PASSES):
        known = len(interface.variables)
        HostWriter(file, interface, kept).write(missing)
        if len(interface.variables) == known:
            break
    writer = HostWriter(file, interface, kept, is_final=True)
    writer.write(missing)
    if not writer.launches or not any(variable.is_written for variable in interface.variables.values()):
        raise NotTranslated("statements that leave nothing")
    gap = Gap(name, missing[0].lineno, missing[-1].end_lineno or 0, first, len(behind))
    ordered = interface.ordered
    arguments = tuple(variable.argument for _, variable in ordered)
    parameters = [parameter for argument in arguments for parameter in parameters_of(argument)]
    signature = Signature(entry_point, tuple(parameters), {}, 1, is_host=True)
    if len({parameter.name for parameter in parameters}) != len(parameters):
        raise NotTranslated("names that collide")
    text = f"{_kernels(file, writer.lines)}{signature.text}\n{{\n{_joined(writer.lines)}}}\n"
    return CudaProgram(gap, signature, arguments, {variable.name: path for path, variable in ordered}, text)


def _kernels(file: HostFile, lines: Sequence[str]) -> str:
    """Return the kernels that lines launch, each in a namespace, since their helper functions may have the same names."""
    texts = [FILL_TEXT] if any(f"{FILL}<" in line for line in lines) else []
    for name, pair in file.kernels.items():
        if any(f"{name}_kernel::" in line for line in lines):
            text = translate(pair, name)
            if text is None:
                raise NoCudaProgram(KERNEL_WITHOUT_FORM)
            texts.append(f"namespace {name}_kernel {{\n{text}\n}}\n")
    return "\n".join([*texts, ""])


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
