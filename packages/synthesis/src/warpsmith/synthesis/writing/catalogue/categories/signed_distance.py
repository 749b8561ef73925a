"""Category `signed_distance`: shapes, smooth unions, normals by differences, ray marching, soft shadows and shading."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import CAMERA, SHADING, TERRAIN
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("curve", 1.0), ("selection", 0.6)))

HELPERS = (
    ("sd_sphere", "@wp.func\ndef sd_sphere(p: wp.vec3, r: float):\n    return wp.length(p) - r"),
    ("sd_plane", "@wp.func\ndef sd_plane(p: wp.vec3, n: wp.vec3, h: float) -> float:\n    return wp.dot(p, n) + h"),
    ("sd_box", ("@wp.func\ndef sd_box(p: wp.vec3, b: wp.vec3):\n    q = wp.vec3(wp.abs(p[0]) - b[0], wp.abs(p[1]) - b[1], wp.abs(p[2]) - b[2])\n"
     "    outside = wp.length(wp.vec3(wp.max(q[0], 0.0), wp.max(q[1], 0.0), wp.max(q[2], 0.0)) + wp.vec3(⟨0.001|0.0001⟩))\n"
     "    return outside + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)")),
    ("sd_torus", ("@wp.func\ndef sd_torus(p: wp.vec3, major: float, minor: float):\n    ring = wp.sqrt(p[0] * p[0] + p[2] * p[2] + 0.0001) - major\n"
     "    return wp.sqrt(ring * ring + p[1] * p[1] + 0.0001) - minor")),
    ("sd_capsule", ("@wp.func\ndef sd_capsule(p: wp.vec3, a: wp.vec3, b: wp.vec3, r: float):\n    pa = p - a\n    ba = b - a\n"
     "    h = wp.clamp(wp.dot(pa, ba) / (wp.dot(ba, ba) + 0.01), 0.0, 1.0)\n    return wp.length(pa - ba * h) - r")),
    ("smooth_union", ("@wp.func\ndef smooth_union(a: float, b: float, k: float):\n"
     "    ⟨h = wp.clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)\n    return b + (a - b) * h - k * h * (1.0 - h)|h = wp.max(k - wp.abs(a - b), 0.0) / k\n    return wp.min(a, b) - h * h * k * 0.25|return -k * wp.log(wp.exp(-a / k) + wp.exp(-b / k) + 0.0001)⟩")),
    ("sd_scene", ("@wp.func\ndef sd_scene(p: wp.vec3):\n    ground = ⟨p[1] + 1.0|sd_plane(p, wp.vec3(0.0, 1.0, 0.0), ⟨1.0|0.8⟩)⟩\n"
     "    body = ⟨sd_sphere(p, ⟨0.8|1.0⟩)|sd_box(p, wp.vec3(0.6, ⟨0.4|0.7⟩, 0.5))|sd_torus(p, 0.8, ⟨0.2|0.3⟩)⟩\n    return ⟨wp.min(ground, body)|smooth_union(ground, body, ⟨0.3|0.5⟩)⟩")),
    ("scene_normal", ("@wp.func\ndef scene_normal(p: wp.vec3):\n    h = ⟨0.01|0.05⟩\n    return wp.normalize(\n        wp.vec3(\n            sd_scene(p + wp.vec3(h, 0.0, 0.0)) - sd_scene(p - wp.vec3(h, 0.0, 0.0)) + 0.0001,\n"
     "            sd_scene(p + wp.vec3(0.0, h, 0.0)) - sd_scene(p - wp.vec3(0.0, h, 0.0)),\n            sd_scene(p + wp.vec3(0.0, 0.0, h)) - sd_scene(p - wp.vec3(0.0, 0.0, h)),\n        )\n    )")),
)  # fmt: skip

PARAMETERS = (
    array("x", VEC3, -2.0, 2.0, "points", "samples", "query_points"),
    array("c", VEC3, -1.0, 1.0, "shape_centers", "anchors"),
    array("ray", VEC3, -1.0, 1.0, "ray_dirs", "view_dirs", distribution="unit"),
    value("r", 0.3, 1.0, "shape_radius", "half_width"),
    value("blend", 0.2, 0.8, "blend", "smoothing"),
)
P, D = inner("p", "p", "q_pos", "local_p"), template_output("d", FLOAT, -20.0, 20.0, "dist", "sdf", "signed_dist", "phi")
A, B = inner("a", "d1", "d_a", "first"), inner("b", "d2", "d_b", "second")
LOCAL = "$p = {x}[{i}]⟨| - {c}[{i}]| + {0}| * ⟨0.5|1.5⟩⟩\n"
X, R = template_input(VEC3, -1.0, 1.0), template_input(FLOAT, 0.2, 1.2)
T, K = inner("t", "t", "depth_t", "travel"), inner("k", "k", "step_k", "march")
MARCH = "$t = float(⟨0.0|0.1⟩)\nfor $k in range(⟨4|6|8|12⟩):\n    $t += ⟨wp.min(sd_scene($p + $v * $t), ⟨1.0|0.8⟩)|wp.clamp(sd_scene($p + $v * $t), ⟨0.01|-0.1⟩, 1.0)⟩⟨| * 0.8| * 0.9⟩\n"
RAY = "$p = {x}[{i}] + wp.vec3(0.0, ⟨1.0|2.0⟩, ⟨-3.0|3.0⟩)\n$v = {ray}[{i}]\n"
V, HIT = inner("v", "rd", "dir_i"), inner("h", "hit", "surface_p")
SHADE = template_output("s", FLOAT, -10.0, 10.0, "shade", "brightness", "lit")
LIGHT = "wp.normalize(⟨wp.vec3(0.5, 1.0, -0.3)|wp.vec3(-0.4, 0.8, 0.6)⟩)"

TEMPLATES = (
    Template("the distance to a sphere", LOCAL + "$d = ⟨sd_sphere($p, ⟨{r}|{1}⟩)|wp.length($p) - ⟨{r}|{1}⟩⟩", (X, R), (P, D)),
    Template("the distance to a box", LOCAL + "$d = sd_box($p, ⟨wp.vec3({r}, {1}, 0.5)|wp.vec3({r})|wp.vec3(0.5, {1}, 0.4)⟩)⟨| - 0.05⟩", (X, R), (P, D)),
    Template("the distance to a torus", LOCAL + "$d = sd_torus($p, ⟨1.0|{1}⟩, ⟨0.25|{r} * 0.5⟩)", (X, R), (P, D)),
    Template("the distance to a capsule", LOCAL + "$d = sd_capsule($p, wp.vec3(0.0, -⟨0.5|{1}⟩, 0.0), ⟨{c}[{i}]|wp.vec3(0.0, 0.7, ⟨0.0|0.3⟩)⟩, ⟨{r}|0.2⟩)", (X, R), (P, D)),
    Template("a smooth union of shapes", LOCAL + "$a = sd_sphere($p, {1})\n$b = ⟨sd_box|sd_sphere⟩($p - {c}[{i}], ⟨{r}|0.4⟩)\n$d = smooth_union($a, $b, {blend})".replace("⟨sd_box|sd_sphere⟩($p - {c}[{i}], ⟨{r}|0.4⟩)", "⟨sd_box($p - {c}[{i}], wp.vec3({r}))|sd_sphere($p - {c}[{i}], {r})|sd_plane($p, wp.vec3(0.0, 1.0, 0.0), 0.5)⟩"),
          (X, R), (P, A, B, D)),
    Template("a difference of shapes", LOCAL + "$a = sd_box($p, wp.vec3({1}, {1}, ⟨0.5|{1}⟩))\n$b = sd_sphere($p, ⟨{r}|0.6⟩)\n$d = wp.max(⟨$a, -$b|-$a, $b|$a, $b⟩)", (X, R), (P, A, B, D)),
    Template("a shell", LOCAL + "$a = ⟨sd_sphere($p, {1})|sd_torus($p, 0.9, 0.3)|sd_box($p, wp.vec3({1}))⟩\n$d = wp.abs($a) - ⟨0.05|0.1|{r} * 0.1⟩", (X, R), (P, A, D)),
    Template("a shape repeated in space", LOCAL + "$b = wp.vec3($p[0] - wp.round($p[0]), $p[1], $p[2] - ⟨wp.round($p[2])|0.2⟩)\n$d = sd_sphere($b, ⟨0.3|{r} * 0.4⟩)", (X,), (P, inner("b", "cell_p", "folded"), D)),
    Template("ray marching", RAY + MARCH + "$d = ⟨$t * 0.5|$t + 0.1 * $p[1]|wp.min($t, ⟨10.0|8.0⟩)⟩", (), (P, V, T, K, D)),
    Template("a normal by differences", LOCAL + "$n = scene_normal($p)\n$s = ⟨wp.max(wp.dot($n, " + LIGHT + "), ⟨0.0|0.1⟩)|0.5 + 0.5 * $n[1]⟩ * {1}", (X, R), (P, inner("n", "n", "grad_n", "nrm"), SHADE)),
    Template("ray marching with shading", RAY + MARCH + "$h = $p + $v * $t\n$n = scene_normal($h)\n$s = wp.max(wp.dot($n, " + LIGHT + "), 0.0) * ⟨wp.exp(-0.1 * $t)|{0}⟩ + 0.1", (R,),
          (P, V, T, K, HIT, inner("n", "n", "hit_normal"), SHADE)),
    Template("a soft shadow", LOCAL + "$s = float(1.0)\nfor $k in range(1, ⟨4|6⟩):\n    $t = ⟨0.2|0.3⟩ * float($k)\n    $s = wp.min($s, ⟨4.0|8.0⟩ * sd_scene($p + {ray}[{i}] * $t) / $t)\n$s = wp.clamp($s, -1.0, 1.0)",
          (X,), (P, T, K, SHADE)),
    Template("ambient occlusion", LOCAL + "$n = {ray}[{i}]\n$s = float(0.0)\nfor $k in range(1, ⟨4|5⟩):\n    $t = ⟨0.1|0.15⟩ * float($k)\n    $s += ($t - sd_scene($p + $n * $t)) * ⟨0.5|wp.exp(-$t)⟩", (X,),
          (P, T, K, inner("n", "n", "axis_n"), SHADE)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (SHADING, CAMERA, TERRAIN),
    TEMPLATES,
    ("trace", "render", "evaluate", "march", "sample"),
    PARAMETERS,
    HELPERS,
    (FLOAT, VEC3),
)
CATEGORY = Category("signed_distance", DOMAIN.draw, WEIGHTS, "by signed distances", "domains", dry_run=False)
