"""Category `nested_loop`: sums over tables, pairs and rows, of numbers and of vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Augment, Declare, Expr, For, Hole, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import apply, const, construct, index
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("arithmetic", 5.0), ("curve", 2.0), ("selection", 1.0), ("transcendental", 1.2), ("physics", 1.0), ("vector", 3.0))
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel with two loops around a sum, in one of four forms."""
    rng = builder.rng
    shape = rng.choice(
        (_sum_table, _sum_pairs, _sum_rows, _sum_table, _sum_pairs, _sum_rows, _sum_table, _sum_pairs, _sum_rows, _sum_window)
    )
    dtype = rng.choice((FLOAT, FLOAT, rng.choice(builder.available_types(VECTORS))))
    builder.add_scalars(rng.choice((0, 0, 0, 1)), FLOAT)
    if rng.chance(0.05):
        builder.add_helper(FLOAT, *rng.choice(((dtype,), (FLOAT, FLOAT))))
    extra = builder.add_input(rng.choice((dtype, FLOAT))) if rng.chance(0.1) else None
    opening, at = builder.open_threads()
    out = builder.add_output(rng.choice((dtype, FLOAT)))
    loads = builder.load_elements(extra, at=at) if extra else ()
    body = (*opening, *loads, *shape(builder, at, out, dtype))
    return builder.build_kernel(rng.choice(("accumulate", "integrate", "sum", "convolve", "gather")), body)


def _add_counter(builder: KernelBuilder, symbol: str, high: int, names: tuple[str, ...], *lengths: str) -> tuple[Name, Name]:
    """Return a loop counter over an array dimension, and the parameter that carries the dimension's length."""
    length = builder.add_length(symbol, 2, high, *lengths)
    return index(builder.choose_name(*names), int(length.high), symbol), Name(length.name, INT, length.low, length.high)


def _write_loop(counter: Name, stop: Expr, *body: Stmt, start: Expr | None = None) -> For:
    return For(counter, start or const(0), stop, int(stop.high), body)


def _zero(dtype: Type) -> Expr:
    return construct(dtype, *([const(0.0)] * dtype.shape[0])) if dtype.shape else const(0.0)


def _add_to_sum(name: str, dtype: Type, limit: float, *uses: str) -> Augment:
    return Augment(name, "add", Hole(dtype, -limit, limit, 2, uses=uses, gather=True))


def _sum_table(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """Sum over a table, with weights of the thread."""
    rng = builder.rng
    k, rows = _add_counter(builder, "k", 5, ("k", "kk"), "rows", f"num_{builder.theme.part}s")
    j, columns = _add_counter(builder, "l", 5, ("j", "jj"), "cols", "width")
    table, weights = builder.add_input(dtype, dims=("k", "l")), builder.add_input(FLOAT, dims=("n", rng.choice(("k", "l"))))
    indices = (*at, k if weights.dims[1] == "k" else j)
    total = builder.choose_name("total", "acc", "accumulated")
    inner: tuple[Stmt, ...] = (
        *builder.load_elements(table, at=(k, j)),
        *builder.load_elements(weights, at=indices),
        _add_to_sum(total, out.element, 20.0),
    )
    return (
        Declare(total, _zero(out.element)),
        _write_loop(k, rows, _write_loop(j, columns, *inner)),
        store_result(out, at, total),
    )


def _sum_pairs(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """Sum over pairs of two lists, or over ordered pairs of one list."""
    rng = builder.rng
    a, first = _add_counter(builder, "k", 5, ("a", "aa"), f"num_{builder.theme.part}s", "count_a")
    left = builder.add_input(dtype, dims=("n", "k"))
    total = builder.choose_name("total", "pair_sum", "energy_sum")
    if rng.chance(0.4):
        b, second, reads = index(builder.choose_name("b", "bb"), int(first.high), "k"), first, left
        start: Expr = apply("add", a, const(1))
    else:
        b, second = _add_counter(builder, "l", 5, ("b", "other"), "count_b", "num_terms")
        start, reads = const(0), builder.add_input(rng.choice((dtype, FLOAT)), dims=("l",))
    indices = (*at, b) if reads is left else (b,)
    inner: tuple[Stmt, ...] = (*builder.load_elements(reads, at=indices), _add_to_sum(total, out.element, 20.0))
    outer: tuple[Stmt, ...] = (*builder.load_elements(left, at=(*at, a)), _write_loop(b, second, *inner, start=start))
    return (Declare(total, _zero(out.element)), _write_loop(a, first, *outer), store_result(out, at, total))


def _sum_rows(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """Sum over the sums of rows."""
    rng = builder.rng
    k, rows = _add_counter(builder, "k", 4, ("r", "rr"), "rows", "num_rows")
    j, columns = _add_counter(builder, "l", 5, ("c", "cc"), "cols", "num_cols")
    table, factors = builder.add_input(dtype, dims=("k", "l")), builder.add_input(FLOAT, dims=("n", "l"))
    row_sum, total = builder.choose_name("row_sum", "partial", "line_total"), builder.choose_name("total", "acc")
    inner: tuple[Stmt, ...] = (
        *builder.load_elements(table, at=(k, j)),
        *builder.load_elements(factors, at=(*at, j)),
        _add_to_sum(row_sum, out.element, 10.0),
    )
    steps = (Steps(1, (FLOAT,), 1),) if rng.chance(0.2) else ()
    outer: tuple[Stmt, ...] = (
        Declare(row_sum, _zero(out.element)),
        _write_loop(j, columns, *inner),
        *steps,
        _add_to_sum(total, out.element, 100.0, row_sum),
    )
    return (Declare(total, _zero(out.element)), _write_loop(k, rows, *outer), store_result(out, at, total))


def _sum_window(builder: KernelBuilder, at: tuple[Name, ...], out: Array, dtype: Type) -> tuple[Stmt, ...]:
    """Sum over a small window of fixed size, which Warp unrolls, so that the sum may be used in any way."""
    builder.draw_size("k", 2, 2)
    builder.draw_size("l", 2, 2)
    k, j = index(builder.choose_name("dy", "k"), 2, "k"), index(builder.choose_name("dx", "j"), 2, "l")
    window = builder.add_input(dtype, dims=("n", "k", "l"))
    total = builder.choose_name("window_sum", "acc")
    inner: tuple[Stmt, ...] = (
        *builder.load_elements(window, at=(*at, k, j)),
        Augment(total, "add", Hole(out.element, -20.0, 20.0, 1, gather=True)),
    )
    loops = _write_loop(k, const(2), _write_loop(j, const(2), *inner))
    return (Declare(total, _zero(out.element)), loops, store_result(out, at, total, size=2))


CATEGORY = Category("nested_loop", draw, WEIGHTS, "in nested loops")
