"""Hash grids: neighbours within a radius, densities, pressures, forces between particles."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Phrase
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import Palette
from warpsmith.synthesis.writing.skeletons.compose import steps
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch, result
from warpsmith.synthesis.writing.skeletons.objects import thing
from warpsmith.synthesis.writing.skeletons.templates import Idiom, give, inner

PALETTE = Palette((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.8)))

J, Q = inner("j", "j", "index", "nb"), inner("q", "neighbors", "query", "it")
D = inner("d", "d", "r_vec", "offset_ij")
R = inner("r", "dist_ij", "r", "len_ij")
LOOP = "⟨for $j in wp.hash_grid_query({o}, {p}, ⟨0.5|0.4⟩):\n|$q = wp.hash_grid_query({o}, {p}, ⟨0.5|0.6⟩)\nfor $j in $q:\n|$q = wp.hash_grid_query({o}, {p}, 0.5)\n$j = int(0)\nwhile wp.hash_grid_query_next($q, $j):\n⟩"
NEAR = LOOP + "    $d = {p} - {x}[$j]\n    $r = wp.length($d)\n    if $r < 0.5 ⟨|and $j != {i} ⟩:\n"
SUM = give("s", FLOAT, -100.0, 100.0, "rho_sum", "density_sum", "w_total", linear=True)
FORCE = give("v", VEC3, -100.0, 100.0, "f_sum", "push", "pressure_f", linear=True)

IDIOMS = (
    Idiom("a density from neighbours", "$s = float(0.0)\n" + NEAR + "        $s += ⟨(0.25 - $r * $r) * (0.25 - $r * $r)|wp.exp(-$r * ⟨4.0|8.0⟩)|wp.max(0.5 - $r, 0.0)⟩ * ⟨1.0|3.0⟩", (), (J, Q, D, R, SUM)),
    Idiom("a repulsion from neighbours", "$v = wp.vec3(0.0)\n" + NEAR + "        $v += $d * ⟨(0.5 - $r)|((0.5 - $r) / ($r + 0.1))|(0.5 - $r) * (0.5 - $r)⟩", (), (J, Q, D, R, FORCE)),
    Idiom("a count of neighbours", "$n = int(0)\n" + NEAR + "        $n += 1", (), (J, Q, D, R, give("n", INT, 0, 1000, "degree", "num_near", "crowding", linear=True))),
)  # fmt: skip


def draw(s: Sketch) -> Kernel:
    """A particle to each thread, and a sum over those near it."""
    d = s.d
    points = s.array(d.choice(("points", "particles", "positions_p")), VEC3, -1.0, 1.0)
    grid = thing(
        s,
        d.choice(("grid", "grid_id", "hash_grid")),
        "hash_grid",
        (8, 8, 8),
        0.0,
        0.0,
        width=d.choice((0.5, 0.6)),
        points=points.name,
    )
    read = s.input(FLOAT)
    opening, at = s.threads()
    i, outputs = at[0].name, [s.output(d.choice((FLOAT, VEC3))) for _ in range(d.choice((1, 2)))]
    ordered = d.chance(0.3)
    text = f"p_id = wp.hash_grid_point_id({grid}, {i})\np = {points.name}[p_id]" if ordered else f"p = {points.name}[{i}]"
    idioms = [Idiom(one.says, one.text.replace("{o}", grid).replace("{p}", "p").replace("{x}", points.name).replace("{i}", i), (), one.gives)
              for one in d.sample(IDIOMS, d.choice((1, 1, 2)))]  # fmt: skip
    body = (*opening, Phrase(text), *s.fetch(read, at=at), *steps(s, (), idioms, at), *(result(out, at) for out in outputs))
    return s.kernel(d.choice(("sum", "update", "relax", "repel", "measure")), body)


CATEGORY = Category("hash_grid", draw, PALETTE, "over neighbours in a hash grid", "objects", tried=False)
