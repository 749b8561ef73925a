"""A bit of everything, as in real kernels: vectors, matrices, a helper, a loop or a branch, an atomic."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Atomic, Augment, Declare, For, Hole, If, Kernel, Name, Steps, Stmt
from warpsmith.synthesis.language.terms import const, construct, index
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MATRIX_OF, VECTORS, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, let, result

PALETTE = ProductionWeights(
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


def draw(s: KernelBuilder) -> Kernel:
    """Vectors, perhaps a matrix, a helper, and one piece of control flow."""
    rng = s.rng
    kind = rng.choice(s.available(VECTORS))
    reads = [s.input(kind), *([s.input(FLOAT)] if rng.chance(0.2) else [])]
    matrix = MATRIX_OF[kind.shape[0]]
    if s.has(matrix) and rng.chance(0.2):
        reads.append(s.input(matrix))
    s.scalars(1, FLOAT, kind)
    if rng.chance(0.25):
        s.helper(FLOAT, *rng.choice(((FLOAT,), (kind,), (FLOAT, FLOAT))))
    middle = rng.choice((_loop, _branch))
    opening, at = s.threads()
    out = s.output(kind)
    start = (*opening, *s.fetch(*reads, at=at), Steps(1, (kind, FLOAT), 1))
    body = (*start, *middle(s, kind, out.local), result(out, at, out.local))
    if rng.chance(0.1):
        s.size("one", 1, 1)
        total = s.output(FLOAT, ("one",), role="inout", name=rng.choice(("total", "energy_sum", "loss_total")))
        body = (*body, Atomic("atomic_add", total.name, (const(0),), Hole(FLOAT, size=1)))
    return s.kernel(rng.choice(("simulate", "step", "solve", "integrate", "process")), body)


def _loop(s: KernelBuilder, kind: Type, name: str) -> tuple[Stmt, ...]:
    """A sum of vectors over the parts."""
    part = s.theme.part
    array = s.input(kind, dims=("k",))
    count = s.length("k", 3, 8, f"num_{part}s", f"{part}_count", "part_count")
    counter = index(s.name("k", "j"), int(count.high), "k")
    add = Augment(name, "add", Hole(kind, -50.0, 50.0, 1, gather=True))
    loop = For(
        counter, const(0), Name(count.name, INT, count.low, count.high), int(count.high), (*s.fetch(array, at=(counter,)), add)
    )
    return (Declare(name, construct(kind, *([const(0.0)] * kind.shape[0]))), loop)


def _branch(s: KernelBuilder, kind: Type, name: str) -> tuple[Stmt, ...]:
    """A value that is changed under a condition."""
    other = (let(name, kind, 1),) if s.rng.chance(0.4) else ()
    return (let(name, kind, 1), If(Hole(BOOL, size=1), (let(name, kind, 1),), other))


CATEGORY = Category("combined", draw, PALETTE, "combining vectors with control flow")
