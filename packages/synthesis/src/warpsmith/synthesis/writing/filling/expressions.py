"""Fills holes with expressions, valid by construction: right types from the registry, bounds kept by guards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from warpsmith.synthesis.language.nodes import (
    Assign,
    Call,
    Compare,
    Component,
    Const,
    Expr,
    Function,
    Hole,
    Load,
    Logic,
    Name,
    Scalar,
)
from warpsmith.synthesis.language.ranges import LIMIT
from warpsmith.synthesis.language.terms import apply, both, compare, component, const, construct, negate
from warpsmith.synthesis.language.terms import between as within
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VECTOR_OF, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.guards import fit, moderate, scale
from warpsmith.synthesis.writing.filling.linearity import is_degenerate
from warpsmith.synthesis.writing.filling.literals import COUNTS, DIVISORS, FACTORS, choose_threshold
from warpsmith.synthesis.writing.filling.production_weights import (
    Production,
    ProductionWeights,
    select_essentials,
    select_productions,
)
from warpsmith.synthesis.writing.filling.results import Results, Written, opens_with_minus
from warpsmith.synthesis.writing.filling.scope import Scope

_NAMES: dict[str, tuple[str, ...]] = {
    "float32": ("value", "term", "amount", "level", "factor", "measure"),
    "int32": ("number", "slot", "code", "rank", "offset"),
    "bool": ("active", "inside", "valid", "enabled"),
}

Mention: TypeAlias = tuple[str, Expr]
"""What a production adds to the kernel's description, and the expression that it made."""


class Expressions:
    """Writes expressions over a scope.

    Attributes:
        scope: what can be read.
        mentions: what the productions in use add to the description, in order.
        tried: whether the kernel is going to be tried in plain Python, which finds out what comes to nothing; otherwise no
            difference or quotient of equal terms is written.

    Args:
        rng: the randomness.
        scope: see above.
        weights: the productions to use.
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
        self._results = Results(self, rng)

    def offer(self, helper: Function) -> None:
        """Make a helper callable; it is called at the next chance."""
        self._helpers.append(helper)

    def fill(self, hole: Hole) -> Written:
        """Write an expression for a hole."""
        if hole.gather or hole.uses:
            written = self._results.gather(hole)
        else:
            written = self.write(hole.type, hole.size, hole.low, hole.high)
        low, high = max(hole.low, -LIMIT), min(hole.high, LIMIT)
        kept = written.linear and written.expr.type is not INT  # through whole numbers no gradient flows
        expr = scale(written.expr, low, high) if kept else fit(written.expr, low, high, self._rng)
        return Written(expr, written.names, written.base)

    # ------------------------------------------------------------------------------------------------------- productions

    def write(self, dtype: Type, size: int, low: float, high: float) -> Written:
        """Write an expression of a type from about ``size`` operations; its bounds may still leave [low, high]."""
        if dtype is BOOL:
            return Written(self.write_condition(size), _NAMES["bool"], "")
        helper = next((helper for helper in self._helpers if helper.result is dtype), None)
        if helper is not None and size > 0:
            self._helpers.remove(helper)
            return self._call(helper)
        if size <= 0:
            return self._leaf(dtype, low, high)
        available = self.scope.types() | {FLOAT, BOOL}
        usable, totals = select_essentials(dtype, self._weights, available) if self._essential else ((), ())
        if usable:
            self._essential = False
        else:
            usable, totals = select_productions(dtype, self._weights, available)
        if not usable:
            return self._leaf(dtype, low, high)
        return self._produce(usable[self._rng.position(totals)], size)

    def _produce(self, production: Production, size: int) -> Written:
        rng = self._rng
        shares = self._split(size - 1, len(production.inputs))
        args: list[Expr] = []
        base = ""
        for position, (input_type, (low, high)) in enumerate(zip(production.inputs, production.domains, strict=True)):
            if position in production.literal:
                args.append(self._literal(production, position, args, low, high))
                continue
            if args and production.takes_literal and input_type is FLOAT and shares[position] <= 0 and rng.chance(0.3):
                args.append(const(rng.choice(DIVISORS)) if low > 0.0 else self.choose_constant(low, high))
                continue
            written = self.write(input_type, shares[position], low, high)
            expr = fit(written.expr, low, high, rng)
            if position in production.repeats:
                expr = self.to_local(written, expr)
            if production.distinct and expr in args and not any(isinstance(arg, Const) for arg in args):
                expr = self._another(expr, low, high, production.takes_literal)
            args.append(expr)
            base = base or written.base
        if production.takes_literal and _may_turn(production) and opens_with_minus(args[1]):
            args.reverse()  # nobody writes a - -b, and -b - a is as good to read
        expr = production.build(rng, tuple(args))
        for _ in range(0 if self.dry_run else 4):
            if not is_degenerate(expr):
                break
            args[-1] = self._another(args[-1], *production.domains[len(args) - 1], isinstance(args[-1], Const))
            expr = production.build(rng, tuple(args))
        if production.mention:
            self.mentions.append((production.mention, expr))
        return Written(moderate(expr, rng), production.names, base)

    def to_local(self, written: Written, expr: Expr | None = None) -> Expr:
        """Put what is going to be read more than once into a local, unless it is short as it is.

        Args:
            written: the value, with names for it.
            expr: what was made of it, to be put there in its stead.
        """
        expr = expr if expr is not None else written.expr
        if isinstance(expr, Name | Load | Component | Const):
            return expr
        name = self.scope.fresh(written.names, written.base, self._rng)
        variable = Name(name, expr.type, expr.low, expr.high)
        self.scope.add(variable, name, varies=self.scope.varies(expr))
        self.scope.meanings[name] = expr
        self._locals.append(Assign(name, expr))
        return variable

    def fill_short(self, hole: Hole, others: Sequence[Expr] = ()) -> Expr:
        """A name, literal, element or component that fills a hole and is none of ``others``."""
        expr = self.to_local(self.fill(hole))
        for _ in range(3):
            if expr not in others:
                return expr
            expr = self.to_local(self.fill(hole))
        if expr not in others or expr.type is BOOL:
            return expr
        other = self._another(expr, hole.low, hole.high, isinstance(expr, Const))
        return self.to_local(Written(other, _NAMES.get(expr.type.name, ("{0}_copy", "other")), ""))

    def take_locals(self) -> list[Assign]:
        """Return the locals that the expressions written since the last call need, in order."""
        needed, self._locals = self._locals, []
        return needed

    def _split(self, size: int, parts: int) -> list[int]:
        """Share ``size`` operations among ``parts`` arguments."""
        shares = [0] * parts
        for _ in range(size if parts else 0):
            shares[self._rng.below(parts)] += 1
        return shares

    def _literal(self, production: Production, position: int, before: list[Expr], low: float, high: float) -> Expr:
        """A literal argument: the bounds of a clamp or a smoothstep, an exponent, a divisor."""
        rng = self._rng
        if production.inputs[position] is INT:
            if len(production.inputs) == 3:
                return const(0 if position == 1 else rng.choice((3, 7, 15, 31)))
            return const(rng.choice((2, 3, 4, 5, 8, 10)))
        if len(production.inputs) == 2:
            return const(rng.choice([factor for factor in (2.0, 0.5, 1.5, 3.0, 2.2, 0.45) if low <= factor <= high]))
        if before and isinstance(before[-1], Const):  # the upper bound lies above the lower
            return const(float(before[-1].value) + rng.choice((1.0, 2.0, 0.5, 3.0)))
        return const(rng.choice((0.0, -1.0, 0.0, 0.1, -0.5, -2.0)))

    def _another(self, expr: Expr, low: float, high: float, literal: bool) -> Expr:
        """Something of the same type that differs from ``expr``, a literal only where people would write one."""
        if expr.type is INT:
            return const(max(int(low), min(int(high), self._rng.choice(COUNTS))))
        if expr.type is FLOAT and literal:
            return self.choose_constant(low, high)
        if expr.type.is_vector:
            parts = tuple(self.choose_constant(max(low, -2.0), min(high, 2.0)) for _ in range(expr.type.shape[0]))
            return construct(expr.type, *parts)
        return fit(apply("mul", const(self._rng.choice((0.5, 0.25, 0.1))), expr), low, high, self._rng)

    def _call(self, helper: Function) -> Written:
        args = []
        for position, param in enumerate(helper.params):
            written = self.write(param.type, self._rng.below(2) if position else 0, param.low, param.high)
            args.append(fit(written.expr, param.low, param.high, self._rng))
        expr = Call(helper.name, tuple(args), helper.result, helper.low, helper.high)
        self.mentions.append((f"the helper {helper.name}", expr))
        return Written(expr, (helper.word, f"{helper.word}_value", "response"), "")

    # ------------------------------------------------------------------------------------------------------------- leaves

    def _leaf(self, dtype: Type, low: float, high: float) -> Written:
        value = self.scope.pick(dtype, self._rng)
        if value is not None:
            return Written(value.expr, _NAMES.get(dtype.name, ("{0}_copy", "other")), value.base)
        return Written(self._from_nothing(dtype, low, high), ("fallback", "default_value"), "")

    def _from_nothing(self, dtype: Type, low: float, high: float) -> Expr:
        """A value of a type of which the scope has none."""
        if dtype is INT:
            return const(self._rng.choice(COUNTS))
        if dtype is FLOAT:
            return self._as_float() or self.choose_constant(low, high)
        if dtype.is_vector:
            parts = tuple(self._leaf(FLOAT, low, high).expr for _ in range(dtype.shape[0]))
            return construct(dtype, *parts)
        vector = VECTOR_OF[dtype.shape[0]]
        return apply("diag", construct(vector, self._leaf(FLOAT, low, high).expr))

    def _as_float(self) -> Expr | None:
        """A number made of whatever the scope has, what nothing has read first."""
        candidates = self.scope.unread() or [value for value in self.scope.values if not value.linear]
        for value in self._rng.shuffled(candidates):
            if value.expr.type is not BOOL:
                value.reads += 1
                return self.number(value.expr)
        return None

    def choose_constant(self, low: float, high: float) -> Const:
        """A literal that people would write, within bounds."""
        fitting = [factor for factor in FACTORS if low <= factor <= high]
        return const(self._rng.choice(fitting) if fitting else round((low + high) / 2.0, 3))

    def number(self, expr: Expr) -> Expr:
        """``expr`` turned into a float."""
        rng = self._rng
        dtype = expr.type
        if dtype is FLOAT:
            return expr
        if dtype is BOOL:
            return apply("where", expr, const(rng.choice((1.0, 2.0, 0.5))), const(rng.choice((0.0, -1.0, 0.25))))
        if not dtype.shape:
            return apply("float", expr)
        if dtype.is_vector:
            moderate = fit(expr, -100.0, 100.0, rng)
            return apply(rng.choice(("length", "length", "length_sq")), moderate) if rng.chance(0.7) else self._entry(expr)
        return apply("trace", fit(expr, -100.0, 100.0, rng)) if rng.chance(0.6) else self._entry(expr)

    def _entry(self, expr: Expr) -> Expr:
        return component(expr, *(const(self._rng.below(size)) for size in expr.type.shape))

    # --------------------------------------------------------------------------------------------------------- conditions

    def write_condition(self, size: int) -> Expr:
        """A condition on what the scope holds, true for some inputs and false for others as far as bounds can tell."""
        rng = self._rng
        simple = self._comparison(size)
        if size <= 1 or rng.chance(0.6):
            return simple
        flag = self.scope.pick(BOOL, rng)
        if flag is not None and rng.chance(0.6):
            return both(simple, flag.expr if rng.chance(0.5) else negate(flag.expr))
        other = self._comparison(1)
        if _subject(other) == _subject(simple):
            return simple
        return Logic(rng.choice(("and", "or")), (simple, other))

    def _comparison(self, size: int) -> Expr:
        rng = self._rng
        if INT in self.scope.types() and rng.chance(0.25):
            return self._integer_comparison()
        left = self.write(FLOAT, 0 if rng.chance(0.6) else size - 1, -50.0, 50.0).expr
        if isinstance(left, Const):
            left = self._as_float() or left
        if rng.chance(0.2):
            low, high = choose_threshold(left, rng, 0.1, 0.4), choose_threshold(left, rng, 0.5, 0.9)
            if low < high:
                return within(const(low), left, const(high))
        right: Expr = const(choose_threshold(left, rng))
        if rng.chance(0.4):
            other = self.scope.pick(FLOAT, rng)
            if other is not None and other.expr != left and _overlap(left, other.expr):
                right = other.expr
        return compare(rng.choice((">", "<", ">=", "<=")), left, right)

    def _integer_comparison(self) -> Compare:
        rng = self._rng
        value = self.scope.pick(INT, rng)
        if value is None:
            raise LookupError("a comparison of integers in a scope without any")
        low, high = int(value.expr.low), int(value.expr.high)
        if low >= 0 and high >= 3 and rng.chance(0.5):
            divisor = rng.choice((2, 3, 4))
            return compare(rng.choice(("==", "!=")), apply("mod", value.expr, const(divisor)), const(rng.below(divisor)))
        operator = rng.choice(("==", ">", "<", ">=", "!="))
        return compare(operator, value.expr, const(rng.between(low + (operator in "<>="), max(high - 1, low + 1))))


def _may_turn(production: Production) -> bool:
    """Whether a production has two arguments that could change places."""
    inputs, domains = production.inputs, production.domains
    return len(inputs) == 2 and inputs[0] is inputs[1] and domains[0] == domains[1]


def _subject(condition: Expr) -> Expr:
    """What a comparison is about: its first operand that is not a literal."""
    operands = condition.operands if isinstance(condition, Compare) else (condition,)
    return next((operand for operand in operands if not isinstance(operand, Const)), condition)


def _overlap(a: Expr, b: Expr) -> bool:
    return a.low < b.high and b.low < a.high


def parameter(scalar: Scalar) -> Name:
    """The variable of a parameter."""
    return Name(scalar.name, scalar.type, scalar.low, scalar.high, scalar.extent)
