"""Conversions of values to other types."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.terms import apply, component, const, construct
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.guards import fit
from warpsmith.synthesis.writing.filling.scope import Scope


def to_float(expr: Expr, rng: RandomStream) -> Expr:
    """Convert an expression of any type to a float."""
    dtype = expr.type
    if dtype is FLOAT:
        return expr
    if dtype is BOOL:
        return apply("where", expr, const(rng.choice((1.0, 2.0, 0.5))), const(rng.choice((0.0, -1.0, 0.25))))
    if not dtype.shape:
        return apply("float", expr)
    if dtype.is_vector:
        moderate = fit(expr, -100.0, 100.0, rng)
        return apply(rng.choice(("length", "length", "length_sq")), moderate) if rng.chance(0.7) else _draw_entry(expr, rng)
    return apply("trace", fit(expr, -100.0, 100.0, rng)) if rng.chance(0.6) else _draw_entry(expr, rng)


def _draw_entry(expr: Expr, rng: RandomStream) -> Expr:
    return component(expr, *(const(rng.below(size)) for size in expr.type.shape))


def read_as_float(scope: Scope, rng: RandomStream) -> Expr | None:
    """Convert a value of the scope to a float, preferably an unread one; return None if there is no value."""
    candidates = scope.unread() or [value for value in scope.values if not value.linear]
    for value in rng.shuffled(candidates):
        if value.expr.type is not BOOL:
            value.reads += 1
            return to_float(value.expr, rng)
    return None


def convert_sum(total: Expr, dtype: Type) -> Expr:
    """Convert the sum of a loop to another type, with operations that are linear in the sum."""
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
