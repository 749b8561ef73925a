"""Category `tile`: a block of threads loads parts of arrays together, and maps, adds, slices, joins, sums and stores them."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, TYPES
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import BLOCKS, compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# Branches choose numbers, not tiles: the adjoint of ``wp.where`` loses gradients of tiles that are later in shared memory.
# The adjoint of a number that multiplies a tile also sums values of threads that hold no element; these are zero only in a
# tile that was loaded.
# fmt: off
OPENINGS = (
    "$t = wp.tile_load({x}, shape={size}, offset=$i * {size}{storage})\n",
    "$t = wp.tile_load({x}, shape=({size},), offset=($i * {size},){storage})\n$t = ⟨$t * #0.5|wp.tile_map(wp.tanh, $t)|-$t⟩\n",
    ("$t = wp.tile_⟨zeros|ones⟩(shape={size}, dtype={dtype})\nfor $k in range({steps}):\n"
    "    $q = wp.tile_load({x}, shape={size}, offset=($i * {steps} + $k) * {size})\n    ⟨$t += $q|$t -= $q * #0.5|$t = $t + $q * $q|$t += wp.tile_map(wp.sin, $q)⟩\n"),
)
SECOND = "$u = wp.tile_load({y}, shape={size}, offset=$i * {size})\n"
STEPS = (
    ("a map over a tile", "$t = wp.tile_map(⟨wp.sin|wp.tanh|wp.abs|{unary}|{unary}⟩, $t)"),
    ("a map over two tiles", "$t = ⟨wp.tile_map({binary}, $t, ⟨$u|$u|#0.5⟩)|wp.tile_map(⟨wp.min|wp.max⟩, $t, $u * ⟨#0.7|#0.4⟩)⟩"),
    ("a map over three tiles", "$t = wp.tile_map({ternary}, $t, $u, ⟨$t|$u|-$u⟩)"),
    ("arithmetic of tiles", "$t = ⟨$t + $u|$t - $u|$t * #0.5 + $u|-$t + $u * #0.1|$t * $u|#2.0 * $t - $u|$t / ($u * $u + wp.tile_ones(shape={size}, dtype={dtype}))⟩"),
    ("a change in place", "$t ⟨+= $u|-= $u|+= $u * #0.5⟩"),
    ("a scaled sum of tiles", "wp.tile_axpy(⟨#0.5|#2.0|wp.tile_extract($u, {half})⟩, $u, $t)"),
    ("a part of a tile", ("$p = ⟨wp.tile_view($t, offset=(⟨0|{half}⟩,), shape=({half},))|$t[⟨0:{half}|{half}:{size}|0:{size}:2⟩]⟩\n"
                         "$t = wp.tile_broadcast(wp.tile_sum($p), shape=({size},)) ⟨+|-⟩ $t")),
    ("a centred tile", "$m = wp.tile_sum($t)\n$t = $t - wp.tile_broadcast($m, shape=({size},)) * ⟨#0.05|#0.01⟩"),
    ("a constant tile", "$c = wp.tile_⟨full(shape={size}, value=⟨#0.5|#2.0|{dtype}($i)⟩, dtype={dtype})|ones(shape={size}, dtype={dtype})|astype(wp.tile_arange(⟨0.0, {size}.0, 1.0|{size}.0⟩, dtype=float), dtype={dtype})⟩\n$t = $t ⟨+|-|*⟩ $c * ⟨#0.1|#0.3⟩"),
    ("an element of a tile", "$e = ⟨wp.tile_extract($t, ⟨0|{half}|1⟩)|$t[⟨2|3⟩]⟩\n$t = $t ⟨* $e|- $u * $e⟩"),
    ("halves that change places", ("$w = wp.tile_⟨empty|zeros⟩(shape={size}, dtype={dtype})\nwp.tile_assign($w, wp.tile_view($t, offset=({half},), shape=({half},)), offset=(0,))\n"
                                  "wp.tile_assign($w, wp.tile_view(⟨$t|$u⟩, offset=(0,), shape=({half},)), offset=({half},))\n$t = $w * #0.5")),
    ("rows and columns", ("$w = wp.tile_reshape($⟨t|u⟩, shape=({half}, 2))\n$m = wp.tile_reshape(wp.tile_sum($w, axis=1), shape=({half}, 1))\n"
                         "$w = $w ⟨+|-|*⟩ wp.tile_broadcast($m, shape=({half}, 2))\n$t = $t + wp.tile_reshape($w, shape=({size},)) * #0.1")),
    ("a folded tile", "$w = wp.tile_reshape($t, shape=(2, {half}))\n$m = wp.tile_sum($w, axis=0)\n$w = $w * #0.5 ⟨+|-⟩ wp.tile_broadcast($m, shape=(2, {half}))\n$t = wp.tile_reshape($w, shape=({size},))"),
    ("another precision", "$w = wp.tile_astype($u, dtype=⟨wp.float64|wp.float32⟩)\n$t = $t + wp.tile_astype($w * $w, dtype={dtype})"),
    ("a choice by place", "$t = $t * wp.where($i ⟨> 1|% 2 == 0⟩, #0.5, ⟨#2.0|#1.5|#-1.0⟩)"),
    ("a branch on an extreme", "$f = {dtype}(1.0)\nif wp.tile_extract(wp.tile_⟨max|min⟩($u), 0) ⟨>|<⟩ #0.5:\n    $f = ⟨#0.5|#0.25 * wp.tile_extract($u, 1)⟩\n$t = $t ⟨+|-⟩ $u * $f"),
)
ENDS = (
    ("a stored tile", "wp.tile_store({out}, $t, offset=$i * {size})", "n"),
    ("a stored tile", "wp.tile_store({out}, wp.tile_reshape($t, shape=({half}, 2)), offset=($i * {half}, 0))", "hc"),
    ("an added tile", "wp.tile_atomic_add({out}, $t, offset=⟨$i * {size}|($i // 2) * {size}⟩)", "n"),
    ("a sum over a tile", "$r = wp.tile_sum($t)\nwp.tile_store({out}, $r, offset=$i)", "b"),
    ("a sum of squares", "wp.tile_store({out}, wp.tile_dot($t, $t) * #0.5, offset=$i)", "b"),
    ("a dot product of tiles", "$r = wp.tile_dot($t, $u)\nwp.tile_store({out}, $r, offset=$i)", "b"),
    ("a total over all tiles", "wp.tile_atomic_add({out}, wp.tile_sum($t), offset=⟨0|$i % 2⟩)", "b"),
)
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel over a row of tiles, one for each block."""
    rng = builder.rng
    builder.set_option("block_dim", rng.choice(BLOCKS))
    dtype = TYPES[rng.choice(("float32", "float32", "float32", "float64", "float16"))]
    narrow = dtype.name == "float16"
    size, blocks, steps = rng.choice((16, 32) if narrow else (16, 32, 64, 128)), rng.between(3, 8), rng.between(2, 4)
    opening = rng.choice(OPENINGS)
    set_sizes(builder, n=size * blocks, b=blocks, h=size * blocks // 2, c=2, r=size * blocks * steps)
    dims, name = ("r" if "range" in opening else "n", "n"), rng.choice(("signal", "samples", "field", "levels"))
    first, second = (
        builder.add_input(FLOAT, dims=(dim,)) if dtype is FLOAT else builder.add_array(name, dtype, -1.0, 1.0, (dim,))
        for dim in dims
    )
    chosen = rng.sample(STEPS, rng.between(1, 2 if narrow else 3))
    mention, end, shape = rng.choice(ENDS[:-1] if narrow else ENDS)
    out = builder.add_output(dtype, tuple(shape), role="inout" if "atomic" in end else "output")
    text = "$i = wp.tid()\n" + opening + SECOND + join_steps(*(step for _, step in chosen), end)
    where = {"x": first.name, "y": second.name, "out": out.name, "storage": rng.choice(("", "", ', storage="shared"'))}
    text = expand(builder, text, dtype, size=size, half=size // 2, steps=steps, **where)
    return compose_tile_kernel(
        builder, text, ", ".join([*(name for name, _ in chosen), mention]), ("transform", "reduce", "blend"), blocks
    )


CATEGORY = Category("tile", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
