"""Category `cellular_automata`: life-like and majority rules, elementary rules, cyclic cells, sandpiles, fires, Ising spins."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import BIOLOGY
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import TERRAIN
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("integer", 2.0), ("selection", 1.0), ("cast", 0.6)))

HELPERS = (
    ("wrapped", "@wp.func\ndef wrapped(g: wp.array2d(dtype=int), i: int, j: int, h: int, w: int) -> int:\n    return g[(i + h) % h, (j + w) % w]"),
    ("inside", "@wp.func\ndef inside(g: wp.array2d(dtype=int), i: int, j: int, h: int, w: int):\n    if i < 0 or j < 0 or i >= h or j >= w:\n        return ⟨0|0|1⟩\n    return g[i, j]"),
    ("count_around", "@wp.func\ndef count_around(g: wp.array2d(dtype=int), i: int, j: int, h: int, w: int, state: int, reach: int = 1):\n    found = int(0)\n    for di in range(-reach, reach + 1):\n        for dj in range(-reach, reach + 1):\n            ⟨if (di != 0 or dj != 0) and ⟨wrapped|inside⟩(g, i + di, j + dj, h, w) == state:\n                found += 1|same = ⟨wrapped|inside⟩(g, i + di, j + dj, h, w) == state\n            if same and not (di == 0 and dj == 0):\n                found = found + 1⟩\n    return found"),
    ("sum_cross", "@wp.func\ndef sum_cross(g: wp.array2d(dtype=int), i: int, j: int, h: int, w: int):\n    ⟨return wrapped(g, i - 1, j, h, w) + wrapped(g, i + 1, j, h, w) + wrapped(g, i, j - 1, h, w) + wrapped(g, i, j + 1, h, w)|return inside(g, i - 1, j, h, w) + inside(g, i + 1, j, h, w) + inside(g, i, j - 1, h, w) + inside(g, i, j + 1, h, w)⟩"),
    ("life_rule", "@wp.func\ndef life_rule(alive: int, near: int) -> int:\n    if alive == 1:\n        return wp.where(near ⟨== 2 or near == 3|>= 2 and near <= 3|> 1 and near < 5⟩, 1, 0)\n    return wp.where(near == ⟨3|3|2|6⟩⟨| or near == 6⟩, 1, 0)"),
)  # fmt: skip

PARAMETERS = (
    array("g", INT, 0, 1, "cells", "grid_in", "alive_in", "board"),
    array("s", INT, 0, 3, "states", "colors_in", "phase_in"),
    array("h", INT, 0, 7, "grains", "heights_in", "pile"),
    array("age", INT, 0, 20, "ages", "cell_age", "timer"),
    array("f", FLOAT, 0.0, 1.0, "moisture", "fuel", "potential_in"),
    value("rule", 1, 255, "rule", "rule_number", "rule_bits", dtype=INT),
    value("seed", 0, 100, "seed", "generation", "epoch", dtype=INT),
    value("t", 0.5, 2.0, "temperature", "noise_level"),
    output("out", INT, "next_cells", "board_out", "new_states", "grid_out"),
    output("of", FLOAT, "activity", "heat_out", "field_out"),
    total("pop", INT, "population", "num_changed", "live_count"),
)
AT = "{i}, {j}, {n}, {m}"
N, C, X = (
    inner("n", "near", "neighbors", "live_near"),
    inner("c", "cell", "here", "state_ij"),
    inner("x", "next_c", "new_c", "result_c"),
)
OUT = "{out}[{i}, {j}] = $x⟨||\nwp.atomic_add({pop}, 0, $x)|\nif $x != $c:\n    wp.atomic_add({pop}, 0, 1)⟩"
FLIPS = "{out}[{i}, {j}] = $x⟨|\nif $x != $c:\n    wp.atomic_add({pop}, 0, 1)⟩"
L, R, K = inner("l", "left", "west"), inner("r", "right_c", "east"), inner("k", "pattern", "key", "code")
LIVE = "$c = {g}[{i}, {j}]\n$n = count_around({g}, " + AT + ", 1)\n"
RNG, U = inner("rng", "rng", "state_r"), inner("u", "u", "chance", "roll")
DRAW = "$rng = wp.rand_init({seed}, {i} * {m} + {j})\n$u = wp.randf($rng)\n"
V = template_output("v", FLOAT, -40.0, 40.0, "density_v", "local_field", "activity_v")

TEMPLATES = (
    Template("the game of life", LIVE + "⟨$x = life_rule($c, $n)|$x = int(0)\nif $c == 1 and ($n == 2 or $n == 3):\n    $x = 1\nelif $c == 0 and $n == ⟨3|3|2⟩:\n    $x = 1|$x = wp.where($n == 3 or ($n == 2 and $c == 1), 1, 0)|$x = 1 if $n == 3 or $n + $c == 3 else 0⟩\n" + OUT, (), (C, N, X)),
    Template("life by bit tables", LIVE + "$k = wp.where($c == 1, ⟨12|28|44⟩, ⟨8|72|264⟩)\n$x = ($k >> $n) & 1\n" + OUT, (), (C, N, inner("k", "table", "rule_mask"), X)),
    Template("a majority rule", "$c = {g}[{i}, {j}]\n$n = count_around({g}, " + AT + ", 1)⟨ + $c|⟩\n$x = wp.where($n ⟨> 4|>= 5⟩, 1, ⟨0|wp.where($n == 4, $c, 0)|wp.where($n < 3, 0, 1 - $c)⟩)\n" + OUT, (), (C, N, X)),
    Template("a parity rule", "$c = {g}[{i}, {j}]\n$x = ⟨(sum_cross({g}, " + AT + ") + $c) % 2|(sum_cross({g}, " + AT + ") & 1) ^ $c⟩\n" + OUT, (), (C, X)),
    Template("an elementary rule", "$c = {g}[{i}, {j}]\n$l = {g}[{i}, ⟨({j} + {m} - 1) % {m}|wp.max({j} - 1, 0)⟩]\n$r = {g}[{i}, ⟨({j} + 1) % {m}|wp.min({j} + 1, {m} - 1)⟩]\n$k = ⟨4 * $l + 2 * $c + $r|($l << 2) + ($c << 1) + $r⟩\n$x = (⟨{rule}|110|30|90⟩ >> $k) & 1\n" + OUT, (), (C, L, R, K, X)),
    Template("a totalistic rule", "$c = {s}[{i}, {j}]\n$n = sum_cross({s}, " + AT + ") + ⟨$c|2 * $c⟩\n$x = ⟨($n * 5 + {rule}) % 4|(({rule} * 37) >> ($n % 12)) & 3|($n + {rule}) % 4⟩\n" + OUT, (), (C, N, X)),
    Template("cyclic cells", "$c = {s}[{i}, {j}]\n$k = ($c + 1) % ⟨4|4|3⟩\n$n = count_around({s}, " + AT + ", $k)\n$x = wp.where($n >= ⟨1|2|3⟩, $k, $c)\n" + OUT, (), (C, inner("k", "prey", "succ", "next_color"), N, X)),
    Template("piles of sand", "$c = {h}[{i}, {j}]\n$x = wp.where($c >= 4, $c - 4, $c)\nfor $k in range(2):\n    $n = 2 * $k - 1\n    if inside({h}, {i} + $n, {j}, {n}, {m}) >= 4:\n        $x += 1\n    if inside({h}, {i}, {j} + $n, {n}, {m}) >= 4:\n        $x += 1\n" + OUT, (), (C, X, inner("k", "side", "k"), inner("n", "step_s", "shift"))),
    Template("a forest fire", "$c = {s}[{i}, {j}] % 3\n$n = count_around({s}, " + AT + ", 2)\n" + DRAW + "$x = int($c)\nif $c == 2:\n    $x = 0\nelif $c == 1 and ($n > 0 or $u < ⟨0.05|0.1|{f}[{i}, {j}] * 0.1⟩):\n    $x = 2\nelif $c == 0 and $u < ⟨0.2|0.3⟩:\n    $x = 1\n" + OUT, (), (C, N, RNG, U, X)),
    Template("an infection", "$c = {s}[{i}, {j}] % 3\n$n = count_around({s}, " + AT + ", 1)\n" + DRAW + "$x = $c\nif $c == 0 and $u < ⟨0.15|0.2⟩ * float($n):\n    $x = 1\nelif $c == 1 and {age}[{i}, {j}] > ⟨5|8⟩:\n    $x = 2\n" + OUT.replace("⟨|", "⟨", 1), (), (C, N, RNG, U, X)),
    Template("excitable cells", "$c = {s}[{i}, {j}]\n$x = int(0)\nif $c == 0:\n    $x = wp.where(count_around({s}, " + AT + ", 1) >= ⟨1|2⟩, 1, 0)\nelse:\n    $x = ($c + 1) % ⟨4|3⟩\n" + OUT, (), (C, X)),
    Template("Ising spins", "$c = 2 * {g}[{i}, {j}] - 1\n$n = 2 * sum_cross({g}, " + AT + ") - 4\n" + DRAW + "$k = 2.0 * float($c * $n)\n$x = wp.where($k <= 0.0 or $u < wp.exp(-$k / {t}), -$c, $c)\n" + FLIPS, (), (C, N, RNG, U, inner("k", "delta_e", "energy_d"), X)),
    Template("a count of ages", "$c = {age}[{i}, {j}]\n$n = count_around({g}, " + AT + ", ⟨1|0⟩)\n$x = wp.where($n >= ⟨2|3⟩, wp.min($c + 1, ⟨20|15⟩), ⟨0|$c // 2⟩)\n" + OUT, (), (C, N, X)),
    Template("a field of living neighbours", "$n = count_around({g}, " + AT + ", 1)\n{of}[{i}, {j}] = {f}[{i}, {j}] * ⟨0.9|0.5⟩ + ⟨0.1|0.05⟩ * float($n)⟨| * {f}[{i}, {j}]⟩\n$v = float($n) * ⟨0.125|{f}[{i}, {j}]⟩", (), (N, V)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (BIOLOGY, TERRAIN), TEMPLATES, ("evolve", "step", "advance", "update"), PARAMETERS, HELPERS, most=1, dims=("n", "m")
)
CATEGORY = Category("cellular_automata", DOMAIN.draw, WEIGHTS, "by rules of an automaton", "domains", dry_run=False)
