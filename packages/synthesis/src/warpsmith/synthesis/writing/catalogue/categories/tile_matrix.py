"""Category `tile_matrix`: tiled matrix products, followed by biases, activations, sums of rows."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import TYPES
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# fmt: off
LEFT = ("$a = wp.tile_load({x}, shape=({m}, {k}), offset=($i * {m}, {step} * {k}){storage})",
        "$a = wp.tile_transpose(wp.tile_load({x}, shape=({k}, {m}), offset=({step} * {k}, $i * {m})))")
RIGHT = "$b = wp.tile_load({y}, shape=({k}, {n}), offset=({step} * {k}, $j * {n}))"
NAMES = ("lhs_m", "rhs_m")
PRODUCTS = (
    ("$t = wp.tile_⟨zeros|ones⟩(shape=({m}, {n}), dtype={dtype})\nfor $k in range({steps}):\n    {left}\n    {right}\n"
    "    wp.tile_matmul($a, $b⟨| * #0.5⟩, $t⟨||, alpha=#0.5|, alpha=#0.25, beta=#0.5⟩)"),
    "$t = wp.tile_zeros(shape=({m}, {n}), dtype={dtype})\nfor $k in range({steps}):\n    {left}\n    {right}\n    $t ⟨+=|-=⟩ wp.tile_matmul($a, $b⟨|, alpha=#0.5⟩)",
    "{left}\n{right}\n$t = wp.tile_matmul($a, $b⟨|, alpha=#0.5⟩)",
)
AFTER = (
    ("an activation", "$t = wp.tile_map(⟨wp.tanh|{unary}|{unary}⟩, $t)"),
    ("a gate", "$t = wp.tile_map({binary}, $t, $t * ⟨#0.3|#0.7⟩)"),
    ("a bias", "$c = wp.tile_load({bias}, shape={n}, offset=$j * {n})\n$t = $t ⟨+|-|*⟩ wp.tile_broadcast($c, shape=({m}, {n}))"),
    ("a scaled product", "$t = $t * ⟨#0.5|#0.1|#2.0⟩"),
    ("row sums", "$r = wp.tile_reshape(wp.tile_sum($t, axis=1), shape=({m}, 1))\n$t = $t - wp.tile_broadcast($r, shape=({m}, {n})) * #0.1"),
)
ENDS = (("wp.tile_store({out}, $t, offset=($i * {m}, $j * {n}))", "mn"), ("wp.tile_store({out}, wp.tile_transpose($t), offset=($j * {n}, $i * {m}))", "nm"),
        ("wp.tile_atomic_add({out}, $t, offset=(0, $j * {n}))", "mn"), ("wp.tile_atomic_add({out}, wp.tile_sum($t, axis=⟨0|0⟩), offset=$j * {n})", "n"))
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel for a product over a grid of tiles."""
    rng = builder.rng
    builder.set_option("block_dim", rng.choice((32, 64)))
    builder.set_option(
        "enable_mathdx_gemm", False
    )  # the library does not change the generated text, and linking against it takes seconds
    dtype = TYPES[rng.choice(("float32", "float32", "float64", "float16"))]
    m, n, k = (rng.choice((4, 8, 16)) for _ in range(3))
    rows, columns, (left, right), product = (
        rng.between(1, 3),
        rng.between(1, 3),
        (rng.choice(LEFT), RIGHT),
        rng.choice(PRODUCTS),
    )
    steps, step = (rng.between(2, 3), "$k") if "for" in product else (1, "0")
    set_sizes(builder, m=m * rows, n=n * columns, k=k * steps)
    dims = (("k", "m") if "transpose" in left else ("m", "k")), ("k", "n")
    where: dict[str, object] = {
        key: builder.add_array(name, dtype, -1.0, 1.0, dim).name for key, name, dim in zip("xy", NAMES, dims, strict=True)
    }
    chosen, (end, out_dims) = rng.sample(AFTER, rng.between(1, 2)), rng.choice(ENDS)
    if any("bias" in text for _, text in chosen):
        where["bias"] = builder.add_array("biases", dtype, -1.0, 1.0, ("n",)).name
    where["out"] = builder.add_output(dtype, tuple(out_dims), role="inout" if "atomic" in end else "output").name
    text = join_steps("$i, $j = wp.tid()\n" + product, *(text for _, text in chosen), end)
    storage = rng.choice(("", "", ', storage="shared"'))
    where |= {"step": step, "steps": steps, "storage": storage, "m": m, "n": n, "k": k}
    text = expand(builder, text.replace("{left}", left).replace("{right}", right), dtype, **where)
    mention = ", ".join(["a product of matrices", *(name for name, _ in chosen)])
    return compose_tile_kernel(builder, text.replace("$k0", "$k"), mention, ("multiply", "project", "contract"), rows, columns)


CATEGORY = Category("tile_matrix", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
