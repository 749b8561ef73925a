"""Loops in loops: sums over tables, pairs and rows, of numbers and of vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Augment, Declare, Expr, For, Hole, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import apply, const, construct, index
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result

PALETTE = ProductionWeights(
    (("arithmetic", 5.0), ("curve", 2.0), ("selection", 1.0), ("transcendental", 1.2), ("physics", 1.0), ("vector", 3.0))
)


def draw(s: KernelBuilder) -> Kernel:
    """Two loops around a sum, in one of four shapes."""
    rng = s.rng
    shape = rng.choice((_table, _pairs, _rows, _table, _pairs, _rows, _table, _pairs, _rows, _window))
    kind = rng.choice((FLOAT, FLOAT, rng.choice(s.available(VECTORS))))
    s.scalars(rng.choice((0, 0, 0, 1)), FLOAT)
    if rng.chance(0.05):
        s.helper(FLOAT, *rng.choice(((kind,), (FLOAT, FLOAT))))
    own = s.input(rng.choice((kind, FLOAT))) if rng.chance(0.1) else None
    opening, at = s.threads()
    out = s.output(rng.choice((kind, FLOAT)))
    fetched = s.fetch(own, at=at) if own else ()
    body = (*opening, *fetched, *shape(s, at, out, kind))
    return s.kernel(rng.choice(("accumulate", "integrate", "sum", "convolve", "gather")), body)


def _counter(s: KernelBuilder, symbol: str, high: int, names: tuple[str, ...], *lengths: str) -> tuple[Name, Name]:
    """A loop counter over an array dimension, and the parameter that carries the dimension's length."""
    length = s.length(symbol, 2, high, *lengths)
    return index(s.name(*names), int(length.high), symbol), Name(length.name, INT, length.low, length.high)


def _loop(counter: Name, stop: Expr, *body: Stmt, start: Expr | None = None) -> For:
    return For(counter, start or const(0), stop, int(stop.high), body)


def _zero(kind: Type) -> Expr:
    return construct(kind, *([const(0.0)] * kind.shape[0])) if kind.shape else const(0.0)


def _add(name: str, kind: Type, limit: float, *uses: str) -> Augment:
    return Augment(name, "add", Hole(kind, -limit, limit, 2, uses=uses, gather=True))


def _table(s: KernelBuilder, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A sum over a table, weighted by what belongs to the thread."""
    rng = s.rng
    k, rows = _counter(s, "k", 5, ("k", "kk"), "rows", f"num_{s.theme.part}s")
    j, columns = _counter(s, "l", 5, ("j", "jj"), "cols", "width")
    table, weights = s.input(kind, dims=("k", "l")), s.input(FLOAT, dims=("n", rng.choice(("k", "l"))))
    place = (*at, k if weights.dims[1] == "k" else j)
    total = s.name("total", "acc", "accumulated")
    inner: tuple[Stmt, ...] = (*s.fetch(table, at=(k, j)), *s.fetch(weights, at=place), _add(total, out.element, 20.0))
    return (Declare(total, _zero(out.element)), _loop(k, rows, _loop(j, columns, *inner)), result(out, at, total))


def _pairs(s: KernelBuilder, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A sum over pairs of two lists, or over those of one list that come after each other."""
    rng = s.rng
    a, first = _counter(s, "k", 5, ("a", "aa"), f"num_{s.theme.part}s", "count_a")
    left = s.input(kind, dims=("n", "k"))
    total = s.name("total", "pair_sum", "energy_sum")
    if rng.chance(0.4):
        b, second, reads = index(s.name("b", "bb"), int(first.high), "k"), first, left
        start: Expr = apply("add", a, const(1))
    else:
        b, second = _counter(s, "l", 5, ("b", "other"), "count_b", "num_terms")
        start, reads = const(0), s.input(rng.choice((kind, FLOAT)), dims=("l",))
    place = (*at, b) if reads is left else (b,)
    inner: tuple[Stmt, ...] = (*s.fetch(reads, at=place), _add(total, out.element, 20.0))
    outer: tuple[Stmt, ...] = (*s.fetch(left, at=(*at, a)), _loop(b, second, *inner, start=start))
    return (Declare(total, _zero(out.element)), _loop(a, first, *outer), result(out, at, total))


def _rows(s: KernelBuilder, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A sum of what each row sums up to."""
    rng = s.rng
    k, rows = _counter(s, "k", 4, ("r", "rr"), "rows", "num_rows")
    j, columns = _counter(s, "l", 5, ("c", "cc"), "cols", "num_cols")
    table, own = s.input(kind, dims=("k", "l")), s.input(FLOAT, dims=("n", "l"))
    row_sum, total = s.name("row_sum", "partial", "line_total"), s.name("total", "acc")
    inner: tuple[Stmt, ...] = (*s.fetch(table, at=(k, j)), *s.fetch(own, at=(*at, j)), _add(row_sum, out.element, 10.0))
    steps = (Steps(1, (FLOAT,), 1),) if rng.chance(0.2) else ()
    outer: tuple[Stmt, ...] = (
        Declare(row_sum, _zero(out.element)),
        _loop(j, columns, *inner),
        *steps,
        _add(total, out.element, 100.0, row_sum),
    )
    return (Declare(total, _zero(out.element)), _loop(k, rows, *outer), result(out, at, total))


def _window(s: KernelBuilder, at: tuple[Name, ...], out: Array, kind: Type) -> tuple[Stmt, ...]:
    """A small window of fixed size, which Warp unrolls; what it sums up to may be used in any way."""
    s.size("k", 2, 2)
    s.size("l", 2, 2)
    k, j = index(s.name("dy", "k"), 2, "k"), index(s.name("dx", "j"), 2, "l")
    window = s.input(kind, dims=("n", "k", "l"))
    total = s.name("window_sum", "acc")
    inner: tuple[Stmt, ...] = (
        *s.fetch(window, at=(*at, k, j)),
        Augment(total, "add", Hole(out.element, -20.0, 20.0, 1, gather=True)),
    )
    loops = _loop(k, const(2), _loop(j, const(2), *inner))
    return (Declare(total, _zero(out.element)), loops, result(out, at, total, size=2))


CATEGORY = Category("nested_loop", draw, PALETTE, "in nested loops")
