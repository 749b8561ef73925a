"""Programs in CUDA: which statements of a program a function of the host replaces, its signature, and a text that does so."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.launch import Argument
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.core.records.python_source import NotPythonError, parse_python, source_lines
from warpsmith.scoring.plain.plain_signature import Signature, parameters_of
from warpsmith.scoring.tasks.host_arrays import FILL, FILL_TEXT
from warpsmith.scoring.tasks.host_expressions import NumberKinds
from warpsmith.scoring.tasks.host_scope import HostFile
from warpsmith.scoring.tasks.host_values import Interface, NotTranslated
from warpsmith.scoring.tasks.host_writer import HostWriter, launching
from warpsmith.scoring.tasks.program_gaps import MAIN, Container, Gap, containers, statements
from warpsmith.scoring.tasks.program_kernel_code import KernelCode

PASSES = 4
"""The most passes over the statements until all types are known."""

FEWEST_LAUNCHES = 2
"""The fewest launches of a part; one in a loop counts twice."""

LARGEST_SEARCH = 60
"""The most parts of a program that are tried."""

DIFFERENTIATED = "programs with a tape"
WITHOUT_FORM = "programs whose host code has no form in CUDA"
KERNEL_WITHOUT_FORM = "programs with a kernel that has no plain CUDA"

FEW_LAUNCHES = "programs without two launches in one block"


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


@dataclass(frozen=True, slots=True)
class _Part:
    """Statements of a block that follow each other, and how many launches they contain."""

    name: str
    block: Container
    body: tuple[ast.stmt, ...]
    first: int
    last: int
    launches: int


def cuda_program(program: ProgramRecord) -> CudaProgram:
    """Return the statements of a program that launch most, of those that have a form in CUDA.

    Raises:
        NoCudaProgram: if there are none.
    """
    try:
        tree = parse_python(program.python_source)
    except NotPythonError:
        raise NoCudaProgram(WITHOUT_FORM) from None
    if "Tape(" in program.python_source:
        raise NoCudaProgram(DIFFERENTIATED)
    file = _file(tree, program)
    parts = sorted(_parts(tree, file, source_lines(program.python_source)), key=lambda part: -part.launches)
    for part in parts[:LARGEST_SEARCH]:
        try:
            return _written(file, part)
        except NotTranslated:
            continue
    raise NoCudaProgram(_reason(file, parts))


def _reason(file: HostFile, parts: Sequence[_Part]) -> str:
    if not parts:
        return FEW_LAUNCHES
    return WITHOUT_FORM if all(code.is_written for code in file.kernels.values()) else KERNEL_WITHOUT_FORM


def _parts(tree: ast.Module, file: HostFile, lines: Sequence[str]) -> Iterator[_Part]:
    """Yield the parts of a program that launch twice or more."""
    for name, block in containers(tree):
        for body in _bodies(block):
            counts = list(launching(body, file.functions))
            places = [place for place, count in enumerate(counts) if count]
            is_on_lines = body and not lines[body[0].lineno - 1][: body[0].col_offset].strip()
            for first, last in combinations_with_replacement(places if is_on_lines else [], 2):
                if sum(counts[first : last + 1]) >= FEWEST_LAUNCHES:
                    yield _Part(name, block, tuple(body), first, last, sum(counts[first : last + 1]))


def _bodies(block: Container) -> Iterator[list[ast.stmt]]:
    """Yield the statements of a function, and those of the blocks in it."""
    yield statements(block)
    for node in ast.walk(block):
        if isinstance(node, ast.For | ast.While | ast.If | ast.With) and node is not block:
            yield node.body


def _file(tree: ast.Module, program: ProgramRecord) -> HostFile:
    functions = {name.rpartition(".")[2]: node for name, node in containers(tree) if isinstance(node, ast.FunctionDef)}
    modules = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    kernels = {name: KernelCode(program, pair, name) for pair in program.kernels if (name := pair.id.rpartition("/")[2])}
    return HostFile(functions, kernels, frozenset(modules), NumberKinds(tree))


def _written(file: HostFile, part: _Part) -> CudaProgram:
    name, missing = part.name, part.body[part.first : part.last + 1]
    first, last = missing[0].lineno, missing[-1].end_lineno or 0
    function = "main" if name == MAIN else name.rpartition(".")[2].strip("_")
    entry_point = f"{function}_cuda"
    names = (node for node in ast.walk(part.block) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    kept = frozenset(node.id for node in names if not first <= node.lineno <= last)
    interface = Interface({entry_point, FILL, *file.kernels, *(code.namespace for code in file.kernels.values())})
    for _ in range(PASSES):
        known = len(interface.variables)
        HostWriter(file, interface, kept).write(missing)
        if len(interface.variables) == known:
            break
    writer = HostWriter(file, interface, kept, is_final=True)
    writer.write(missing)
    if not writer.launches or not any(variable.is_written for variable in interface.variables.values()):
        raise NotTranslated("statements that leave nothing")
    gap = Gap(name, first, last, part.first, len(part.body) - part.last - 1)
    ordered = interface.ordered
    arguments = tuple(variable.argument for _, variable in ordered)
    parameters = [parameter for argument in arguments for parameter in parameters_of(argument)]
    signature = Signature(entry_point, tuple(parameters), {}, 1, is_host=True)
    if len({parameter.name for parameter in parameters}) != len(parameters):
        raise NotTranslated("names that collide")
    text = f"{_kernels(file, writer.lines)}{signature.text}\n{{\n{_joined(writer.lines)}}}\n"
    return CudaProgram(gap, signature, arguments, {variable.name: path for path, variable in ordered}, text)


def _kernels(file: HostFile, lines: Sequence[str]) -> str:
    """Return the kernels that lines launch, after the headers that they include."""
    used = [code for code in file.kernels.values() if any(f"{code.namespace}::" in line for line in lines)]
    includes = "".join(dict.fromkeys(include for code in used for include in code.includes))
    fill = [FILL_TEXT] if any(f"{FILL}<" in line for line in lines) else []
    return "\n".join([*([includes] if includes else []), *fill, *(code.text for code in used), ""])


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
