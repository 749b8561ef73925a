"""Category `tile_shared`: gathers, scatters, columns by number, random tiles, loads and stores through a list of indices."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import BLOCKS, compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# fmt: off
INDICES = (
    "$n = wp.tile_load({ids}, shape={count}, offset=$i * {count})",
    "$n = wp.tile_arange({count}, dtype=int)",
    "$n = wp.tile_arange(0, {twice}, 2, dtype=int)",
    "$n = wp.tile_load({ids}, shape={count}, offset=0, storage=\"shared\")",
    "$c = wp.tile_randi(shape={count}, rng=wp.rand_init(⟨7|42|123⟩, $i), min=0, max={twice})\n$n = $c ⟨^ wp.tile_full(shape={count}, value=1, dtype=int)|& wp.tile_full(shape={count}, value=7, dtype=int)⟩",
)
ROWS = (  # {values} stands for rows of a matrix, $w for rows of a tile
    ("rows by index", "$t = wp.tile_load_indexed({matrix}, indices=$n, shape=({count}, {width}), offset=(⟨0|$i⟩, 0), axis=0)"),
    ("columns by index", ("$w = wp.tile_load({matrix}, shape=({count}, {width}), offset=($i * {count}, 0){storage})\n$g = wp.tile_arange(⟨0, {width}, 2|1, {width}, 2⟩, dtype=int)\n"
                         "$w = $w[:, $g]\n$t = wp.tile_broadcast(wp.tile_reshape(wp.tile_sum($w, axis=1), shape=({count}, 1)), shape=({count}, {width}))")),
    ("rows of a tile by index", "$w = wp.tile_load({matrix}, shape=({twice}, {width}), offset=($i * {count}, 0))\n$t = $w[$n]"),
    ("a slice of a tile", "$w = wp.tile_load({matrix}, shape=({twice}, {width}), offset=($i * {count}, 0){storage})\n$t = $w[⟨0:{count}|{count}:{twice}⟩, ⟨0:{width}|:⟩]"),
    ("one row for all", "$w = wp.tile_load({matrix}, shape=({twice}, {width}), offset=($i * {count}, 0))\n$t = wp.tile_broadcast(⟨$w[2]|wp.tile_squeeze(wp.tile_view($w, offset=(1, 0), shape=(1, {width})))|wp.tile_squeeze($w[3:4], axis=(0,))⟩, shape=({count}, {width}))"),
    ("a squeezed tile", "$w = wp.tile_load({matrix}, shape=({count}, {width}), offset=($i * {count}, 0))\n$t = wp.tile_squeeze(wp.tile_reshape($w, shape=({count}, 1, {width})))"),
)
CHANGES = (
    ("a map over a tile", "$t = wp.tile_map(⟨wp.tanh|{unary}|{unary}⟩, $t)"),
    ("a map over a tile and itself", "$t = wp.tile_map({binary}, $t, $t * ⟨0.3|0.7⟩)"),
    ("a weighted tile", "$t = ⟨$t|wp.tile_map({unary}, $t)⟩ ⟨* 0.5|* $t|- $t * 2.0⟩"),
    ("an entry of a tile", "$e = ⟨wp.tile_extract($t, ⟨0|1⟩, 2)|$t[1, ⟨0|3⟩]⟩\n$t = ⟨$t|wp.tile_map({unary}, $t)⟩ * $e"),
    ("an entry added to", "$z = wp.tile_zeros(shape=({count}, {width}), dtype=float, storage=\"shared\")\nwp.tile_assign($z, $t, offset=(0, 0))\n$t = $z * 0.75 + ⟨$t * 0.5|wp.tile_map({unary}, $t)⟩"),
)
ENDS = (
    "wp.tile_store({out}, $t, offset=($i * {count}, 0))",
    "$g = wp.tile_arange({count}, dtype=int)\nwp.tile_store_indexed({out}, indices=$g, t=$t, offset=($i * {count}, 0), axis=0)",
    "wp.tile_atomic_add_indexed({out}, indices=$n, t=$t, offset=(0, 0), axis=0)",
    "wp.tile_atomic_add({out}, $t, offset=($i * {count}, 0))",
)
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that gathers rows of a matrix by index, changes them and scatters them by index."""
    rng = builder.rng
    builder.set_option("block_dim", rng.choice(BLOCKS))
    count, width, blocks = rng.choice((4, 8, 16)), rng.choice((4, 8, 12)), rng.between(3, 6)
    set_sizes(builder, n=count * (blocks + 1), w=width, m=count * blocks)
    indices, (mention, rows), end = rng.choice(INDICES), rng.choice(ROWS), rng.choice(ENDS)
    changes = rng.sample(CHANGES, rng.between(1, 2))
    needed = [indices] if "$n" in rows + end else []
    where = {"matrix": builder.add_input(FLOAT, dims=("n", "w")).name}
    if needed and "{ids}" in indices:
        where["ids"] = builder.add_array(rng.choice(("ids", "row_ids", "picks")), INT, 0, 2 * count - 1, ("m",)).name
    rows_out = "n" if "indexed({out}, indices=$n" in end else "m"
    where["out"] = builder.add_output(FLOAT, (rows_out, "w"), role="inout" if "atomic" in end else "output").name
    text = join_steps("$i = wp.tid()", "\n".join([*needed, rows, *(text for _, text in changes), end]))
    storage = rng.choice(("", ', storage="shared"'))
    text = expand(builder, text, count=count, twice=2 * count, width=width, storage=storage, **where)
    return compose_tile_kernel(
        builder, text, ", ".join([mention, *(name for name, _ in changes)]), ("gather", "scatter", "pick", "route"), blocks
    )


CATEGORY = Category("tile_shared", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
