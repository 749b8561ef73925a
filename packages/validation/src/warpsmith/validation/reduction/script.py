"""The text of a reproducer: a Python file with a kernel, its launch, and a check of its gradient, for Warp and NumPy alone."""

from __future__ import annotations

import ast
import platform
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.reduction.literals import array_text, number_text, type_text
from warpsmith.validation.reduction.template import CONSTANTS, NAMES, TEXT, WEIGHTS

_OUTPUT = "arrays[output][0].astype(float)"

_PLAIN = re.compile(r"[\w./+ -]+:\d+")
"""The places that the reproducer names: text of a record must not end its docstring."""

Element = tuple[str, tuple[int, ...]]
"""One number of the inputs: the leaf, and the index of the number in the leaf's values."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The derivative by one number of the inputs.

    Attributes:
        element: the number.
        step: the step of its central difference.
        got: the derivative by Warp's adjoint.
        expected: the derivative by central differences.
    """

    element: Element
    step: float
    got: float
    expected: float

    @property
    def text(self) -> str:
        """The line that the reproducer prints."""
        name, index = self.element
        return f"{name}{list(index)}: Warp gives {self.got:.4g}, central differences {self.expected:.4g}"


@dataclass(frozen=True, slots=True)
class Case:
    """A launch whose gradient is wrong, in the precision of the kernel.

    Attributes:
        launch: the size of the launch, and the names and types of the arguments.
        values: the values of all leaves.
        outputs: the outputs that hold floats.
        weighted: whether the derivatives are those of a weighted sum of the outputs; otherwise those of their sum.
        figures: the derivatives that are wrong.
        tolerance: the error that none of them has if the adjoint is right.
    """

    launch: Launch
    values: dict[str, Values]
    outputs: tuple[str, ...]
    weighted: bool
    figures: tuple[Figures, ...]
    tolerance: float

    @property
    def printed(self) -> tuple[str, ...]:
        """The lines that the reproducer prints."""
        wrong = len(self.figures)
        return *(shown.text for shown in self.figures), f"{wrong} of {wrong} derivatives are wrong (Warp {wp.__version__})"


def script(source: str, kernel: str, options: Mapping[str, Any], case: Case, summary: str, origin: str = "") -> str:
    """Return the text of a reproducer.

    Args:
        source: the Python file with the kernel.
        kernel: the name of the kernel's function.
        options: Warp module options that differ from Warp's defaults.
        case: what to launch.
        summary: what is wrong, in one sentence.
        origin: where the kernel comes from, if that is known.

    Raises:
        WarpsmithError: if the launch has an argument that cannot be written, such as a mesh.
    """
    free_names = _free_names(source)
    future, rest = _without_future(source)
    compared = {shown.element[0] for shown in case.figures}
    names = [leaf.name for leaf in leaves(case.launch) if leaf.name in compared or leaf.name in case.outputs]
    arrays = {leaf.name: case.values[leaf.name] for leaf in leaves(case.launch) if leaf.shape}
    weights = f"{free_names['weights']}(arrays[output][{{}}])"
    return TEXT.substitute(
        free_names,
        future=future,
        summary=summary,
        shown="\n    ".join(case.printed),
        environment=environment(),
        origin=f" The kernel is reduced from {origin}." if _PLAIN.fullmatch(origin) else "",
        sum_text=f"the {'weighted ' * case.weighted}sum of the outputs",
        source=_spaced(rest) + _options_text(kernel, options),
        values_text="\n".join(f"    {_quoted(name)}: {array_text(values)}," for name, values in arrays.items()),
        outputs_text=", ".join(map(_quoted, case.outputs)),
        elements_text=", ".join(f"({_quoted(shown.element[0])}, {shown.element[1]}, {shown.step})" for shown in case.figures),
        tolerance_text=repr(case.tolerance),
        weights_text=WEIGHTS.substitute(free_names) if case.weighted else "",
        total=f"({weights.format(0)} * {_OUTPUT}).sum()" if case.weighted else f"{_OUTPUT}.sum()",
        seed=weights.format(1) if case.weighted else "1.0",
        kernel=kernel,
        arguments_text="\n".join(f"    {line}" for line in _arguments_lines(case)),
        arrays_text="\n".join(
            f"        {_quoted(name)}: ({_array(case.launch, name, '')}, {_array(case.launch, name, '.grad')}),"
            for name in names
        ),
        dim=repr(case.launch.dim[0] if len(case.launch.dim) == 1 else case.launch.dim),
        block_dim=f", block_dim={options['block_dim']}" if "block_dim" in options else "",
    )


def environment() -> str:
    """Return the versions that a reproducer was made with."""
    return f"Warp {wp.__version__}, NumPy {np.__version__} and Python {platform.python_version()} on a CPU"


def _without_future(source: str) -> tuple[str, str]:
    """Return the line of the imports from ``__future__``, which have to come first, and the rest of a file."""
    lines = source.strip("\n").split("\n")
    future = [line for line in lines if line.startswith("from __future__ ")]
    return "".join(f"{line}\n\n" for line in future), "\n".join(line for line in lines if line not in future)


def _spaced(source: str) -> str:
    """Return a file with two empty lines before each definition of the module, and none behind a decorator."""
    lines: list[str] = []
    for line in source.strip("\n").split("\n"):
        if line.startswith(("@", "def ", "class ")):
            while lines and not lines[-1]:
                lines.pop()
            lines += [] if not lines or lines[-1].startswith("@") else ["", ""]
        lines.append(line)
    return "\n".join(lines)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _free_names(source: str) -> dict[str, str]:
    """Return a name for each definition of the reproducer that the kernel's file does not contain."""
    nodes = list(ast.walk(parse_python(source)))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    free_names = {}
    for name in NAMES:
        text = name.upper() if name in CONSTANTS else name
        while text in used:
            text += "_"
        free_names[name] = text
    return free_names


def _options_text(kernel: str, options: Mapping[str, Any]) -> str:
    return f"\n\n\nwp.set_module_options({dict(options)!r}, {kernel}.module)" if options else ""


# ------------------------------------------------------------------------------------------------------------- arguments


def _arguments_lines(case: Case) -> Iterator[str]:
    """Yield the statements that make the arguments from ``values``."""
    made = []
    for argument in case.launch.args:
        expression = yield from _made(argument, argument.name, case.values)
        made.append(f"{_quoted(argument.name)}: {expression}")
    yield "arguments = {"
    yield from (f"    {entry}," for entry in made)
    yield "}"


def _made(argument: Argument, path: str, values: Mapping[str, Values]) -> Generator[str, None, str]:
    """Yield the statements that an argument or member needs; return the expression that makes it."""
    if not argument.name.isidentifier() or (
        (argument.fields or argument.kind == "struct") and not argument.dtype.isidentifier()
    ):
        raise WarpsmithError(f"{path!r} of type {argument.dtype!r} has a name that Python does not allow")
    if is_object(argument):
        raise WarpsmithError(f"a reproducer cannot contain the {argument.kind} {path!r}")
    if argument.kind == "null_array":
        return "None"
    if argument.kind == "indexed_array":
        raise WarpsmithError(f"Warp's tape does not differentiate launches with indexed arrays such as {path!r}")
    if argument.kind == "array":
        if argument.fields:
            return (yield from _structs(argument, path))
        floating = ", requires_grad=True" if element(argument.dtype)[0].__name__.startswith("float") else ""
        return f'wp.array(values[{_quoted(path)}], dtype={type_text(argument.dtype)}{floating}, device="cpu")'
    if argument.kind == "struct":
        name = _variable(path)
        yield f"{name} = {argument.dtype}()"
        for member in argument.fields:
            expression = yield from _made(member, f"{path}.{member.name}", values)
            yield f"{name}.{member.name} = {expression}"
        return name
    numbers = ", ".join(number_text(number) for number in values[path].reshape(-1))
    return f"{type_text(argument.dtype)}({numbers})" if element(argument.dtype)[1] else numbers


def _structs(argument: Argument, path: str) -> Generator[str, None, str]:
    """Yield the statements that fill an array of structs; return the expression that makes it."""
    name = _variable(path)
    yield f"{name} = np.zeros({argument.shape}, {argument.dtype}.numpy_dtype())"
    yield from _members(argument.fields, path, name)
    return f'wp.array({name}, dtype={argument.dtype}, requires_grad=True, device="cpu")'


def _members(fields: Sequence[Argument], path: str, target: str) -> Iterator[str]:
    for member in fields:
        inner, place = f"{path}.{member.name}", f"{target}[{_quoted(member.name)}]"
        if member.kind not in ("value", "struct"):
            raise WarpsmithError(f"a reproducer cannot contain {inner!r}, an array in an array of structs")
        if member.kind == "struct":
            yield from _members(member.fields, inner, place)
        else:
            yield f"{place} = values[{_quoted(inner)}]"


def _variable(path: str) -> str:
    return path.replace(".", "_") + "_"


def _array(launch: Launch, path: str, attribute: str) -> str:
    """Return the expression for the numbers of a leaf in the arguments that were made, or for those of its gradient."""
    first, *members = path.split(".")
    argument, expression = next(argument for argument in launch.args if argument.name == first), f"arguments[{_quoted(first)}]"
    numbers = ""
    while True:
        if argument.kind == "array":
            expression += f"{attribute}.numpy()"
            numbers = "".join(f"[{_quoted(member)}]" for member in members)
            return expression + numbers
        member = members.pop(0)
        expression += f".{member}"
        argument = next(field for field in argument.fields if field.name == member)
