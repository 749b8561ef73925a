"""Category `tile_thread`: values of single threads in tiles: sums, bins, stacks, random numbers."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

# The adjoints of ``wp.tile`` and ``wp.untile`` are correct for tiles in registers only: no views, elements or broadcasts.
# fmt: off
SUMS = (
    ("a sum over a block", "$t = wp.tile($x)\nwp.tile_store({out_b}, wp.tile_sum(⟨$t|$t * $t|wp.tile_map({unary}, $t)⟩), offset={block})", "out_b"),
    ("a sum of squares over a block", "$t = wp.tile($x)\nwp.tile_store({out_b}, wp.tile_dot($t, $t), offset={block})", "out_b"),
    ("a tile of threads", "$t = wp.tile($x)\nwp.tile_store({out_n}, ⟨$t|$t * $t|wp.tile_map({unary}, $t)⟩, offset={block} * {size})", "out_n"),
    ("a mean over a block", "$t = wp.tile($x)\n$u = $t - wp.tile_broadcast(wp.tile_sum($t), shape=({size},)) * ⟨0.05|0.01⟩\n{out_n}[$i] = wp.untile($u) ⟨*|+⟩ $x", "out_n"),
    ("a map over threads", "$t = wp.tile($x)\n$t = wp.tile_map(⟨wp.sin|wp.tanh|{unary}⟩, $t) * ⟨0.5|2.0⟩\n{out_n}[$i] = wp.untile($t) ⟨+|-|*⟩ $x", "out_n"),
    ("a sum of vectors", "$v = {points}[$i] * $x\n$t = wp.tile($v, preserve_type=True)\nwp.tile_store({out_v}, wp.tile_sum($t)⟨| * 0.5⟩, offset={block})", "out_v"),
    ("components of vectors", "$v = {points}[$i] * ⟨0.5|$x|$x|$x⟩\n$t = wp.tile($v)\n$t = $t ⟨* $t|- $t * 0.25⟩\n$y = wp.untile($t)\n{out_n}[$i] = ⟨wp.dot($y, {points}[$i])|$y[0] - $y[2]⟩", "out_n"),
    ("a histogram", ("$z = wp.tile_zeros(shape={bins}, dtype=float, storage=\"shared\")\nwp.tile_scatter_add($z, $k % {bins}, $x⟨| * $x⟩, ⟨True|{lane} % 3 != 1|$k % 3 != 0⟩)\n"
                    "wp.tile_atomic_add({sum_b}, $z, offset=⟨0|{block} % 2 * {bins}⟩)"), "sum_b"),
    ("values at places", ("$z = wp.tile_⟨zeros|ones⟩(shape={size}, dtype=float, storage=\"shared\")\nwp.tile_scatter_masked($z, ⟨{lane}|{last} - {lane}⟩, $x⟨| * 0.5⟩, ⟨True|{lane} % 3 != 1|{lane} % 2 == 0⟩)\n"
                         "wp.tile_store({out_n}, $z ⟨* $z|* 2.0⟩, offset={block} * {size})"), "out_n"),
    ("a histogram of whole numbers", ("$z = wp.tile_zeros(shape={bins}, dtype=int, storage=\"shared\")\nwp.tile_scatter_add($z, $k % {bins}, ⟨1|$k⟩, ⟨True|$k > 1⟩)\n"
                                     "wp.tile_store({whole}, $z, offset={block} * {bins})"), "whole"),
    ("a stack of chosen items", ("$z = wp.tile_stack(capacity={capacity}, dtype=int)\nwp.tile_stack_push($z, $k, $k ⟨> 2|% 2 == 0|% 3 != 1⟩)\n$d = wp.tile_stack_count($z)\n"
                                "⟨$v, $o = wp.tile_stack_pop($z)\nif $o >= 0:\n    wp.atomic_add({whole}, {block}, $v + $d)|wp.tile_stack_clear($z)\nwp.tile_stack_push($z, $k + $d, True)\n$v, $o = wp.tile_stack_pop($z)\nif $o >= 0:\n    wp.atomic_add({whole}, {block}, $v)|wp.atomic_add({whole}, {block}, $d + $k)⟩"), "whole"),
    ("a value of one thread", "$h = $k ⟨* 2|+ 1⟩\n$m = wp.tile_from_thread(shape={bins}, value=$h, thread_idx=⟨0|{half}|{last}⟩)\nwp.tile_store({whole}, ⟨$m|wp.tile_map({recode}, $m)⟩ ⟨+|*⟩ wp.tile_arange({bins}, dtype=int), offset={block} * {bins})", "whole"),
    ("random whole numbers", "$m = wp.tile_randi(shape={bins}, rng=wp.rand_init(⟨7|42⟩, {block})⟨|, min=0, max=100⟩)\nwp.tile_store({whole}, ⟨$m|$m * 2|wp.tile_map({recode}, $m)|wp.tile_map({recode}, $m)⟩ ⟨+|^⟩ wp.tile_arange({bins}, dtype=int), offset={block} * {bins})", "whole"),
    ("random numbers", "$t = wp.tile($x)\n$r = wp.tile_randf(shape={size}, rng=wp.rand_init(⟨7|42⟩, {block})⟨|, min=0.5, max=1.5⟩)\nwp.tile_store({out_n}, $t ⟨*|+⟩ $r, offset={block} * {size})", "out_n"),
)
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel in which blocks combine one value of each thread."""
    rng = builder.rng
    size, bins, blocks = rng.choice((32, 64)), rng.choice((4, 8, 16)), rng.between(3, 6)
    builder.set_option("block_dim", size)
    set_sizes(builder, n=size * blocks, b=blocks, z=bins * blocks, c=2 * bins)
    by_kind = {kind: (mention, text, kind) for mention, text, kind in rng.shuffled(SUMS)}  # one template for each output
    chosen = rng.sample(tuple(by_kind.values()), rng.choice((1, 1, 1, 2, 3)))
    body = "\n".join(text for _, text, _ in chosen)
    where: dict[str, object] = {"block": f"($i // {size})", "lane": f"($i % {size})"}
    start = "$i = wp.tid()"
    if "$x" in body:
        read = builder.add_input(FLOAT, dims=("n",)).name
        start += f"\n$x = {{unary}}({read}[$i])⟨| * 0.5| * {read}[$i]| + 0.25⟩"
    if "{points}" in body:
        where["points"] = builder.add_array("points", VEC3, -1.0, 1.0, ("n",)).name
    if "$k" in body:
        where["keys"] = builder.add_array(rng.choice(("keys", "labels", "cells")), INT, 0, 99, ("n",)).name
        start += "\n$k = {recode}({keys}[$i])"
    kinds = {"out_b": (FLOAT, "b"), "out_n": (FLOAT, "n"), "out_v": (VEC3, "b"), "whole": (INT, "z"), "sum_b": (FLOAT, "c")}
    for *_, kind in chosen:
        dtype, dim = kinds[kind]
        adds = kind == "sum_b" or (kind == "whole" and "atomic_add({whole}" in body)
        where[kind] = builder.add_output(dtype, (dim,), role="inout" if adds else "output").name
    text = join_steps(start, *(text for _, text, _ in chosen), shared="ixk")
    text = expand(
        builder, text, size=size, bins=bins, half=size // 2, last=size - 1, capacity=size * rng.choice((1, 2)), **where
    )
    return compose_tile_kernel(
        builder, text, ", ".join(name for name, *_ in chosen), ("gather", "reduce", "bin", "collect"), blocks, one_each=True
    )


CATEGORY = Category("tile_thread", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
