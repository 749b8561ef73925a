"""Category `atomic`: reductions to one value, histograms, scattered sums, minima and maxima by atomics."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Atomic, Hole, If, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import const, load
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("physics", 2.0), ("curve", 1.0), ("selection", 0.6)))


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel in which each thread computes a value and adds it to an element shared with other threads."""
    rng = builder.rng
    dtype: Type = rng.choice((FLOAT, FLOAT, rng.choice(builder.available_types(VECTORS))))
    reads = [builder.add_input(dtype)]
    if rng.chance(0.5):
        reads.append(builder.add_input(FLOAT))
    builder.add_scalars(rng.below(2), FLOAT)
    if rng.chance(0.15):
        builder.add_helper(FLOAT, dtype)
    target = rng.choice((_add_to_total, _scatter, _reduce_extreme))
    indices = builder.add_input(INT) if target is _scatter else None
    opening, at = builder.open_threads()
    per_thread = builder.add_output(dtype) if rng.chance(0.3) else None
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        Steps(2, (dtype, FLOAT), 1),
        *((store_result(per_thread, at),) if per_thread else ()),
        *target(builder, at, dtype, indices),
    )
    return builder.build_kernel(rng.choice(("reduce", "accumulate", "scatter", "collect", "tally")), body)


def _add_to_total(builder: KernelBuilder, _: tuple[Name, ...], dtype: Type, __: Array | None) -> tuple[Stmt, ...]:
    """Reduce to one value, over all threads or over threads that pass a test."""
    rng = builder.rng
    total = builder.add_output(dtype, ("one",), role="inout", name=rng.choice(("total", "accumulated", "sum_out", "result")))
    builder.draw_size("one", 1, 1)
    key = "atomic_sub" if rng.chance(0.15) else "atomic_add"
    add = Atomic(key, total.name, (const(0),), Hole(dtype, size=1, gather=True))
    return (If(Hole(BOOL, size=1), (add,)),) if rng.chance(0.3) else (add,)


def _scatter(builder: KernelBuilder, at: tuple[Name, ...], dtype: Type, indices: Array | None) -> tuple[Stmt, ...]:
    """Write a histogram or a scattered sum, with positions from an array of indices."""
    rng = builder.rng
    indices = indices or builder.add_input(INT)
    bins = int(indices.high) + 1
    builder.draw_size("bins", bins, bins)
    position = load(indices, *at)
    table = builder.add_output(dtype, ("bins",), role="inout", name=rng.choice(("histogram", "bins", "buckets", "grid_sums")))
    add = Atomic("atomic_add", table.name, (position,), Hole(dtype, size=1, gather=True))
    if rng.chance(0.6):
        return (add,)
    counts = builder.add_output(INT, ("bins",), role="inout", name=rng.choice(("counts", "occupancy", "hits")))
    return (add, Atomic("atomic_add", counts.name, (position,), const(1)))


def _reduce_extreme(builder: KernelBuilder, _: tuple[Name, ...], __: Type, ___: Array | None) -> tuple[Stmt, ...]:
    """Reduce to the minimum or the maximum."""
    builder.draw_size("one", 1, 1)
    key = builder.rng.choice(("atomic_max", "atomic_min"))
    start = -1.0e4 if key == "atomic_max" else 1.0e4
    names = ("highest", "max_value", "upper_bound") if key == "atomic_max" else ("lowest", "min_value", "lower_bound")
    best = builder.add_output(FLOAT, ("one",), start=start, role="inout", name=builder.rng.choice(names))
    return (Atomic(key, best.name, (const(0),), Hole(FLOAT, size=1, gather=True)),)


CATEGORY = Category("atomic", draw, WEIGHTS, "with atomic updates")
