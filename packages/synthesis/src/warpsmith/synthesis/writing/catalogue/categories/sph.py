"""Category `sph`: smoothing kernels, density, pressure and viscosity over neighbour lists."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import FLUID, PARTICLES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("physics", 2.0), ("curve", 0.6)))

HELPERS = (
    ("poly6", "@wp.func\ndef poly6(r: float, h: float):\n    q = wp.max(h * h - r * r, 0.0)\n    return ⟨1.56668|315.0 / (64.0 * 3.14159265)⟩ * q * q * q / wp.pow(h, 9.0)"),
    ("spiky", "@wp.func\ndef spiky(d: wp.vec3, h: float) -> wp.vec3:\n    r = wp.length(d) + ⟨0.01|0.001⟩\n    q = wp.max(h - r, 0.0)\n    return d * (-⟨14.3239|45.0 / 3.14159265⟩ * q * q / (r * wp.pow(h, 6.0)))"),
    ("cubic_spline", "@wp.func\ndef cubic_spline(r: float, h: float):\n    q = r / h\n    if q < ⟨0.5|1.0⟩:\n        return 1.0 - ⟨1.5 * q * q + 0.75 * q * q * q|6.0 * q * q * (1.0 - q)⟩\n    if q < ⟨1.0|2.0⟩:\n        return 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q)\n    return 0.0"),
    ("wendland", "@wp.func\ndef wendland(r: float, h: float):\n    q = wp.clamp(r / (⟨2.0 * h|h⟩), 0.0, 1.0)\n    s = (1.0 - q) * (1.0 - q)\n    return s * s * (⟨4.0 * q + 1.0|1.0 + 4.0 * q⟩)"),
    ("tait", "@wp.func\ndef tait(rho: float, rho0: float):\n    ratio = wp.clamp(rho / rho0, 0.2, 2.0)\n    return ⟨2.0|5.0⟩ * (wp.pow(ratio, ⟨7.0|3.0⟩) - 1.0)"),
)  # fmt: skip

PARAMETERS = (
    length("k", 4, 8, "max_neighbors", "num_nb", "k_max"),
    length("p", 16, 16, "num_points"),
    array("x", VEC3, -0.5, 0.5, "x", "fluid_x", "sph_positions", dims=("p",)),
    array("v", VEC3, -2.0, 2.0, "v", "fluid_v", "sph_velocities", dims=("p",)),
    array("m", FLOAT, 0.5, 1.5, "m", "mass_in", "particle_mass", dims=("p",)),
    array("rho", FLOAT, 0.6, 2.0, "rho", "density_in", "rho_in", dims=("p",)),
    array("pr", FLOAT, -1.0, 2.0, "pressure_in", "p_in", dims=("p",)),
    array("own", VEC3, -0.5, 0.5, "query_x", "own_positions", "center_x"),
    array("ov", VEC3, -2.0, 2.0, "own_velocities", "center_v"),
    array("nb", INT, 0, 15, "neighbors", "nb_list", "neighbor_ids", dims=("n", "k")),
    array("cnt", INT, 1, 4, "neighbor_count", "num_near", "nb_count"),
    value("h", 0.8, 1.4, "smoothing_length", "h", "support", "kernel_radius"),
    output("d", FLOAT, "density_out", "rho_out"),
    output("f", VEC3, "accel_out", "force_out", "dv"),
    output("num", FLOAT, "number_density", "shepard"),
    total("e", FLOAT, "kinetic_energy", "mass_total"),
)
J, K = inner("j", "j", "nb", "other"), inner("k", "k", "slot_k", "idx_n")
Q, D, R = inner("q", "xi", "own_x", "p_i"), inner("d", "dx", "r_ij", "diff_x"), inner("r", "r", "dist_ij", "len_r")
LOOP = "for $k in range(⟨{k}|{cnt}[{i}]|4⟩):\n    $j = {nb}[{i}, $k]\n    $d = $q - {x}[$j]\n"
FAR = LOOP + "    $r = wp.length($d) + ⟨0.001|0.01⟩\n"
NEAR = FAR + "    ⟨if $r < {h}:\n        |⟩"
ACC, VEC = inner("s", "rho_i", "acc", "w_sum", "sum_w"), inner("s", "f_sum", "a_i", "dv_i")
START, ZERO = "$q = {own}[{i}]\n$s = float(0.0)\n", "$q = {own}[{i}]\n$s = wp.vec3(0.0⟨|, 0.0, 0.0⟩)\n"
W = "⟨poly6($r, {h})|cubic_spline($r, {h})|wendland($r, {h})⟩"
PRESSURE = "⟨({pr}[$j] / ({rho}[$j] * {rho}[$j])⟨| + {pi} * {0}⟩)|({pi} + {pr}[$j]) / (2.0 * {rho}[$j])⟩".replace("{pi}", "{0}")
X, P, V = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0), template_input(VEC3, -3.0, 3.0)
ALL = (Q, J, K, D, R)
SCALAR = template_output("o", FLOAT, -300.0, 300.0, "p_new", "pressure_i", "eos")

TEMPLATES = (
    Template("a density from neighbours", START + NEAR + "$s += {m}[$j] * " + W + "\n{d}[{i}] = $s⟨| * ⟨1.2|0.8⟩| + 0.1 * {0}⟩", (X,), (*ALL, ACC)),
    Template("a pressure force", ZERO + LOOP + "    $s -= spiky($d, {h}) * ({m}[$j] * " + PRESSURE + ")\n{f}[{i}] = $s⟨| * 0.5⟩", (X,), (Q, J, K, D, VEC)),
    Template("viscosity", ZERO + "$u = {ov}[{i}]\n" + FAR + "    $s += ({v}[$j] - $u) * ({m}[$j] / {rho}[$j] * ⟨" + W + "|wp.max({h} - $r, 0.0)⟩)\n{f}[{i}] = $s * ⟨{0}|0.1⟩".replace("{0}", "0.2"), (), (*ALL, VEC, inner("u", "vi", "own_v"))),
    Template("smoothing of velocities", ZERO + FAR + "    $s += ({v}[$j] - {ov}[{i}]) * (" + W + " * ⟨0.1|{m}[$j]⟩)\n{f}[{i}] = ⟨{ov}[{i}] + |⟩$s", (), (*ALL, VEC)),
    Template("a divergence of velocities", START + LOOP + "    $s += {m}[$j] / {rho}[$j] * wp.dot({v}[$j] - {ov}[{i}], spiky($d, {h}))\n{d}[{i}] = ⟨-|⟩$s", (), (Q, J, K, D, ACC)),
    Template("surface tension", ZERO + FAR + "    $s -= $d * ({m}[$j] * " + W + "⟨| / $r⟩)\n{f}[{i}] = $s * ⟨0.5|0.07⟩⟨| + {0}⟩", (V,), (*ALL, VEC)),
    Template("a normalized sum of kernels", START + NEAR + "$s += {m}[$j] / {rho}[$j] * " + W + "\n{num}[{i}] = $s⟨ + ⟨0.1|1.0⟩|⟩", (), (*ALL, ACC)),
    Template("an equation of state", "$o = ⟨tait({0}, ⟨1.0|{1}⟩)|{1} * ({0} - 1.0)|{1} * {1} * wp.max({0} - ⟨1.0|0.9⟩, ⟨0.0|-0.5⟩)⟩", (P, P), (SCALAR,)),
    Template("artificial pressure", "$q = {own}[{i}]\n$s = float(0.0)\nfor $k in range(⟨3|4⟩):\n    $j = {nb}[{i}, $k]\n    $r = wp.length($q - {x}[$j]) + 0.01\n    $w = poly6($r, {h}) / poly6(0.2 * {h}, {h})\n    $s += $w * $w⟨ * $w * $w|⟩\n$o = ⟨-0.1|0.01⟩ * $s + {0}",
          (X,), (Q, J, K, R, ACC, inner("w", "ratio_w", "w_rel"), SCALAR)),
    Template("a step in time that is stable", "$u = {ov}[{i}]\n$o = ⟨0.4|0.25⟩ * {h} / (⟨{0}|2.0⟩ + wp.length($u))\nwp.atomic_add({e}, 0, ⟨0.5 * {0}|0.5⟩ * wp.dot($u, $u))", (P,), (inner("u", "vi", "u_i"), SCALAR)),
    Template("a boundary force", "$q = {own}[{i}]\n$r = wp.max({h} - wp.abs($q[1] + ⟨0.5|0.6⟩), 0.0)\n$o = ⟨{0} * $r * $r|{0} * $r / ({h} + 0.1)⟩ + ⟨0.1|0.05⟩ * $q[0]", (P,), (Q, inner("r", "overlap_h", "wall_gap"), SCALAR)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (PARTICLES, FLUID), TEMPLATES, ("compute", "sum", "update", "evaluate", "accumulate"), PARAMETERS, HELPERS
)
CATEGORY = Category("sph", DOMAIN.draw, WEIGHTS, "of smoothed particles", "domains", dry_run=False)
