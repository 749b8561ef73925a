"""Category `control_flow`: branches, early returns, loops that skip, while loops, conditional expressions."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import (
    Array,
    Augment,
    Declare,
    For,
    Hole,
    If,
    Jump,
    Kernel,
    Name,
    Steps,
    Stmt,
    Store,
    While,
)
from warpsmith.synthesis.language.terms import compare, const, index, load
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import assign, store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("arithmetic", 5.0), ("selection", 1.0), ("transcendental", 0.6), ("curve", 1.0), ("physics", 1.5), ("cast", 0.3))
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel of a few numbers with control flow in one of four forms."""
    rng = builder.rng
    reads = [builder.add_input(FLOAT) for _ in range(rng.choice((1, 1, 1, 2)))]
    builder.add_scalars(rng.choice((0, 0, 1)), FLOAT)
    if rng.chance(0.05):
        builder.add_helper(FLOAT, FLOAT)
    shape = rng.choice((_write_branches, _write_branches, _write_early_return, _write_filtered_loop, _write_counting_loop))
    opening, at = builder.open_threads()
    out = builder.add_output(FLOAT)
    body = (*opening, *builder.load_elements(*reads, at=at), *shape(builder, at, out))
    return builder.build_kernel(rng.choice(("update", "select", "limit", "step", "filter")), body)


def _write_branches(builder: KernelBuilder, at: tuple[Name, ...], out: Array) -> tuple[Stmt, ...]:
    """Write ``if … elif … else`` that changes one value."""
    rng, name = builder.rng, out.local
    last: tuple[Stmt, ...] = (assign(name, FLOAT, 1),) if rng.chance(0.5) else ()
    if rng.chance(0.2):
        last = (If(Hole(BOOL, size=1), (assign(name, FLOAT, 1),), last),)
    step = (Steps(1, (FLOAT,), 1),) if rng.chance(0.15) else ()
    branch = If(Hole(BOOL, size=1), (*step, assign(name, FLOAT, 1)), last)
    return (assign(name, FLOAT, 1), branch, store_result(out, at, name))


def _write_early_return(_: KernelBuilder, at: tuple[Name, ...], out: Array) -> tuple[Stmt, ...]:
    """Let threads without work write a default value and return."""
    leave = (Store(out.name, at, Hole(FLOAT, size=1)), Jump("return"))
    return (If(Hole(BOOL, size=1), leave), Steps(1, (FLOAT,)), store_result(out, at))


def _write_filtered_loop(builder: KernelBuilder, at: tuple[Name, ...], out: Array) -> tuple[Stmt, ...]:
    """Sum over some elements of an inner dimension."""
    rng, part = builder.rng, builder.theme.part
    array = builder.add_input(FLOAT, dims=("k",))
    count = builder.add_length("k", 3, 8, f"num_{part}s", f"{part}_count", "count_k")
    counter = index(builder.choose_name("k", "j", part[0]), int(count.high), "k")
    element = load(array, counter)
    limit = round(array.low + 0.1 * rng.between(3, 7) * (array.high - array.low), 2)
    test = compare(rng.choice((">", "<")), element, const(limit))
    total = builder.choose_name(f"{out.local}_sum")
    add: Stmt = Augment(total, "add", Hole(FLOAT, -50.0, 50.0, 1))
    fetch = builder.load_elements(array, at=(counter,))
    skip = rng.chance(0.5)
    inner: tuple[Stmt, ...] = (If(test, (Jump("continue"),)), *fetch, add) if skip else (*fetch, If(test, (add,)))
    loop = For(counter, const(0), Name(count.name, INT, count.low, count.high), int(count.high), inner)
    return (Declare(total, const(0.0)), loop, store_result(out, at, total))


def _write_counting_loop(builder: KernelBuilder, at: tuple[Name, ...], out: Array) -> tuple[Stmt, ...]:
    """Write a while loop that adds the same amount until a counter ends it."""
    rng = builder.rng
    trips = rng.between(3, 6)
    counter, total = builder.choose_name("step", "iteration", "k", "trial"), builder.choose_name(f"{out.local}_total")
    index_ = Name(counter, INT, 0, trips)
    body = (Augment(total, "add", Hole(FLOAT, -50.0, 50.0, 1)), Augment(counter, "add", const(1)))
    loop = While(compare("<", index_, const(trips)), trips, body)
    return (Steps(1, (FLOAT,)), Declare(total, const(0.0)), Declare(counter, const(0)), loop, store_result(out, at, total))


CATEGORY = Category("control_flow", draw, WEIGHTS, "with branches and loops")
