"""Category `combined`: vectors, matrices, a helper function, a loop or a branch and an atomic in one kernel."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Atomic, Augment, Declare, For, Hole, If, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import const, construct, index
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MATRIX_OF, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import assign, store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (
        ("arithmetic", 3.0),
        ("vector", 4.0),
        ("matrix", 1.5),
        ("physics", 2.5),
        ("curve", 1.0),
        ("transcendental", 0.5),
        ("selection", 0.6),
    )
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel of vectors, possibly a matrix, a helper function, and one piece of control flow."""
    rng = builder.rng
    dtype = rng.choice(builder.available_types(VECTORS))
    reads = [builder.add_input(dtype), *([builder.add_input(FLOAT)] if rng.chance(0.2) else [])]
    matrix = MATRIX_OF[dtype.shape[0]]
    if builder.has_input(matrix) and rng.chance(0.2):
        reads.append(builder.add_input(matrix))
    builder.add_scalars(1, FLOAT, dtype)
    if rng.chance(0.25):
        builder.add_helper(FLOAT, *rng.choice(((FLOAT,), (dtype,), (FLOAT, FLOAT))))
    middle = rng.choice((_write_loop, _write_branch))
    opening, at = builder.open_threads()
    out = builder.add_output(dtype)
    start = (*opening, *builder.load_elements(*reads, at=at), Steps(1, (dtype, FLOAT), 1))
    body = (*start, *middle(builder, dtype, out.local), store_result(out, at, out.local))
    if rng.chance(0.1):
        builder.draw_size("one", 1, 1)
        total = builder.add_output(FLOAT, ("one",), role="inout", name=rng.choice(("total", "energy_sum", "loss_total")))
        body = (*body, Atomic("atomic_add", total.name, (const(0),), Hole(FLOAT, size=1)))
    return builder.build_kernel(rng.choice(("simulate", "step", "solve", "integrate", "process")), body)


def _write_loop(builder: KernelBuilder, dtype: Type, name: str) -> tuple[Stmt, ...]:
    """Sum vectors over an inner dimension."""
    part = builder.theme.part
    array = builder.add_input(dtype, dims=("k",))
    count = builder.add_length("k", 3, 8, f"num_{part}s", f"{part}_count", "part_count")
    counter = index(builder.choose_name("k", "j"), int(count.high), "k")
    add = Augment(name, "add", Hole(dtype, -50.0, 50.0, 1, gather=True))
    loop = For(
        counter,
        const(0),
        Name(count.name, INT, count.low, count.high),
        int(count.high),
        (*builder.load_elements(array, at=(counter,)), add),
    )
    return (Declare(name, construct(dtype, *([const(0.0)] * dtype.shape[0]))), loop)


def _write_branch(builder: KernelBuilder, dtype: Type, name: str) -> tuple[Stmt, ...]:
    """Change a value under a condition."""
    other = (assign(name, dtype, 1),) if builder.rng.chance(0.4) else ()
    return (assign(name, dtype, 1), If(Hole(BOOL, size=1), (assign(name, dtype, 1),), other))


CATEGORY = Category("combined", draw, WEIGHTS, "combining vectors with control flow")
