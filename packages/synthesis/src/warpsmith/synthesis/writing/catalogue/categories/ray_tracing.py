"""Category `ray_tracing`: camera rays, intersections, shading."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import CAMERA, SHADING
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("curve", 1.0), ("selection", 0.6)))

PARAMETERS = (
    length("t", 12, 12, "num_tris"),
    length("q", 3, 6, "num_spheres", "object_count"),
    array("o", VEC3, -2.0, 2.0, "ray_origins", "origins", "ray_o"),
    array("r", VEC3, -1.0, 1.0, "ray_dirs", "directions", "ray_d", distribution="unit"),
    array("nrm", VEC3, -1.0, 1.0, "surface_normals", "hit_normals", distribution="unit"),
    array("c", VEC3, -1.0, 1.0, "sphere_centers", "centers_in", dims=("q",)),
    array("rad", FLOAT, 0.3, 1.0, "sphere_radii", "radii_in", dims=("q",)),
    array("verts", VEC3, -1.5, 1.5, "mesh_verts", "vertices_in", dims=("t",)),
    array("tri", INT, 0, 11, "tri_a", "face_a"),
    array("trj", INT, 0, 11, "tri_b", "face_b"),
    array("trk", INT, 0, 11, "tri_c", "face_c"),
    value("fov", 0.4, 1.2, "tan_half_fov", "fov_scale"),
    value("eta", 1.1, 1.8, "ior", "refraction_index"),
)
FROM, D = inner("o", "ro", "origin_i", "orig"), inner("d", "rd", "dir_i", "ray")
LOAD = "$o = {o}[{i}]\n$d = {r}[{i}]\n"
A, B, C = inner("a", "a", "oc_sq", "p1"), inner("b", "b", "half_b", "p2"), inner("c", "c", "oc", "p3")
E, F, G = inner("e", "e1", "edge_ab"), inner("f", "e2", "edge_ac"), inner("g", "disc", "det", "denom")
T = template_output("t", FLOAT, -300.0, 300.0, "t_hit", "hit_dist", "ray_t")
S = template_output("s", FLOAT, -30.0, 30.0, "radiance", "shade", "lit", "reflectance")
W = template_output("w", VEC3, -30.0, 30.0, "out_dir", "bounced", "new_ray", "w_out")
N, L = inner("n", "n", "nrm_i", "normal_n"), inner("l", "l", "light_dir", "to_light")
SURFACE = "$n = {nrm}[{i}]\n$d = {r}[{i}]\n"
LIGHT = "$l = wp.normalize(⟨wp.vec3(0.3, 1.0, 0.2)|{0} + wp.vec3(0.0, 3.0, 0.0)|wp.vec3(-0.5, 0.7, 0.5)⟩)\n"
V, R = template_input(VEC3, -2.0, 2.0), template_input(FLOAT, 0.1, 1.5)

TEMPLATES = (
    Template("a ray and a sphere", LOAD + "$c = $o - ⟨{0}|wp.vec3(0.0, 0.5, 0.0)⟩\n$b = wp.dot($c, $d)\n$g = $b * $b - wp.dot($c, $c) + ⟨{1} * {1}|1.0⟩\n$t = ⟨-1.0|10.0|0.0⟩ + {1}\nif $g > 0.0:\n    $t = -$b - wp.sqrt($g + ⟨0.001|0.01⟩)",
          (V, R), (FROM, D, C, B, G, T)),
    Template("a ray and a plane", LOAD + "$n = ⟨wp.vec3(0.0, 1.0, 0.0)|wp.vec3(0.0, 0.6, 0.8)|{nrm}[{i}]⟩\n$g = wp.dot($d, $n)\n$t = wp.where(wp.abs($g) > ⟨0.1|0.2⟩, ({1} - wp.dot($o, $n)) / wp.where(wp.abs($g) > 0.1, $g, 1.0), ⟨-1.0|5.0⟩ * {1})",
          (V, R), (FROM, D, N, G, T)),
    Template("a ray and a box", LOAD + "$f = wp.vec3(1.0 / ($d[0] + wp.sign($d[0]) * ⟨0.1|0.05⟩), 1.0 / ($d[1] + wp.sign($d[1]) * 0.1), 1.0 / ($d[2] + wp.sign($d[2]) * ⟨0.1|0.05⟩))\n"
          "$a = wp.cw_mul(wp.vec3(-{1}) - $o, $f)\n$b = wp.cw_mul(wp.vec3({1}) - $o, $f)\n$e = wp.max(wp.max(wp.min($a[0], $b[0]), wp.min($a[1], $b[1])), wp.min($a[2], $b[2]))\n"
          "$g = wp.min(wp.min(wp.max($a[0], $b[0]), wp.max($a[1], $b[1])), wp.max($a[2], $b[2]))\n$t = ⟨wp.where($g > $e, $e, -$g)|$g - $e|wp.where($g > wp.max($e, 0.0), $e, 20.0 + $o[0])⟩",
          (V, R), (FROM, D, inner("f", "inv_d", "inv_dir"), inner("a", "t0", "lo_t"), inner("b", "t1", "hi_t"), inner("e", "t_near", "t_enter"), inner("g", "t_far", "t_exit"), T)),
    Template("a ray and a triangle", LOAD + "$a = {verts}[{tri}[{i}]]\n$e = {verts}[{trj}[{i}]] - $a\n$f = {verts}[{trk}[{i}]] - $a\n$c = wp.cross($d, $f)\n$g = wp.dot($e, $c)\n$t = ⟨-1.0|0.0⟩ + 0.1 * $o[0]\n"
          "if wp.abs($g) > ⟨0.05|0.1⟩:\n    $b = $o - $a\n    $u = wp.dot($b, $c) / $g\n    ⟨if $u >= 0.0 and $u <= 1.0:\n        $t = wp.dot($f, wp.cross($b, $e)) / $g|$t = wp.dot($f, wp.cross($b, $e)) / $g ⟨+|-⟩ $u⟩", (),
          (FROM, D, A, E, F, inner("c", "pvec", "h_vec"), G, inner("b", "tvec", "s_vec"), inner("u", "u", "bary_u"), T)),
    Template("the nearest of several spheres", LOAD + "$t = float(⟨20.0|50.0⟩)\nfor $k in range(3):\n    $c = $o - {c}[$k]\n    $b = wp.dot($c, $d)\n    $g = $b * $b - wp.dot($c, $c) + {rad}[$k] * {rad}[$k]\n    if $g > 0.0:\n        $t = wp.min($t, -$b - wp.sqrt($g + 0.001))\n$t = $t + ⟨0.1|0.2⟩ * $o[0]",
          (), (FROM, D, inner("k", "k", "obj"), C, B, G, T)),
    Template("camera rays", "$u = ⟨2.0 * float({i}) / float({n}) - 1.0|(float({i}) + 0.5) / float({n})⟩\n$w = wp.normalize(wp.vec3($u * {fov}, {1} * {fov}, ⟨-1.0|1.0⟩)⟨| + {0} * 0.1⟩)", (V, R), (inner("u", "u", "ndc_x", "px"), W)),
    Template("Lambert's shading", SURFACE.split("$d", maxsplit=1)[0] + LIGHT + "$s = wp.max(wp.dot($n, $l), ⟨0.0|0.1⟩) * {1} ⟨+ 0.1|+ ⟨0.2|0.05⟩ * {1}⟩", (V, R), (N, L, S)),
    Template("Phong's shading", SURFACE + LIGHT + "$b = $n * (2.0 * wp.dot($n, $l)) - $l\n$s = {1} * wp.max(wp.dot($n, $l), 0.0) + ⟨0.5|0.3⟩ * wp.pow(wp.max(wp.dot($b, -$d), ⟨0.01|0.02⟩), ⟨8.0|16.0|4.0⟩)",
          (V, R), (N, D, L, inner("b", "refl", "mirror_l"), S)),
    Template("a half vector", SURFACE + LIGHT + "$b = wp.normalize($l - $d * ⟨0.9|0.8⟩)\n$s = wp.pow(wp.max(wp.dot($n, $b), 0.01), ⟨8.0|32.0⟩) * {1}", (V, R), (N, D, L, inner("b", "half_vec", "h"), S)),
    Template("Schlick's Fresnel term", SURFACE + "$c = wp.clamp(-wp.dot($n, $d), 0.0, 1.0)\n$b = ($eta - 1.0) / ($eta + 1.0)\n$s = $b * $b + (1.0 - $b * $b) * ⟨wp.pow(1.0 - $c + 0.01, 5.0)|(1.0 - $c) * (1.0 - $c) * (1.0 - $c)⟩ * {1}".replace("$eta", "{eta}"),
          (V, R), (N, D, inner("c", "cos_theta", "cos_i"), inner("b", "r0_root", "f0"), S)),
    Template("a reflection", SURFACE + "$w = $d - $n * (2.0 * wp.dot($d, $n))⟨| + ⟨0.1|0.05⟩ * {0}⟩", (V,), (N, D, W)),
    Template("a refraction", SURFACE + "$c = -wp.dot($n, $d)\n$g = 1.0 - (1.0 - $c * $c) / ({eta} * {eta})\n$w = $d * (1.0 / {eta}) + $n * ($c / {eta} - wp.sqrt(wp.max($g, 0.0) + ⟨0.01|0.001⟩))", (),
          (N, D, inner("c", "cos_i", "cos_theta"), inner("g", "k", "cos2_t"), W)),
    Template("a fading light", "$l = ⟨{0}|wp.vec3(0.0, 3.0, 0.0)⟩ - {o}[{i}]\n$a = wp.dot($l, $l) + ⟨0.1|0.5⟩\n$s = {1} * wp.max(wp.dot({nrm}[{i}], $l), 0.0) / ⟨$a|($a * wp.sqrt($a))⟩ + 0.1 * $a", (V, R),
          (L, inner("a", "dist_sq", "l_sq"), S)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (SHADING, CAMERA), TEMPLATES, ("trace", "shade", "intersect", "cast", "render"), PARAMETERS, reads=(VEC3, FLOAT)
)
CATEGORY = Category("ray_tracing", DOMAIN.draw, WEIGHTS, "by rays", "domains", dry_run=False)
