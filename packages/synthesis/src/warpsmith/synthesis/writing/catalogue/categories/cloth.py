"""Category `cloth`: springs, bending, strain limits, areas and normals of triangles, wind on faces, by indices."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import CLOTH
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("physics", 2.0), ("curve", 0.6), ("selection", 0.4)))

PARAMETERS = (
    length("v", 16, 16, "num_verts", "vertex_count"),
    array("x", VEC3, -1.5, 1.5, "x", "verts", "cloth_x", "particle_q", dims=("v",)),
    array("u", VEC3, -1.0, 1.0, "v", "cloth_v", "particle_qd", dims=("v",)),
    array("w", FLOAT, 0.3, 2.0, "inv_mass", "w_vert", dims=("v",)),
    array("a", INT, 0, 7, "edge_a", "spring_i", "left"),
    array("b", INT, 8, 15, "edge_b", "spring_j", "right"),
    array("c", INT, 4, 11, "opposite", "third", "wing"),
    array("e", INT, 0, 15, "tri_indices", "faces_flat", "corners", dims=("n", "three")),
    length("three", 3, 3, "corners_n"),
    length("deg", 4, 4, "valence"),
    array("ring", INT, 0, 15, "vertex_ring", "adjacent", dims=("n", "deg")),
    array("rest", FLOAT, 0.3, 1.2, "rest", "edge_rest", "rest_len"),
    value("h", 0.005, 0.05, "h", "sub_dt"),
    total("f", VEC3, "vertex_f", "forces_out", "node_forces", dims=("v",)),
    total("m", FLOAT, "vertex_area", "area_sum", "lumped_area", dims=("v",)),
    total("energy", FLOAT, "total_energy", "elastic_energy"),
)
HEAD, J, K = inner("i", "i0", "ia", "p"), inner("j", "i1", "ib", "q"), inner("k", "i2", "ic", "r")
D, L, N = inner("d", "d", "dx", "edge_ij"), inner("l", "l", "len_ij", "edge_len"), inner("n", "n_face", "cross_n", "face_n")
A, B, S = inner("a", "e1", "ab"), inner("b", "e2", "ac"), inner("s", "share", "third_f", "split_f")
F = inner("f", "f_s", "spring_f", "load_f")
ENDS = "$i = {a}[{i}]\n$j = {b}[{i}]\n$d = {x}[$j] - {x}[$i]\n$l = wp.length($d) + ⟨0.01|0.001⟩\n"
FACE = "$i = {e}[{i}, 0]\n$j = {e}[{i}, 1]\n$k = {e}[{i}, 2]\n$a = {x}[$j] - {x}[$i] + wp.vec3(0.1, 0.0, 0.02)\n$b = {x}[$k] - {x}[$i] + wp.vec3(0.0, 0.1, 0.0)\n$n = wp.cross($a, $b)\n"
SPREAD = "wp.atomic_add({f}, $i, $s)\nwp.atomic_add({f}, $j, $s)\nwp.atomic_add({f}, $k, $s)"
ALL = (HEAD, J, K, A, B, N)
X, P, V = template_input(FLOAT, -4.0, 4.0), template_input(FLOAT, 0.1, 5.0), template_input(VEC3, -3.0, 3.0)
NUMBER = template_output("r", FLOAT, -90.0, 90.0, "strain_e", "stored_e", "elongation", "measure_e")
VECTOR = template_output("o", VEC3, -90.0, 90.0, "delta_x", "corr", "face_vec", "pull_f")

TEMPLATES = (
    Template("springs with damping", ENDS + "$f = $d * (⟨{0}|8.0⟩ * ($l - {rest}[{i}]) / $l)⟨| + ({u}[$j] - {u}[$i]) * ⟨0.1|{1}⟩| + $d * (wp.dot({u}[$j] - {u}[$i], $d) * ⟨0.2|{1}⟩ / ($l * $l))⟩\nwp.atomic_add({f}, $i, $f)\nwp.atomic_sub({f}, $j, $f)",
          (P, P), (HEAD, J, D, L, F)),
    Template("the stretch of an edge", ENDS + "$r = ⟨($l / {rest}[{i}] - 1.0)|($l - {rest}[{i}])|wp.log($l / {rest}[{i}])⟩ * {0}", (P,), (HEAD, J, D, L, NUMBER)),
    Template("the energy of springs", ENDS + "$s = $l - {rest}[{i}]\n$r = ⟨0.5 * {0}|2.0⟩ * $s * $s\nwp.atomic_add({energy}, 0, $r)", (P,), (HEAD, J, D, L, inner("s", "stretch_l", "c", "gap"), NUMBER)),
    Template("a distance constraint", ENDS + "$s = {w}[$i] + {w}[$j]⟨| + 0.1⟩\n$o = $d * (($l - {rest}[{i}]) / ($l * $s)⟨| * {0}⟩)\nwp.atomic_add({f}, $i, $o * {w}[$i])\nwp.atomic_⟨add({f}, $j, -$o|sub({f}, $j, $o⟩ * {w}[$j])",
          (template_input(FLOAT, 0.1, 1.0),), (HEAD, J, D, L, inner("s", "w_sum", "w_total"), VECTOR)),
    Template("a compliant constraint", ENDS + "$s = ($l - {rest}[{i}]) / ({w}[$i] + {w}[$j] + ⟨{0}|0.01⟩ / ({h} * {h} * ⟨100.0|400.0⟩))\n$o = $d * ($s / $l)", (P,), (HEAD, J, D, L, inner("s", "lam", "delta_lambda"), VECTOR)),
    Template("a strain limit", ENDS + "$s = wp.clamp($l, {rest}[{i}] * ⟨0.8|0.9⟩, {rest}[{i}] * ⟨1.1|1.2⟩)\n$o = $d * (⟨0.5|{0}⟩ * ($l - $s) / $l) + ⟨0.01|0.02⟩ * $d", (P,), (HEAD, J, D, L, inner("s", "limited_l", "target_len"), VECTOR)),
    Template("normals of triangles", FACE + "$s = $n * ⟨0.5|1.0 / (wp.length($n) + 0.1)⟩\n" + SPREAD, (), (*ALL, S)),
    Template("areas of triangles", FACE + "$r = ⟨0.5 * wp.length($n)|wp.sqrt(wp.dot($n, $n) + 0.001) * 0.5⟩\nwp.atomic_add({m}, $i, $r ⟨/ 3.0|* {0}⟩)\nwp.atomic_add({m}, $j, $r ⟨/ 3.0|* {0}⟩)\nwp.atomic_add({m}, $k, $r / 3.0)", (P,), (*ALL, NUMBER)),
    Template("wind on faces", FACE + "$d = ({u}[$i] + {u}[$j] + {u}[$k]) / 3.0\n$s = $n * (wp.dot($n, {0} - $d) * ⟨0.5|{1}⟩ / (3.0 * (wp.length($n) + 0.1)))\n" + SPREAD, (V, P), (*ALL, inner("d", "v_face", "mean_v"), S)),
    Template("a pressure from within", FACE + "$s = $n * (⟨{0}|1.5⟩ / 6.0)\n" + SPREAD + "\n$r = wp.dot({x}[$i], $n) / 6.0", (P,), (*ALL, S, template_output("r", FLOAT, -20.0, 20.0, "signed_volume", "tet_volume"))),
    Template("bending across an edge", "$i = {a}[{i}]\n$j = {b}[{i}]\n$k = {c}[{i}]\n$d = {x}[$i] - 2.0 * {x}[$k] + {x}[$j]\n$f = $d * ⟨{0}|-0.5⟩\nwp.atomic_sub({f}, $i, $f)\nwp.atomic_sub({f}, $j, $f)\nwp.atomic_add({f}, $k, 2.0 * $f)",
          (P,), (HEAD, J, K, inner("d", "curvature", "bend_v"), F)),
    Template("the angle at an edge", FACE + "$d = wp.cross($a, {x}[{c}[{i}]] - {x}[$i] + wp.vec3(0.0, 0.0, 0.3))\n$r = ⟨wp.dot($n, $d) / (wp.length($n) * wp.length($d) + ⟨0.1|0.2⟩)|wp.atan2(wp.dot(wp.cross($n, $d), $a), wp.dot($n, $d) + 4.0)⟩ * {0}",
          (X,), (*ALL, inner("d", "n_other", "wing_n"), NUMBER)),
    Template("smoothing over a ring of vertices", "$d = wp.vec3(0.0)\nfor $k in range(⟨4|3⟩):\n    $d += {x}[{ring}[{i}, $k]]⟨| * 0.5⟩\n$o = $d * ⟨0.25|0.3⟩ - ⟨{0}|{0} * 0.5⟩", (V,), (inner("d", "ring_sum", "centroid"), inner("k", "k", "nb"), VECTOR)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (CLOTH,), TEMPLATES, ("apply", "solve", "accumulate", "assemble", "evaluate"), PARAMETERS, reads=(FLOAT, VEC3)
)
CATEGORY = Category("cloth", DOMAIN.draw, WEIGHTS, "of cloth", "domains", dry_run=False)
