"""Category `finite_elements`: matrix-free stiffness, mass and loads of triangles, tetrahedra and bars, assembled by atomics."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT33, VEC2, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import MESH
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import CLOTH, FLUID, HEAT
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("matrix", 0.6), ("physics", 1.0), ("selection", 0.4)))

# fmt: off
HELPERS = (
    ("gradients", "@wp.func\ndef gradients(e: wp.vec2, f: wp.vec2):\n    det = e[0] * f[1] - e[1] * f[0]\n    inv = det / (det * det + ⟨0.05|0.1⟩)\n    gb = wp.vec2(f[1], -f[0]) * inv\n    gc = wp.vec2(-e[1], e[0]) * inv\n    return -gb - gc, gb, gc"),
    ("area_of", "@wp.func\ndef area_of(e: wp.vec2, f: wp.vec2) -> float:\n    ⟨return 0.5 * wp.abs(e[0] * f[1] - e[1] * f[0]) + 0.01|return 0.5 * wp.sqrt((e[0] * f[1] - e[1] * f[0]) ** 2.0 + 0.01)⟩"),
    ("source", "@wp.func\ndef source(p: wp.vec2) -> float:\n    return ⟨wp.sin(3.0 * p[0]) * wp.cos(2.0 * p[1])|1.0 + p[0] * p[1]|wp.exp(-wp.dot(p, p))⟩"),
    ("stress_of", "@wp.func\ndef stress_of(g: wp.mat33, mu: float, lam: float) -> wp.mat33:\n    strain = 0.5 * (g + wp.transpose(g))⟨| + 0.5 * (wp.transpose(g) * g)⟩\n    return 2.0 * mu * strain + lam * wp.trace(strain) * wp.identity(n=3, dtype=float)"),
)

PARAMETERS = (
    length("t", 12, 12, "num_nodes", "node_count"),
    array("ta", INT, 0, 11, "tri_a", "node_i", "elem_0"),
    array("tb", INT, 0, 11, "tri_b", "node_j", "elem_1"),
    array("tc", INT, 0, 11, "tri_c", "node_k", "elem_2"),
    array("td", INT, 0, 11, "tet_d", "node_l", "elem_3"),
    array("xy", VEC2, -2.0, 2.0, "node_xy", "coords", "nodes_2d", dims=("t",)),
    array("xyz", VEC3, -2.0, 2.0, "node_pos", "nodes_3d", "rest_pos", dims=("t",)),
    array("u", FLOAT, -2.0, 2.0, "u", "solution", "nodal_values", "dofs", dims=("t",)),
    array("disp", VEC3, -0.5, 0.5, "displacements", "disp", "u_vec", dims=("t",)),
    array("k", FLOAT, 0.2, 3.0, "conductivity", "coefficients", "elem_k"),
    array("dm", MAT33, -0.2, 1.2, "inv_rest", "dm_inv", "ref_inverse", distribution="near_identity"),
    value("mu", 0.5, 3.0, "mu", "shear_modulus"),
    value("lam", 0.5, 3.0, "lam", "lame_lambda"),
    value("rho", 0.5, 2.0, "density", "rho"),
    total("r", FLOAT, "residual", "ku", "rhs", dims=("t",)),
    total("diag", FLOAT, "diagonal", "lumped_mass", "jacobi_diag", dims=("t",)),
    total("f", VEC3, "nodal_forces", "f_int", "assembled", dims=("t",)),
    total("energy", FLOAT, "energy", "functional", "norm_sq"),
    output("meas", FLOAT, "measures", "element_size", "element_error"),
)
A, B, C, D = inner("a", "a", "i0", "n0"), inner("b", "b", "i1", "n1"), inner("c", "c", "i2", "n2"), inner("d", "d", "i3", "n3")
E, F, W = inner("e", "e1", "edge_ab"), inner("f", "e2", "edge_ac"), inner("w", "w", "weight_e", "scale_e")
GA, GB, GC = inner("ga", "ga", "grad_0"), inner("gb", "gb", "grad_1"), inner("gc", "gc", "grad_2")
G, P = template_output("g", VEC2, -200.0, 200.0, "grad_u", "flux", "field_gradient"), inner("p", "pk1", "stress", "sigma")
M, X, Y = template_output("m", FLOAT, -200.0, 200.0, "density_e", "mass_e", "energy_e"), template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.2, 2.0)
ALL, SLOPES = (A, B, C, E, F), (GA, GB, GC)
TRI = "$a = {ta}[{i}]\n$b = {tb}[{i}]\n$c = {tc}[{i}]\n$e = {xy}[$b] - {xy}[$a]\n$f = {xy}[$c] - {xy}[$a]\n"
GRAD, WEIGHT = "$ga, $gb, $gc = gradients($e, $f)\n", "$w = area_of($e, $f) * ⟨{k}[{i}]|{1}|{k}[{i}] * {1}⟩\n"
FIELD = "$g = $ga * {u}[$a] + $gb * {u}[$b] + $gc * {u}[$c]\n"
EACH = "wp.atomic_add({{{0}}}, $a, {1}a{2})\nwp.atomic_add({{{0}}}, $b, {1}b{2})\nwp.atomic_add({{{0}}}, $c, {1}c{2})"
TET = "$a = {ta}[{i}]\n$b = {tb}[{i}]\n$c = {tc}[{i}]\n$d = {td}[{i}]\n"
SHAPE = "$s = wp.matrix_from_cols({disp}[$b] - {disp}[$a], {disp}[$c] - {disp}[$a], {disp}[$d] - {disp}[$a]) * {dm}[{i}]\n"

TEMPLATES = (
    Template("a Laplacian without a matrix", TRI + GRAD + WEIGHT + FIELD + EACH.format("r", "$w * wp.dot($g, $g", ")"), (X, Y), (*ALL, *SLOPES, W, G)),
    Template("the diagonal of a stiffness matrix", TRI + GRAD + WEIGHT + EACH.format("diag", "$w * wp.length_sq($g", ")"), (X, Y), (*ALL, *SLOPES, W)),
    Template("a lumped mass", TRI + "$m = {rho} * area_of($e, $f) / 3.0⟨| * {k}[{i}]⟩\nfor $k in range(3):\n    wp.atomic_add({diag}, wp.where($k == 0, $a, wp.where($k == 1, $b, $c)), $m)", (), (*ALL, inner("k", "corner", "k"), M)),
    Template("a consistent mass", TRI + WEIGHT + "$m = {u}[$a] + {u}[$b] + {u}[$c]\n" + EACH.format("r", "$w * ($m + {u}[$", "]) / 12.0"), (X, Y), (*ALL, W, M)),
    Template("a load at the centroid", TRI + "$m = source({xy}[$a] + ($e + $f) / 3.0) * area_of($e, $f)⟨| * {0}⟩\n" + "⟨wp.atomic_add({r}, $a, $m)|" + EACH.format("r", "$m * wp.abs({u}[$", "])") + "⟩", (X,), (*ALL, M)),
    Template("a load by quadrature", TRI + "$m = float(0.0)\nfor $k in range(3):\n    $q = wp.where($k == 1, ⟨0.6666667|0.6⟩, ⟨0.1666667|0.2⟩)\n    $m += source({xy}[$a] + $e * $q + $f * (0.8333333 - $q)) / 3.0\n$m = $m * area_of($e, $f)\nwp.atomic_add({r}, $a, $m⟨| * {1}⟩)", (X, Y), (*ALL, inner("k", "q", "point_q"), inner("q", "xi", "bary_q"), M)),
    Template("the gradient of a field", TRI + GRAD + FIELD + "{meas}[{i}] = ⟨wp.length($g)|area_of($e, $f) * wp.dot($g, $g)⟩", (), (*ALL, *SLOPES, G)),
    Template("a Dirichlet energy", TRI + GRAD + WEIGHT + FIELD + "wp.atomic_add({energy}, 0, 0.5 * $w * wp.dot($g, $g)⟨| - {0} * $w * {u}[$a]⟩)", (X, Y), (*ALL, *SLOPES, W, G)),
    Template("an error against a known solution", TRI + "$m = ({u}[$a] + {u}[$b] + {u}[$c]) / 3.0 - source({xy}[$a] + ($e + $f) / 3.0)\n{meas}[{i}] = ⟨$m ** 2.0|$m * $m⟩ * area_of($e, $f)\nwp.atomic_add({energy}, 0, $m * $m * area_of($e, $f))", (), (*ALL, M)),
    Template("forces of a tetrahedron", TET + SHAPE + "$p = stress_of($s, {mu}, {lam}) * wp.transpose({dm}[{i}])⟨| * {1}⟩\nfor $k in range(3):\n    $n = wp.where($k == 0, $b, wp.where($k == 1, $c, $d))\n    $h = wp.vec3($p[0, $k], $p[1, $k], $p[2, $k])\n    wp.atomic_sub({f}, $n, $h)\n    wp.atomic_add({f}, $a, $h)", (X, Y), (A, B, C, D, inner("s", "disp_grad", "grad_u3"), P, inner("k", "col", "k"), inner("n", "node", "target"), inner("h", "force", "h"))),
    Template("the elastic energy of a tetrahedron", TET + SHAPE + "$m = 0.5 * wp.ddot($s, stress_of($s, {mu}, {lam}))⟨| * {1}⟩\nwp.atomic_add({energy}, 0, $m)", (X, Y), (A, B, C, D, inner("s", "disp_grad", "grad_u3"), M)),
    Template("a bar between two nodes", "$a = {ta}[{i}]\n$b = {tb}[{i}]\n$e = {xyz}[$b] - {xyz}[$a]\n$w = wp.sqrt(wp.dot($e, $e) + ⟨0.1|0.05⟩)\n$f = $e * ({k}[{i}] * wp.dot({disp}[$b] - {disp}[$a], $e) / ($w * $w * $w))\nwp.atomic_add({f}, $a, $f)\nwp.atomic_sub({f}, $b, $f)\n$m = ⟨wp.dot($f, $f)|0.5 * {k}[{i}] * $w⟩⟨| * {1}⟩", (X, Y), (A, B, inner("e", "axis", "bar_vec"), inner("f", "force", "axial"), inner("w", "bar_len", "rest_len"), M)),
)
DOMAIN = DomainTemplate((MESH, HEAT, CLOTH, FLUID), TEMPLATES, ("assemble", "apply", "integrate", "accumulate"), PARAMETERS, HELPERS)
CATEGORY = Category("finite_elements", DOMAIN.draw, WEIGHTS, "by finite elements", "domains", dry_run=False)
# fmt: on
