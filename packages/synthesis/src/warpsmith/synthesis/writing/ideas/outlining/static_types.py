"""Static types of locals and expressions of ideas, from the rows of parameters and Warp's registry. Unknown types are None."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TypeAlias

from msgspec import Struct

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.language.builtin_signatures import signatures
from warpsmith.synthesis.language.warp_types import BOOL, FLOAT, INT, QUAT, TRANSFORM, TYPES, VEC3, Type
from warpsmith.synthesis.writing.ideas.notation import is_function
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import (
    Line,
    function_of,
    local_of,
    parameter_of,
    read_expression,
    read_line,
)
from warpsmith.synthesis.writing.ideas.tree import Node, parse, walk


class ArrayType(Struct, frozen=True, gc=False):
    """The type of an array.

    Attributes:
        element: the type of its elements.
        ndim: the number of dimensions.
        indexed: whether it is an indexed array.
    """

    element: Type
    ndim: int
    indexed: bool = False

    @property
    def spelling(self) -> str:
        """The type in source text."""
        kind = "indexedarray" if self.indexed else "array"
        return f"wp.{kind}{'' if self.ndim == 1 else f'{self.ndim}d'}(dtype={self.element.spelling})"


class ObjectType(Struct, frozen=True, gc=False):
    """The type of an object of Warp that is no value, such as a texture."""

    spelling: str


Kind: TypeAlias = "Type | ArrayType | ObjectType"
Results: TypeAlias = "tuple[Kind | None, ...] | None"
"""The types of the results of a function; None if it is not known how many there are."""

UINT64 = TYPES["uint64"]

_BY_SPELLING = {row.spelling: row for row in TYPES.values()} | {f"wp.{row.name}": row for row in TYPES.values()}
_BY_SPELLING |= {"float": FLOAT, "int": INT, "bool": BOOL}
_CONSTRUCTORS = {spelling.removeprefix("wp."): row for spelling, row in _BY_SPELLING.items()}
_IDENTITIES = {"quat_identity": QUAT, "transform_identity": TRANSFORM}
_OPERATORS: dict[type[ast.operator] | type[ast.unaryop], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Mod: "mod", ast.FloorDiv: "floordiv",
    ast.Pow: "pow", ast.BitAnd: "bit_and", ast.BitOr: "bit_or", ast.BitXor: "bit_xor", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.MatMult: "mul", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip
_LOOP_QUERY = re.compile(r"(?:mesh_query_aabb|bvh_query_\w+|hash_grid_query|mesh_query_sphere)$")


def type_spelled(annotation: str) -> Type | None:
    """Return the value type that an annotation spells."""
    return _BY_SPELLING.get(annotation.strip())


@cache
def _result(name: str, arguments: tuple[Type, ...]) -> Type | None:
    """Return the result type of a builtin, if it has an overload with exactly these types."""
    try:
        found = signatures(name)
    except WarpsmithError:
        return None
    return found.get(arguments)


def component_of(kind: Type, indices: int) -> Type | None:
    """Return the type of a component of a vector or matrix, or of a row of a matrix."""
    scalar = _BY_SPELLING.get(kind.scalar) or TYPES.get(kind.scalar)
    if not kind.shape or indices == len(kind.shape):
        return scalar if kind.shape else None
    if indices == 1 and kind.is_matrix:
        return next(
            (row for row in TYPES.values() if row.is_vector and (row.scalar, row.shape) == (kind.scalar, kind.shape[1:])), None
        )
    return None


class Scope:
    """The types of one kernel or function.

    Args:
        body: its statements.
        known: the types of the locals that it does not assign: thread indices, or parameters of a function.
        parameters: the types of the kernel's parameters by key.
        results_of: returns the types of the results of a helper function by its key.
    """

    def __init__(
        self,
        body: Iterable[Node],
        known: Mapping[str, Kind],
        parameters: Mapping[str, Kind],
        results_of: Callable[[str], Results],
    ) -> None:
        self._types: dict[str, Kind | None] = dict(known)
        self._parameters, self._results_of = parameters, results_of
        self._lines = [line for node in walk(list(body)) if (line := read_line(node.text)).targets]

    @cached_property
    def _definitions(self) -> dict[str, list[tuple[Line, int]]]:
        """The assignments of each local, with its position among their targets."""
        found: dict[str, list[tuple[Line, int]]] = {}
        for line in self._lines:
            for position, key in enumerate(line.targets):
                found.setdefault(key, []).append((line, position))
        return found

    def local(self, key: str) -> Kind | None:
        """Return the type of a local, if all its assignments have this type."""
        if key not in self._types:
            definitions = self._definitions.get(key, [])
            self._types[key] = None
            for line, position in definitions:
                self._types[key] = self._defined(line, position)
                if self._types[key] is not None:
                    break
            if len(definitions) > 1 and any(
                self._defined(line, position) != self._types[key] for line, position in definitions
            ):
                self._types[key] = None
        return self._types[key]

    def _defined(self, line: Line, position: int) -> Kind | None:
        expression = read_expression(line.value)
        if expression is None:
            return None
        value = expression.node
        if line.kind == "for":
            is_counter = isinstance(value, ast.Call) and (
                function_of(value) == "range" or _LOOP_QUERY.match(function_of(value))
            )
            return INT if is_counter else None
        if len(line.targets) == 1:
            return self.infer(value)
        results = self._results_of(function_of(value)[1:]) if isinstance(value, ast.Call) else None
        return results[position] if results is not None and len(results) == len(line.targets) else None

    def infer_text(self, text: str) -> Kind | None:
        """Return the type of an expression in the notation of ideas."""
        expression = read_expression(text)
        return None if expression is None else self.infer(expression.node)

    def infer(self, node: ast.expr) -> Kind | None:
        """Return the type of an expression."""
        match node:
            case ast.Constant(value=bool()):
                return BOOL
            case ast.Constant(value=value):
                return INT if isinstance(value, int) else FLOAT if isinstance(value, float) else None
            case ast.Name():
                local = local_of(node)
                return self.local(local) if local else self._parameters.get(parameter_of(node))
            case ast.Compare() | ast.BoolOp():
                return BOOL
            case ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.UnaryOp():
                return self._operation(node.op, node.operand)
            case ast.BinOp():
                return self._operation(node.op, node.left, node.right)
            case ast.IfExp():
                kind = self.infer(node.body)
                return kind if kind is not None and kind == self.infer(node.orelse) else None
            case ast.Subscript():
                return self._element(node)
            case ast.Attribute():
                return self._member(node)
            case ast.Call():
                return self._call(node)
        return None

    def _operation(self, operator: ast.operator | ast.unaryop, *operands: ast.expr) -> Kind | None:
        types = self._all(operands)
        return _result(_OPERATORS[type(operator)], types) if types is not None else None

    def _all(self, nodes: Sequence[ast.expr]) -> tuple[Type, ...] | None:
        types: list[Type] = []
        for node in nodes:
            kind = self.infer(node)
            if not isinstance(kind, Type):
                return None
            types.append(kind)
        return tuple(types)

    def _element(self, node: ast.Subscript) -> Kind | None:
        indices = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
        if any(isinstance(part, ast.Slice) for part in ast.walk(node.slice)):
            return None
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return INT if isinstance(self.infer(node.value.value), ArrayType) else None
        owner = self.infer(node.value)
        if isinstance(owner, ArrayType):
            if indices < owner.ndim:
                return None if owner.indexed else ArrayType(owner.element, owner.ndim - indices)
            return owner.element if indices == owner.ndim else None
        return component_of(owner, indices) if isinstance(owner, Type) else None

    def _member(self, node: ast.Attribute) -> Kind | None:
        owner = self.infer(node.value)
        if not isinstance(owner, Type):
            return None
        if owner is TRANSFORM:
            return {"p": VEC3, "q": QUAT}.get(node.attr)
        return component_of(owner, 1) if len(owner.shape) == 1 and node.attr in ("x", "y", "z", "w") else None

    def _call(self, node: ast.Call) -> Kind | None:
        name = function_of(node)
        if name[0] == "@":
            results = self._results_of(name[1:])
            return results[0] if results is not None and len(results) == 1 else None
        if name in _CONSTRUCTORS:
            return _CONSTRUCTORS[name] if not node.keywords else None
        if name == "rand_init":  # a state is changed by each use
            return None
        if name in _IDENTITIES:
            return None if node.args or node.keywords else _IDENTITIES[name]
        if name == "len":
            return INT
        types = None if node.keywords else self._all(node.args)
        if types is None:
            return None
        if name in ("where", "select"):
            return types[1] if len(types) == 3 and types[1] == types[2] else None
        return _result(name, types)


@lru_cache(1 << 12)
def helper_results(text: str) -> Results:
    """Return the types of the results of a helper function, from its annotation or from what it returns."""
    match = _SIGNATURE.match(text)
    if match is None or not is_function(text):
        return None
    if match[2]:
        inside = match[2].strip().removeprefix("tuple[").removesuffix("]")
        names = inside.split(",") if match[2].strip().startswith("tuple[") else [match[2]]
        return tuple(map(type_spelled, names))
    known: dict[str, Kind] = {}
    for parameter in re.sub(r"\[[^]]*\]|\([^)]*\)", "", match[1]).split(","):
        name, _, annotation = parameter.strip().partition(":")
        if (kind := type_spelled(annotation)) is not None:
            known[name.strip().removeprefix("$")] = kind
    body = parse(_PLAIN_NAMES.sub(lambda name: f"${name[0]}", text[match.end() :]))
    scope = Scope(body, known, {}, lambda _: None)
    returned = [_returned(node.text, scope) for node in walk(body) if node.text.startswith("return ")]
    return returned[0] if returned and all(results == returned[0] for results in returned) else None


def _returned(text: str, scope: Scope) -> Results:
    expression = read_expression(text.removeprefix("return "))
    if expression is None:
        return None
    value = expression.node
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    return tuple(map(scope.infer, values))


_SIGNATURE = re.compile(r"def \w+\((.*)\)(?: -> (.+))?:\n")
_PLAIN_NAMES = re.compile(
    r"(?<![\w.$@{])(?!(?:wp|float|int|bool|range|if|elif|else|for|in|while|return|and|or|not|break|continue|pass|True|False|"
    r"abs|min|max)\b)[A-Za-z_]\w*"
)
"""The names of locals and parameters in a helper function without marks."""
