"""Finds kernels whose gradient Warp gets wrong because a value is stale in the adjoint.

An adjoint kernel first repeats the statements of the kernel, but not its dynamic loops: what a loop changes has the value from
before the loop again (Warp's issue 729). Sums keep the right gradient, because derivatives of a sum need no values. Products,
functions, conditions and indices of a stale value give a wrong one. Plain arguments of a kernel receive no gradient, so that a
stale value may be multiplied with them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from warpsmith.synthesis.writing.adjoint.name_uses import called, carried, loaded, reads, stored
from warpsmith.synthesis.writing.adjoint.value_properties import LINEAR, FileKinds, FunctionKinds

_MAY_BE_DYNAMIC = re.compile(r"^ +(?:while |for \w+ in (?!range\(\d(?:, \d)*\)))", re.MULTILINE)
"""A loop that Warp may keep; it also keeps loops over long constant ranges."""

_FLOATS = re.compile(r"float|vec|mat|quat|transform|spatial")
"""Types whose values have a gradient."""

_Stale = frozenset[str]


def stale_use(source: str) -> str | None:
    """Return an expression of a kernel file that makes its gradient wrong, or None.

    Examples:
        >>> text = '''
        ... @wp.kernel
        ... def k(x: wp.array[float], n: int, out: wp.array[float]):
        ...     total = float(0.0)
        ...     for i in range(n):
        ...         total += x[i]
        ...     out[0] = total * total
        ... '''
        >>> stale_use(text)
        'total * total'
        >>> stale_use(text.replace("total * total", "total - x[0]"))
    """
    if "enable_backward=False" in source or not _MAY_BE_DYNAMIC.search(source) or not _FLOATS.search(source):
        return None
    tree = _Sums().visit(ast.parse(source))
    file = FileKinds(tree)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and any(isinstance(node, ast.For | ast.While) for node in ast.walk(function)):
            search = _Search(file, function)
            search.statements(function.body, frozenset())
            if search.found is not None:
                return ast.unparse(search.found)
    return None


class _Sums(ast.NodeTransformer):
    """Writes a product that is added to a tile, ``wp.tile_matmul(a, b, c)``, as ``c += wp.tile_matmul(a, b)``."""

    def visit_Expr(self, statement: ast.Expr) -> ast.stmt:
        match statement.value:
            case ast.Call(ast.Attribute(attr="tile_matmul") as function, [left, right, ast.Name(name), *_]):
                target = ast.Name(name, ast.Store())
                return ast.copy_location(ast.AugAssign(target, ast.Add(), ast.Call(function, [left, right], [])), statement)
        return statement


class _Search:
    """The search in one function.

    Attributes:
        found: the first wrong use of a stale value.
    """

    def __init__(self, file: FileKinds, function: ast.FunctionDef) -> None:
        self._kinds = FunctionKinds(file, function)
        self._function = function
        self.found: ast.expr | ast.stmt | None = None

    @cached_property
    def _used(self) -> set[str]:
        """The names that something but a comparison reads."""
        tests = [name for node in ast.walk(self._function) if isinstance(node, ast.Compare) for name in loaded(node)]
        return set(Counter(loaded(self._function)) - Counter(tests))

    def statements(self, body: Sequence[ast.stmt], stale: _Stale) -> _Stale:
        """Look at statements in order and return the names that are stale after them."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.For | ast.While):
                stale = self._loop(statement, stale)
            elif isinstance(statement, ast.If):
                if stale & reads(statement.test):
                    leaves = any(isinstance(node, ast.Return | ast.Continue | ast.Break) for node in ast.walk(statement))
                    rest = body[position + 1 :] if leaves else ()
                    self._guard(statement.test, [*statement.body, *statement.orelse, *rest])
                stale = self.statements(statement.body, stale) | self.statements(statement.orelse, stale)
            elif stale:
                stale = self._statement(statement, stale)
        return stale

    def _loop(self, loop: ast.For | ast.While, stale: _Stale) -> _Stale:
        if isinstance(loop, ast.For):
            if stale & reads(loop.iter):
                self._guard(loop.iter, loop.body)
            stale -= stored(loop.target)
        if not self._kinds.is_dynamic(loop):
            return self.statements(loop.body, self.statements(loop.body, stale))
        steps = reads(loop.test) if isinstance(loop, ast.While) else set()
        self.statements(loop.body, stale | (carried(loop.body) - steps))
        return stale.union(*map(stored, loop.body))

    def _statement(self, statement: ast.stmt, stale: _Stale) -> _Stale:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                self._index(target, stale)
            targets = set().union(*map(stored, statement.targets))
            return stale | targets if self._value(statement.value, stale) else stale - targets
        if isinstance(statement, ast.AugAssign):
            self._index(statement.target, stale)
            is_stale = self._value(statement.value, stale)
            targets = stored(statement.target)
            is_sum = isinstance(statement.op, ast.Add | ast.Sub) or self._kinds.is_integer(statement.target)
            if not is_sum and (is_stale or stale & targets):
                self._report(statement)
            return stale | targets if is_stale else stale
        if isinstance(statement, ast.Expr | ast.Return) and statement.value is not None:
            self._value(statement.value, stale)
        return stale

    def _value(self, expression: ast.expr, stale: _Stale) -> bool:
        """Return whether a value is stale, and report uses of stale values that are not linear."""
        if not stale & reads(expression):
            return False
        if isinstance(expression, ast.BinOp):
            return self._operation(expression, stale)
        if isinstance(expression, ast.Subscript):
            self._index(expression, stale)
            return self._value(expression.value, stale)
        if isinstance(expression, ast.Name | ast.Compare | ast.BoolOp):
            return True
        parts = [self._value(part, stale) for part in ast.iter_child_nodes(expression) if isinstance(part, ast.expr)]
        if isinstance(expression, ast.Call | ast.IfExp) and any(parts):
            self._call(expression)
        return any(parts)

    def _call(self, expression: ast.Call | ast.IfExp) -> None:
        name = called(expression)
        is_integer = self._kinds.is_integer(expression)
        if isinstance(expression, ast.Call) and name.startswith(("atomic_", "tile_")):
            is_integer = is_integer or self._kinds.is_integer(expression.args[0])
        if name not in LINEAR and not is_integer:
            self._report(expression)

    def _operation(self, expression: ast.BinOp, stale: _Stale) -> bool:
        left, right = self._value(expression.left, stale), self._value(expression.right, stale)
        is_product = isinstance(expression.op, ast.Mult) and left != right
        is_quotient = isinstance(expression.op, ast.Div) and not right
        factor = expression.right if left else expression.left
        is_linear = isinstance(expression.op, ast.Add | ast.Sub) or (
            (is_product or is_quotient) and self._kinds.is_fixed(factor)
        )
        if (left or right) and not is_linear and not self._kinds.is_integer(expression):
            self._report(expression)
        return left or right

    def _index(self, expression: ast.expr, stale: _Stale) -> None:
        is_stale = isinstance(expression, ast.Subscript) and bool(stale & reads(expression.slice))
        if is_stale and not self._kinds.is_integer(expression):
            self._report(expression)

    def _guard(self, test: ast.expr, body: Iterable[ast.stmt]) -> None:
        """Report a stale test if a gradient flows through what it decides about."""
        if any(self._has_gradient(node) for statement in body for node in ast.walk(statement)):
            self._report(test)

    def _has_gradient(self, node: ast.AST) -> bool:
        """Return whether a node assigns, stores or adds floats that a gradient flows into."""
        if isinstance(node, ast.Assign | ast.AugAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id not in self._used:
                return False
            return not (self._kinds.is_integer(target) or self._kinds.is_fixed(node.value))
        if isinstance(node, ast.Call) and called(node).startswith(("atomic_", "tile_")) and node.args:
            return not (self._kinds.is_integer(node.args[0]) or self._kinds.is_fixed(node.args[-1]))
        return False

    def _report(self, node: ast.expr | ast.stmt) -> None:
        self.found = self.found or node
