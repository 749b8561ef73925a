"""The index of a thread: how the coordinates follow from block and thread, and what surplus threads do."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpsmith.core.records.launch import Launch
from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import NUMBER, Source, size
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


@dataclass(frozen=True, slots=True)
class Bound:
    """The number of elements along a dimension, as the Python's own check of bounds names it."""

    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Guard:
    """The check of bounds at the start of a kernel.

    Attributes:
        bounds: the bound by dimension.
        statements: the statements of the Python that the text's own check replaces.
    """

    bounds: dict[int, Bound] = field(default_factory=dict)
    statements: tuple[ast.stmt, ...] = ()


_SIZES = {
    "i": "n", "tid": "n", "idx": "n", "index": "n", "row": "rows", "col": "cols", "r": "rows", "c": "cols", "x": "width",
    "y": "height", "ix": "nx", "iy": "ny", "iz": "nz", "j": "m", "k": "depth", "t": "n", "me": "n", "column": "cols",
    "thread": "n", "sysid": "num_systems", "pid": "num_particles", "vid": "num_vertices", "fid": "num_faces",
    "ch": "num_channels", "pt": "num_points", "res": "num_residues",
}  # fmt: skip
_GRIDS = {("i", "j"): ("rows", "cols"), ("i", "j", "k"): ("nx", "ny", "nz")}
_PREFIXED = re.compile(r"^i_?(?=(?:run|env|world|batch|body|particle|point|cell|node)$)")
_NUMBERED = re.compile(r"(.*?[a-z])_?(?:id|idx|index|i)$")


def count_of(name: str) -> str:
    """Return the name of the number of things of a name.

    Examples:
        >>> [count_of(name) for name in ("particle", "batch", "body", "ray")]
        ['num_particles', 'num_batches', 'num_bodies', 'num_rays']
    """
    if name.endswith("y") and name[-2] not in "aeiou":
        return f"num_{name[:-1]}ies"
    return f"num_{name}{'es' if name.endswith(('s', 'x', 'ch')) else 's'}"


@dataclass(frozen=True, slots=True)
class Threads:
    """The index of the threads of a kernel.

    Attributes:
        names: the coordinates in the Python, a name for each dimension of the launch.
        strides: whether threads step over the grid.
        is_flat: whether the grid has one dimension, although the launch has several.
        guard: the check of bounds in the Python.
        contract: dimensions of the launch that are as large as a bound.
    """

    names: tuple[str, ...]
    strides: bool
    is_flat: bool
    guard: Guard
    contract: list[tuple[int, Source]] = field(default_factory=list)

    def size_name(self, dimension: int) -> str:
        """Return the name of the number of threads in a dimension.

        Examples:
            >>> [Threads((name,), False, False, Guard()).size_name(0) for name in ("i", "world_id", "ienv", "pid", "_")]
            ['n', 'num_worlds', 'num_envs', 'num_particles', 'n']
            >>> [Threads(("i", "j"), False, False, Guard()).size_name(dimension) for dimension in (0, 1)]
            ['rows', 'cols']
        """
        if self.names in _GRIDS:
            return _GRIDS[self.names][dimension]
        name = self.names[dimension]
        if name in _SIZES and (len(self.names) > 1 or _SIZES[name].startswith("n")):
            return _SIZES[name]
        if (found := _NUMBERED.fullmatch(name)) is not None:
            name = found[1]
        name = _PREFIXED.sub("", name.strip("_"))
        if len(name) < 3:
            return "n" if len(self.names) == 1 else f"n{name or dimension}"
        return count_of(name)

    def open(self, scope: Scope, names: Sequence[str], bounds: Sequence[str]) -> int:
        """Write the index, and the check of bounds or the beginning of a loop; return the depth before the loop."""
        depth = scope.depth
        if self.is_flat:
            self._open_flat(scope, names, bounds)
        elif self.strides:
            for dimension, (name, bound) in enumerate(zip(names, bounds, strict=True)):
                axis = "xyz"[len(names) - 1 - dimension]
                start = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
                scope.emit(f"for (int {name} = {start}; {name} < {bound}; {name} += blockDim.{axis} * gridDim.{axis}) {{")
                scope.depth += 1
        else:
            constant = "const " if scope.unit.idioms.const_locals else ""
            for dimension, name in reversed([*enumerate(names)]) if scope.unit.idioms.unroll else enumerate(names):
                axis = "xyz"[len(names) - 1 - dimension]
                scope.emit(f"{constant}int {name} = blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis};")
            self._leave(scope, " || ".join(f"{name} >= {bound}" for name, bound in zip(names, bounds, strict=True)))
        return depth

    def _open_flat(self, scope: Scope, names: Sequence[str], bounds: Sequence[str]) -> None:
        index = scope.flat_index = scope.new_name("idx")
        constant = "const " if scope.unit.idioms.const_locals else ""
        total = " * ".join(bounds)
        if self.strides:
            start = "blockIdx.x * blockDim.x + threadIdx.x"
            scope.emit(f"for (int {index} = {start}; {index} < {total}; {index} += blockDim.x * gridDim.x) {{")
            scope.depth += 1
        else:
            scope.emit(f"{constant}int {index} = blockIdx.x * blockDim.x + threadIdx.x;")
            self._leave(scope, f"{index} >= {total}")
        for dimension, name in enumerate(names):
            inner = [_factor(bound) for bound in bounds[dimension + 1 :]]
            text = index
            if inner:
                text = f"{index} / {inner[0]}" if len(inner) == 1 else f"{index} / ({' * '.join(inner)})"
            if dimension:
                text = f"{text} % {_factor(bounds[dimension])}"
            scope.emit(f"{constant}int {name} = {text};")

    @staticmethod
    def _leave(scope: Scope, condition: str) -> None:
        if scope.unit.idioms.braces:
            scope.emit(f"if ({condition}) {{")
            scope.depth += 1
            scope.emit("return;")
            scope.depth -= 1
            scope.emit("}")
        else:
            scope.emit(f"if ({condition}) return;")


def _factor(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def thread_names(first: ast.stmt | None, calls: Sequence[ast.AST], dimensions: int) -> list[str]:
    """Return the coordinates that the first statement of a kernel assigns.

    Raises:
        Unsupported: if it does not assign them, or there is another call.
    """
    if len(calls) != 1 or not isinstance(first, ast.Assign) or first.value is not calls[0] or len(first.targets) != 1:
        raise Unsupported("a kernel whose first statement is not the index of the thread")
    (target,) = first.targets
    elements = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [element.id for element in elements if isinstance(element, ast.Name)]
    if len(names) != len(elements) or len(names) != dimensions or len(set(names)) != dimensions:
        raise Unsupported("coordinates of the thread that are not one name for each dimension")
    return names


def returns_in_loop(body: Sequence[ast.stmt]) -> bool:
    """Return whether a kernel returns inside of a loop, where ``continue`` would mean something else."""
    loops = [part for statement in body for part in walk(statement) if isinstance(part, ast.For | ast.While)]
    return any(isinstance(part, ast.Return) for loop in loops for part in walk(loop))


def unwrapped(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a kernel whose work is inside of ``if i < n:`` with a check of bounds instead."""
    match body:
        case [first, ast.If(test, inner, [])]:
            tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        case _:
            return list(body)
    opposite: list[ast.expr] = []
    for part in tests:
        if not (isinstance(part, ast.Compare) and len(part.ops) == 1 and type(part.ops[0]) is ast.Lt):
            return list(body)
        opposite.append(ast.Compare(part.left, [ast.GtE()], part.comparators))
    outside = opposite[0] if len(opposite) == 1 else ast.BoolOp(ast.Or(), opposite)
    guard = ast.If(outside, [ast.Return(None)], [])
    ast.copy_location(guard, test)
    ast.fix_missing_locations(guard)
    for statement in (guard, *guard.body):
        statement.lineno = statement.end_lineno = body[1].lineno
    return [first, guard, *inner]


def find_guard(
    body: Sequence[ast.stmt], names: Sequence[str], launch: Launch, values: Mapping[str, Any], scope: Scope
) -> Guard:
    """Return the check of bounds with which a kernel starts; an empty one if it has none, or one that checks more."""
    bounds: dict[int, Bound] = {}
    statements: list[ast.stmt] = []
    for statement in body:
        found = _bounds_of(statement, names, launch, values, scope)
        if not found or bounds.keys() & found.keys():
            break
        bounds |= found
        statements.append(statement)
    return Guard(bounds, tuple(statements))


def _bounds_of(
    statement: ast.stmt, names: Sequence[str], launch: Launch, values: Mapping[str, Any], scope: Scope
) -> dict[int, Bound]:
    match statement:
        case ast.If(test, [ast.Return(None)], []):
            tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
        case _:
            return {}
    found: dict[int, Bound] = {}
    for part in tests:
        match part:
            case ast.Compare(ast.Name(name), [ast.GtE()], [bound]) if name in names and names.index(name) not in found:
                dimension = names.index(name)
                if (known := _bound(bound, scope)) is None or size(known.source, launch, values) > launch.dim[dimension]:
                    return {}
                found[dimension] = known
            case _:
                return {}
    return found


def _bound(node: ast.expr, scope: Scope) -> Bound | None:
    match node:
        case ast.Name(name) if name in scope.variables:
            return Bound(scope.variables[name].name, (name, -1))
        case ast.Name(name) if type(value := scope.unit.module.constants.get(name)) is int:
            return Bound(scope.unit.constant(node).text, (str(value), NUMBER))
        case ast.Constant(int() as value) if type(value) is int:
            return Bound(str(value), (str(value), NUMBER))
        case ast.Subscript(ast.Attribute(base, "shape"), ast.Constant(int() as axis)) if (
            array := dotted(base)
        ) in scope.arrays:
            return Bound(scope.arrays[array].size(axis).text, (array, axis))
    return None


def use_flat_index(scope: Scope, names: Sequence[str], bounds: Sequence[str]) -> None:
    """Use the index of the thread among all where its coordinates are put together again.

    Args:
        scope: the kernel.
        names: the coordinates of the thread.
        bounds: the number of elements in each dimension.
    """
    if len(names) < 2 or not scope.flat_index:
        return
    index = names[0]
    for number, (name, bound) in enumerate(zip(names[1:], bounds[1:], strict=True)):
        index = f"{f'({index})' if number else index} * {bound} + {name}"
    pattern = re.compile(rf"(?<=\[){re.escape(index)}(?=\])|(?<=, ){re.escape(index)}(?=[,)])")
    for line in scope.lines:
        line.text = pattern.sub(scope.flat_index, line.text)
