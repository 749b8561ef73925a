"""Category `early_exit`: loops with a break: table searches, escape times, ray marching, linked chains, and empty cases."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC2, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import SIGNAL, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import CAMERA, TERRAIN
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("selection", 0.8), ("curve", 1.0), ("vector", 1.0)))

# Values carried by a loop with a break are unknown when gradients are computed. Therefore they are integers, and functions
# return values that are used as indices. Sums only skip.
HELPERS = (
    ("find_interval", "@wp.func\ndef find_interval(knots: wp.array(dtype=float), count: int, x: float) -> int:\n    found = int(0)\n    for k in range(count - 1):\n        found = k\n        if ⟨knots[k + 1] > x|x < knots[k + 1]⟩:\n            break\n    return found"),
    ("escape_time", "@wp.func\ndef escape_time(c: wp.vec2, limit: int) -> int:\n    z = ⟨wp.vec2(0.0, 0.0)|wp.vec2(c[0], c[1])⟩\n    count = int(0)\n    while ⟨count < limit|True⟩:\n        if ⟨wp.dot(z, z) > 4.0|wp.length(z) > 2.0|z[0] ** 2.0 + z[1] ** 2.0 > 4.0⟩ or count >= limit:\n            break\n        z = wp.vec2(z[0] * z[0] - z[1] * z[1], 2.0 * z[0] * z[1]) + c\n        count += 1\n    return count"),
    ("sphere_gap", "@wp.func\ndef sphere_gap(p: wp.vec3, radius: float) -> float:\n    return ⟨wp.length(p) - radius|wp.max(wp.abs(p[0]), wp.max(wp.abs(p[1]), wp.abs(p[2]))) - radius⟩"),
    ("march_steps", "@wp.func\ndef march_steps(origin: wp.vec3, ray: wp.vec3, radius: float) -> int:\n    t = float(0.0)\n    taken = int(0)\n    for k in range(⟨16|24|32⟩):\n        gap = sphere_gap(origin + ray * t, radius)\n        if gap < ⟨0.01|0.001⟩ ⟨or t > 10.0|or not t < 8.0⟩:\n            break\n        t += gap\n        taken += 1\n    return taken"),
    ("settle", "@wp.func\ndef settle(target: float, limit: int) -> int:\n    guess = float(1.0)\n    rounds = int(0)\n    while rounds < limit:\n        step = ⟨0.5 * (target / guess - guess)|(target - guess ** 2.0) / (2.0 * guess)⟩\n        guess += step\n        rounds += 1\n        if wp.abs(step) < ⟨0.001|0.01⟩:\n            break\n    return rounds"),
)  # fmt: skip

PARAMETERS = (
    length("m", 6, 12, "table_len", "num_knots", "num_entries"),
    length("g", 4, 4, "num_slots", "num_bins"),
    array("t", FLOAT, -2.0, 2.0, "knots", "thresholds", "breaks", dims=("m",)),
    array("y", FLOAT, -2.0, 2.0, "knot_values", "ordinates", "levels_in", dims=("m",)),
    array("ids", INT, 0, 15, "table_ids", "known_keys", "dictionary", dims=("m",)),
    array("x", FLOAT, -2.0, 2.0, "queries", "xs", "lookups"),
    array("key", INT, 0, 15, "wanted", "keys_in", "codes"),
    array("link", INT, 0, 23, "links", "parents", "next_of"),
    array("c", VEC2, -2.0, 1.0, "plane_points", "c_values"),
    array("o", VEC3, -2.0, 2.0, "ray_starts", "eyes"),
    array("r", VEC3, -1.0, 1.0, "ray_dirs", "headings", distribution="unit"),
    value("lim", 8, 24, "max_iter", "limit_k", "max_steps", dtype=INT),
    total("slot", INT, "slots", "claimed", dims=("g",)),
    output("iout", INT, "found_at", "counts_out", "hops"),
)
K, N = inner("k", "k", "entry", "probe"), template_output("n", INT, -20, 40, "position", "hit_at", "slot_k", linear=True)
J = inner("j", "j", "segment", "cell_j")
R = template_output("r", FLOAT, -60.0, 60.0, "interpolated", "looked_up", "between_f")
S = template_output("s", FLOAT, -60.0, 60.0, "partial", "sum_until", "collected", linear=True)
C = template_output("n", INT, 0, 40, "iterations", "taken", "rounds_k")
X, Y = template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.2, 2.0)

TEMPLATES = (
    Template("a search in a table", "$n = int(-1)\nfor $k in range({m}):\n    if ⟨{ids}[$k] == {key}[{i}]|{t}[$k] > {x}[{i}]|{ids}[$k] == {key}[{i}] and {t}[$k] > 0.0|not {t}[$k] < {x}[{i}]⟩:\n        $n = $k\n        break", (), (K, N)),
    Template("a linear interpolation", "$j = find_interval({t}, {m}, {x}[{i}])\n$r = ⟨{y}[$j] + ({y}[$j + 1] - {y}[$j]) * ⟨{0}|0.5⟩|0.5 * ({y}[$j] + {y}[$j + 1]) * {x}[{i}]|{y}[$j] * (1.0 - {0}) + {y}[$j + 1] * {0}⟩", (X,), (J, R)),
    Template("an escape time", "$n = escape_time(⟨{c}[{i}]|{c}[{i}] * {0}|wp.vec2({x}[{i}], {0})⟩, {lim})", (Y,), (C,)),
    Template("a march along a ray", "$n = march_steps({o}[{i}], {r}[{i}], ⟨{0}|0.5|1.0⟩)", (Y,), (C,)),
    Template("rounds until a guess settles", "$n = settle({0} ⟨+ 0.1|* 4.0⟩, {lim})", (Y,), (C,)),
    Template("a sum over what is not skipped", "$s = float(0.0)\nfor $k in range({m}):\n    if ⟨not ({t}[$k] > 0.0 and {ids}[$k] > 2)|{ids}[$k] % 2 == 0 or {t}[$k] < -1.0|not {ids}[$k] < {key}[{i}]⟩:\n        continue\n    $s += {y}[$k]⟨| * {x}[{i}]| * {0}⟩", (X,), (K, S)),
    Template("a walk along links", "$j = {link}[{i}]\n$n = int(0)\nwhile ⟨True|$n < {lim}⟩:\n    $k = {link}[$j]\n    if $k >= $j⟨| or $n >= {lim}⟩:\n        break\n    $j = $k\n    $n += 1\n{iout}[{i}] = ⟨$j|$j + $n⟩", (), (inner("j", "node", "current"), inner("k", "parent", "following"), N)),
    Template("a search in two loops", "$n = int(-1)\nfor $k in range({m}):\n    for $j in range($k + 1, {m}):\n        if ⟨{ids}[$k] == {ids}[$j]|{ids}[$k] + {ids}[$j] == {key}[{i}]|{t}[$k] + {t}[$j] > {x}[{i}]⟩:\n            $n = ⟨$k|$j|$k * $j⟩\n            break\n    if $n >= 0:\n        break", (), (K, inner("j", "other_k", "l"), N)),
    Template("the first free slot", "$n = int(-1)\nfor $k in range(⟨{g}|4⟩):\n    if {key}[{i}] % 4 == $k:\n        wp.atomic_add({slot}, $k, ⟨1|{key}[{i}]⟩)\n        $n = $k\n        break", (), (K, N)),
    Template("cases of which one does nothing", "$r = {x}[{i}]⟨| * {0}⟩\n⟨if {key}[{i}] < 4:\n    pass\nelif {key}[{i}] < 10:\n    $r = $r * ⟨2.0|{1}⟩\nelse:\n    $r = $r ⟨+|-⟩ 1.0|if {x}[{i}] > 0.0:\n    $r = $r ** 2.0\nelse:\n    pass|if {key}[{i}] % 3 == 0 and {x}[{i}] < 1.0:\n    pass\nelse:\n    $r = -$r⟩", (X, Y), (R,)),
    Template("powers", "$r = ⟨(wp.abs({x}[{i}]) + 0.1) ** {1}|{x}[{i}] ** 2.0 + {0}|{0} * (1.0 + {x}[{i}] ** 2.0) ** 0.5|{1} ** ({x}[{i}] * 0.5)|({1} * {1} + {x}[{i}] ** 2.0) ** -0.5⟩", (X, Y), (R,)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (STATISTICS, SIGNAL, TERRAIN, CAMERA), TEMPLATES, ("find", "search", "match", "trace", "scan"), PARAMETERS, HELPERS
)
CATEGORY = Category("early_exit", DOMAIN.draw, WEIGHTS, "by loops that end early", "language", dry_run=False)
