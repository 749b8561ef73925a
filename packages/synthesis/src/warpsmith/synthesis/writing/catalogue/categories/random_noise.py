"""Random numbers and noise: Monte Carlo, jitter, sampling of shapes, procedural textures."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import Palette
from warpsmith.synthesis.writing.skeletons.compose import around
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch
from warpsmith.synthesis.writing.skeletons.templates import Idiom, give, inner, need

PALETTE = Palette((("arithmetic", 4.0), ("vector", 2.0), ("curve", 1.0), ("selection", 0.6)))

X, P, SEED = need(FLOAT), need(VEC3), need(INT, 0, 60)
STATE = inner("rng", "rng", "state", "rng_state")
START = "$rng = wp.rand_init(⟨17|42|1234⟩⟨, {1}|, {1} * 7 + 3⟩)\n"
NUMBER = give("u", FLOAT, -60.0, 60.0, "sampled", "noise", "jitter", "draw", "estimate")
POINT = give("v", VEC3, -9.0, 9.0, "offset", "sample_dir", "perturbed", "random_dir")

IDIOMS = (
    Idiom("uniform random numbers", START + "$u = {0} + wp.randf($rng⟨|, -1.0, 1.0|, 0.0, 2.0⟩) * ⟨0.5|2.0⟩", (X, SEED), (STATE, NUMBER)),
    Idiom("normal random numbers", START + "$u = {0} + wp.randn($rng) * ⟨0.1|0.5|1.5⟩", (X, SEED), (STATE, NUMBER)),
    Idiom("random whole numbers", START + "$u = {0} * float(wp.randi($rng, ⟨0, 10|1, 7|-5, 6⟩))", (X, SEED), (STATE, NUMBER)),
    Idiom("random bits", START + "$b = wp.randu($rng⟨, wp.uint32(0), wp.uint32(16)⟩)\n$u = {0} + float($b ⟨%|&⟩ wp.uint32(⟨7|15⟩))", (X, SEED),
          (STATE, inner("b", "bits", "word", "key"), NUMBER)),
    Idiom("a random direction", START + "$v = {2} * ⟨0.5|0.9⟩ + wp.sample_unit_⟨sphere|sphere_surface|hemisphere|hemisphere_surface|cube⟩($rng)",
          (X, SEED, P), (STATE, POINT)),
    Idiom("a random point of the plane", START + "$d = wp.sample_unit_⟨disk|ring|square⟩($rng)\n$u = {0} * $d[0] + $d[1]", (X, SEED),
          (STATE, inner("d", "lens", "uv", "disk_point"), NUMBER)),
    Idiom("a random point of a triangle", START + "$d = wp.sample_triangle($rng)\n$u = {0} * $d[0] + (1.0 - $d[0] - $d[1]) * ⟨2.0|0.5⟩", (X, SEED),
          (STATE, inner("d", "bary", "uv"), NUMBER)),
    Idiom("a Poisson count", START + "$n = wp.poisson($rng, ⟨2.0|3.5|8.0⟩)\n$u = {0} + float($n) * ⟨0.1|0.5⟩", (X, SEED),
          (STATE, inner("n", "arrivals", "hits", "count_p"), NUMBER)),
    Idiom("noise", "$rng = wp.rand_init(⟨42|7|99⟩)\n$u = wp.⟨noise($rng, {0} * 0.7)|noise($rng, {0} + 0.3)|pnoise($rng, {0}, 4)⟩", (X,), (STATE, NUMBER)),
    Idiom("noise in space", "$rng = wp.rand_init(⟨42|7⟩)\n$u = wp.noise($rng, {0} * ⟨0.5|1.3⟩) + 0.5 * wp.noise($rng, {0} * 2.0)", (P,), (STATE, NUMBER)),
    Idiom("periodic noise", "$rng = wp.rand_init(⟨3|11⟩)\n$u = wp.pnoise($rng, wp.vec2({0}[0], {0}[1]), ⟨4, 4|8, 2⟩) * ⟨1.0|2.5⟩", (P,), (STATE, NUMBER)),
    Idiom("curl noise", "$rng = wp.rand_init(⟨5|21⟩)\n$v = {0} + wp.curlnoise($rng, {0}⟨| * 0.5⟩⟨|, wp.uint32(2), 2.0, 0.5⟩)", (P,),
          (STATE, give("v", VEC3, -30.0, 30.0, "advected", "turbulence", "swirled"))),
    Idiom("a Monte Carlo estimate",
          START + "$acc = float(0.0)\nfor $k in range(⟨8|4|6⟩):\n    $p = wp.randf($rng) * {0}\n    $acc += ⟨wp.exp(-$p * $p)|wp.sin($p)|$p * $p⟩\n"
          "$u = $acc / ⟨8.0|4.0⟩", (X, SEED), (STATE, inner("acc", "acc", "total"), inner("k", "sample", "k", "trial"), inner("p", "point", "xi"), NUMBER)),
)  # fmt: skip


def draw(s: Sketch) -> Kernel:
    """Numbers, points and whole numbers in, samples out; sometimes of a table of probabilities."""
    idioms: tuple[Idiom, ...] = IDIOMS
    if s.d.chance(0.1):
        s.size("t", 16, 16)
        table = s.array("cdf", FLOAT, 0.0, 1.0, ("t",)).name
        idioms = (
            Idiom(
                "a draw from a table of probabilities",
                START + f"$u = {{0}} * float(wp.sample_cdf($rng, {table}) ⟨% 7|+ 1⟩)",
                (X, SEED),
                (STATE, NUMBER),
            ),
        )
    return around(
        s, idioms, (FLOAT, INT, VEC3), (FLOAT, FLOAT, VEC3), ("sample", "perturb", "jitter", "estimate", "simulate"), 2
    )


CATEGORY = Category("random_noise", draw, PALETTE, "with random numbers and noise", "random", tried=False)
