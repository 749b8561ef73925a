"""Category `tile_scan`: scans, sorts, extremes and reductions of tiles.

Warp has no adjoint for these operations: their arguments are integers and constants, or floats where only order or position
matters.
"""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import BLOCKS, compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# fmt: off
WHOLE = (
    ("a map over whole numbers", "$h = wp.tile_map({recode}, $h)"),
    ("a running count", "$h = wp.tile_scan_⟨inclusive|exclusive⟩($h)"),
    ("a running extreme", "$h = wp.tile_scan_⟨max|min⟩_inclusive($h)"),
    ("differences from an extreme", "$m = wp.tile_⟨max|min⟩($h)\n$h = $h + $h - wp.tile_broadcast($m, shape=({size},))"),
    ("a bitwise tile", "$c = wp.tile_full(shape={size}, value=⟨7|3|$i⟩, dtype=int)\n$h ⟨= $h ^ $c|^= $c|= ($h & $c) + $h⟩"),
    ("a shifted count", "$h = $h ⟨+|-⟩ wp.tile_arange(⟨{size}|0, {size}, 1⟩, dtype=int)"),
    ("a sorted tile", "$n = wp.tile_arange({size}, dtype=int)\nwp.tile_sort($h, $n)\n$h = $h ⟨+|-⟩ $n"),
    ("a reduction over a tile", "$m = wp.tile_reduce(⟨wp.max|wp.min|wp.add⟩, $h)\n$h = $h ⟨+|-⟩ wp.tile_broadcast($m, shape=({size},))"),
    ("a reduction along an axis", ("$w = wp.tile_reshape($h, shape=(⟨2, {half}|4, {quarter}|{half}, 2⟩))\n$r = wp.tile_reduce(⟨wp.add|wp.max|wp.min⟩, $w, axis=⟨0|1⟩)\n"
                                  "$h = $h + wp.tile_broadcast(wp.tile_sum($r), shape=({size},))")),
)
MIXED = (
    ("weights of a running sum", ("$y = wp.tile_scan_⟨inclusive|exclusive|max_inclusive|min_inclusive⟩(wp.tile_⟨arange({size}.0, 0.0, -1.0, dtype=float)|ones(shape={size}, dtype=float)|astype($h, dtype=float)⟩)\n"
                                 "$t = $t ⟨*|+⟩ $y * 0.01")),
    ("an element at an extreme", "$e = wp.tile_extract(wp.tile_arg⟨max|min⟩(⟨$h|$t|$u⟩), 0)\n$t = $t ⟨*|-⟩ wp.tile_broadcast(wp.tile_view(⟨$u|$t⟩, offset=($e,), shape=(1,)), shape=({size},))"),
    ("elements in sorted order", "$n = wp.tile_arange({size}, dtype=int)\n⟨wp.tile_sort($h, $n)|$q = wp.tile_load({x}, shape={size}, offset=$i * {size})\nwp.tile_sort($q, $n)⟩\n$t = $t ⟨+|-|*⟩ $u[$n]"),
    ("a share of the total", "$m = wp.tile_reduce(⟨wp.add|wp.max⟩, $h)\n$t = $t * wp.tile_broadcast(wp.tile_astype($m, dtype=float), shape=({size},)) * 0.001"),
    ("a reduction of constants", "$e = wp.tile_extract(wp.tile_reduce(⟨wp.mul|wp.add|wp.max⟩, wp.tile_full(shape={size}, value=⟨1.01|0.99⟩, dtype=float)), 0)\n$t = $t * $e"),
    ("a branch on an extreme", "$f = float(1.0)\nif wp.tile_extract(wp.tile_⟨max|min⟩($⟨t|u⟩), 0) ⟨>|<⟩ ⟨0.5|1.0⟩:\n    $f = ⟨0.5|wp.tile_extract($u, 0)⟩\n$t = $t ⟨+|-⟩ $u * $f"),
    ("a running count as weights", "$t = $t * wp.tile_astype(wp.tile_scan_⟨inclusive|exclusive⟩($h), dtype=float) * 0.001"),
)
FLOAT_ENDS = (
    ("wp.tile_store({out}, $t, offset=$i * {size})", "n"),
    ("wp.tile_store({out}, wp.tile_⟨sum($t)|dot($t, $u)⟩, offset=$i)", "b"),
)
WHOLE_ENDS = (
    ("wp.tile_store({whole_out}, $h, offset=$i * {size})", "n"),
    ("wp.tile_store({whole_out}, wp.tile_sum($h)⟨| - wp.tile_max($h)| + wp.tile_min($h)⟩, offset=$i)", "b"),
    ("wp.tile_store({whole_out}, wp.tile_arg⟨max|min⟩($h) + wp.tile_full(shape=1, value=$i * {size}, dtype=int), offset=$i)", "b"),
    ("wp.tile_atomic_add({whole_out}, $h, offset=($i // 2) * {size})", "n"),
)
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel over integers, and in half of the cases floats that they weigh or order."""
    rng = builder.rng
    builder.set_option("block_dim", rng.choice(BLOCKS))
    size, blocks, where, mixed = rng.choice((16, 32, 64, 128)), rng.between(3, 8), {}, rng.chance(0.65)
    set_sizes(builder, n=size * blocks, b=blocks)
    keys = builder.add_array(rng.choice(("keys", "codes", "ranks", "marks")), INT, 0, rng.choice((99, 500, 1000)), ("n",))
    lines, ends = [f"$h = wp.tile_load({keys.name}, shape={size}, offset=$i * {size})"], []
    chosen = [WHOLE[0], *rng.sample(WHOLE[1:], rng.between(0 if mixed else 1, 2))]
    if mixed:
        for key, letter in (("x", "t"), ("y", "u")):
            where[key] = builder.add_input(FLOAT, dims=("n",)).name
            lines.append(f"${letter} = wp.tile_load({{{key}}}, shape={size}, offset=$i * {size})")
        chosen += rng.sample(MIXED, rng.between(1, 3))
        end, dims = rng.choice(FLOAT_ENDS)
        where["out"] = builder.add_output(FLOAT, (dims,)).name
        ends.append(end)
    if not mixed or rng.chance(0.3):
        end, dims = rng.choice(WHOLE_ENDS)
        where["whole_out"] = builder.add_output(INT, (dims,), role="inout" if "atomic" in end else "output").name
        ends.append(end)
    text = join_steps("$i = wp.tid()", *lines, *(step for _, step in chosen), *ends)
    text = expand(builder, text, size=size, half=size // 2, quarter=size // 4, **where)
    return compose_tile_kernel(
        builder, text, ", ".join(name for name, _ in chosen), ("scan", "rank", "sort", "order", "count"), blocks
    )


CATEGORY = Category("tile_scan", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
