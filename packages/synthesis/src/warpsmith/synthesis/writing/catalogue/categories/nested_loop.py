"""Loops in loops: sums over tables, pairs and rows, of numbers and of vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Augment, Declare, Expr, For, Hole, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import apply, const, construct, index
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result

WEIGHTS = ProductionWeights(
    (("arithmetic", 5.0), ("curve", 2.0), ("selection", 1.0), ("transcendental", 1.2), ("physics", 1.0), ("vector", 3.0))
)


def draw(builder: KernelBuilder) -> Kernel:
    """Two loops around a sum, in one of four shapes."""
    rng = builder.rng
    shape = rng.choice((_table, _pairs, _rows, _table, _pairs, _rows, _table, _pairs, _rows, _window))
    dtype = rng.choice((FLOAT, FLOAT, rng.choice(builder.available(VECTORS))))
    builder.scalars(rng.choice((0, 0, 0, 1)), FLOAT)
    if rng.chance(0.05):
        builder.helper(FLOAT, *rng.choice(((dtype,), (FLOAT, FLOAT))))
    own = builder.input(rng.choice((dtype, FLOAT))) if rng.chance(0.1) else None
    opening, at = builder.threads()
    out = builder.output(rng.choice((dtype, FLOAT)))
    fetched = builder.fetch(own, at=at) if own else ()
    body = (*opening, *fetched, *shape(builder, at, out, dtype))
    return builder.kernel(rng.choice(("accumulate", "integrate", "sum", "convolve", "gather")), body)


def _counter(builder: KernelBuilder, symbol: str, high: int, names: tuple[str, ...], *lengths: str) -> tuple[Name, Name]:
    """A loop counter over an array dimension, and the parameter that carries the dimension's length."""
    length = builder.length(symbol, 2, high, *lengths)
    return index(builder.name(*names), int(length.high), symbol), Name(length.name, INT, length.low, length.high)


def _loop(counter: Name, stop: Expr, *body: Stmt, start: Expr | None = None) -> For:
    return For(counter, start or const(0), stop, int(stop.high), body)


def _zero(dtype: Type) -> Expr:
    return construct(dtype, *([const(0.0)] * dtype.shape[0])) if dtype.shape else const(0.0)


def _add(name: str, dtype: Type, limit: float, *uses: str) -> Augment:
    return Augment(name, "add", Hole(dtype, -limit, limit, 2, uses=uses, gather=True))


def _table(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """A sum over a table, weighted by what belongs to the thread."""
    rng = builder.rng
    k, rows = _counter(builder, "k", 5, ("k", "kk"), "rows", f"num_{builder.theme.part}s")
    j, columns = _counter(builder, "l", 5, ("j", "jj"), "cols", "width")
    table, weights = builder.input(dtype, dims=("k", "l")), builder.input(FLOAT, dims=("n", rng.choice(("k", "l"))))
    place = (*at, k if weights.dims[1] == "k" else j)
    total = builder.name("total", "acc", "accumulated")
    inner: tuple[Stmt, ...] = (
        *builder.fetch(table, at=(k, j)),
        *builder.fetch(weights, at=place),
        _add(total, out.element, 20.0),
    )
    return (Declare(total, _zero(out.element)), _loop(k, rows, _loop(j, columns, *inner)), result(out, at, total))


def _pairs(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """A sum over pairs of two lists, or over those of one list that come after each other."""
    rng = builder.rng
    a, first = _counter(builder, "k", 5, ("a", "aa"), f"num_{builder.theme.part}s", "count_a")
    left = builder.input(dtype, dims=("n", "k"))
    total = builder.name("total", "pair_sum", "energy_sum")
    if rng.chance(0.4):
        b, second, reads = index(builder.name("b", "bb"), int(first.high), "k"), first, left
        start: Expr = apply("add", a, const(1))
    else:
        b, second = _counter(builder, "l", 5, ("b", "other"), "count_b", "num_terms")
        start, reads = const(0), builder.input(rng.choice((dtype, FLOAT)), dims=("l",))
    place = (*at, b) if reads is left else (b,)
    inner: tuple[Stmt, ...] = (*builder.fetch(reads, at=place), _add(total, out.element, 20.0))
    outer: tuple[Stmt, ...] = (*builder.fetch(left, at=(*at, a)), _loop(b, second, *inner, start=start))
    return (Declare(total, _zero(out.element)), _loop(a, first, *outer), result(out, at, total))


def _rows(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """A sum of what each row sums up to."""
    rng = builder.rng
    k, rows = _counter(builder, "k", 4, ("r", "rr"), "rows", "num_rows")
    j, columns = _counter(builder, "l", 5, ("c", "cc"), "cols", "num_cols")
    table, own = builder.input(dtype, dims=("k", "l")), builder.input(FLOAT, dims=("n", "l"))
    row_sum, total = builder.name("row_sum", "partial", "line_total"), builder.name("total", "acc")
    inner: tuple[Stmt, ...] = (
        *builder.fetch(table, at=(k, j)),
        *builder.fetch(own, at=(*at, j)),
        _add(row_sum, out.element, 10.0),
    )
    steps = (Steps(1, (FLOAT,), 1),) if rng.chance(0.2) else ()
    outer: tuple[Stmt, ...] = (
        Declare(row_sum, _zero(out.element)),
        _loop(j, columns, *inner),
        *steps,
        _add(total, out.element, 100.0, row_sum),
    )
    return (Declare(total, _zero(out.element)), _loop(k, rows, *outer), result(out, at, total))


def _window(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """A small window of fixed size, which Warp unrolls; what it sums up to may be used in any way."""
    builder.size("k", 2, 2)
    builder.size("l", 2, 2)
    k, j = index(builder.name("dy", "k"), 2, "k"), index(builder.name("dx", "j"), 2, "l")
    window = builder.input(dtype, dims=("n", "k", "l"))
    total = builder.name("window_sum", "acc")
    inner: tuple[Stmt, ...] = (
        *builder.fetch(window, at=(*at, k, j)),
        Augment(total, "add", Hole(out.element, -20.0, 20.0, 1, gather=True)),
    )
    loops = _loop(k, const(2), _loop(j, const(2), *inner))
    return (Declare(total, _zero(out.element)), loops, result(out, at, total, size=2))


CATEGORY = Category("nested_loop", draw, WEIGHTS, "in nested loops")
