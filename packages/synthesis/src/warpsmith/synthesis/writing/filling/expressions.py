"""Expressions for holes, valid by construction: types come from Warp's registry, and guards keep the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from warpsmith.synthesis.language.nodes import (
    Assign,
    Call,
    Component,
    Const,
    Expr,
    Function,
    Hole,
    Load,
    Name,
    Scalar,
)
from warpsmith.synthesis.language.ranges import LIMIT
from warpsmith.synthesis.language.terms import apply, const, construct
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VECTOR_OF, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.conditions import Conditions
from warpsmith.synthesis.writing.filling.conversions import read_as_float
from warpsmith.synthesis.writing.filling.guards import fit, moderate, scale
from warpsmith.synthesis.writing.filling.linearity import is_degenerate
from warpsmith.synthesis.writing.filling.literals import COUNTS, DIVISORS, FACTORS
from warpsmith.synthesis.writing.filling.production_weights import (
    Production,
    ProductionWeights,
    select_essentials,
    select_productions,
)
from warpsmith.synthesis.writing.filling.results import Results, opens_with_minus
from warpsmith.synthesis.writing.filling.scope import Scope
from warpsmith.synthesis.writing.filling.writer import Written

_NAMES: dict[str, tuple[str, ...]] = {
    "float32": ("value", "term", "amount", "level", "factor", "measure"),
    "int32": ("number", "slot", "code", "rank", "offset"),
    "bool": ("active", "inside", "valid", "enabled"),
}

Mention: TypeAlias = tuple[str, Expr]
"""A phrase that a production adds to the kernel's description, and the expression that it made."""


class Expressions:
    """Writes expressions over a scope.

    Attributes:
        scope: the values that an expression can read.
        mentions: the phrases that the productions in use add to the description, in order.
        dry_run: whether a dry run finds degenerate expressions later; otherwise no difference or quotient of equal terms is
            written.

    Args:
        rng: the randomness.
        scope: see above.
        weights: the weights of the productions.
    """

    def __init__(self, rng: RandomStream, scope: Scope, weights: ProductionWeights) -> None:
        self._rng = rng
        self.scope = scope
        self._weights = weights
        self._essential = bool(weights.essential)
        self._helpers: list[Function] = []
        self._locals: list[Assign] = []
        self.mentions: list[Mention] = []
        self.dry_run = True
        self._conditions = Conditions(self, rng)
        self._results = Results(self, rng)

    def offer(self, helper: Function) -> None:
        """Offer a helper function; the next expression of its type calls it."""
        self._helpers.append(helper)

    def fill(self, hole: Hole) -> Written:
        """Write an expression for a hole."""
        if hole.gather or hole.uses:
            written = self._results.gather(hole)
        else:
            written = self.write(hole.type, hole.size, hole.low, hole.high)
        low, high = max(hole.low, -LIMIT), min(hole.high, LIMIT)
        is_linear = written.linear and written.expr.type is not INT  # no gradient flows through integers
        expr = scale(written.expr, low, high) if is_linear else fit(written.expr, low, high, self._rng)
        return Written(expr, written.names, written.base)

    # ------------------------------------------------------------------------------------------------------- productions

    def write(self, dtype: Type, size: int, low: float, high: float) -> Written:
        """Write an expression of a type from about ``size`` operations; its bounds may exceed [low, high]."""
        if dtype is BOOL:
            return Written(self._conditions.write(size), _NAMES["bool"], "")
        helper = next((helper for helper in self._helpers if helper.result is dtype), None)
        if helper is not None and size > 0:
            self._helpers.remove(helper)
            return self._call_helper(helper)
        if size <= 0:
            return self._write_leaf(dtype, low, high)
        available = self.scope.types() | {FLOAT, BOOL}
        usable, totals = select_essentials(dtype, self._weights, available) if self._essential else ((), ())
        if usable:
            self._essential = False
        else:
            usable, totals = select_productions(dtype, self._weights, available)
        if not usable:
            return self._write_leaf(dtype, low, high)
        return self._write_production(usable[self._rng.position(totals)], size)

    def _write_production(self, production: Production, size: int) -> Written:
        rng = self._rng
        shares = self._distribute(size - 1, len(production.inputs))
        args: list[Expr] = []
        base = ""
        for position, (input_type, (low, high)) in enumerate(zip(production.inputs, production.domains, strict=True)):
            if position in production.literal:
                args.append(self._choose_literal(production, position, args, low, high))
                continue
            if args and production.takes_literal and input_type is FLOAT and shares[position] <= 0 and rng.chance(0.3):
                args.append(const(rng.choice(DIVISORS)) if low > 0.0 else self.choose_constant(low, high))
                continue
            written = self.write(input_type, shares[position], low, high)
            expr = fit(written.expr, low, high, rng)
            if position in production.repeats:
                expr = self.to_local(written, expr)
            if production.distinct and expr in args and not any(isinstance(arg, Const) for arg in args):
                expr = self._write_different(expr, low, high, production.takes_literal)
            args.append(expr)
            base = base or written.base
        if production.takes_literal and _is_reversible(production) and opens_with_minus(args[1]):
            args.reverse()  # -b - a reads better than a - -b
        expr = production.build(rng, tuple(args))
        for _ in range(0 if self.dry_run else 4):
            if not is_degenerate(expr):
                break
            args[-1] = self._write_different(args[-1], *production.domains[len(args) - 1], isinstance(args[-1], Const))
            expr = production.build(rng, tuple(args))
        if production.mention:
            self.mentions.append((production.mention, expr))
        return Written(moderate(expr, rng), production.names, base)

    def to_local(self, written: Written, expr: Expr | None = None) -> Expr:
        """Put a value into a local, so that it can be read more than once; return a short expression as it is.

        Args:
            written: the value, with names for the local.
            expr: an expression made from the value, to be stored instead of it.
        """
        expr = expr if expr is not None else written.expr
        if isinstance(expr, Name | Load | Component | Const):
            return expr
        name = self.scope.choose_name(written.names, written.base, self._rng)
        variable = Name(name, expr.type, expr.low, expr.high)
        self.scope.add(variable, name, varies=self.scope.varies(expr))
        self.scope.meanings[name] = expr
        self._locals.append(Assign(name, expr))
        return variable

    def fill_short(self, hole: Hole, others: Sequence[Expr] = ()) -> Expr:
        """Fill a hole with a name, literal, element or component that is not one of ``others``."""
        expr = self.to_local(self.fill(hole))
        for _ in range(3):
            if expr not in others:
                return expr
            expr = self.to_local(self.fill(hole))
        if expr not in others or expr.type is BOOL:
            return expr
        other = self._write_different(expr, hole.low, hole.high, isinstance(expr, Const))
        return self.to_local(Written(other, _NAMES.get(expr.type.name, ("{0}_copy", "other")), ""))

    def take_locals(self) -> list[Assign]:
        """Return the locals that expressions written since the last call read, in order."""
        needed, self._locals = self._locals, []
        return needed

    def _distribute(self, size: int, parts: int) -> list[int]:
        """Distribute ``size`` operations over ``parts`` arguments."""
        shares = [0] * parts
        for _ in range(size if parts else 0):
            shares[self._rng.below(parts)] += 1
        return shares

    def _choose_literal(self, production: Production, position: int, before: list[Expr], low: float, high: float) -> Expr:
        """Choose a literal argument: the bounds of a clamp or a smoothstep, an exponent, a divisor."""
        rng = self._rng
        if production.inputs[position] is INT:
            if len(production.inputs) == 3:
                return const(0 if position == 1 else rng.choice((3, 7, 15, 31)))
            return const(rng.choice((2, 3, 4, 5, 8, 10)))
        if len(production.inputs) == 2:
            return const(rng.choice([factor for factor in (2.0, 0.5, 1.5, 3.0, 2.2, 0.45) if low <= factor <= high]))
        if before and isinstance(before[-1], Const):  # the upper bound is above the lower one
            return const(float(before[-1].value) + rng.choice((1.0, 2.0, 0.5, 3.0)))
        return const(rng.choice((0.0, -1.0, 0.0, 0.1, -0.5, -2.0)))

    def _write_different(self, expr: Expr, low: float, high: float, literal: bool) -> Expr:
        """Write an expression of the same type that differs from ``expr``; ``literal`` allows a literal float."""
        if expr.type is INT:
            return const(max(int(low), min(int(high), self._rng.choice(COUNTS))))
        if expr.type is FLOAT and literal:
            return self.choose_constant(low, high)
        if expr.type.is_vector:
            parts = tuple(self.choose_constant(max(low, -2.0), min(high, 2.0)) for _ in range(expr.type.shape[0]))
            return construct(expr.type, *parts)
        return fit(apply("mul", const(self._rng.choice((0.5, 0.25, 0.1))), expr), low, high, self._rng)

    def _call_helper(self, helper: Function) -> Written:
        args = []
        for position, param in enumerate(helper.params):
            written = self.write(param.type, self._rng.below(2) if position else 0, param.low, param.high)
            args.append(fit(written.expr, param.low, param.high, self._rng))
        expr = Call(helper.name, tuple(args), helper.result, helper.low, helper.high)
        self.mentions.append((f"the helper {helper.name}", expr))
        return Written(expr, (helper.word, f"{helper.word}_value", "response"), "")

    # ------------------------------------------------------------------------------------------------------------- leaves

    def _write_leaf(self, dtype: Type, low: float, high: float) -> Written:
        value = self.scope.pick(dtype, self._rng)
        if value is not None:
            return Written(value.expr, _NAMES.get(dtype.name, ("{0}_copy", "other")), value.base)
        return Written(self._write_without_source(dtype, low, high), ("fallback", "default_value"), "")

    def _write_without_source(self, dtype: Type, low: float, high: float) -> Expr:
        """Write a value of a type that the scope does not contain."""
        if dtype is INT:
            return const(self._rng.choice(COUNTS))
        if dtype is FLOAT:
            return read_as_float(self.scope, self._rng) or self.choose_constant(low, high)
        if dtype.is_vector:
            parts = tuple(self._write_leaf(FLOAT, low, high).expr for _ in range(dtype.shape[0]))
            return construct(dtype, *parts)
        vector = VECTOR_OF[dtype.shape[0]]
        return apply("diag", construct(vector, self._write_leaf(FLOAT, low, high).expr))

    def choose_constant(self, low: float, high: float) -> Const:
        """Choose a round literal within bounds."""
        fitting = [factor for factor in FACTORS if low <= factor <= high]
        return const(self._rng.choice(fitting) if fitting else round((low + high) / 2.0, 3))


def _is_reversible(production: Production) -> bool:
    """Return whether a production has two arguments that can be exchanged."""
    inputs, domains = production.inputs, production.domains
    return len(inputs) == 2 and inputs[0] is inputs[1] and domains[0] == domains[1]


def variable_of(scalar: Scalar) -> Name:
    """Return the variable of a parameter."""
    return Name(scalar.name, scalar.type, scalar.low, scalar.high, scalar.extent)
