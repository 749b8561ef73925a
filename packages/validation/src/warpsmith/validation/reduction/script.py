"""The text of a reproducer: a Python file with a kernel, its launch, and a check of its gradient, for Warp and NumPy alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.reduction.literals import array_text, type_text
from warpsmith.validation.reduction.template import BEND, CONSTANTS, NAMES, ROUNDINGS, SHARE, SIDES, TEXT

_PLAIN = re.compile(r"[\w./+ -]+:\d+")
"""The places that the reproducer names: text of a record must not end its docstring."""

Element = tuple[str, tuple[int, ...]]
"""One number of the inputs: the leaf, and the index of the number in the leaf's values."""


@dataclass(frozen=True, slots=True)
class Case:
    """A launch whose gradient is wrong, in the precision of the kernel.

    Attributes:
        launch: the size of the launch, and the names and types of the arguments.
        values: the values of all leaves.
        steps: the steps of the differences, for the inputs that have a gradient.
        outputs: the outputs that hold floats.
        elements: the numbers of the inputs to compare; None for all.
    """

    launch: Launch
    values: dict[str, Values]
    steps: dict[str, float]
    outputs: tuple[str, ...]
    elements: tuple[Element, ...] | None


def script(source: str, kernel: str, options: Mapping[str, Any], case: Case, origin: str = "") -> str:
    """Return the text of a reproducer.

    Args:
        source: the Python file with the kernel.
        kernel: the name of the kernel's function.
        options: Warp module options that differ from Warp's defaults.
        case: what to launch.
        origin: where the kernel comes from, if that is known.

    Raises:
        WarpsmithError: if the launch has an argument that cannot be written, such as a mesh.
    """
    inputs = ", ".join(map(repr, case.steps))
    free_names = _free_names(source)
    every = f"[(name, index) for name in {free_names['inputs']} for index in np.ndindex({free_names['values']}[name].shape)]"
    names = {leaf.name: leaf for leaf in leaves(case.launch)}
    return TEXT.substitute(
        free_names,
        kernel=kernel,
        origin=f"\n\nIt comes from {origin}." if _PLAIN.fullmatch(origin) else "",
        source=source.rstrip() + _options_text(kernel, options),
        values_text="\n".join(f"    {name!r}: {array_text(values)}," for name, values in case.values.items()),
        steps_text=", ".join(f"{name!r}: {step!r}" for name, step in case.steps.items()),
        inputs_text=inputs,
        outputs_text=", ".join(map(repr, case.outputs)),
        elements_text=every if case.elements is None else repr(list(case.elements)),
        arguments_text="\n".join(f"    {line}" for line in _arguments_lines(case.launch)),
        arrays_text="\n".join(
            f"        {name!r}: ({_array(case.launch, name, '')}, {_array(case.launch, name, '.grad')}),"
            for name in names
            if name in case.steps or name in case.outputs
        ),
        dim=repr(case.launch.dim),
        block_dim=f", block_dim={options['block_dim']}" if "block_dim" in options else "",
        share=SHARE,
        bend=BEND,
        roundings=ROUNDINGS,
        sides=SIDES,
    )


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


def _arguments_lines(launch: Launch) -> Iterator[str]:
    """Yield the statements that make the arguments from ``values``."""
    made = []
    for argument in launch.args:
        expression = yield from _made(argument, argument.name)
        made.append(f"{argument.name!r}: {expression}")
    yield "return {"
    yield from (f"    {entry}," for entry in made)
    yield "}"


def _made(argument: Argument, path: str) -> Generator[str, None, str]:
    """Yield the statements that an argument or member needs; return the expression that makes it."""
    content = f"values[{path!r}]"
    if not argument.name.isidentifier() or (
        (argument.fields or argument.kind == "struct") and not argument.dtype.isidentifier()
    ):
        raise WarpsmithError(f"{path!r} of type {argument.dtype!r} has a name that Python does not allow")
    if is_object(argument):
        raise WarpsmithError(f"a reproducer cannot contain the {argument.kind} {path!r}")
    if argument.kind == "null_array":
        return "None"
    if argument.kind == "indexed_array":
        raise WarpsmithError(f"Warp's tape does not record launches with indexed arrays such as {path!r}")
    if argument.kind == "array":
        if argument.fields:
            return (yield from _structs(argument, path))
        floating = ", requires_grad=True" if element(argument.dtype)[0].__name__.startswith("float") else ""
        return f'wp.array({content}, dtype={type_text(argument.dtype)}{floating}, device="cpu")'
    if argument.kind == "struct":
        name = _variable(path)
        yield f"{name} = {argument.dtype}()"
        for member in argument.fields:
            expression = yield from _made(member, f"{path}.{member.name}")
            yield f"{name}.{member.name} = {expression}"
        return name
    if element(argument.dtype)[1]:
        return f"{type_text(argument.dtype)}(*{content}.ravel().tolist())"
    return f"{content}.item()"


def _structs(argument: Argument, path: str) -> Generator[str, None, str]:
    """Yield the statements that fill an array of structs; return the expression that makes it."""
    name = _variable(path)
    yield f"{name} = np.zeros({argument.shape!r}, {argument.dtype}.numpy_dtype())"
    yield from _members(argument.fields, path, name)
    return f'wp.array({name}, dtype={argument.dtype}, requires_grad=True, device="cpu")'


def _members(fields: Sequence[Argument], path: str, target: str) -> Iterator[str]:
    for member in fields:
        inner, place = f"{path}.{member.name}", f"{target}[{member.name!r}]"
        if member.kind not in ("value", "struct"):
            raise WarpsmithError(f"a reproducer cannot contain {inner!r}, an array in an array of structs")
        if member.kind == "struct":
            yield from _members(member.fields, inner, place)
        else:
            yield f"{place} = values[{inner!r}]"


def _variable(path: str) -> str:
    return path.replace(".", "_") + "_"


def _array(launch: Launch, path: str, attribute: str) -> str:
    """Return the expression for the numbers of a leaf in the arguments that were made, or for those of its gradient."""
    first, *members = path.split(".")
    argument, expression = next(argument for argument in launch.args if argument.name == first), f"made[{first!r}]"
    numbers = ""
    while True:
        if argument.kind == "array":
            expression += f"{attribute}.numpy()"
            numbers = "".join(f"[{member!r}]" for member in members)
            return expression + numbers
        member = members.pop(0)
        expression += f".{member}"
        argument = next(field for field in argument.fields if field.name == member)
