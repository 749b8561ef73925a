"""Rules for well-formed trees: a tree that breaks one stops the generator with a clear error.

The rules are a second opinion: they depend on the finished tree only, not on the code that wrote it. They derive types from
the registry again, check indices against the lengths of arrays, and have a separate table of domains.
"""

from __future__ import annotations

import math
import re

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.builtins.registry import result_type
from warpsmith.synthesis.language.nodes import Array, Expr, Kernel, Scalar, Stmt
from warpsmith.synthesis.language.ranges import LIMIT
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT
from warpsmith.synthesis.language.walk import blocks, expressions, statements, subexpressions

_BOUND = 10 * LIMIT


class RuleError(Exception):
    """A tree breaks a rule; the generator has a bug."""


def check_skeleton(kernel: Kernel) -> None:
    """Check a skeleton: parameters have different names, every array dimension has a length, results are written.

    Raises:
        RuleError: names the first rule that is broken.
    """
    names = [param.name for param in kernel.params]
    _require(len(names) == len(set(names)), "two parameters of {} have one name: {}", kernel.name, names)
    sizes = dict(kernel.sizes)
    arrays = {param.name: param for param in kernel.params if isinstance(param, Array)}
    for array in arrays.values():
        _require(all(symbol in sizes for symbol in array.dims), "no length for a dimension of {}", array.name)
    written = {item.array for item in statements(kernel.body) if isinstance(item, nodes.Store | nodes.Atomic)}
    texts = "\n".join(
        item.text for item in statements(kernel.body) if isinstance(item, nodes.RawStatement | nodes.TemplateStatement)
    )
    written |= {name for name, array in arrays.items() if array.role != "input" and re.search(rf"\b{name}\b", texts)}
    results = {name for name, array in arrays.items() if array.role != "input"}
    _require(written == results, "{} writes {}, its results are {}", kernel.name, sorted(written), sorted(results))


def check(kernel: Kernel) -> None:
    """Check a kernel without holes.

    Raises:
        RuleError: names the first rule that is broken.
    """
    check_skeleton(kernel)
    functions = {function.name: function for function in kernel.functions}
    for function in kernel.functions:
        visible = {param.name for param in function.params}
        _Checker(kernel, {}).body(function.body, visible)
        _require(isinstance(function.body[-1], nodes.Return), "{} does not end in return", function.name)
    visible = {param.name for param in kernel.params if isinstance(param, Scalar)}
    visible |= {constant.name for constant in kernel.constants}
    _Checker(kernel, functions).body(kernel.body, visible)


class _Checker:
    """Checks a body, with the set of names that are assigned on every path."""

    def __init__(self, kernel: Kernel, functions: dict[str, nodes.Function]) -> None:
        self._sizes = dict(kernel.sizes)
        self._arrays = {param.name: param for param in kernel.params if isinstance(param, Array)}
        self._functions = functions
        self._fixed: set[str] = set()

    def body(self, body: tuple[Stmt, ...], visible: set[str]) -> None:
        for statement in body:
            for expr in expressions(statement):
                self._expression(expr, visible)
            counter: set[str] = set()
            match statement:
                case nodes.Assign(name) | nodes.Declare(name):
                    _require(name not in self._fixed, "{} is given another value", name)
                    visible.add(name)
                case nodes.Augment(name):
                    _require(name in visible, "{} is changed before it is assigned", name)
                case nodes.Store(array, indices, value) | nodes.Atomic(_, array, indices, value):
                    self._indices(array, indices)
                    _require(value.type is self._arrays[array].element, "{} is given a {}", array, value.type.name)
                case nodes.Threads(names):
                    self._fixed |= {name.name for name in names}
                    visible |= self._fixed
                case nodes.RawStatement(_, _, names):
                    visible.update(name.name for name in names)
                case nodes.If(condition) | nodes.While(condition):
                    _require(condition.type is BOOL, "a condition is a {}", condition.type.name)
                case nodes.For(name):
                    _require(name.name not in visible, "the counter {} hides a variable", name.name)
                    counter = {name.name}
                case nodes.Steps() | nodes.LoadElement() | nodes.TemplateStatement():
                    raise RuleError(f"a hole was left: {statement}")
            for block in blocks(statement):
                self.body(block, visible | counter)

    def _expression(self, expr: Expr, visible: set[str]) -> None:
        for part in subexpressions(expr):
            if not -_BOUND <= part.low <= part.high <= _BOUND:  # fails for NaN, too
                raise RuleError(f"the value of {part} is not bounded")
            if isinstance(part, nodes.Name):  # half of all nodes
                if part.name not in visible:
                    raise RuleError(f"{part.name} is read before it is assigned")
            elif not isinstance(part, nodes.Const):
                self._composite(part)

    def _composite(self, expr: Expr) -> None:
        match expr:
            case nodes.Apply():
                self._apply(expr)
            case nodes.Load(array, indices):
                self._indices(array, indices)
            case nodes.Call(name, args):
                params = self._functions[name].params
                for arg, param in zip(args, params, strict=True):
                    _require(arg.type is param.type, "{} is given a {} for {}", name, arg.type.name, param.name)
                    _require(_within(arg, param.low, param.high), "{} is given {} for {}", name, arg, param.name)
            case nodes.Construct(args, dtype):
                _require(len(args) in (1, math.prod(dtype.shape)), "{} of {} components", dtype.name, len(args))
                _require(all(arg.type is FLOAT for arg in args), "{} of other than floats", dtype.name)
            case nodes.Ternary(condition, then, other):
                _require(condition.type is BOOL and then.type is other.type, "a conditional expression of two types")
            case nodes.Compare(_, operands):
                _require(len({operand.type for operand in operands}) == 1, "a comparison of two types")
            case nodes.Hole():
                raise RuleError(f"a hole was left: {expr}")

    def _apply(self, expr: nodes.Apply) -> None:
        dtype = result_type(expr.key, tuple(arg.type for arg in expr.args))
        _require(dtype is expr.type, "Warp's registry has no such {}: {}", expr.key, expr)
        if expr.key == "inverse":
            _require(_is_dominant(expr.args[0]), "an inverse of a matrix that may be singular: {}", expr)
        position, low, high = _SAFE.get(expr.key, (0, -math.inf, math.inf))
        arg = expr.args[position]
        _require(arg.type is INT or _within(arg, low, high), "{} may leave its domain [{}, {}]: {}", expr.key, low, high, arg)

    def _indices(self, array: str, indices: tuple[Expr, ...]) -> None:
        dims = self._arrays[array].dims
        _require(len(indices) == len(dims), "{} has {} dimensions, {} indices are given", array, len(dims), len(indices))
        for index, symbol in zip(indices, dims, strict=True):
            inside = index.type is INT and _within(index, 0, self._sizes[symbol] - 1)
            same = isinstance(index, nodes.Name) and index.extent == symbol
            _require(inside or same, "an index may leave {}: {}", array, index)


_SAFE = {
    "div": (1, 1.0e-3, 1.0e6),
    "cw_div": (1, 1.0e-3, 1.0e6),
    "mod": (1, 1.0e-3, 1.0e6),
    "floordiv": (1, 1.0e-3, 1.0e6),
    "atan2": (1, 1.0e-3, 1.0e6),
    "sqrt": (0, 1.0e-3, 1.0e6),
    "cbrt": (0, 1.0e-3, 1.0e6),
    "log": (0, 1.0e-3, 1.0e6),
    "log2": (0, 1.0e-3, 1.0e6),
    "log10": (0, 1.0e-3, 1.0e6),
    "pow": (0, 1.0e-3, 1.0e3),
    "exp": (0, -500.0, 12.0),
    "tan": (0, -1.5, 1.5),
    "asin": (0, -0.99, 0.99),
    "acos": (0, -0.99, 0.99),
    "sinh": (0, -10.0, 10.0),
    "cosh": (0, -10.0, 10.0),
}
"""The position and the safe bounds of an argument, for builtins whose value or derivative is not finite everywhere."""


def _within(expr: Expr, low: float, high: float) -> bool:
    return low - _slack(low) <= expr.low and expr.high <= high + _slack(high)


def _slack(bound: float) -> float:
    """Return the tolerance for rounding of a bound; it is relative, so that a divisor above 0.001 cannot be zero."""
    return 1.0e-9 * abs(bound)


def _is_dominant(expr: Expr) -> bool:
    """Return whether ``expr`` is ``m + diag(shift)`` with a diagonal that exceeds the sum of each row by one."""
    match expr:
        case nodes.Apply("add", (m, nodes.Apply("diag", (nodes.Construct((nodes.Const(shift),)),)))):
            return shift >= m.type.shape[0] * max(abs(m.low), abs(m.high)) + 1
    return False


def _require(holds: bool, message: str, *parts: object) -> None:
    if not holds:
        raise RuleError(message.format(*parts))  # formatted only on failure: printing a tree is slow
