"""Helper functions of a file as device functions, once for each combination of types that the kernel calls them with."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.array_code import ArrayCode, ArrayParameter, pointer_type
from warpsmith.scoring.cuda_writer.builtins.builtin_rows import CALLS
from warpsmith.scoring.cuda_writer.call_code import call_writer
from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.cuda_types import INT, Kind, Tuple
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_layout import function_text
from warpsmith.scoring.cuda_writer.function_results import Returns
from warpsmith.scoring.cuda_writer.function_scope import Scope, Variable
from warpsmith.scoring.cuda_writer.index_variables import share_indices
from warpsmith.scoring.cuda_writer.native_snippets import NativeFunction, native_function, native_text
from warpsmith.scoring.cuda_writer.statement_code import Statements
from warpsmith.scoring.cuda_writer.syntax.ordered_draws import with_ordered_draws
from warpsmith.scoring.cuda_writer.syntax.variable_placement import placement
from warpsmith.scoring.cuda_writer.text_unit import Unit, free_name
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import Type

DEPTH = 24
"""The most functions that call each other."""


@dataclass(slots=True)
class Written:
    """A helper function in the text.

    Attributes:
        name: its name.
        arrays: its arrays by the number of their parameter.
        result: the types of its values.
        shared: the lengths of axes that parameters of the Python are, by the numbers of the array, the axis and the parameter.
    """

    name: str
    arrays: dict[int, ArrayParameter]
    result: tuple[Kind, ...]
    shared: tuple[tuple[int, int, int], ...] = ()

    def takes(self, values: Sequence[Code | ArrayCode]) -> bool:
        """Return whether the shared lengths are equal in a call, too."""
        return all(_length(values[array], axis) == _text(values[number]) for array, axis, number in self.shared)


@dataclass(slots=True)
class Functions:
    """Writes the helper functions of a file.

    Attributes:
        unit: the text.
        names: the names of functions by those of the Python.
    """

    unit: Unit
    names: dict[str, str] = field(default_factory=dict)
    _written: dict[tuple[object, ...], Written] = field(default_factory=dict)
    _depth: int = 0

    def call(self, expressions: Expressions, name: str, nodes: Sequence[ast.expr]) -> Code:
        """Return the call of a helper function; one that returns several values lacks the arguments that receive them."""
        arrays = [expressions.array(node) for node in nodes]
        values = [array if array is not None else expressions.code(node) for node, array in zip(nodes, arrays, strict=True)]
        function = self._function(name, values)
        texts: list[str] = []
        for number, value in enumerate(values):
            if isinstance(value, ArrayCode):
                parameter = function.arrays[number]
                texts += [value.pointer, *(value.size(axis).text for axis in sorted(parameter.sizes))]
                value.parameter.is_written |= parameter.is_written
            else:
                texts.append(value.text)
        opening = f"{function.name}({', '.join(texts)}"
        if len(function.result) > 1:
            return Code(opening, Tuple(function.result))
        return Code(f"{opening})", function.result[0] if function.result else Type(type(None)))

    def _function(self, name: str, values: Sequence[Code | ArrayCode]) -> Written:
        kinds = tuple(value.kind for value in values)
        if (native := native_function(self.unit.tree, self.unit.module, name)) is not None:
            return self._native(native, name, kinds)
        node = self._overload(name, kinds)
        key: tuple[object, ...] = (name, id(node), tuple(map(_key, kinds)))
        if key in self._written and not self._written[key].takes(values):
            key = (*key, "apart")
        if key not in self._written:
            self._depth += 1
            if self._depth > DEPTH:
                raise Unsupported("functions that call each other")
            self._written[key] = self._write(name, node, kinds, values if key[-1] != "apart" else ())
            self._depth -= 1
        return self._written[key]

    def _native(self, native: NativeFunction, name: str, kinds: tuple[Kind, ...]) -> Written:
        key = (name, "native", tuple(map(_key, kinds)))
        if key not in self._written:
            text, result = native_text(self.unit, native, self.name_of(name), kinds)
            self.unit.functions.append(text)
            self._written[key] = Written(self.name_of(name), {}, result)
        return self._written[key]

    def _overload(self, name: str, kinds: Sequence[Kind]) -> ast.FunctionDef:
        overloads = self.unit.module.functions[name]
        for node in overloads:
            if len(node.args.args) == len(kinds) and all(
                self._accepts(argument.annotation, kind) for argument, kind in zip(node.args.args, kinds, strict=True)
            ):
                return node
        raise Unsupported(f"{name} with {', '.join(map(str, kinds))}")

    def _accepts(self, annotation: ast.expr | None, kind: Kind) -> bool:
        expected = None if annotation is None else self.unit.module.member_type(annotation)
        return expected is None or (isinstance(expected, Arrays) and isinstance(kind, Arrays)) or expected == kind

    def name_of(self, name: str) -> str:
        """Return the name of a function of the file in the text."""
        if name not in self.names:
            shown = name.lstrip("_") or name
            if shown in CALLS or shown in self.names.values() or shown in _OF_LIBRARY:
                shown = f"{shown}_fn"
            self.names[name] = free_name(shown, set(self.names.values()))
        return self.names[name]

    def _write(self, name: str, node: ast.FunctionDef, kinds: Sequence[Kind], values: Sequence[Code | ArrayCode]) -> Written:
        """Write a function; lengths of axes that the first call passes as other arguments have no parameters of their own."""
        if node.args.defaults or node.args.kwonlyargs or node.args.vararg:
            raise Unsupported(f"{name} with default values")
        node = with_ordered_draws(node)
        names = [argument.arg for argument in node.args.args]
        scope = new_scope(self.unit, node, node.body, self.name_of)
        arrays: dict[int, ArrayParameter] = {}
        shared: list[tuple[int, int, int]] = []
        for number, (parameter, kind) in enumerate(zip(names, kinds, strict=True)):
            shown = scope.new_name(parameter)
            if isinstance(kind, Arrays):
                named = _size_names(shown, kind.dimensions)
                if values and isinstance(value := values[number], ArrayCode):
                    named = _Lengths(scope, names, values, number, value, named, shared)
                arrays[number] = ArrayParameter(shown, kind.element, kind.dimensions, named)
                scope.arrays[parameter] = ArrayCode(arrays[number], shown)
            else:
                scope.variables[parameter] = Variable(shown, kind)
        returns = Returns(scope, node)
        self._body(scope, node, returns)
        for number, axis, _ in shared:
            del arrays[number].sizes[axis]
        if returns.names and len(scope.result or ()) > 1:
            outputs = list(zip(scope.result or (), returns.names, strict=True))
        else:
            outputs = []
        texts = self._parameters(scope, names, kinds, arrays)
        sign = "*" if self.unit.idioms.pointers else "&"
        texts += [f"{self.unit.name_of_type(kind)}{sign} {shown}" for kind, shown in outputs]
        result = scope.result or ()
        ctype = self.unit.name_of_type(result[0]) if len(result) == 1 else "void"
        self.unit.functions.append(
            function_text(self.unit, node, f"{self.unit.idioms.device} {ctype} {self.name_of(name)}", texts, scope)
        )
        return Written(self.name_of(name), arrays, result, tuple(shared))

    def _body(self, scope: Scope, node: ast.FunctionDef, returns: Returns) -> None:
        body = [part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
        if not body:
            raise Unsupported(f"{node.name} without statements")
        expressions = Expressions(scope, call_writer(self.call))
        statements = Statements(scope, expressions)
        returns.expressions = expressions
        scope.returns = returns.write
        statements.last_line = line_before(node, body[0])
        if hasattr(body[0], "lineno"):
            statements.block(body, node.end_lineno or body[-1].lineno)
            share_indices(scope, (), is_constant=self.unit.idioms.const_locals)
        else:
            raise Unsupported("a native function")

    def _parameters(
        self, scope: Scope, names: Sequence[str], kinds: Sequence[Kind], arrays: dict[int, ArrayParameter]
    ) -> list[str]:
        texts = []
        for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
            if number in arrays:
                parameter = arrays[number]
                ctype = pointer_type(self.unit.library, parameter.element, self.unit.idioms.components)
                if isinstance(parameter.element, Struct):
                    ctype = self.unit.name_of_type(parameter.element)
                texts.append(f"{'' if parameter.is_written else 'const '}{ctype}* {parameter.name}")
                texts += [f"int {parameter.sizes[axis]}" for axis in sorted(parameter.sizes)]
            else:
                texts.append(f"{self.unit.name_of_type(kind)} {scope.variables[name].name}")
        return texts


_OF_LIBRARY = frozenset(
    "dot length mat_row component rand_init pcg_hash load store make_quat identity2 identity3 identity4 exp log sin cos tan "
    "sqrt pow floor ceil round abs min max fabs norm".split()
)
"""Names of functions that a text may have besides those of the file."""


def _key(kind: Kind) -> object:
    return (str(kind.element), kind.dimensions, "array") if isinstance(kind, Arrays) else (str(kind), type(kind))


def _text(value: Code | ArrayCode) -> str:
    return value.text if isinstance(value, Code) and value.kind == INT else ""


def _length(value: Code | ArrayCode, axis: int) -> str:
    return value.size(axis).text if isinstance(value, ArrayCode) else ""


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Names the lengths of an array's axes in a function: after the parameter that receives the same value, if there is one."""

    scope: Scope
    names: Sequence[str]
    values: Sequence[Code | ArrayCode]
    number: int
    array: ArrayCode
    otherwise: Callable[[int], str]
    shared: list[tuple[int, int, int]]

    def __call__(self, axis: int) -> str:
        length = self.array.size(axis).text
        for number, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            if _text(value) == length and length.isidentifier() and name not in self.scope.placement.stores:
                self.shared.append((self.number, axis, number))
                return self.scope.variables[name].name
        return self.otherwise(axis)


def _size_names(name: str, dimensions: int) -> Callable[[int], str]:
    return lambda axis: size_name(name, axis, dimensions)


def size_name(name: str, axis: int, dimensions: int) -> str:
    """Return the name of the length of an axis.

    Examples:
        >>> size_name("u", 0, 1), size_name("nodes", 0, 1), size_name("u", 1, 2), size_name("u", 1, 3)
        ('u_len', 'num_nodes', 'u_cols', 'u_rows')
    """
    if dimensions == 1:
        return f"num_{name}" if re.fullmatch(r"[a-z]{3,}[^s]s", name) else f"{name}_len"
    if axis == dimensions - 1:
        return f"{name}_width" if "col" in name else f"{name}_cols"
    return f"{name}_rows" if axis == dimensions - 2 else f"{name}_dim{axis}"


def new_scope(unit: Unit, node: ast.FunctionDef, body: Sequence[ast.stmt], name_of: Callable[[str], str]) -> Scope:
    """Return an empty scope for a function; its variables do not hide the functions that it calls."""
    scope = Scope(unit, placement(body, {argument.arg for argument in node.args.args}))
    for part in walk(node):
        if isinstance(part, ast.Call):
            name = dotted(part.func)
            scope.taken.add(name_of(name) if name in unit.module.functions else name.rpartition(".")[2])
    scope.taken -= {"tid"}
    scope.taken |= _IMPLICIT
    return scope


_IMPLICIT = frozenset("float int PI mat_row component pow floor fmod".split())
"""Names that expressions use without a call in the Python."""


def line_before(node: ast.FunctionDef, first: ast.stmt) -> int:
    """Return the last line of what is before the first statement of a function."""
    previous = [part.end_lineno or 0 for part in node.body if (part.end_lineno or 0) < first.lineno]
    header = max([argument.end_lineno or 0 for argument in node.args.args] + [node.lineno])
    if node.returns is not None:
        header = max(header, node.returns.end_lineno or 0)
    return max([header, *previous])
