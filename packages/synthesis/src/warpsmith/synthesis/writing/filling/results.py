"""Results: expressions of named variables and of what nothing has read yet, so that every statement leads somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Apply, Const, Expr, Hole, Name
from warpsmith.synthesis.language.ranges import magnitude
from warpsmith.synthesis.language.terms import apply, component, const, construct, ternary
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.guards import fit, moderate, scale
from warpsmith.synthesis.writing.filling.literals import COUNTS, DIVISORS, FACTORS, choose_threshold
from warpsmith.synthesis.writing.filling.scope import Value

if TYPE_CHECKING:
    from warpsmith.synthesis.writing.filling.expressions import Expressions


class Written(Struct, frozen=True, gc=False):
    """An expression, with names for a local that holds it; ``linear`` if it holds what a loop summed up."""

    expr: Expr
    names: tuple[str, ...]
    base: str
    linear: bool = False


class Results:
    """Joins values into one; ``writer`` is asked for what else an expression needs."""

    def __init__(self, writer: Expressions, rng: RandomStream) -> None:
        self._writer = writer
        self._scope = writer.scope
        self._rng = rng

    def gather(self, hole: Hole) -> Written:
        """An expression of the named variables and of what nothing has read yet, loops' sums among it."""
        named = [self._scope.find(name) for name in hole.uses]
        sums = [value for value in named if value.linear]
        sums += [value for value in self._scope.totals() if hole.gather and value not in sums]
        for value in [*named, *(value for value in sums if value not in named)]:
            value.reads += 1
        wanted = [value for value in named if not value.linear]
        expr = self._begun(hole) if not wanted and hole.size > 1 and (hole.size > 2 or self._rng.chance(0.5)) else None
        if hole.gather:
            wanted += self._late(1 if named or expr else 2)
        if expr is None and not wanted:
            return self._of_sums(sums, hole) if sums else self._writer.write(hole.type, hole.size, hole.low, hole.high)
        wanted.sort(key=lambda value: value.expr.type is not hole.type)
        expr = self._of_all(expr, wanted, hole.type)
        if hole.gather and not sums and not self._scope.varies(expr):
            expr = self._made_to_vary(expr)
        expr = moderate(expr, self._rng)
        for value in sums:
            scaled = self._scaled_sum(_turned(value.expr, hole.type))
            turned = self._rng.chance(0.25) and not opens_with_minus(expr)
            expr = apply("sub", scaled, expr) if turned else apply("add", scaled, expr)
        return Written(expr, ("result", "outcome"), "", linear=bool(sums))

    def _begun(self, hole: Hole) -> Expr:
        return self._writer.write(hole.type, hole.size - 1, hole.low, hole.high).expr

    def _late(self, most: int) -> list[Value]:
        """The latest values that nothing has read, which are read now."""
        late = self._scope.unread()[:most]
        for value in late:
            value.reads += 1
        return late

    def _of_all(self, expr: Expr | None, values: list[Value], dtype: Type) -> Expr:
        """One expression of ``expr``, if there is one, and all ``values``."""
        if expr is None:
            first, *values = values
            expr = self._converted(first, dtype)
            if not values and self._rng.chance(0.4):
                expr = self._touched(expr)
        for value in values:
            expr = self._joined(expr, value)
        return expr

    def _of_sums(self, sums: list[Value], hole: Hole) -> Written:
        """What several loops summed up, each as it is or scaled by a literal."""
        expr = self._scaled_sum(_turned(sums[0].expr, hole.type))
        for value in sums[1:]:
            expr = apply("add", expr, self._scaled_sum(_turned(value.expr, hole.type)))
        return Written(expr, ("result",), "", linear=True)

    def _scaled_sum(self, total: Expr) -> Expr:
        """What a loop summed up, as it is or scaled by a literal."""
        rng = self._rng
        if rng.chance(0.5):
            return total
        if total.type is INT:
            return apply("mul", const(rng.choice((2, 3, 5))), total)
        if total.type is FLOAT and rng.chance(0.3):
            return apply("div", total, const(rng.choice(DIVISORS)))
        return apply("mul", const(rng.choice(FACTORS)), total)

    def _made_to_vary(self, expr: Expr) -> Expr:
        """``expr`` with something worked in that differs from thread to thread, if the scope has anything."""
        varying = [value for value in self._scope.values if value.varies and not value.linear and value.expr.type is not BOOL]
        return self._joined(expr, self._rng.choice(varying)) if varying else expr

    def _converted(self, value: Value, dtype: Type) -> Expr:
        """A value turned into another type."""
        rng, expr = self._rng, value.expr
        if expr.type is dtype:
            return expr
        if dtype is FLOAT:
            return self._writer.number(expr)
        if dtype is INT:
            scale = const(rng.choice((2.0, 4.0, 8.0, 10.0)))
            return apply(
                "int", fit(apply("mul", fit(self._writer.number(expr), -1000.0, 1000.0, rng), scale), -1.0e4, 1.0e4, rng)
            )
        other = self._writer.write(dtype, 0, -10.0, 10.0).expr
        if expr.type.is_matrix and dtype.is_vector and expr.type.shape[0] == dtype.shape[0]:
            return apply("mul", fit(expr, -100.0, 100.0, rng), fit(other, -100.0, 100.0, rng))
        if expr.type.is_vector and dtype.is_matrix and expr.type.shape[0] == dtype.shape[0]:
            spread = apply("outer", fit(expr, -20.0, 20.0, rng), fit(expr, -20.0, 20.0, rng))
            return apply("add", fit(other, -1000.0, 1000.0, rng), spread)
        factor = fit(self._writer.number(expr), -10.0, 10.0, rng)
        return apply("mul", factor, fit(other, -100.0, 100.0, rng))

    def _joined(self, expr: Expr, value: Value) -> Expr:
        """``expr`` with one more value worked in."""
        rng = self._rng
        if value.expr.type is BOOL:
            return ternary(value.expr, expr, self._touched(expr)) if rng.chance(0.4) else self._selected(value.expr, expr)
        if expr.type is INT:
            extra = self._converted(value, INT)
            return apply(rng.choice(("add", "sub", "max")), expr, extra)
        if expr.type is value.expr.type:
            return self._combined(expr, value.expr)
        if expr.type is FLOAT:
            return self._combined(expr, fit(self._writer.number(value.expr), -100.0, 100.0, rng))
        return self._combined(expr, self._converted(value, expr.type)) if rng.chance(0.4) else self._weighted(expr, value.expr)

    def _combined(self, a: Expr, b: Expr) -> Expr:
        """Two values of one type made into one."""
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

    def _weighted(self, expr: Expr, other: Expr) -> Expr:
        factor = fit(self._writer.number(other), -10.0, 10.0, self._rng)
        return apply("mul", expr, factor) if self._rng.chance(0.5) else apply("mul", factor, expr)

    def _selected(self, condition: Expr, expr: Expr) -> Expr:
        other = (
            apply("mul", const(self._rng.choice((0.5, 0.1, -1.0, 0.25))), expr) if expr.type is not INT else apply("neg", expr)
        )
        return apply("where", condition, expr, other)

    def _bent(self, expr: Expr) -> Expr:
        """A number through a simple curve."""
        rng = self._rng
        way = rng.below(4)
        if way == 0 and isinstance(expr, Name) and magnitude(expr) <= 50.0:
            return apply("mul", expr, expr)
        if way == 1:
            return apply(rng.choice(("max", "min")), expr, const(choose_threshold(expr, rng)))
        if way == 2 and expr.low < 0.0:
            return apply("abs", expr)
        return apply(rng.choice(("tanh", "sin", "cos")), scale(expr, -20.0, 20.0))

    def _touched(self, expr: Expr) -> Expr:
        """``expr`` changed a little: scaled, shifted, limited."""
        rng = self._rng
        if expr.type is INT:
            return apply("add", expr, const(rng.choice(COUNTS)))
        if expr.type is FLOAT and rng.chance(0.35):
            return self._bent(expr)
        value = self._scope.pick(FLOAT, rng) if rng.chance(0.5) else None
        factor = fit(value.expr, -10.0, 10.0, rng) if value is not None else const(rng.choice(FACTORS))
        if expr.type is FLOAT and expr != factor and rng.chance(0.5):
            return apply(rng.choice(("add", "sub")), expr, factor)
        return apply("mul", factor, expr)


def _turned(total: Expr, dtype: Type) -> Expr:
    """What a loop summed up as a value of another type, by nothing but what is linear in it."""
    if total.type is dtype:
        return total
    if total.type.is_vector:
        total = component(total, const(0))
    if dtype is INT:
        return apply("int", total)
    number = apply("float", total) if total.type is INT else total
    if not dtype.is_vector:
        return number
    factors = (1.0, 0.5, 0.25, 2.0)[: dtype.shape[0]]
    return apply("mul", construct(dtype, *map(const, factors)), number)


def opens_with_minus(expr: Expr) -> bool:
    """Whether the text of an expression begins with a minus sign."""
    while isinstance(expr, Apply) and expr.key in ("add", "sub", "mul", "div"):
        expr = expr.args[0]
    return (isinstance(expr, Apply) and expr.key == "neg") or (isinstance(expr, Const) and expr.value < 0)
