"""Category `tile_solve`: Cholesky factors and triangular systems in tiles.

Warp has no adjoint for ``tile_diag_add`` and most solvers: their arguments are constants, which weigh loaded values.
"""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import TYPES
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# fmt: off
DIAGONAL = "$e = wp.tile_diag_add(wp.tile_zeros(shape=({n}, {n}), dtype={dtype}), wp.tile_full(shape={n}, value={dtype}(⟨3.0|4.0|2.5⟩), dtype={dtype}))\n"
LOADED = "$a = wp.tile_load({x}, shape=({n}, {n}), offset=($i * {n}, 0){storage})\n"
VALUES = "$b = wp.tile_load({y}, ⟨shape={n}, offset=$i * {n}|shape=({n},), offset=($i * {n},)⟩)\n"
SYSTEM = DIAGONAL + LOADED + "$s = ⟨wp.tile_matmul($a, wp.tile_transpose($a))|$a * #0.1 + wp.tile_transpose($a) * #0.1⟩ + $e\n"
RAMP = "$y = wp.tile_⟨arange({n}.0, dtype={dtype})|ones(shape={n}, dtype={dtype})⟩\n"
SOLVERS = (  # each template leaves a result of this rank in $t
    ("a Cholesky factor", SYSTEM + "$t = wp.tile_cholesky($s⟨|, fill_mode=\"upper\"⟩)", 2),
    ("a triangular system", SYSTEM + VALUES + "$t = wp.tile_lower_solve(⟨$s|wp.tile_cholesky($s)⟩, $b)", 1),
    ("several triangular systems", SYSTEM + "$t = wp.tile_lower_solve(⟨$s|wp.tile_cholesky($s)⟩, ⟨$a|$a * #0.5⟩)", 2),
    ("a constant factor", DIAGONAL + VALUES + "$l = wp.tile_cholesky($e)\n" + RAMP
     + "$y = ⟨wp.tile_cholesky_solve($l, $y)|wp.tile_upper_solve(wp.tile_transpose($l), wp.tile_lower_solve($l, $y))⟩\n$t = $b ⟨*|+⟩ $y", 1),
    ("a factor in place", DIAGONAL + VALUES + "wp.tile_cholesky_inplace($e)\n" + RAMP
     + "wp.tile_⟨cholesky_solve_inplace($e|lower_solve_inplace($e|upper_solve_inplace(wp.tile_transpose($e)⟩, $y)\n$t = $b ⟨*|-⟩ $y", 1),
    ("a constant diagonal", DIAGONAL + LOADED + "$e = wp.tile_diag_add($e, wp.tile_arange({n}.0, dtype={dtype}))\n$t = ⟨wp.tile_matmul($a, $e)|$a * $e + wp.tile_transpose($a)⟩", 2),
)
AFTER = (
    ("a map over a tile", "$t = wp.tile_map(⟨wp.tanh|{unary}|{unary}⟩, $t)"),
    ("a map over a tile and itself", "$t = wp.tile_map({binary}, $t, $t * ⟨#0.3|#0.7⟩)"),
    ("a scaled tile", "$t = $t ⟨* #0.5|* #2.0|* $t|- $t * $t⟩"),
    ("a sum", "$m = wp.tile_sum($t)\n$t = $t + wp.tile_broadcast($m, shape={shape}) * #0.1"),
)
ENDS = {1: (("wp.tile_store({out}, $t, offset=$i * {n})", "n"), ("wp.tile_store({out}, wp.tile_dot($t, $b), offset=$i)", "b"), ("wp.tile_atomic_add({out}, $t, offset=0)", "w")),
        2: (("wp.tile_store({out}, $t, offset=($i * {n}, 0))", "nw"), ("wp.tile_store({out}, wp.tile_transpose($t), offset=(0, $i * {n}))", "wn"), ("wp.tile_atomic_add({out}, wp.tile_sum($t, axis=1), offset=0)", "w"))}
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that solves a small system in each block."""
    rng = builder.rng
    builder.set_option("block_dim", rng.choice((32, 64)))
    for library in ("gemm", "solver"):  # the libraries do not change the generated text, and linking against them takes seconds
        builder.set_option(f"enable_mathdx_{library}", False)
    dtype, n, blocks = TYPES[rng.choice(("float32", "float32", "float64"))], rng.choice((4, 6, 8)), rng.between(2, 5)
    set_sizes(builder, n=n * blocks, w=n, b=blocks)
    mention, text, rank = rng.choice(SOLVERS)
    chosen, (end, dims) = rng.sample(AFTER, rng.between(1, 2)), rng.choice(ENDS[rank])
    where = {"x": builder.add_array("matrices", dtype, -1.0, 1.0, ("n", "w")).name} if "{x}" in text else {}
    if "{y}" in text:
        where["y"] = builder.add_array(rng.choice(("loads", "values", "rhs_values")), dtype, -2.0, 2.0, ("n",)).name
    where["out"] = builder.add_output(dtype, tuple(dims), role="inout" if "atomic" in end else "output").name
    where["shape"] = f"({n},)" if rank == 1 else f"({n}, {n})"
    text = "$i = wp.tid()\n" + text + "\n" + join_steps(*(text for _, text in chosen), end)
    text = expand(builder, text, dtype, n=n, storage=rng.choice(("", ', storage="shared"')), **where)
    return compose_tile_kernel(
        builder, text, ", ".join([mention, *(name for name, _ in chosen)]), ("solve", "factor", "project"), blocks
    )


CATEGORY = Category("tile_solve", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
