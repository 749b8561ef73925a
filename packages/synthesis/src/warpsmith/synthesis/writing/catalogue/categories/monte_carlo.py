"""Category `monte_carlo`: random integrals and walks, option prices, Metropolis steps, importance sampling, rejection."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC2, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import FINANCE, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import PARTICLES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("curve", 1.0), ("selection", 0.6), ("transcendental", 0.6)))

PARAMETERS = (
    array("s", FLOAT, 0.6, 2.0, "spots", "spot_prices", "s0"),
    array("k", FLOAT, 0.6, 2.0, "strikes", "strike_in", "k_strike"),
    array("vol", FLOAT, 0.1, 0.5, "vols", "sigma_in", "volatility_in"),
    array("t", FLOAT, 0.2, 2.0, "expiry", "maturities", "time_left"),
    array("x", FLOAT, -2.0, 2.0, "chain_x", "walkers", "theta_in"),
    array("p", VEC3, -1.0, 1.0, "start_points", "walker_pos", "p0"),
    array("q", VEC2, -1.0, 1.0, "start_xy", "walker_xy", "centers_2d"),
    array("seeds", INT, 0, 1000, "seeds", "stream_ids", "offsets_in"),
    value("seed", 1, 1000, "seed", "rng_seed", "base_seed", dtype=INT),
    value("rate", 0.01, 0.1, "rate", "drift", "r_free"),
    value("h", 0.01, 0.2, "dt", "step_len", "h"),
    total("hits", INT, "inside_count", "hits", "num_accepted"),
    total("most", INT, "most_hits", "longest_run"),
    total("sum", FLOAT, "estimate_sum", "payoff_sum", "accum"),
    total("sq", FLOAT, "square_sum", "second_moment"),
    output("np", VEC3, "end_points", "walk_out", "new_walkers"),
    output("hist", INT, "inside_out", "hits_out", "accept_out"),
)
RNG, K = inner("rng", "rng", "state", "rng_state"), inner("k", "k", "trial", "step_k", "draw_k")
START = "$rng = wp.rand_init(⟨{seed}, {i}|{seed} + {i}|⟨42|1234⟩, {i}|{seed}, {seeds}[{i}] * {n} + {i}⟩)\n"
U, V, Z = inner("u", "u", "u1", "xi"), inner("v", "v", "u2", "eta"), inner("z", "z", "gauss", "shock")
A, C = inner("a", "acc", "total", "est"), inner("c", "inside", "count_in", "hits_i")
S, P = inner("s", "s_t", "spot", "price_t"), inner("p", "p", "pos", "walker")
R = template_output("r", FLOAT, -200.0, 200.0, "estimate", "payoff", "mean_f", "expected")
W = template_output("w", VEC3, -20.0, 20.0, "end_point", "walked", "final_p")
TRIALS = "⟨3|4|5|6⟩"
X, Y = template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.2, 2.0)
SUMS = "⟨|\nwp.atomic_add({sum}, 0, $r)|\nwp.atomic_add({sum}, 0, $r)\nwp.atomic_add({sq}, 0, $r * $r)⟩"
GBM = "({rate} - 0.5 * {vol}[{i}] * {vol}[{i}])"

TEMPLATES = (
    Template("an estimate of pi", START + f"$c = int(0)\nfor $k in range({TRIALS}):\n    $u = wp.randf($rng⟨|, -1.0, 1.0⟩)\n    $v = wp.randf($rng⟨|, -1.0, 1.0⟩)\n    if $u * $u + $v * $v ⟨<|<=⟩ 1.0:\n        $c += 1\n{{hist}}[{{i}}] = $c\nwp.atomic_add({{hits}}, 0, $c)", (), (RNG, C, K, U, V)),
    Template("an integral by chance", START + f"$a = float(0.0)\nfor $k in range({TRIALS}):\n    $u = wp.randf($rng) * {{1}}\n    $a += ⟨wp.exp(-$u * {{0}} * 0.5)|wp.sin($u + {{0}})|$u * $u * {{0}}|wp.sqrt($u + 0.1) * {{0}}⟩\n$r = $a * ⟨0.2|0.25|{{1}} / 4.0⟩" + SUMS, (X, Y), (RNG, A, K, U, R)),
    Template("stratified samples", START + "$a = float(0.0)\nfor $k in range(4):\n    $u = (float($k) + wp.randf($rng)) / 4.0\n    $a += ⟨wp.cos($u * {1})|$u * {0}|wp.exp(-$u) * {0}⟩\n$r = $a / 4.0" + SUMS, (X, Y), (RNG, A, K, U, R)),
    Template("importance sampling", START + f"$a = float(0.0)\nfor $k in range({TRIALS}):\n    $u = -wp.log(wp.randf($rng) * 0.99 + 0.01) / {{1}}\n    $a += ⟨wp.exp(-$u * $u) * wp.exp({{1}} * $u * 0.2)|$u * {{0}} * wp.exp(-0.5 * $u)⟩ / {{1}}\n$r = $a * ⟨0.2|0.25⟩" + SUMS, (X, Y), (RNG, A, K, U, R)),
    Template("a random walk", START + f"$p = {{p}}[{{i}}]\nfor $k in range({TRIALS}):\n    ⟨$p = $p + wp.vec3(wp.randn($rng), wp.randn($rng), wp.randn($rng)) * {{h}}|$p += wp.vec3(wp.randf($rng, -1.0, 1.0), wp.randf($rng, -1.0, 1.0), wp.randf($rng, -0.5, 0.5)) * {{h}}|$p = $p * 0.98 + wp.vec3(wp.randn($rng), 0.0, wp.randn($rng)) * wp.sqrt({{h}})⟩\n⟨{{np}}[{{i}}] = $p|$w = $p⟨| * {{0}}⟩⟩", (Y,), (RNG, P, K, W)),
    Template("a walk on a lattice", START + "$x = {seeds}[{i}] % ⟨8|16⟩\n$y = int(⟨0|4⟩)\nfor $k in range(⟨3|4⟩):\n    $d = wp.randi($rng, 0, 4)\n    if $d == 0:\n        $x += 1\n    elif $d == 1:\n        $x -= 1\n    elif $d == 2:\n        $y += 1\n    else:\n        $y -= 1\n{hist}[{i}] = ⟨$x * $x + $y * $y|wp.abs($x) + wp.abs($y)|$x - $y⟩", (), (RNG, inner("x", "wx", "col_w"), inner("y", "wy", "row_w"), K, inner("d", "direction", "way"))),
    Template("an Ornstein and Uhlenbeck process", START + "$a = {x}[{i}]\nfor $k in range(⟨4|3|5⟩):\n    $a = $a ⟨+ {1} * ({0} - $a) * {h}|- {1} * $a * {h}⟩ + ⟨0.3|0.1⟩ * wp.sqrt({h}) * wp.randn($rng)\n$r = $a" + SUMS, (X, Y), (RNG, inner("a", "x_t", "level_t", "spread_t"), K, R)),
    Template("the price of an option", START + f"$z = wp.randn($rng)\n$s = {{s}}[{{i}}] * wp.exp({GBM} * {{t}}[{{i}}] + {{vol}}[{{i}}] * wp.sqrt({{t}}[{{i}}]) * $z)\n$r = wp.max(⟨$s - {{k}}[{{i}}]|{{k}}[{{i}}] - $s⟩, 0.0) * wp.exp(-{{rate}} * {{t}}[{{i}}]) + ⟨0.01 * {{s}}[{{i}}]|0.001 * $s⟩".replace(" + ⟨0.01 * {s}[{i}]|0.001 * $s⟩", "⟨| + 0.01 * {0}⟩") + SUMS, (X,), (RNG, Z, S, R)),
    Template("antithetic paths", START + f"$a = float(0.0)\nfor $k in range(⟨3|2|4⟩):\n    $z = wp.randn($rng)\n    $u = {{s}}[{{i}}] * wp.exp({GBM} * {{t}}[{{i}}] + {{vol}}[{{i}}] * $z)\n    $v = {{s}}[{{i}}] * wp.exp({GBM} * {{t}}[{{i}}] - {{vol}}[{{i}}] * $z)\n    $a += 0.5 * (wp.max($u - {{k}}[{{i}}], 0.0) + wp.max($v - {{k}}[{{i}}], 0.0))\n$r = $a / ⟨3.0|4.0⟩" + SUMS, (), (RNG, A, K, Z, inner("u", "s_up", "path_a"), inner("v", "s_down", "path_b"), R)),
    Template("a price averaged along a path", START + f"$s = {{s}}[{{i}}]\n$a = float(0.0)\nfor $k in range(⟨4|3|5⟩):\n    $s = $s * wp.exp({GBM} * {{h}} + {{vol}}[{{i}}] * wp.sqrt({{h}}) * wp.randn($rng))\n    $a += $s\n$r = ⟨wp.max($a / 4.0 - {{k}}[{{i}}], ⟨0.0|-0.1⟩)|$a * 0.25 - {{k}}[{{i}}]⟩" + SUMS, (), (RNG, S, A, K, R)),
    Template("a Metropolis step", START + "$a = {x}[{i}]\n$u = $a + wp.randf($rng, -⟨0.5|1.0⟩, ⟨0.5|1.0⟩)\n$z = ⟨0.5 * ($a * $a - $u * $u)|({0} - $a) * ({0} - $a) - ({0} - $u) * ({0} - $u)|wp.cos($u) - wp.cos($a)⟩\n$r = $a\nif wp.log(wp.randf($rng) + 0.001) < $z:\n    $r = $u⟨|\n    wp.atomic_add({hits}, 0, 1)⟩", (X,), (RNG, inner("a", "current", "x_i"), inner("u", "proposal", "x_new"), inner("z", "log_ratio", "log_accept"), R)),
    Template("a chain of Metropolis steps", START + "$a = {x}[{i}]\n$c = int(0)\nfor $k in range(⟨4|3⟩):\n    $u = $a + ⟨0.5|0.3⟩ * wp.randn($rng)\n    if wp.randf($rng) < wp.exp(⟨0.5|1.0⟩ * ($a * $a - $u * $u)):\n        $a = $u\n        $c += 1\n$r = $a\n{hist}[{i}] = $c", (), (RNG, inner("a", "state_x", "x_t"), C, K, inner("u", "candidate", "x_prop"), R)),
    Template("a crude histogram of chance", START + "$c = int(0)\nfor $k in range(⟨4|6⟩):\n    if ⟨wp.abs(wp.randn($rng)) < 1.0|wp.randf($rng) < ⟨0.3|0.5⟩|wp.randi($rng, 0, 6) == ⟨0|5⟩|wp.poisson($rng, 2.0) > ⟨wp.uint32(2)|wp.uint32(1)⟩⟩:\n        $c += 1\n{hist}[{i}] = $c⟨|\nwp.atomic_max({most}, 0, $c)⟩", (), (RNG, C, K)),
    Template("points on a disk", START + "$u = wp.sqrt(wp.randf($rng))\n$v = ⟨6.2831853|2.0 * wp.pi⟩ * wp.randf($rng)\n$o = {q}[{i}] + wp.vec2($u * wp.cos($v), $u * wp.sin($v)) * ⟨{0}|0.5⟩", (Y,), (RNG, inner("u", "radius_u", "rad"), inner("v", "phi", "theta"), template_output("o", VEC2, -4.0, 4.0, "disk_p", "jittered", "splat"))),
    Template("normal numbers of Box and Muller", START + "$u = wp.sqrt(-2.0 * wp.log(wp.randf($rng) * 0.999 + 0.001))\n$r = {x}[{i}] + ⟨{0}|0.5⟩ * $u * wp.⟨cos|sin⟩(⟨6.2831853|2.0 * wp.pi⟩ * wp.randf($rng))" + SUMS, (Y,), (RNG, inner("u", "mag", "radius_u"), R)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (FINANCE, STATISTICS, PARTICLES), TEMPLATES, ("simulate", "estimate", "sample", "price", "walk"), PARAMETERS
)
CATEGORY = Category("monte_carlo", DOMAIN.draw, WEIGHTS, "by random trials", "domains", dry_run=False)
