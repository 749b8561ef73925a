"""Conditions: comparisons of numbers in the scope, flags, and combinations of them."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Compare, Const, Expr, Logic
from warpsmith.synthesis.language.terms import apply, between, both, compare, const, negate
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.conversions import read_as_float
from warpsmith.synthesis.writing.filling.literals import choose_threshold
from warpsmith.synthesis.writing.filling.writer import Writer


class Conditions:
    """Writes conditions over the scope of a writer.

    Args:
        writer: writes the operands.
        rng: the randomness.
    """

    def __init__(self, writer: Writer, rng: RandomStream) -> None:
        self._writer = writer
        self._scope = writer.scope
        self._rng = rng

    def write(self, size: int) -> Expr:
        """Write a condition that, as far as bounds can tell, is true for some inputs and false for others."""
        rng = self._rng
        simple = self._write_comparison(size)
        if size <= 1 or rng.chance(0.6):
            return simple
        flag = self._scope.pick(BOOL, rng)
        if flag is not None and rng.chance(0.6):
            return both(simple, flag.expr if rng.chance(0.5) else negate(flag.expr))
        other = self._write_comparison(1)
        if _find_subject(other) == _find_subject(simple):
            return simple
        return Logic(rng.choice(("and", "or")), (simple, other))

    def _write_comparison(self, size: int) -> Expr:
        rng = self._rng
        if INT in self._scope.types() and rng.chance(0.25):
            return self._compare_integers()
        left = self._writer.write(FLOAT, 0 if rng.chance(0.6) else size - 1, -50.0, 50.0).expr
        if isinstance(left, Const):
            left = read_as_float(self._scope, rng) or left
        if rng.chance(0.2):
            low, high = choose_threshold(left, rng, 0.1, 0.4), choose_threshold(left, rng, 0.5, 0.9)
            if low < high:
                return between(const(low), left, const(high))
        right: Expr = const(choose_threshold(left, rng))
        if rng.chance(0.4):
            other = self._scope.pick(FLOAT, rng)
            if other is not None and other.expr != left and _overlap(left, other.expr):
                right = other.expr
        return compare(rng.choice((">", "<", ">=", "<=")), left, right)

    def _compare_integers(self) -> Compare:
        rng = self._rng
        value = self._scope.pick(INT, rng)
        if value is None:
            raise LookupError("a comparison of integers in a scope without any")
        low, high = int(value.expr.low), int(value.expr.high)
        if low >= 0 and high >= 3 and rng.chance(0.5):
            divisor = rng.choice((2, 3, 4))
            return compare(rng.choice(("==", "!=")), apply("mod", value.expr, const(divisor)), const(rng.below(divisor)))
        operator = rng.choice(("==", ">", "<", ">=", "!="))
        return compare(operator, value.expr, const(rng.between(low + (operator in "<>="), max(high - 1, low + 1))))


def _find_subject(condition: Expr) -> Expr:
    """Return the first operand of a comparison that is not a literal."""
    operands = condition.operands if isinstance(condition, Compare) else (condition,)
    return next((operand for operand in operands if not isinstance(operand, Const)), condition)


def _overlap(a: Expr, b: Expr) -> bool:
    return a.low < b.high and b.low < a.high
