"""Category `image_filter`: blurs, edges, medians, bilateral weights, thresholds, colour spaces, gamma, compositing."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import IMAGE, SHADING
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("selection", 1.0), ("curve", 1.5)))

HELPERS = (
    ("pixel_at", "@wp.func\ndef pixel_at(img: wp.array2d(dtype=float), i: int, j: int, h: int, w: int):\n    ⟨return img[wp.clamp(i, 0, h - 1), wp.clamp(j, 0, w - 1)]|return img[wp.min(wp.max(i, 0), h - 1), wp.min(wp.max(j, 0), w - 1)]|y = wp.abs(i)\n    x = wp.abs(j)\n    if y >= h:\n        y = 2 * h - 2 - y\n    if x >= w:\n        x = 2 * w - 2 - x\n    return img[y, x]⟩"),
    ("color_at", "@wp.func\ndef color_at(img: wp.array2d(dtype=wp.vec3), i: int, j: int, h: int, w: int) -> wp.vec3:\n    ⟨return img[wp.clamp(i, 0, h - 1), wp.clamp(j, 0, w - 1)]|return img[(i + h) % h, (j + w) % w]⟩"),
    ("median3", "@wp.func\ndef median3(a: float, b: float, c: float):\n    return wp.max(wp.min(a, b), wp.min(wp.max(a, b), c))"),
    ("luma_of", "@wp.func\ndef luma_of(c: wp.vec3):\n    return ⟨0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]|wp.dot(c, wp.vec3(0.299, 0.587, 0.114))⟩"),
    ("to_linear", "@wp.func\ndef to_linear(v: float) -> float:\n    ⟨return wp.pow(wp.max(v, 0.01), 2.2)|if v <= 0.04045:\n        return v / 12.92\n    return wp.pow((v + 0.055) / 1.055, 2.4)⟩"),
    ("to_display", "@wp.func\ndef to_display(v: float) -> float:\n    ⟨return wp.pow(wp.max(v, 0.01), 1.0 / 2.2)|if v <= 0.0031308:\n        return v * 12.92\n    return 1.055 * wp.pow(v, 1.0 / 2.4) - 0.055⟩"),
)  # fmt: skip

PARAMETERS = (
    array("f", FLOAT, 0.0, 1.0, "image", "img", "gray_in", "src"),
    array("c", VEC3, 0.0, 1.0, "rgb", "color_image", "rgb_in", "frame"),
    array("d", VEC3, 0.0, 1.0, "background", "under", "rgb_back"),
    array("a", FLOAT, 0.0, 1.0, "alpha_in", "matte", "coverage"),
    array("b", FLOAT, 0.0, 1.0, "blurred_in", "guide", "reference_img"),
    value("s", 0.1, 0.6, "sigma", "sigma_r", "bandwidth"),
    value("g", 0.5, 2.4, "gain", "exposure", "contrast"),
    value("t", 0.2, 0.8, "cutoff", "level", "thresh"),
)
AT = "{n}, {m})"
F = template_output("r", FLOAT, -30.0, 30.0, "filtered", "smooth_v", "response_px", "tone")
C = template_output("v", VEC3, -10.0, 10.0, "new_rgb", "mixed_rgb", "graded", "toned")
Y, X = inner("y", "dy", "di"), inner("x", "dx", "dj")
S, W = inner("s", "acc", "total", "weighted"), inner("w", "w", "wt", "k_w")
HERE, P = inner("o", "here", "mid", "center_px"), inner("p", "px", "tap", "sample_p")
GX, GY = inner("gx", "gx", "grad_x"), inner("gy", "gy", "grad_y")
LOOPS = "for $y in range(-⟨1|1|2⟩, ⟨2|2|3⟩):\n    for $x in range(-1, 2):\n"
L, R, U, D = (
    f"pixel_at({{f}}, {{i}} {v}, {{j}} {h}, {{n}}, {{m}})"
    for v, h in (("+ 0", "- 1"), ("+ 0", "+ 1"), ("- 1", "+ 0"), ("+ 1", "+ 0"))
)
L, R, U, D = (text.replace(" + 0", "") for text in (L, R, U, D))
N, H = template_input(FLOAT, 0.05, 2.0), template_input(FLOAT, -1.0, 1.0)


def _read_tap(v: str, h: str) -> str:
    return f"pixel_at({{f}}, {{i}} {v} 1, {{j}} {h} 1, {{n}}, {{m}})"


TEMPLATES = (
    Template("a Gaussian blur", "$s = float(0.0)\n" + LOOPS + "        $w = wp.exp(-float($y * $y + $x * $x) / (2.0 * {s} * {s} + ⟨0.5|1.0⟩))\n        $s += $w * pixel_at({f}, {i} + $y, {j} + $x, " + AT + "\n$r = $s / ⟨(1.0 + {0})|4.0⟩", (N,), (Y, X, S, W, F)),
    Template("a binomial blur", f"$s = 4.0 * {{f}}[{{i}}, {{j}}] + 2.0 * ({L} + {R} + {U} + {D})\n$s = $s + {_read_tap('-', '-')} + {_read_tap('-', '+')} + {_read_tap('+', '-')} + {_read_tap('+', '+')}\n$r = $s / ⟨16.0|(15.0 + {{0}})⟩", (N,), (S, F)),
    Template("a box blur of colours", "$s = wp.vec3(0.0)\nfor $y in range(-1, 2):\n    for $x in range(-1, 2):\n        $s += color_at({c}, {i} + $y, {j} + $x, " + AT + "\n$v = $s ⟨/ 9.0|* (0.1 * {0})⟩", (N,), (Y, X, S, C)),
    Template("Sobel's operator", f"$gx = {_read_tap('-', '+')} + 2.0 * {R} + {_read_tap('+', '+')} - {_read_tap('-', '-')} - 2.0 * {L} - {_read_tap('+', '-')}\n$gy = {_read_tap('+', '-')} + 2.0 * {D} + {_read_tap('+', '+')} - {_read_tap('-', '-')} - 2.0 * {U} - {_read_tap('-', '+')}\n$r = ⟨wp.sqrt($gx * $gx + $gy * $gy + 0.01)|wp.abs($gx) + wp.abs($gy)|wp.atan2($gy, $gx + 5.0)⟩ * ⟨{{g}}|0.5⟩", (), (GX, GY, F)),
    Template("Prewitt's operator", f"$gx = ({_read_tap('-', '+')} + {R} + {_read_tap('+', '+')} - {_read_tap('-', '-')} - {L} - {_read_tap('+', '-')}) / 3.0\n$gy = ({D} - {U}) ⟨* 0.5|/ 2.0⟩\n$r = ⟨$gx * $gx + $gy * $gy|wp.length(wp.vec2($gx, $gy) + wp.vec2(0.01, 0.02))⟩ * {{0}}", (N,), (GX, GY, F)),
    Template("a median of three", f"$r = median3({L}, {{f}}[{{i}}, {{j}}], {R})⟨| + {{t}} * median3({U}, {{f}}[{{i}}, {{j}}], {D})|\n$r = 0.5 * ($r + median3({U}, {{f}}[{{i}}, {{j}}], {D}))⟩", (), (F,)),
    Template("a bilateral filter", "$o = {f}[{i}, {j}]\n$s = float(0.0)\n$w = float(⟨0.1|0.01⟩)\nfor $y in range(-1, 2):\n    for $x in range(-1, 2):\n        $p = pixel_at({f}, {i} + $y, {j} + $x, {n}, {m})\n        $k = wp.exp(-($p - $o) * ($p - $o) / ({s} * {s}⟨ * 2.0|⟩) - ⟨0.25|0.5⟩ * float($y * $y + $x * $x))\n        $s += $k * $p\n        $w += $k\n$r = $s / $w",
          (), (HERE, S, W, Y, X, P, inner("k", "k_ij", "range_w"), F)),
    Template("unsharp masking", "$o = {f}[{i}, {j}]\n$r = $o + ⟨{g}|{0}⟩ * ($o - ⟨{b}[{i}, {j}]|0.25 * (" + f"{L} + {R} + {U} + {D}" + ")⟩)", (N,), (HERE, F)),
    Template("a morphological filter", f"$r = wp.⟨max|min⟩(wp.⟨max|min⟩({L}, {R}), wp.⟨max|min⟩({U}, {D}))⟨| - {{f}}[{{i}}, {{j}}]|\n$r = wp.⟨max|min⟩($r, {{f}}[{{i}}, {{j}}])⟩", (), (F,)),
    Template("a soft threshold", "$o = {f}[{i}, {j}]\n$r = ⟨wp.smoothstep({t} - 0.2, {t} + 0.2, $o)|1.0 / (1.0 + wp.exp(-⟨8.0|4.0⟩ * ($o - {t})))|wp.where($o > {t}, $o, ⟨0.1|0.5⟩ * $o)⟩⟨| * {0}⟩", (N,), (HERE, F)),
    Template("a local threshold", f"$s = 0.25 * ({L} + {R} + {U} + {D})\n$r = wp.where({{f}}[{{i}}, {{j}}] > $s - ⟨0.05|0.1 * {{t}}⟩, ⟨1.0|$s⟩, 0.0) ⟨+ 0.1 * $s|+ {{0}} * $s⟩", (N,), (inner("s", "local_mean", "mean_px"), F)),
    Template("gamma", "$p = {c}[{i}, {j}] * ⟨{g}|{0}⟩\n⟨$v = wp.vec3(to_display($p[0]), to_display($p[1]), to_display($p[2]))|$v = wp.vec3(to_linear($p[0]), to_linear($p[1]), to_linear($p[2]))|$v = wp.vec3(wp.pow($p[0] + 0.01, {g}), wp.pow($p[1] + 0.01, {g}), wp.pow($p[2] + 0.01, {g}))⟩", (N,), (P, C)),
    Template("alpha compositing", "$p = {a}[{i}, {j}]\n$v = ⟨{c}[{i}, {j}] * $p + {d}[{i}, {j}] * (1.0 - $p)|wp.lerp({d}[{i}, {j}], {c}[{i}, {j}], $p)|{c}[{i}, {j}] + {d}[{i}, {j}] * (1.0 - $p)|wp.cw_mul({c}[{i}, {j}], {d}[{i}, {j}]) * $p⟩⟨| * {g}⟩", (), (P, C)),
    Template("saturation", "$p = {c}[{i}, {j}]\n$o = luma_of($p)\n$v = wp.vec3($o) + ($p - wp.vec3($o)) * ⟨{g}|{0}|1.3⟩", (N,), (P, inner("o", "luma", "gray"), C)),
    Template("a change of colour space", "$p = {c}[{i}, {j}]\n⟨$v = wp.vec3(luma_of($p), 0.5 * ($p[2] - luma_of($p)) + 0.5, 0.7 * ($p[0] - luma_of($p)) + 0.5)|$v = wp.mat33(0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505) @ $p|$v = wp.vec3($p[0] + $p[2] - $p[1], 2.0 * ($p[1] - $p[2]), 0.25 * ($p[0] + 2.0 * $p[1] + $p[2]))⟩", (), (P, C)),
    Template("tone mapping", "$p = {c}[{i}, {j}] * ⟨{g}|2.0⟩\n$o = luma_of($p)\n$v = $p * (⟨1.0 / (1.0 + $o)|(1.0 + $o / ⟨4.0|9.0⟩) / (1.0 + $o)|(1.0 - wp.exp(-$o - 0.1)) / ($o + 0.1)⟩)", (), (P, inner("o", "lum", "l_in"), C)),
    Template("a vignette", "$x = float({j}) / float({m}) - 0.5\n$y = float({i}) / float({n}) - 0.5\n$r = {f}[{i}, {j}] * (1.0 - ⟨{g}|{0}|0.8⟩ * ($x * $x + $y * $y))", (N,), (inner("x", "u", "cx"), inner("y", "v", "cy"), F)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (IMAGE, SHADING),
    TEMPLATES,
    ("filter", "blend", "smooth", "convert", "process"),
    PARAMETERS,
    HELPERS,
    most=1,
    dims=("n", "m"),
)
CATEGORY = Category("image_filter", DOMAIN.draw, WEIGHTS, "of an image", "domains", dry_run=False)
