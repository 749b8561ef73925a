"""Fills holes with expressions, valid by construction: right types from the registry, bounds kept by guards."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.synthesis.language.nodes import (
    Apply,
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
from warpsmith.synthesis.language.ranges import LIMIT, magnitude
from warpsmith.synthesis.language.terms import apply, both, compare, component, const, construct, negate, ternary
from warpsmith.synthesis.language.terms import between as within
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VECTOR_OF, Type
from warpsmith.synthesis.writing.draw import Draw
from warpsmith.synthesis.writing.guards import fit, scaled
from warpsmith.synthesis.writing.palette import Palette, Production, essentials, productions
from warpsmith.synthesis.writing.scope import Scope, Value

FACTORS = (0.5, 2.0, 0.25, 1.5, 0.1, 3.0, 0.75, 0.2, 4.0, 0.05, 1.2, 0.8, 2.5, 0.3, 0.6)
DIVISORS = (2.0, 4.0, 10.0, 3.0, 5.0, 8.0)
COUNTS = (1, 2, 3, 4, 5, 7, 8, 10, 16)

_NAMES: dict[str, tuple[str, ...]] = {
    "float32": ("value", "term", "amount", "level", "factor", "measure"),
    "int32": ("number", "slot", "code", "rank", "offset"),
    "bool": ("active", "inside", "valid", "enabled"),
}


@dataclass(frozen=True, slots=True)
class Written:
    """An expression, with names for a local that holds it."""

    expr: Expr
    names: tuple[str, ...]
    base: str


class Expressions:
    """Writes expressions over a scope.

    Attributes:
        scope: what can be read.
        said: what the productions used say about the kernel, each with its expression, in order.

    Args:
        d: the randomness.
        scope: see above.
        palette: the productions to use.
    """

    def __init__(self, d: Draw, scope: Scope, palette: Palette) -> None:
        self._d = d
        self.scope = scope
        self._palette = palette
        self._essential = bool(palette.essential)
        self._helpers: list[Function] = []
        self._locals: list[Assign] = []
        self.said: list[tuple[str, Expr]] = []

    def offer(self, helper: Function) -> None:
        """Make a helper callable; it is called at the next chance."""
        self._helpers.append(helper)

    def fill(self, hole: Hole) -> Written:
        """Write an expression for a hole."""
        if hole.gather or hole.uses:
            written = self._gather(hole)
        else:
            written = self._write(hole.type, max(hole.size, 1), hole.low, hole.high)
        low, high = max(hole.low, -LIMIT), min(hole.high, LIMIT)
        summed = any(self.scope.find(name).linear for name in hole.uses)
        expr = scaled(written.expr, low, high) if summed else fit(written.expr, low, high, self._d)
        return Written(expr, written.names, written.base)

    # ------------------------------------------------------------------------------------------------------- productions

    def _write(self, kind: Type, size: int, low: float, high: float) -> Written:
        if kind is BOOL:
            return Written(self.condition(size), _NAMES["bool"], "")
        helper = next((helper for helper in self._helpers if helper.result is kind), None)
        if helper is not None and size > 0:
            self._helpers.remove(helper)
            return self._call(helper)
        if size <= 0:
            return self._leaf(kind, low, high)
        available = self.scope.types() | {FLOAT, BOOL}
        usable, totals = essentials(kind, self._palette, available) if self._essential else ((), ())
        if usable:
            self._essential = False
        else:
            usable, totals = productions(kind, self._palette, available)
        if not usable:
            return self._leaf(kind, low, high)
        return self._produce(usable[self._d.position(totals)], size)

    def _produce(self, production: Production, size: int) -> Written:
        d = self._d
        shares = self._split(size - 1, len(production.needs))
        args: list[Expr] = []
        base = ""
        for position, (need, (low, high)) in enumerate(zip(production.needs, production.domains, strict=True)):
            if position in production.literal:
                args.append(self._literal(production, position, args, low, high))
                continue
            if args and production.takes_literal and need is FLOAT and shares[position] <= 0 and d.chance(0.3):
                args.append(const(d.choice(DIVISORS)) if low > 0.0 else self.constant(low, high))
                continue
            written = self._write(need, shares[position], low, high)
            expr = fit(written.expr, low, high, d)
            if position in production.repeats:
                expr = self._in_local(expr, written)
            if production.distinct and expr in args and not any(isinstance(arg, Const) for arg in args):
                expr = self._another(expr, low, high, production.takes_literal)
            args.append(expr)
            base = base or written.base
        if production.takes_literal and _may_turn(production) and _opens_with_minus(args[1]):
            args.reverse()  # nobody writes a - -b, and -b - a is as good to read
        expr = production.build(d, tuple(args))
        if production.says:
            self.said.append((production.says, expr))
        return Written(_moderate(expr, d), production.names, base)

    def _in_local(self, expr: Expr, written: Written) -> Expr:
        """Put what is going to be read more than once into a local, unless it is short as it is."""
        if isinstance(expr, Name | Load | Component | Const):
            return expr
        name = self.scope.fresh(written.names, written.base, self._d)
        variable = Name(name, expr.type, expr.low, expr.high)
        self.scope.add(variable, name, varies=self.scope.varies(expr))
        self._locals.append(Assign(name, expr))
        return variable

    def locals(self) -> list[Assign]:
        """Return the locals that the expressions written since the last call need, in order."""
        needed, self._locals = self._locals, []
        return needed

    def _split(self, size: int, parts: int) -> list[int]:
        """Share ``size`` operations among ``parts`` arguments."""
        shares = [0] * parts
        for _ in range(size if parts else 0):
            shares[self._d.below(parts)] += 1
        return shares

    def _literal(self, production: Production, position: int, before: list[Expr], low: float, high: float) -> Expr:
        """A literal argument: the bounds of a clamp or a smoothstep, an exponent, a divisor."""
        d = self._d
        if production.needs[position] is INT:
            if len(production.needs) == 3:
                return const(0 if position == 1 else d.choice((3, 7, 15, 31)))
            return const(d.choice((2, 3, 4, 5, 8, 10)))
        if len(production.needs) == 2:
            return const(d.choice([factor for factor in (2.0, 0.5, 1.5, 3.0, 2.2, 0.45) if low <= factor <= high]))
        if before and isinstance(before[-1], Const):  # the upper bound lies above the lower
            return const(float(before[-1].value) + d.choice((1.0, 2.0, 0.5, 3.0)))
        return const(d.choice((0.0, -1.0, 0.0, 0.1, -0.5, -2.0)))

    def _another(self, expr: Expr, low: float, high: float, literal: bool) -> Expr:
        """Something of the same type that differs from ``expr``, a literal only where people would write one."""
        if expr.type is INT:
            return const(max(int(low), min(int(high), self._d.choice(COUNTS))))
        if expr.type is FLOAT and literal:
            return self.constant(low, high)
        if expr.type.is_vector:
            parts = tuple(self.constant(max(low, -2.0), min(high, 2.0)) for _ in range(expr.type.shape[0]))
            return construct(expr.type, *parts)
        return fit(apply("mul", const(self._d.choice((0.5, 0.25, 0.1))), expr), low, high, self._d)

    def _call(self, helper: Function) -> Written:
        args = []
        for position, param in enumerate(helper.params):
            written = self._write(param.type, self._d.below(2) if position else 0, param.low, param.high)
            args.append(fit(written.expr, param.low, param.high, self._d))
        expr = Call(helper.name, tuple(args), helper.result, helper.low, helper.high)
        self.said.append((f"the helper {helper.name}", expr))
        return Written(expr, (helper.word, f"{helper.word}_value", "response"), "")

    # ------------------------------------------------------------------------------------------------------------- leaves

    def _leaf(self, kind: Type, low: float, high: float) -> Written:
        value = self.scope.pick(kind, self._d)
        if value is not None:
            return Written(value.expr, _NAMES.get(kind.name, ("{0}_copy", "other")), value.base)
        return Written(self._from_nothing(kind, low, high), ("fallback", "default_value"), "")

    def _from_nothing(self, kind: Type, low: float, high: float) -> Expr:
        """A value of a type of which the scope has none."""
        if kind is INT:
            return const(self._d.choice(COUNTS))
        if kind is FLOAT:
            return self._as_float() or self.constant(low, high)
        if kind.is_vector:
            parts = tuple(self._leaf(FLOAT, low, high).expr for _ in range(kind.shape[0]))
            return construct(kind, *parts)
        vector = VECTOR_OF[kind.shape[0]]
        return apply("diag", construct(vector, self._leaf(FLOAT, low, high).expr))

    def _as_float(self) -> Expr | None:
        """A number made of whatever the scope has, what nothing has read first."""
        candidates = self.scope.unread() or [value for value in self.scope.values if not value.linear]
        for value in self._d.shuffled(candidates):
            if value.expr.type is not BOOL:
                value.reads += 1
                return self.number(value.expr)
        return None

    def constant(self, low: float, high: float) -> Const:
        """A literal that people would write, within bounds."""
        fitting = [factor for factor in FACTORS if low <= factor <= high]
        return const(self._d.choice(fitting) if fitting else round((low + high) / 2.0, 3))

    def number(self, expr: Expr) -> Expr:
        """``expr`` turned into a float."""
        d = self._d
        kind = expr.type
        if kind is FLOAT:
            return expr
        if kind is INT:
            return apply("float", expr)
        if kind is BOOL:
            return apply("where", expr, const(d.choice((1.0, 2.0, 0.5))), const(d.choice((0.0, -1.0, 0.25))))
        if kind.is_vector:
            moderate = fit(expr, -100.0, 100.0, d)
            return apply(d.choice(("length", "length", "length_sq")), moderate) if d.chance(0.7) else self._entry(expr)
        return apply("trace", fit(expr, -100.0, 100.0, d)) if d.chance(0.6) else self._entry(expr)

    def _entry(self, expr: Expr) -> Expr:
        return component(expr, *(const(self._d.below(size)) for size in expr.type.shape))

    # --------------------------------------------------------------------------------------------------------- conditions

    def condition(self, size: int) -> Expr:
        """A condition on what the scope holds, true for some inputs and false for others as far as bounds can tell."""
        d = self._d
        simple = self._comparison(size)
        if size <= 1 or d.chance(0.6):
            return simple
        flag = self.scope.pick(BOOL, d)
        if flag is not None and d.chance(0.6):
            return both(simple, flag.expr if d.chance(0.5) else negate(flag.expr))
        other = self._comparison(1)
        if _subject(other) == _subject(simple):
            return simple
        return Logic(d.choice(("and", "or")), (simple, other))

    def _comparison(self, size: int) -> Expr:
        d = self._d
        if INT in self.scope.types() and d.chance(0.25):
            return self._integer_comparison()
        left = self._write(FLOAT, 0 if d.chance(0.6) else size - 1, -50.0, 50.0).expr
        if isinstance(left, Const):
            left = self._as_float() or left
        if d.chance(0.2):
            low, high = _threshold(left, d, 0.1, 0.4), _threshold(left, d, 0.5, 0.9)
            if low < high:
                return within(const(low), left, const(high))
        right: Expr = const(_threshold(left, d))
        if d.chance(0.4):
            other = self.scope.pick(FLOAT, d)
            if other is not None and other.expr != left and _overlap(left, other.expr):
                right = other.expr
        return compare(d.choice((">", "<", ">=", "<=")), left, right)

    def _integer_comparison(self) -> Compare:
        d = self._d
        value = self.scope.pick(INT, d)
        if value is None:
            raise LookupError("a comparison of integers in a scope without any")
        low, high = int(value.expr.low), int(value.expr.high)
        if low >= 0 and high >= 3 and d.chance(0.5):
            divisor = d.choice((2, 3, 4))
            return compare(d.choice(("==", "!=")), apply("mod", value.expr, const(divisor)), const(d.below(divisor)))
        operator = d.choice(("==", ">", "<", ">=", "!="))
        return compare(operator, value.expr, const(d.between(low + (operator in "<>="), max(high - 1, low + 1))))

    # ------------------------------------------------------------------------------------------------------------- results

    def _gather(self, hole: Hole) -> Written:
        """An expression of the named variables and of what nothing has read yet."""
        named = [self.scope.find(name) for name in hole.uses]
        for value in named:
            value.reads += 1
        sums = [value for value in named if value.linear]
        wanted = [value for value in named if not value.linear]
        expr: Expr | None = None
        if not wanted and hole.size > 1 and (hole.size > 2 or self._d.chance(0.5)):
            expr = self._write(hole.type, hole.size - 1, hole.low, hole.high).expr
        if hole.gather:
            late = self.scope.unread()[: 1 if named or expr else 2]
            for value in late:
                value.reads += 1
            wanted += late
        if expr is None and not wanted:
            if sums:
                return Written(self._scaled_sum(sums[0].expr), ("result",), "")
            return self._write(hole.type, hole.size, hole.low, hole.high)
        wanted.sort(key=lambda value: value.expr.type is not hole.type)
        if expr is None:
            first = wanted.pop(0)
            expr = self._converted(first, hole.type)
            if not wanted and self._d.chance(0.4):
                expr = self._touched(expr)
        for value in wanted:
            expr = self._joined(expr, value)
        if hole.gather and not sums and not self.scope.varies(expr):
            expr = self._made_to_vary(expr)
        expr = _moderate(expr, self._d)
        for value in sums:
            scaled = self._scaled_sum(value.expr)
            turned = self._d.chance(0.25) and not _opens_with_minus(expr)
            expr = apply("sub", scaled, expr) if turned else apply("add", scaled, expr)
        return Written(expr, ("result", "outcome"), "")

    def _scaled_sum(self, total: Expr) -> Expr:
        """What a loop summed up, as it is or scaled by a literal."""
        d = self._d
        if d.chance(0.5):
            return total
        if total.type is FLOAT and d.chance(0.3):
            return apply("div", total, const(d.choice(DIVISORS)))
        return apply("mul", const(d.choice(FACTORS)), total)

    def _made_to_vary(self, expr: Expr) -> Expr:
        """``expr`` with something worked in that differs from thread to thread, if the scope has anything."""
        varying = [value for value in self.scope.values if value.varies and not value.linear and value.expr.type is not BOOL]
        return self._joined(expr, self._d.choice(varying)) if varying else expr

    def _converted(self, value: Value, kind: Type) -> Expr:
        """A value turned into another type."""
        d, expr = self._d, value.expr
        if expr.type is kind:
            return expr
        if kind is FLOAT:
            return self.number(expr)
        if kind is INT:
            scale = const(d.choice((2.0, 4.0, 8.0, 10.0)))
            return apply("int", fit(apply("mul", fit(self.number(expr), -1000.0, 1000.0, d), scale), -1.0e4, 1.0e4, d))
        other = self._write(kind, 0, -10.0, 10.0).expr
        if expr.type.is_matrix and kind.is_vector and expr.type.shape[0] == kind.shape[0]:
            return apply("mul", fit(expr, -100.0, 100.0, d), fit(other, -100.0, 100.0, d))
        if expr.type.is_vector and kind.is_matrix and expr.type.shape[0] == kind.shape[0]:
            spread = apply("outer", fit(expr, -20.0, 20.0, d), fit(expr, -20.0, 20.0, d))
            return apply("add", fit(other, -1000.0, 1000.0, d), spread)
        factor = fit(self.number(expr), -10.0, 10.0, d)
        return apply("mul", factor, fit(other, -100.0, 100.0, d))

    def _joined(self, expr: Expr, value: Value) -> Expr:
        """``expr`` with one more value worked in."""
        d = self._d
        if value.expr.type is BOOL:
            return ternary(value.expr, expr, self._touched(expr)) if d.chance(0.4) else self._selected(value.expr, expr)
        if expr.type is INT:
            extra = self._converted(value, INT)
            return apply(d.choice(("add", "sub", "max")), expr, extra)
        if expr.type is value.expr.type:
            return self._combined(expr, value.expr)
        if expr.type is FLOAT:
            return self._combined(expr, fit(self.number(value.expr), -100.0, 100.0, d))
        return self._combined(expr, self._converted(value, expr.type)) if d.chance(0.4) else self._weighted(expr, value.expr)

    def _combined(self, a: Expr, b: Expr) -> Expr:
        """Two values of one type made into one."""
        d = self._d
        way = d.below(9)
        if way == 0 and a.type is FLOAT and magnitude(a) * magnitude(b) < 1.0e4:
            return apply("mul", a, b)
        if way == 1 and not a.type.is_matrix:
            return apply(d.choice(("max", "min")), a, b)
        if way == 2:
            return apply("sub", a, apply("mul", const(d.choice(FACTORS)), b))
        if way == 3:
            share = d.choice((0.25, 0.5, 0.1, 0.75, 0.3))
            return apply("add", apply("mul", const(share), a), apply("mul", const(round(1.0 - share, 2)), b))
        if way == 4:
            return apply("sub", a, b)
        return apply("add", a, b)

    def _weighted(self, expr: Expr, other: Expr) -> Expr:
        factor = fit(self.number(other), -10.0, 10.0, self._d)
        return apply("mul", expr, factor) if self._d.chance(0.5) else apply("mul", factor, expr)

    def _selected(self, condition: Expr, expr: Expr) -> Expr:
        other = (
            apply("mul", const(self._d.choice((0.5, 0.1, -1.0, 0.25))), expr) if expr.type is not INT else apply("neg", expr)
        )
        return apply("where", condition, expr, other)

    def _bent(self, expr: Expr) -> Expr:
        """A number through a simple curve."""
        d = self._d
        way = d.below(4)
        if way == 0 and isinstance(expr, Name) and magnitude(expr) <= 50.0:
            return apply("mul", expr, expr)
        if way == 1:
            return apply(d.choice(("max", "min")), expr, const(_threshold(expr, d)))
        if way == 2 and expr.low < 0.0:
            return apply("abs", expr)
        return apply(d.choice(("tanh", "sin", "cos")), scaled(expr, -20.0, 20.0))

    def _touched(self, expr: Expr) -> Expr:
        """``expr`` changed a little: scaled, shifted, limited."""
        d = self._d
        if expr.type is INT:
            return apply("add", expr, const(d.choice(COUNTS)))
        if expr.type is FLOAT and d.chance(0.35):
            return self._bent(expr)
        value = self.scope.pick(FLOAT, d) if d.chance(0.5) else None
        factor = fit(value.expr, -10.0, 10.0, d) if value is not None else const(d.choice(FACTORS))
        if expr.type is FLOAT and expr != factor and d.chance(0.5):
            return apply(d.choice(("add", "sub")), expr, factor)
        return apply("mul", factor, expr)


def _may_turn(production: Production) -> bool:
    """Whether a production has two arguments that could change places."""
    needs, domains = production.needs, production.domains
    return len(needs) == 2 and needs[0] is needs[1] and domains[0] == domains[1]


def _opens_with_minus(expr: Expr) -> bool:
    while isinstance(expr, Apply) and expr.key in ("add", "sub", "mul", "div"):
        expr = expr.args[0]
    return (isinstance(expr, Apply) and expr.key == "neg") or (isinstance(expr, Const) and expr.value < 0)


def _subject(condition: Expr) -> Expr:
    """What a comparison is about: its first operand that is not a literal."""
    operands = condition.operands if isinstance(condition, Compare) else (condition,)
    return next((operand for operand in operands if not isinstance(operand, Const)), condition)


def _moderate(expr: Expr, d: Draw) -> Expr:
    """``expr``, brought back where it could get large, so that what is made of it stays within float32's digits."""
    if expr.type is BOOL or magnitude(expr) <= 1.0e4:
        return expr
    return fit(expr, -100.0, 100.0, d)


_THRESHOLDS = (0.0, 0.5, 1.0, -0.5, 0.25, 2.0, -1.0, 0.1, 0.75, 1.5, 0.2, -0.25, 3.0, 0.05, 0.8, -2.0, 5.0, 10.0)


def _threshold(expr: Expr, d: Draw, first: float = 0.25, last: float = 0.75) -> float:
    """A round number inside the bounds of ``expr``, between these shares of the way from low to high."""
    spread = min(expr.high, 20.0) - max(expr.low, -20.0)
    low, high = max(expr.low, -20.0) + first * spread, max(expr.low, -20.0) + last * spread
    fitting = [number for number in _THRESHOLDS if low <= number <= high]
    return d.choice(fitting) if fitting else round((low + high) / 2.0, 2)


def _overlap(a: Expr, b: Expr) -> bool:
    return a.low < b.high and b.low < a.high


def parameter(scalar: Scalar) -> Name:
    """The variable of a parameter."""
    return Name(scalar.name, scalar.type, scalar.low, scalar.high, scalar.extent)
