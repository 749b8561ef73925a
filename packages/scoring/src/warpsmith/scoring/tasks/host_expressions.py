"""Expressions of host code in C."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator

from warpsmith.scoring.tasks.host_values import DeviceArray, Items, NotTranslated, Number, Untyped, Value

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%",
              ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}  # fmt: skip
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def combined(operator: ast.operator, left: Number, right: Number) -> Number:
    """Return the result of an operation.

    Raises:
        NotTranslated: if C lacks it.
    """
    sign, kinds = _OPERATORS.get(type(operator)), {left.ctype, right.ctype}
    is_float = "float" in kinds or isinstance(operator, ast.Div)
    if sign is None or (is_float and not isinstance(operator, ast.Add | ast.Sub | ast.Mult | ast.Div)):
        raise NotTranslated("arithmetic without a form in C")
    first = f"(float){left.inner}" if isinstance(operator, ast.Div) and "float" not in kinds else left.inner
    return Number(f"{first} {sign} {right.inner}", "float" if is_float else "int")


def number_of(value: Value) -> Number:
    """Return a value that is a number.

    Raises:
        NotTranslated: if it is none.
    """
    if not isinstance(value, Number):
        raise NotTranslated("a value that is no number")
    return value


def compared(node: ast.Compare, evaluate: Callable[[ast.expr], Number]) -> Number:
    """Return a comparison.

    Raises:
        NotTranslated: if C lacks it.
    """
    if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
        raise NotTranslated("a comparison without a form in C")
    left, right = evaluate(node.left), evaluate(node.comparators[0])
    return Number(f"{left.inner} {_COMPARISONS[type(node.ops[0])]} {right.inner}", "bool")


def literal(value: object) -> Number:
    """Return a literal.

    Raises:
        NotTranslated: if it is no number.
    """
    if isinstance(value, bool):
        return Number(str(value).lower(), "bool")
    if isinstance(value, int):
        return Number(str(value), "int")
    if isinstance(value, float) and math.isfinite(value) and abs(value) < 1e38:
        return Number(f"{value!r}f", "float")
    raise NotTranslated("a value that is no number")


def member(value: Value, name: str) -> Value:
    """Return a member of an array that is a length.

    Raises:
        NotTranslated: if it is something else.
    """
    if isinstance(value, DeviceArray):
        if name == "shape":
            return Items(tuple(Number(length, "int") for length in value.lengths))
        if name == "size":
            return Number(" * ".join(value.lengths), "int")
        if name == "ndim":
            return Number(str(len(value.lengths)), "int")
    raise NotTranslated("a member of an object")


def dotted_path(node: ast.expr) -> str | None:
    """Return a name with members as text, such as ``self.state.x``; None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (inner := dotted_path(node.value)) is not None:
        return f"{inner}.{node.attr}"
    return None


class NumberKinds:
    """The types of numbers by their name, as the values that a program gives them show.

    Args:
        tree: the program.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._values: dict[str, list[ast.expr]] = {}
        for name, value in _given_values(tree):
            self._values.setdefault(name, []).append(value)

    def kind(self, name: str, depth: int = 4) -> str | None:
        """Return ``"int"`` or ``"float"``, or None if no value shows the type."""
        kinds = {self._of(value, depth) for value in self._values.get(name, ())} - {None}
        return kinds.pop() if len(kinds) == 1 else "float" if kinds == {"int", "float"} else None

    def _of(self, node: ast.expr, depth: int) -> str | None:
        match node:
            case ast.Constant(value) if type(value) in (int, float):
                return type(value).__name__
            case ast.UnaryOp(ast.USub(), operand):
                return self._of(operand, depth)
            case ast.BinOp(left, operator, right):
                kinds = {self._of(left, depth), self._of(right, depth)}
                is_float = isinstance(operator, ast.Div) or "float" in kinds
                return "float" if is_float else "int" if kinds == {"int"} else None
            case ast.Call(ast.Name("int" | "len")) | ast.Attribute(_, "size"):
                return "int"
            case ast.Call(ast.Name("float")):
                return "float"
            case ast.Name(name) | ast.Attribute(_, name) if depth:
                return self.kind(name, depth - 1)
        return None


def _given_values(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name) | ast.Attribute(_, name)], value):
                yield name, value
            case ast.AnnAssign(ast.Name(name) | ast.Attribute(_, name), _, ast.expr() as value):
                yield name, value
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"))):
                yield name, ast.Constant(0)
            case ast.arg(name, ast.Name("int" | "float" as kind)):
                yield name, ast.Constant(0 if kind == "int" else 0.0)
            case ast.arguments(args=args, defaults=defaults, kwonlyargs=named, kw_defaults=of_named):
                yield from ((arg.arg, value) for arg, value in zip(args[len(args) - len(defaults) :], defaults, strict=True))
                yield from ((arg.arg, value) for arg, value in zip(named, of_named, strict=True) if value is not None)


def is_untyped(value: Value) -> bool:
    """Return whether the type of a value is not known yet."""
    return isinstance(value, Untyped)
