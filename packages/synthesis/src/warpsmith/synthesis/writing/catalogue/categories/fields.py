"""Category `fields`: advection, diffusion, divergence, pressure, waves and reactions on a plane grid, with three kinds of edges."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, VEC2
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import TERRAIN
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import FLUID, HEAT
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 5.0), ("selection", 1.0), ("curve", 1.5), ("physics", 1.0)))
GRID = ("n", "m")

HELPERS = (
    ("cell_at", "@wp.func\ndef cell_at(f: wp.array2d(dtype=float), i: int, j: int, rows: int, cols: int):\n    ⟨return f[wp.clamp(i, 0, rows - 1), wp.clamp(j, 0, cols - 1)]|return f[(i + rows) % rows, (j + cols) % cols]|ii = wp.min(wp.max(i, 0), rows - 1)\n    jj = wp.min(wp.max(j, 0), cols - 1)\n    return f[ii, jj]⟩"),
    ("laplace", "@wp.func\ndef laplace(f: wp.array2d(dtype=float), i: int, j: int, rows: int, cols: int):\n    cross = cell_at(f, i + 1, j, rows, cols) + cell_at(f, i - 1, j, rows, cols) + cell_at(f, i, j + 1, rows, cols) + cell_at(f, i, j - 1, rows, cols)\n    return ⟨cross - 4.0 * f[i, j]|(cross - 4.0 * f[i, j]) * ⟨4.0|0.25⟩⟩"),
    ("bilinear", ("@wp.func\ndef bilinear(f: wp.array2d(dtype=float), x: float, y: float, rows: int, cols: int):\n    i = int(wp.floor(x))\n    j = int(wp.floor(y))\n    s = x - float(i)\n    t = y - float(j)\n"
     "    ⟨low = wp.lerp(cell_at(f, i, j, rows, cols), cell_at(f, i + 1, j, rows, cols), s)\n    high = wp.lerp(cell_at(f, i, j + 1, rows, cols), cell_at(f, i + 1, j + 1, rows, cols), s)\n    return wp.lerp(low, high, t)|low = (1.0 - s) * cell_at(f, i, j, rows, cols) + s * cell_at(f, i + 1, j, rows, cols)\n    high = (1.0 - s) * cell_at(f, i, j + 1, rows, cols) + s * cell_at(f, i + 1, j + 1, rows, cols)\n    return (1.0 - t) * low + t * high⟩")),
)  # fmt: skip

PARAMETERS = (
    array("f", FLOAT, -2.0, 2.0, "field", "phi", "q_grid"),
    array("p", FLOAT, -2.0, 2.0, "p_grid", "pressure_in", "psi"),
    array("b", FLOAT, -1.0, 1.0, "rhs", "source_grid", "div_in"),
    array("old", FLOAT, -2.0, 2.0, "field_prev", "u_prev", "last_field"),
    array("u", FLOAT, 0.1, 1.0, "u_conc", "species_u", "activator"),
    array("v", FLOAT, 0.0, 0.8, "v_conc", "species_v", "inhibitor"),
    array("vel", VEC2, -2.0, 2.0, "velocity", "vel_grid", "flow"),
    value("h", 0.01, 0.1, "dt", "time_step", "tau"),
    value("c", 0.1, 1.0, "kappa", "wave_speed", "diff_coeff"),
    output("nu", FLOAT, "u_next", "new_u"),
    output("nv", FLOAT, "v_next", "new_v"),
)
SIZE = "{i}, {j}, {n}, {m}"
S, T = inner("s", "px", "back_x", "src_x"), inner("t", "py", "back_y", "src_y")
W, L = inner("w", "w", "vel_ij", "flow_ij"), inner("l", "lap", "lap_f", "spread_f")
R = template_output("r", FLOAT, -60.0, 60.0, "new_value", "q_new", "updated_q", "next_f")
A, B, C, E = (
    inner("a", "left", "west"),
    inner("b", "right_v", "east"),
    inner("c", "below", "south"),
    inner("e", "above", "north"),
)
AROUND = "$a = cell_at({F}, {i} - 1, {j}, {n}, {m})\n$b = cell_at({F}, {i} + 1, {j}, {n}, {m})\n$c = cell_at({F}, {i}, {j} - 1, {n}, {m})\n$e = cell_at({F}, {i}, {j} + 1, {n}, {m})\n"
FOUR, NEAR = (A, B, C, E), AROUND.replace("{F}", "{f}")
X, P = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.1, 2.0)

TEMPLATES = (
    Template("semi-Lagrangian advection", "$w = {vel}[{i}, {j}]\n$s = float({i}) - $w[0] * {h}⟨| * ⟨10.0|4.0⟩⟩\n$t = float({j}) - $w[1] * {h}⟨| * ⟨10.0|4.0⟩⟩\n$r = bilinear({f}, $s, $t, {n}, {m})⟨| * ⟨0.99|0.995⟩| + {0} * {h}⟩", (X,), (W, S, T, R)),
    Template("upwind advection", "$w = {vel}[{i}, {j}]\n" + NEAR + "$s = wp.where($w[0] > 0.0, {f}[{i}, {j}] - $a, $b - {f}[{i}, {j}])\n$t = wp.where($w[1] > 0.0, {f}[{i}, {j}] - $c, $e - {f}[{i}, {j}])\n$r = {f}[{i}, {j}] - {h} * ($w[0] * $s + $w[1] * $t)",
          (), (W, *FOUR, inner("s", "df_dx", "gx"), inner("t", "df_dy", "gy"), R)),
    Template("diffusion", "$l = laplace({f}, " + SIZE + ")\n$r = {f}[{i}, {j}] + ⟨{c}|{0}⟩ * {h} * $l⟨| + {h} * {b}[{i}, {j}]⟩", (P,), (L, R)),
    Template("diffusion that depends on the gradient", NEAR + "$s = wp.exp(-($b - $a) * ($b - $a) * ⟨0.1|0.5⟩)\n$t = wp.exp(-($e - $c) * ($e - $c) * ⟨0.1|0.5⟩)\n$r = {f}[{i}, {j}] + {c} * {h} * ($s * ($a + $b - 2.0 * {f}[{i}, {j}]) + $t * ($c + $e - 2.0 * {f}[{i}, {j}]))",
          (), (*FOUR, inner("s", "g_x", "edge_x"), inner("t", "g_y", "edge_y"), R)),
    Template("a divergence", "$s = {vel}[wp.min({i} + 1, {n} - 1), {j}][0] - {vel}[wp.max({i} - 1, 0), {j}][0]\n$t = {vel}[{i}, wp.min({j} + 1, {m} - 1)][1] - {vel}[{i}, wp.max({j} - 1, 0)][1]\n$r = ⟨0.5|-0.5⟩ * ($s + $t)⟨| * {0}⟩", (P,),
          (inner("s", "du", "dudx"), inner("t", "dv", "dvdy"), R)),
    Template("a vorticity", "$s = {vel}[({i} + 1) % {n}, {j}][1] - {vel}[({i} + {n} - 1) % {n}, {j}][1]\n$t = {vel}[{i}, ({j} + 1) % {m}][0] - {vel}[{i}, ({j} + {m} - 1) % {m}][0]\n$r = ($s - $t) * ⟨0.5|{0}⟩", (P,),
          (inner("s", "dv_dx", "dv"), inner("t", "du_dy", "du"), R)),
    Template("a Jacobi step for the pressure", AROUND.replace("{F}", "{p}") + "$r = ($a + $b + $c + $e - {b}[{i}, {j}]⟨| * {0} * {0}⟩) * 0.25", (P,), (*FOUR, R)),
    Template("damped Jacobi relaxation", AROUND.replace("{F}", "{p}") + "$s = ($a + $b + $c + $e - {b}[{i}, {j}]) * 0.25\n$r = ⟨wp.lerp({p}[{i}, {j}], $s, ⟨0.8|0.67⟩)|{p}[{i}, {j}] + ⟨1.5|0.7⟩ * ($s - {p}[{i}, {j}])⟩", (), (*FOUR, inner("s", "relaxed", "jac"), R)),
    Template("a gradient taken off", AROUND.replace("{F}", "{p}") + "$o = {vel}[{i}, {j}] - ⟨0.5|{0}⟩ * wp.vec2($b - $a, $e - $c)", (P,), (*FOUR, template_output("o", VEC2, -12.0, 12.0, "projected_v", "vel_new"))),
    Template("a wave equation", "$l = laplace({f}, " + SIZE + ")\n$r = ⟨2.0 * {f}[{i}, {j}] - {old}[{i}, {j}] + {c} * {c} * {h} * $l|{f}[{i}, {j}] + ({f}[{i}, {j}] - {old}[{i}, {j}]) * ⟨0.99|0.98⟩ + {c} * {h} * $l⟩", (), (L, R)),
    Template("Gray and Scott's reaction", "$a = {u}[{i}, {j}]\n$b = {v}[{i}, {j}]\n$s = $a * $b * $b\n{nu}[{i}, {j}] = $a + {h} * (⟨0.16|0.2⟩ * laplace({u}, " + SIZE + ") - $s + ⟨0.04|0.06⟩ * (1.0 - $a))\n{nv}[{i}, {j}] = $b + {h} * (⟨0.08|0.1⟩ * laplace({v}, " + SIZE + ") + $s - ⟨0.1|0.06⟩ * $b)",
          (), (inner("a", "u_ij", "a_conc"), inner("b", "v_ij", "b_conc"), inner("s", "uvv", "reaction"))),
    Template("FitzHugh and Nagumo's reaction", "$a = {u}[{i}, {j}]\n{nu}[{i}, {j}] = $a + {h} * (laplace({u}, " + SIZE + ") + $a - $a * $a * $a - {v}[{i}, {j}])\n{nv}[{i}, {j}] = {v}[{i}, {j}] + {h} * ⟨0.08|0.1⟩ * ($a + 0.7 - ⟨0.8|{0}⟩ * {v}[{i}, {j}])", (P,), (inner("a", "u_ij", "potential_u"),)),
    Template("a fixed edge", "$r = ⟨{0}|0.5 * {0}⟩\nif {i} > 0 and {j} > 0 and {i} < {n} - 1 and {j} < {m} - 1:\n    $r = 0.25 * ({f}[{i} - 1, {j}] + {f}[{i} + 1, {j}] + {f}[{i}, {j} - 1] + {f}[{i}, {j} + 1])", (X,), (R,)),
    Template("a mixed derivative", "$s = cell_at({f}, {i} + 1, {j} + 1, {n}, {m}) - cell_at({f}, {i} + 1, {j} - 1, {n}, {m})\n$t = cell_at({f}, {i} - 1, {j} + 1, {n}, {m}) - cell_at({f}, {i} - 1, {j} - 1, {n}, {m})\n$r = ($s - $t) * ⟨0.25|{0}⟩", (P,), (inner("s", "upper"), inner("t", "lower"), R)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (FLUID, HEAT, TERRAIN), TEMPLATES, ("advance", "relax", "step", "project", "update"), PARAMETERS, HELPERS, most=1, dims=GRID
)
CATEGORY = Category("fields", DOMAIN.draw, WEIGHTS, "on a plane grid", "domains", dry_run=False)
