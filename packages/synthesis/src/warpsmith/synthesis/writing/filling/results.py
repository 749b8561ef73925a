"""Results: expressions that read named variables and all values that nothing has read yet, so that no statement is dead."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Apply, Const, Expr, Hole, Name
from warpsmith.synthesis.language.ranges import magnitude
from warpsmith.synthesis.language.terms import apply, const, ternary
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.conversions import convert_sum, to_float
from warpsmith.synthesis.writing.filling.guards import fit, moderate, scale
from warpsmith.synthesis.writing.filling.literals import COUNTS, DIVISORS, FACTORS, choose_threshold
from warpsmith.synthesis.writing.filling.scope import Value
from warpsmith.synthesis.writing.filling.writer import Writer, Written


class Results:
    """Combines values into one expression.

    Args:
        writer: writes the other parts of the expression.
        rng: the randomness.
    """

    def __init__(self, writer: Writer, rng: RandomStream) -> None:
        self._writer = writer
        self._scope = writer.scope
        self._rng = rng

    def gather(self, hole: Hole) -> Written:
        """Write an expression that reads the variables of ``hole`` and, if it gathers, unread values and sums of loops."""
        named = [self._scope.find(name) for name in hole.uses]
        sums = [value for value in named if value.linear]
        sums += [value for value in self._scope.totals() if hole.gather and value not in sums]
        for value in [*named, *(value for value in sums if value not in named)]:
            value.reads += 1
        wanted = [value for value in named if not value.linear]
        expr = self._write_part(hole) if not wanted and hole.size > 1 and (hole.size > 2 or self._rng.chance(0.5)) else None
        if hole.gather:
            wanted += self._take_unread(1 if named or expr else 2)
        if expr is None and not wanted:
            return self._combine_sums(sums, hole) if sums else self._writer.write(hole.type, hole.size, hole.low, hole.high)
        wanted.sort(key=lambda value: value.expr.type is not hole.type)
        expr = self._combine_all(expr, wanted, hole.type)
        if hole.gather and not sums and not self._scope.varies(expr):
            expr = self._make_vary(expr)
        expr = moderate(expr, self._rng)
        for value in sums:
            total = self._scale_sum(convert_sum(value.expr, hole.type))
            is_difference = self._rng.chance(0.25) and not opens_with_minus(expr)
            expr = apply("sub", total, expr) if is_difference else apply("add", total, expr)
        return Written(expr, ("result", "outcome"), "", linear=bool(sums))

    def _write_part(self, hole: Hole) -> Expr:
        return self._writer.write(hole.type, hole.size - 1, hole.low, hole.high).expr

    def _take_unread(self, most: int) -> list[Value]:
        """Mark the latest unread values as read and return them."""
        latest = self._scope.unread()[:most]
        for value in latest:
            value.reads += 1
        return latest

    def _combine_all(self, expr: Expr | None, values: list[Value], dtype: Type) -> Expr:
        """Combine ``expr``, if there is one, and all ``values`` into one expression."""
        if expr is None:
            first, *values = values
            expr = self._convert(first, dtype)
            if not values and self._rng.chance(0.4):
                expr = self._change(expr)
        for value in values:
            expr = self._join(expr, value)
        return expr

    def _combine_sums(self, sums: list[Value], hole: Hole) -> Written:
        """Add up the sums of several loops, each unchanged or scaled by a literal."""
        expr = self._scale_sum(convert_sum(sums[0].expr, hole.type))
        for value in sums[1:]:
            expr = apply("add", expr, self._scale_sum(convert_sum(value.expr, hole.type)))
        return Written(expr, ("result",), "", linear=True)

    def _scale_sum(self, total: Expr) -> Expr:
        """Return the sum of a loop, unchanged or scaled by a literal."""
        rng = self._rng
        if rng.chance(0.5):
            return total
        if total.type is INT:
            return apply("mul", const(rng.choice((2, 3, 5))), total)
        if total.type is FLOAT and rng.chance(0.3):
            return apply("div", total, const(rng.choice(DIVISORS)))
        return apply("mul", const(rng.choice(FACTORS)), total)

    def _make_vary(self, expr: Expr) -> Expr:
        """Add a value that differs from thread to thread to ``expr``, if the scope has one."""
        varying = [value for value in self._scope.values if value.varies and not value.linear and value.expr.type is not BOOL]
        return self._join(expr, self._rng.choice(varying)) if varying else expr

    def _convert(self, value: Value, dtype: Type) -> Expr:
        """Convert a value to another type."""
        rng, expr = self._rng, value.expr
        if expr.type is dtype:
            return expr
        if dtype is FLOAT:
            return to_float(expr, rng)
        if dtype is INT:
            multiplier = const(rng.choice((2.0, 4.0, 8.0, 10.0)))
            number = fit(to_float(expr, rng), -1000.0, 1000.0, rng)
            return apply("int", fit(apply("mul", number, multiplier), -1.0e4, 1.0e4, rng))
        other = self._writer.write(dtype, 0, -10.0, 10.0).expr
        if expr.type.is_matrix and dtype.is_vector and expr.type.shape[0] == dtype.shape[0]:
            return apply("mul", fit(expr, -100.0, 100.0, rng), fit(other, -100.0, 100.0, rng))
        if expr.type.is_vector and dtype.is_matrix and expr.type.shape[0] == dtype.shape[0]:
            dyad = apply("outer", fit(expr, -20.0, 20.0, rng), fit(expr, -20.0, 20.0, rng))
            return apply("add", fit(other, -1000.0, 1000.0, rng), dyad)
        factor = fit(to_float(expr, rng), -10.0, 10.0, rng)
        return apply("mul", factor, fit(other, -100.0, 100.0, rng))

    def _join(self, expr: Expr, value: Value) -> Expr:
        """Combine ``expr`` with one more value."""
        rng = self._rng
        if value.expr.type is BOOL:
            return ternary(value.expr, expr, self._change(expr)) if rng.chance(0.4) else self._select(value.expr, expr)
        if expr.type is INT:
            extra = self._convert(value, INT)
            return apply(rng.choice(("add", "sub", "max")), expr, extra)
        if expr.type is value.expr.type:
            return self._combine(expr, value.expr)
        if expr.type is FLOAT:
            return self._combine(expr, fit(to_float(value.expr, rng), -100.0, 100.0, rng))
        return self._combine(expr, self._convert(value, expr.type)) if rng.chance(0.4) else self._weight(expr, value.expr)

    def _combine(self, a: Expr, b: Expr) -> Expr:
        """Combine two values of one type."""
        rng = self._rng
        way = rng.below(9)
        if way == 0 and a.type is FLOAT and magnitude(a) * magnitude(b) < 1.0e4:
            return apply("mul", a, b)
        if way == 1 and not a.type.is_matrix:
            return apply(rng.choice(("max", "min")), a, b)
        if way == 2:
            return apply("sub", a, apply("mul", const(rng.choice(FACTORS)), b))
        if way == 3:
            share = rng.choice((0.25, 0.5, 0.1, 0.75, 0.3))
            return apply("add", apply("mul", const(share), a), apply("mul", const(round(1.0 - share, 2)), b))
        if way == 4:
            return apply("sub", a, b)
        return apply("add", a, b)

    def _weight(self, expr: Expr, other: Expr) -> Expr:
        factor = fit(to_float(other, self._rng), -10.0, 10.0, self._rng)
        return apply("mul", expr, factor) if self._rng.chance(0.5) else apply("mul", factor, expr)

    def _select(self, condition: Expr, expr: Expr) -> Expr:
        other = (
            apply("mul", const(self._rng.choice((0.5, 0.1, -1.0, 0.25))), expr) if expr.type is not INT else apply("neg", expr)
        )
        return apply("where", condition, expr, other)

    def _bend(self, expr: Expr) -> Expr:
        """Apply a simple curve to a number."""
        rng = self._rng
        way = rng.below(4)
        if way == 0 and isinstance(expr, Name) and magnitude(expr) <= 50.0:
            return apply("mul", expr, expr)
        if way == 1:
            return apply(rng.choice(("max", "min")), expr, const(choose_threshold(expr, rng)))
        if way == 2 and expr.low < 0.0:
            return apply("abs", expr)
        return apply(rng.choice(("tanh", "sin", "cos")), scale(expr, -20.0, 20.0))

    def _change(self, expr: Expr) -> Expr:
        """Change ``expr`` a little: scale, shift or limit it."""
        rng = self._rng
        if expr.type is INT:
            return apply("add", expr, const(rng.choice(COUNTS)))
        if expr.type is FLOAT and rng.chance(0.35):
            return self._bend(expr)
        value = self._scope.pick(FLOAT, rng) if rng.chance(0.5) else None
        factor = fit(value.expr, -10.0, 10.0, rng) if value is not None else const(rng.choice(FACTORS))
        if expr.type is FLOAT and expr != factor and rng.chance(0.5):
            return apply(rng.choice(("add", "sub")), expr, factor)
        return apply("mul", factor, expr)


def opens_with_minus(expr: Expr) -> bool:
    """Return whether the text of an expression begins with a minus sign."""
    while isinstance(expr, Apply) and expr.key in ("add", "sub", "mul", "div"):
        expr = expr.args[0]
    return (isinstance(expr, Apply) and expr.key == "neg") or (isinstance(expr, Const) and expr.value < 0)
