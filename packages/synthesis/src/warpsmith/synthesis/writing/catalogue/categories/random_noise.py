"""Category `random_noise`: Monte Carlo, jitter, sampling of shapes, procedural textures."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("curve", 1.0), ("selection", 0.6)))

X, P, SEED = template_input(FLOAT), template_input(VEC3), template_input(INT, 0, 60)
STATE = inner("rng", "rng", "state", "rng_state")
START = "$rng = wp.rand_init(⟨17|42|1234⟩⟨, {1}|, {1} * 7 + 3⟩)\n"
NUMBER = template_output("u", FLOAT, -60.0, 60.0, "sampled", "noise", "jitter", "draw", "estimate")
POINT = template_output("v", VEC3, -9.0, 9.0, "offset", "sample_dir", "perturbed", "random_dir")

TEMPLATES = (
    Template("uniform random numbers", START + "$u = {0} + wp.randf($rng⟨|, -1.0, 1.0|, 0.0, 2.0⟩) * ⟨0.5|2.0⟩", (X, SEED), (STATE, NUMBER)),
    Template("normal random numbers", START + "$u = {0} + wp.randn($rng) * ⟨0.1|0.5|1.5⟩", (X, SEED), (STATE, NUMBER)),
    Template("random whole numbers", START + "$u = {0} * float(wp.randi($rng, ⟨0, 10|1, 7|-5, 6⟩))", (X, SEED), (STATE, NUMBER)),
    Template("random bits", START + "$b = wp.randu($rng⟨, wp.uint32(0), wp.uint32(16)⟩)\n$u = {0} + float($b ⟨%|&⟩ wp.uint32(⟨7|15⟩))", (X, SEED),
          (STATE, inner("b", "bits", "word", "key"), NUMBER)),
    Template("a random direction", START + "$v = {2} * ⟨0.5|0.9⟩ + wp.sample_unit_⟨sphere|sphere_surface|hemisphere|hemisphere_surface|cube⟩($rng)",
          (X, SEED, P), (STATE, POINT)),
    Template("a random point of the plane", START + "$d = wp.sample_unit_⟨disk|ring|square⟩($rng)\n$u = {0} * $d[0] + $d[1]", (X, SEED),
          (STATE, inner("d", "lens", "uv", "disk_point"), NUMBER)),
    Template("a random point of a triangle", START + "$d = wp.sample_triangle($rng)\n$u = {0} * $d[0] + (1.0 - $d[0] - $d[1]) * ⟨2.0|0.5⟩", (X, SEED),
          (STATE, inner("d", "bary", "uv"), NUMBER)),
    Template("a Poisson count", START + "$n = wp.poisson($rng, ⟨2.0|3.5|8.0⟩)\n$u = {0} + float($n) * ⟨0.1|0.5⟩", (X, SEED),
          (STATE, inner("n", "arrivals", "hits", "count_p"), NUMBER)),
    Template("noise", "$rng = wp.rand_init(⟨42|7|99⟩)\n$u = wp.⟨noise($rng, {0} * 0.7)|noise($rng, {0} + 0.3)|pnoise($rng, {0}, 4)⟩", (X,), (STATE, NUMBER)),
    Template("noise in space", "$rng = wp.rand_init(⟨42|7⟩)\n$u = wp.noise($rng, {0} * ⟨0.5|1.3⟩) + 0.5 * wp.noise($rng, {0} * 2.0)", (P,), (STATE, NUMBER)),
    Template("periodic noise", "$rng = wp.rand_init(⟨3|11⟩)\n$u = wp.pnoise($rng, wp.vec2({0}[0], {0}[1]), ⟨4, 4|8, 2⟩) * ⟨1.0|2.5⟩", (P,), (STATE, NUMBER)),
    Template("curl noise", "$rng = wp.rand_init(⟨5|21⟩)\n$v = {0} + wp.curlnoise($rng, {0}⟨| * 0.5⟩⟨|, wp.uint32(2), 2.0, 0.5⟩)", (P,),
          (STATE, template_output("v", VEC3, -30.0, 30.0, "advected", "turbulence", "swirled"))),
    Template("a Monte Carlo estimate",
          START + "$acc = float(0.0)\nfor $k in range(⟨8|4|6⟩):\n    $p = wp.randf($rng) * {0}\n    $acc += ⟨wp.exp(-$p * $p)|wp.sin($p)|$p * $p⟩\n"
          "$u = $acc / ⟨8.0|4.0⟩", (X, SEED), (STATE, inner("acc", "acc", "total"), inner("k", "sample", "k", "trial"), inner("p", "point", "xi"), NUMBER)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes samples from numbers, points and integers, sometimes of a table of probabilities."""
    templates: tuple[Template, ...] = TEMPLATES
    if builder.rng.chance(0.1):
        builder.draw_size("t", 16, 16)
        table = builder.add_array("cdf", FLOAT, 0.0, 1.0, ("t",)).name
        templates = (
            Template(
                "a draw from a table of probabilities",
                START + f"$u = {{0}} * float(wp.sample_cdf($rng, {table}) ⟨% 7|+ 1⟩)",
                (X, SEED),
                (STATE, NUMBER),
            ),
        )
    return compose_kernel(
        builder, templates, (FLOAT, INT, VEC3), (FLOAT, FLOAT, VEC3), ("sample", "perturb", "jitter", "estimate", "simulate"), 2
    )


CATEGORY = Category("random_noise", draw, WEIGHTS, "with random numbers and noise", "random", dry_run=False)
