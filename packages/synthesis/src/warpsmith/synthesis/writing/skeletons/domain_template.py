"""Kernels of one field: arrays with their usual names, templates that read and write them, a theme that fits.

In the texts ``{x}`` stands for the array or value with that key, ``{i}`` and ``{j}`` for the thread's indices, ``{n}`` and
``{m}`` for their limits. Parameters that no chosen text names are not declared. A template that sums in a dynamic loop stores
the sum itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import (
    Compare,
    Distribution,
    If,
    Kernel,
    Logic,
    Name,
    Size,
    Steps,
    Stmt,
    TemplateStatement,
)
from warpsmith.synthesis.language.types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Quantity, Result, Theme
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, vary


class ParameterSpec(Struct, frozen=True, gc=False):
    """A parameter that texts name by a key: an array, a value, or the length of the dimension with the same symbol."""

    key: str
    role: Literal["input", "output", "inout", "value", "length"]
    type: Type
    low: float
    high: float
    names: tuple[str, ...]
    dims: tuple[str, ...] = ()
    distribution: Distribution = "uniform"


def array(
    key: str,
    dtype: Type,
    low: float,
    high: float,
    *names: str,
    dims: tuple[str, ...] = (),
    distribution: Distribution = "uniform",
) -> ParameterSpec:
    """Declare an array to read, with one element for each thread unless ``dims`` differs."""
    return ParameterSpec(key, "input", dtype, low, high, names, dims, distribution)


def output(key: str, dtype: Type, *names: str, dims: tuple[str, ...] = ()) -> ParameterSpec:
    """Declare an array of which each thread writes an element."""
    return ParameterSpec(key, "output", dtype, 0.0, 0.0, names, dims)


def total(key: str, dtype: Type, *names: str, dims: tuple[str, ...] = ("one",), start: float = 0.0) -> ParameterSpec:
    """Declare an array that threads change by atomics, with one element unless ``dims`` differs."""
    return ParameterSpec(key, "inout", dtype, start, start, names, dims)


def value(key: str, low: float, high: float, *names: str, dtype: Type = FLOAT) -> ParameterSpec:
    """Declare a parameter that is a single value."""
    return ParameterSpec(key, "value", dtype, low, high, names)


def length(key: str, low: int, high: int, *names: str) -> ParameterSpec:
    """Declare the length of a dimension, which is a parameter if a text names it."""
    return ParameterSpec(key, "length", INT, low, high, names)


class DomainTemplate(Struct, frozen=True, gc=False):
    """The building blocks of the kernels of one field.

    Attributes:
        themes: the themes to choose other words from.
        templates: the templates to choose one or ``most`` from.
        verbs: the verbs to choose the kernel's name from.
        parameters: the parameters that texts name by keys.
        helpers: helper functions by name; those that a text calls are written before the kernel, in this order.
        reads: the types of the other elements that each thread reads.
        most: the maximum number of templates.
        dims: the dimensions of the threads.
    """

    themes: Sequence[Theme]
    templates: Sequence[Template]
    verbs: Sequence[str]
    parameters: Sequence[ParameterSpec] = ()
    helpers: tuple[tuple[str, str], ...] = ()
    reads: tuple[Type, ...] = (FLOAT,)
    most: int = 2
    dims: tuple[str, ...] = ("n",)

    def draw(self, builder: KernelBuilder) -> Kernel:
        """Draw a kernel of some of the templates, with steps of the grammar between them."""
        builder.theme, builder.dims = builder.rng.choice(self.themes), self.dims
        statements = [template.instantiate(builder.rng) for template in self._choose_templates(builder)]
        text = "\n".join(statement.text for statement in statements)
        for helper in self._find_helpers(text, builder.rng):
            builder.define(helper)
        names = self._declare_parameters(builder, text)
        outputs = [
            variable.type
            for statement in statements
            for variable in statement.outputs
            if variable.type is not None and variable.type.is_vector
        ]
        needed = {hole.type for statement in statements for hole in statement.inputs}
        read = [dtype for dtype in self.reads if not builder.is_brief or dtype is FLOAT or dtype in needed]
        reads = [builder.add_input(dtype) for dtype in dict.fromkeys((*read, *outputs)) if builder.has_input(dtype)]
        builder.add_scalars(builder.rng.below(2), FLOAT)
        opening, at = builder.open_threads(guarded="{n}" in text or "{m}" in text)
        shapes, lengths = _name_lengths(builder, opening)
        if not any(f"{{{key}}}" in text for key in lengths):
            shapes = []
        names |= lengths | dict(zip("ij", (index.name for index in at), strict=False))
        free = [
            candidate
            for candidate in builder.theme.results
            if not candidate.type.is_vector or candidate.type in {read.element for read in reads}
        ]
        written = [
            self._write_template(builder, statement, at, free)
            for statement in _join([_name_keys(statement, names) for statement in statements])
        ]
        body = (*opening, *shapes, *builder.load_elements(*reads, at=at), *(item for part in written for item in part))
        return builder.build_kernel(builder.rng.choice(self.verbs), body)

    def _write_template(
        self, builder: KernelBuilder, statement: TemplateStatement, at: tuple[Name, ...], free: list[Result]
    ) -> list[Stmt]:
        """Write a template, possibly between steps of the grammar, and results that read two of its outputs each.

        Results are taken from ``free``, with types of which an element is read: otherwise a vector might be constant.
        """
        rng = builder.rng
        types = [variable.type for variable in statement.outputs if variable.type is not None]
        before = Steps(
            1, tuple(dict.fromkeys((FLOAT, *(dtype for dtype in self.reads if dtype is not INT and not builder.is_brief)))), 1
        )
        body: list[Stmt] = [before, statement] if builder.length_factor != 1 or rng.chance(0.5) else [statement]
        if not types and (builder.is_brief or rng.chance(0.4)):  # a template that stores its results itself gets another result
            types = [FLOAT]
        if len(types) == 1 and (builder.length_factor != 1 or rng.chance(0.3)):
            body.append(Steps(1, (FLOAT,), 1))
        outputs = []
        for _ in range((len(types) + 1) // 2):
            known = [candidate for candidate in free if candidate.type in types]
            outputs.append(builder.add_output(rng.choice(known).type if known else FLOAT))
            free[:] = [candidate for candidate in free if candidate.name != outputs[-1].name]
        return body + [store_result(out, at, size=1 if len(types) > 1 else rng.choice((1, 1, 2))) for out in outputs]

    def _declare_parameters(self, builder: KernelBuilder, text: str) -> dict[str, str]:
        """Declare the parameters that a text names; return their names by key."""
        named = [item for item in self.parameters if f"{{{item.key}}}" in text]
        names = {item.key: _declare(builder, item) for item in sorted(named, key=lambda item: item.role != "length")}
        for item in self.parameters:
            if item.role == "length":
                builder.draw_size(item.key, int(item.low), int(item.high))
        builder.draw_size("one", 1, 1)
        return names

    def _choose_templates(self, builder: KernelBuilder) -> list[Template]:
        """Choose templates of which no two write the same array."""
        chosen: list[Template] = []
        written = {f"{{{item.key}}}" for item in self.parameters if item.role == "output"}
        for template in builder.rng.sample(
            self.templates, 1 if builder.is_brief or (builder.length_factor == 1 and builder.rng.chance(0.85)) else self.most
        ):
            outputs = {key for key in written if key in template.text}
            if not any(key in other.text for key in outputs for other in chosen):
                chosen.append(template)
        return chosen

    def _find_helpers(self, text: str, rng: RandomStream) -> list[str]:
        """Return the helper functions that a text calls, directly or through other helpers."""
        texts: dict[str, str] = {}
        for name, helper in reversed(self.helpers):
            if re.search(rf"\b{name}\(", text + "".join(texts.values())):
                texts[name] = vary(helper, rng)
        return list(texts.values())[::-1]


def _declare(builder: KernelBuilder, item: ParameterSpec) -> str:
    """Declare one parameter; return its name."""
    name = builder.rng.choice(item.names)
    if item.role == "length":
        return builder.add_length(item.key, int(item.low), int(item.high), *item.names).name
    if item.role == "value":
        theme, builder.theme = (
            builder.theme,
            replace(builder.theme, scalars=(Quantity(name, name, item.type, item.low, item.high),)),
        )
        declared = builder.add_scalar(item.type).name
        builder.theme = theme
        return declared
    if item.role == "input":
        return builder.add_array(name, item.type, item.low, item.high, item.dims, item.distribution).name
    return builder.add_output(item.type, item.dims, start=item.low, role=item.role, name=builder.choose_name(*item.names)).name


def _name_lengths(builder: KernelBuilder, opening: tuple[Stmt, ...]) -> tuple[list[Stmt], dict[str, str]]:
    """Return the names of the threads' limits; a limit that the guard reads from a shape is assigned to a local first."""
    guard = next((item.condition for item in opening if isinstance(item, If)), None)
    checks = guard.operands if isinstance(guard, Logic) else () if guard is None else (guard,)
    shapes: list[Stmt] = []
    names: dict[str, str] = {}
    for key, words, check in zip("nm", (("rows", "height"), ("cols", "width")), checks, strict=False):
        match check:
            case Compare(_, (_, Name(name))):
                names[key] = name
            case Compare(_, (_, Size(field, dimension))):
                names[key] = builder.choose_name(*words)
                shapes.append(TemplateStatement(f"{names[key]} = {field}.shape[{dimension}]"))
    return shapes, names


def _name_keys(statement: TemplateStatement, names: dict[str, str]) -> TemplateStatement:
    """Replace the keys of a template by names, and drop outputs that the chosen alternatives do not assign."""
    text = statement.text
    for key, name in names.items():
        text = text.replace(f"{{{key}}}", name)
    keys = set(_VARIABLE.findall(text))
    outputs = tuple(variable for variable in statement.outputs if variable.key in keys)
    return replace(statement, text=text, outputs=outputs)


def _join(statements: list[TemplateStatement]) -> list[TemplateStatement]:
    """Join two templates that start with the same lines, so that the lines occur once."""
    if len(statements) != 2:
        return statements
    first, second = statements
    shared: set[str] = set()
    rest: list[str] = []
    for line in second.text.splitlines():
        assignment = _ASSIGNMENT.fullmatch(line)
        if (
            assignment
            and line in first.text.splitlines()
            and shared.issuperset(_VARIABLE.findall(assignment[2]))
            and "{" not in line
        ):
            is_assigned_once = all(
                len(re.findall(rf"\${assignment[1]}\b [-+*]?= ", statement.text)) == 1 for statement in statements
            )
            is_output = any(variable.key == assignment[1] and variable.type is not None for variable in second.outputs)
            if is_assigned_once and not is_output:
                shared.add(assignment[1])
                continue
        rest.append(line)
    if not shared:
        return statements
    text = _VARIABLE.sub(lambda match: match[0] if match[1] in shared else f"{match[0]}_2", "\n".join(rest))
    text = _NUMBERED.sub(lambda match: f"{{{int(match[1]) + len(first.inputs)}}}", text)
    outputs = tuple(replace(variable, key=f"{variable.key}_2") for variable in second.outputs if variable.key not in shared)
    joined = TemplateStatement(f"{first.text}\n{text}", first.inputs + second.inputs, first.outputs + outputs, first.mention)
    return [TemplateStatement("", mention=second.mention), joined]


_ASSIGNMENT = re.compile(r"\$(\w+) = (.*)")
_NUMBERED, _VARIABLE = re.compile(r"{(\d)}"), re.compile(r"\$(\w+)")
