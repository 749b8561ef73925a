"""Loops in loops: sums over tables, pairs and rows, of numbers and of vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Augment, Declare, Expr, For, Hole, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import apply, const, construct, index
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS, Type
from warpsmith.synthesis.writing.categories.category import Category
from warpsmith.synthesis.writing.palette import Palette
from warpsmith.synthesis.writing.sketch import Sketch, result

PALETTE = Palette(
    (("arithmetic", 5.0), ("curve", 2.0), ("selection", 1.0), ("transcendental", 1.2), ("physics", 1.0), ("vector", 3.0))
)


def draw(s: Sketch) -> Kernel:
    """Two loops around a sum, in one of three shapes."""
    d = s.d
    shape = d.choice((_table, _pairs, _rows))
    kind = d.choice((FLOAT, FLOAT, d.choice(s.available(VECTORS))))
    own = s.input(d.choice((kind, FLOAT))) if d.chance(0.3) else None
    s.scalars(d.choice((0, 0, 1)), FLOAT)
    if d.chance(0.15):
        s.helper(FLOAT, *d.choice(((kind,), (FLOAT, FLOAT))))
    opening, at = s.threads()
    out = s.output(d.choice((kind, FLOAT)))
    fetched = s.fetch(own, at=at) if own else ()
    body = (*opening, *fetched, *shape(s, at, out, kind))
    return s.kernel(d.choice(("accumulate", "integrate", "sum", "convolve", "gather")), body)


def _counter(s: Sketch, symbol: str, high: int, name: str, *lengths: str) -> tuple[Name, Name]:
    """A loop counter over an array dimension, and the parameter that carries the dimension's length."""
    length = s.length(symbol, 2, high, *lengths)
    return index(s.name(name, f"{name}{name}"), int(length.high), symbol), Name(length.name, INT, length.low, length.high)


def _loop(counter: Name, stop: Name, *body: Stmt, start: Expr | None = None) -> For:
    return For(counter, start or const(0), stop, int(stop.high), body)


def _zero(kind: Type) -> Expr:
    return construct(kind, *([const(0.0)] * kind.shape[0])) if kind.shape else const(0.0)


def _add(s: Sketch, name: str, kind: Type, limit: float, *uses: str) -> Augment:
    return Augment(name, "add", Hole(kind, -limit, limit, s.d.choice((2, 2, 3)), uses=uses, gather=True))


def _table(s: Sketch, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A weighted sum over a table."""
    d = s.d
    k, rows = _counter(s, "k", 5, "k", "rows", f"num_{s.theme.part}s")
    j, columns = _counter(s, "l", 5, "j", "cols", "width")
    table = s.input(kind, dims=("k", "l"))
    weights = s.input(FLOAT, dims=("l",)) if d.chance(0.25) else None
    total = s.name("total", "acc", "accumulated")
    inner = (
        *s.fetch(table, at=(k, j)),
        *(s.fetch(weights, at=(j,)) if weights else ()),
        _add(s, total, out.element, 20.0),
    )
    return (Declare(total, _zero(out.element)), _loop(k, rows, _loop(j, columns, *inner)), result(out, at, total))


def _pairs(s: Sketch, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A sum over pairs of two lists, or over those of one list that come after each other."""
    d = s.d
    a, first = _counter(s, "k", 5, "a", f"num_{s.theme.part}s", "count_a")
    left = s.input(kind, dims=("k",))
    total = s.name("total", "pair_sum", "energy_sum")
    if d.chance(0.4):
        b = index(s.name("b", "other"), int(first.high), "k")
        reads, inner_loop = s.fetch(left, at=(b,)), lambda *body: _loop(b, first, *body, start=apply("add", a, const(1)))
    else:
        b, second = _counter(s, "l", 5, "b", "count_b", "num_terms")
        right = s.input(d.choice((kind, FLOAT)), dims=("l",))
        reads, inner_loop = s.fetch(right, at=(b,)), lambda *body: _loop(b, second, *body)
    inner = (*reads, _add(s, total, out.element, 20.0))
    outer = (*s.fetch(left, at=(a,)), inner_loop(*inner))
    return (Declare(total, _zero(out.element)), _loop(a, first, *outer), result(out, at, total))


def _rows(s: Sketch, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A sum of what each row sums up to."""
    d = s.d
    k, rows = _counter(s, "k", 4, "r", "rows", "num_rows")
    j, columns = _counter(s, "l", 5, "c", "cols", "num_cols")
    table = s.input(kind, dims=("k", "l"))
    row_sum, total = s.name("row_sum", "partial", "line_total"), s.name("total", "acc")
    inner = (*s.fetch(table, at=(k, j)), _add(s, row_sum, kind, 10.0))
    steps = (Steps(1, (FLOAT,), 1),) if d.chance(0.2) else ()
    outer = (
        Declare(row_sum, _zero(kind)),
        _loop(j, columns, *inner),
        *steps,
        _add(s, total, out.element, 100.0, row_sum),
    )
    return (Declare(total, _zero(out.element)), _loop(k, rows, *outer), result(out, at, total))


CATEGORY = Category("nested_loop", draw, PALETTE, "in nested loops")
