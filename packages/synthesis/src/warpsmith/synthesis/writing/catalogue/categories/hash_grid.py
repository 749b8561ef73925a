"""Category `hash_grid`: neighbours within a radius, densities, pressures, forces between particles."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import write_steps
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import object_parameter
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.8)))

J, Q = inner("j", "j", "index", "nb"), inner("q", "neighbors", "query", "it")
D = inner("d", "d", "r_vec", "offset_ij")
R = inner("r", "dist_ij", "r", "len_ij")
LOOP = "⟨for $j in wp.hash_grid_query({o}, {p}, ⟨0.5|0.4⟩):\n|$q = wp.hash_grid_query({o}, {p}, ⟨0.5|0.6⟩)\nfor $j in $q:\n|$q = wp.hash_grid_query({o}, {p}, 0.5)\n$j = int(0)\nwhile wp.hash_grid_query_next($q, $j):\n⟩"
NEAR = LOOP + "    $d = {p} - {x}[$j]\n    $r = wp.length($d)\n    if $r < 0.5 ⟨|and $j != {i} ⟩:\n"
SUM = template_output("s", FLOAT, -100.0, 100.0, "rho_sum", "density_sum", "w_total", linear=True)
FORCE = template_output("v", VEC3, -100.0, 100.0, "f_sum", "push", "pressure_f", linear=True)

TEMPLATES = (
    Template("a density from neighbours", "$s = float(0.0)\n" + NEAR + "        $s += ⟨(0.25 - $r * $r) * (0.25 - $r * $r)|wp.exp(-$r * ⟨4.0|8.0⟩)|wp.max(0.5 - $r, 0.0)⟩ * ⟨1.0|3.0⟩", (), (J, Q, D, R, SUM)),
    Template("a repulsion from neighbours", "$v = wp.vec3(0.0)\n" + NEAR + "        $v += $d * ⟨(0.5 - $r)|((0.5 - $r) / ($r + 0.1))|(0.5 - $r) * (0.5 - $r)⟩", (), (J, Q, D, R, FORCE)),
    Template("a count of neighbours", "$n = int(0)\n" + NEAR + "        $n += 1", (), (J, Q, D, R, template_output("n", INT, 0, 1000, "degree", "num_near", "crowding", linear=True))),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that sums over the particles near each thread's particle."""
    rng = builder.rng
    points = builder.add_array(rng.choice(("points", "particles", "positions_p")), VEC3, -1.0, 1.0)
    grid = object_parameter(
        builder,
        rng.choice(("grid", "grid_id", "hash_grid")),
        "hash_grid",
        (8, 8, 8),
        0.0,
        0.0,
        width=rng.choice((0.5, 0.6)),
        points=points.name,
    )
    read = builder.add_input(FLOAT)
    opening, at = builder.open_threads()
    i, outputs = at[0].name, [builder.add_output(rng.choice((FLOAT, VEC3))) for _ in range(rng.choice((1, 2)))]
    ordered = rng.chance(0.3)
    text = f"p_id = wp.hash_grid_point_id({grid}, {i})\np = {points.name}[p_id]" if ordered else f"p = {points.name}[{i}]"
    templates = [Template(one.mention, one.text.replace("{o}", grid).replace("{p}", "p").replace("{x}", points.name).replace("{i}", i), (), one.outputs)
              for one in rng.sample(TEMPLATES, rng.choice((1, 1, 2)))]  # fmt: skip
    body = (
        *opening,
        TemplateStatement(text),
        *builder.load_elements(read, at=at),
        *write_steps(builder, (), templates, at),
        *(store_result(out, at) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("sum", "update", "relax", "repel", "measure")), body)


CATEGORY = Category("hash_grid", draw, WEIGHTS, "over neighbours in a hash grid", "objects", dry_run=False)
