"""The definitions of a Python file, and the evaluation of its types and constants; nothing is executed."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.conversions import cast, make
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import Type, Value, named, sized

_ARRAY = re.compile(r"(?:indexed)?array(?:([1-4])d)?")

_WARP_CONSTANTS: dict[str, float] = {
    "pi": math.pi,
    "half_pi": math.pi / 2.0,
    "tau": math.tau,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "log2e": math.log2(math.e),
    "log10e": math.log10(math.e),
    "ln2": math.log(2.0),
    "ln10": math.log(10.0),
    "phi": (1.0 + math.sqrt(5.0)) / 2.0,
}
_WARP_CONSTANTS |= {name.upper(): value for name, value in _WARP_CONSTANTS.items()}
_WARP_CONSTANTS |= {"Volume.CLOSEST": 0, "Volume.LINEAR": 1}
_MATH_CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e, "inf": math.inf, "nan": math.nan}
_MATH: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "exp": math.exp,
    "log": math.log,
    "radians": math.radians,
    "degrees": math.degrees,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
}


def dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` as text, or an empty string if the expression is not a chain of names."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


@dataclass(frozen=True, slots=True)
class Module:
    """The definitions of a file.

    ``constants`` contains numbers, typed values, types, or the reason why a name has no value; ``factories`` contains Python
    functions that return a helper function, ``texts`` the native code of functions. ``untyped`` contains the numbers
    from which typed constants are made: like Warp's values, they are not rounded before a conversion to another type.
    """

    warp: set[str] = field(default_factory=set)
    math: set[str] = field(default_factory=set)
    imported: dict[str, str] = field(default_factory=dict)
    kernels: dict[str, ast.FunctionDef] = field(default_factory=dict)
    functions: dict[str, list[ast.FunctionDef]] = field(default_factory=dict)
    factories: dict[str, ast.FunctionDef] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    constants: dict[str, Value | Type | Unsupported] = field(default_factory=dict)
    untyped: dict[str, bool | int | float] = field(default_factory=dict)

    def member(self, node: ast.expr) -> str:
        """Return the name of the member of Warp that an expression refers to, or an empty string."""
        root, _, rest = dotted(node).partition(".")
        if root in self.warp and rest:
            return rest.removeprefix("types.")
        return self.imported.get(root, "") if not rest else ""

    def type_of(self, node: ast.expr | None) -> Type | Struct | None:
        """Return the type that an annotation or called expression refers to, or None if it is not a known type."""
        if node is None:
            return None
        if isinstance(node, ast.Call):
            return self._type_made(node)
        if isinstance(node, ast.Name):
            if node.id in self.structs:
                return self.structs[node.id]
            value = self.constants.get(node.id)
            if isinstance(value, Type):
                return value
            if node.id in ("float", "int", "bool"):
                return named(node.id)
        return named(self.member(node))

    def _type_made(self, node: ast.Call) -> Type | None:
        """Return the type of ``wp.types.vector(length=5, dtype=float)`` or a similar call, which is a type in a module."""
        arguments = {keyword.arg: keyword.value for keyword in node.keywords}
        scalar = self.type_of(arguments.get("dtype"))
        if self.member(node.func) not in ("vector", "matrix") or node.args or not isinstance(scalar, Type):
            return None
        shape = self.constant(arguments.get("length") or arguments.get("shape") or ast.Constant(None))
        lengths = shape if isinstance(shape, tuple) else (shape,)
        if not all(isinstance(length, int) for length in lengths):
            return None
        return sized(scalar, *lengths)

    def member_type(self, node: ast.expr) -> Type | Struct | Arrays | None:
        """Return the type of a struct's member, which may be an array, or None if it is not a known type."""
        if isinstance(node, ast.Call) and (match := _ARRAY.fullmatch(self.member(node.func))):
            arguments = dict(zip(("dtype", "ndim"), node.args, strict=False))
            arguments |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
            element = self.type_of(arguments.pop("dtype", None))
            dimensions = arguments.pop("ndim", ast.Constant(int(match[1] or 1)))
            if (
                element is None
                or arguments
                or not isinstance(dimensions, ast.Constant)
                or not isinstance(dimensions.value, int)
            ):
                return None
            return Arrays(element, dimensions.value)
        if isinstance(node, ast.Subscript) and (match := _ARRAY.fullmatch(self.member(node.value))):
            element = self.type_of(node.slice)
            return None if element is None else Arrays(element, int(match[1] or 1))
        return self.type_of(node)

    def chosen(self, node: ast.expr) -> str:
        """Return the name of the helper function that ``wp.static`` chooses, or an empty string for other expressions."""
        if not isinstance(node, ast.Call) or self.member(node.func) != "static" or len(node.args) != 1 or node.keywords:
            return ""
        choice = node.args[0]
        while isinstance(choice, ast.IfExp):
            choice = choice.body if self._number(choice.test) else choice.orelse
        return choice.id if isinstance(choice, ast.Name) and choice.id in self.functions else ""

    def constant(self, node: ast.expr) -> Any:
        """Evaluate an expression of the module as Python does; numbers stay untyped, in double precision.

        Raises:
            Unsupported: if the expression is more than arithmetic on numbers, constants and types.
        """
        value = self._constant(node)
        if isinstance(value, int) and abs(value) >= 2**64:
            raise Unsupported("a constant of more than 64 bits")
        return value

    def _constant(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(bool() | int() | float() as value):
                return value
            case ast.Tuple(elements):
                return tuple(self.constant(element) for element in elements)
            case ast.Name() | ast.Attribute() if dotted(node) in self.constants:  # a name, or a member of an enumeration
                constant = self.constants[dotted(node)]
                if isinstance(constant, Unsupported):
                    raise constant
                return constant
            case ast.UnaryOp(ast.USub(), operand):
                return -self._number(operand)
            case ast.BinOp(left, operator, right):
                return self._folded(self._number(left), operator, self._number(right))
            case ast.IfExp(test, body, orelse):
                return self.constant(body if self._number(test) else orelse)
            case ast.Name() | ast.Attribute():
                return self._named(node)
            case ast.Call(func, arguments, []):
                return self._called(func, arguments)
            case ast.Call() if (made := self.type_of(node)) is not None:
                return made
        raise Unsupported(f"a module constant that is {node_name(node)}")

    def number_within(self, node: ast.expr) -> bool | int | float | None:
        """Return the number of an expression such as ``wp.constant(wp.float32(0.1))``, or None for other expressions."""
        match node:
            case ast.Call(func, [inner], []) if self.member(func) == "constant":
                return self.number_within(inner)
            case ast.Call(func, [inner], []) if isinstance(kind := self.type_of(func), Type) and not kind.shape:
                value = self.constant(inner)
                return value if type(value) in (bool, int, float) else None
        return None

    def _number(self, node: ast.expr) -> Any:
        value = self.constant(node)
        if not isinstance(value, (int, float)) or isinstance(value, np.generic):
            raise Unsupported("arithmetic of the module on what is no plain number")
        return value

    def _folded(self, left: Any, operator: ast.operator, right: Any) -> Any:
        if isinstance(operator, (ast.Pow, ast.LShift)) and abs(right) > 64:
            raise Unsupported("a module constant with a large exponent")
        try:
            value = _ARITHMETIC[type(operator)](left, right)
        except (KeyError, ArithmeticError, TypeError, ValueError) as error:
            raise Unsupported(f"a module constant: {error}") from None
        if isinstance(value, complex):
            raise Unsupported("a module constant that is complex")
        return value

    def _named(self, node: ast.Name | ast.Attribute) -> Any:
        root, _, rest = dotted(node).partition(".")
        if root in self.math and rest in _MATH_CONSTANTS:
            return _MATH_CONSTANTS[rest]
        if (member := self.member(node)) in _WARP_CONSTANTS:
            return _WARP_CONSTANTS[member]
        if (referenced := self.type_of(node)) is not None:
            return referenced
        raise Unsupported(f"the name {dotted(node)!r}")

    def _called(self, func: ast.expr, arguments: list[ast.expr]) -> Any:
        values = [self.constant(argument) for argument in arguments]
        root, _, rest = dotted(func).partition(".")
        if self.member(func) == "constant" and len(values) == 1:
            return values[0]
        if root in ("float", "int") and not rest and len(values) == 1 and isinstance(values[0], (int, float)):
            return float(values[0]) if root == "float" else int(cast(float(values[0]), np.int64))
        if root in ("min", "max") and not rest and values and all(type(value) in (int, float) for value in values):
            return min(values) if root == "min" else max(values)
        if root in self.math and rest in _MATH and len(values) == 1 and isinstance(values[0], (int, float)):
            try:
                return _MATH[rest](values[0])
            except (ValueError, OverflowError) as error:
                raise Unsupported(f"a module constant: {error}") from None
        if isinstance(target := self.type_of(func), Type) and not any(isinstance(value, (tuple, Type)) for value in values):
            return make(target, values)
        raise Unsupported(f"a module constant that calls {dotted(func) or 'an expression'}")


def node_name(node: ast.AST) -> str:
    """Return the type of a syntax node with its article, for a message."""
    name = type(node).__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
