"""Category `sorting`: sorting networks over a few numbers, exchanges by index, ranks, insertion into small rows, order statistics."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3, VEC4
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import SIGNAL, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import IMAGE
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("selection", 1.5), ("curve", 0.6), ("integer", 0.6)))

HELPERS = (
    ("sort_pair", "@wp.func\ndef sort_pair(a: float, b: float):\n    ⟨return wp.min(a, b), wp.max(a, b)|if a > b:\n        return b, a\n    return a, b⟩"),
    ("sort3", "@wp.func\ndef sort3(v: wp.vec3) -> wp.vec3:\n    lo = wp.min(v[0], wp.min(v[1], v[2]))\n    hi = wp.max(v[0], wp.max(v[1], v[2]))\n    return wp.vec3(⟨lo, v[0] + v[1] + v[2] - lo - hi, hi|hi, v[0] + v[1] + v[2] - lo - hi, lo⟩)"),
    ("sort4", "@wp.func\ndef sort4(v: wp.vec4) -> wp.vec4:\n    a = wp.min(v[0], v[1])\n    b = wp.max(v[0], v[1])\n    c = wp.min(v[2], v[3])\n    d = wp.max(v[2], v[3])\n    e = wp.max(a, c)\n    f = wp.min(b, d)\n    return ⟨wp.vec4(wp.min(a, c), wp.min(e, f), wp.max(e, f), wp.max(b, d))|wp.vec4(wp.max(b, d), wp.max(e, f), wp.min(e, f), wp.min(a, c))⟩"),
)  # fmt: skip

PARAMETERS = (
    length("k", 5, 9, "row_len", "k_items"),
    array("x", FLOAT, -3.0, 3.0, "keys", "unsorted", "values", "items_in"),
    array("c", INT, 0, 99, "codes", "int_keys", "priorities"),
    array("v", VEC4, -3.0, 3.0, "quads", "packed_keys", "four_values"),
    array("u", VEC3, -3.0, 3.0, "triples", "three_values", "rgb_rows"),
    array("row", FLOAT, -3.0, 3.0, "rows_in", "candidates", "row_data", dims=("n", "k")),
    array("irow", INT, 0, 63, "int_rows", "ids_in", "code_rows", dims=("n", "k")),
    value("stride", 1, 4, "stride", "partner_step", "half_size", dtype=INT),
    value("w", 0.1, 0.9, "quantile", "trim", "share_q"),
    output("out", FLOAT, "sorted_out", "exchanged", "keys_out"),
    output("iout", INT, "order", "ranks", "sorted_ids"),
    output("vout", VEC4, "sorted_quads", "quads_out"),
)
A, B, C, D = (
    inner("a", "a", "a0", "first"),
    inner("b", "b", "b0", "second"),
    inner("c", "c", "c0", "third"),
    inner("d", "d", "d0", "fourth"),
)
K, J = inner("k", "k", "col_k", "pos_k"), inner("j", "j", "other", "partner")
R = template_output("r", FLOAT, -60.0, 60.0, "middle", "picked", "median_v", "order_stat")
V, N = (
    template_output("q", VEC4, -30.0, 30.0, "ordered", "sorted_v", "in_order"),
    template_output("n", INT, -200, 200, "rank_n", "slot_n", "place_n"),
)
FOUR = "$a = {v}[{i}][0]⟨| + {0}⟩\n$b = {v}[{i}][1]\n$c = {v}[{i}][2]\n$d = {v}[{i}][3]⟨| * {1}⟩\n"
NETWORK = "$a, $b = sort_pair($a, $b)\n$c, $d = sort_pair($c, $d)\n$a, $c = sort_pair($a, $c)\n$b, $d = sort_pair($b, $d)\n$b, $c = sort_pair($b, $c)\n"
X, Y = template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.2, 2.0)
PARTNER = "$j = ⟨{i} ^ {stride}|{i} ^ 1|{i} ^ (2 * {stride})⟩\n$a = {x}[{i}]\n$b = $a\nif $j < {n}:\n    $b = {x}[$j]\n"

TEMPLATES = (
    Template("a sorting network for four", FOUR + NETWORK + "⟨$r = $b * {w} + $c * (1.0 - {w})|$r = 0.5 * ($b + $c)|$r = $d - $a|{vout}[{i}] = wp.vec4($a, $b, $c, $d)⟩", (X, Y), (A, B, C, D, R)),
    Template("a network written out", FOUR + "$e = wp.min($a, $b)\n$f = wp.max($a, $b)\n$g = wp.min($c, $d)\n$h = wp.max($c, $d)\n⟨$r = wp.max(wp.min($f, $h), wp.max($e, $g))|$r = wp.max($f, $h) - wp.min($e, $g)|{vout}[{i}] = wp.vec4(wp.min($e, $g), wp.max($e, $g), wp.min($f, $h), wp.max($f, $h))⟩", (X, Y),
          (A, B, C, D, inner("e", "lo_ab", "e"), inner("f", "hi_ab", "f"), inner("g", "lo_cd", "g"), inner("h", "hi_cd", "h"), R)),
    Template("a sorted vector of four", "$q = sort4({v}[{i}]⟨| * {0}| + wp.vec4({0}, 0.0, 0.0, {1})⟩)", (Y, Y), (V,)),
    Template("quantiles of four", "$e = sort4({v}[{i}])\n$r = ⟨$e[1] + ($e[2] - $e[1]) * {w}|0.25 * ($e[0] + $e[1] + $e[2] + $e[3]) - $e[1] * {w}|($e[1] + $e[2]) * 0.5⟩ ⟨+|-⟩ {0}", (X,), (inner("e", "s4", "ordered_e"), R)),
    Template("a sorted vector of three", "$e = sort3({u}[{i}]⟨| * {0}⟩)\n$r = ⟨$e[1]|$e[1] * {w} + $e[0]|$e[2] - $e[0]⟩", (Y,), (inner("e", "s3", "triple"), R)),
    Template("a bitonic exchange", PARTNER + "⟨{out}[{i}] = wp.where(({i} & {stride}) == 0, wp.min($a, $b), wp.max($a, $b))|if $j > {i}:\n    {out}[{i}] = wp.min($a, $b)\nelse:\n    {out}[{i}] = wp.max($a, $b)|$e = ({i} & 4) == 0\n$f = {i} < $j\n{out}[{i}] = wp.where($e == $f, wp.min($a, $b), wp.max($a, $b))⟩", (),
          (J, A, B, inner("e", "ascending", "up"), inner("f", "is_low", "lower_half"))),
    Template("an odd and even exchange", "$a = {x}[{i}]\n$r = $a\nif ({i} + {stride}) % 2 == 0:\n    if {i} + 1 < {n}:\n        $r = wp.min($a, {x}[{i} + 1])\nelif {i} > 0:\n    $r = wp.max($a, {x}[{i} - 1])", (), (A, R)),
    Template("a rank by counting", "$a = {x}[{i}]⟨| * {w}⟩\n$c = int(0)\nfor $k in range({n}):\n    if {x}[$k]⟨| * {w}⟩ < $a:\n        $c += 1\n{iout}[{i}] = $c".replace("⟨| * {w}⟩", ""), (), (A, inner("c", "below", "rank_c"), K)),
    Template("a rank within a row", "$a = {row}[{i}, ⟨0|1|2⟩]\n$n = int(0)\nfor $k in range(5):\n    $n += wp.where({row}[{i}, $k] ⟨<|>⟩ $a, 1, 0)", (), (A, K, N)),
    Template("a rank of whole numbers", "$a = {c}[{i}]\n$c = int(0)\nfor $k in range({n}):\n    $b = {c}[$k]\n    if $b < $a or ($b == $a and $k < {i}):\n        $c += 1\n{iout}[{i}] = $c", (), (A, B, inner("c", "below", "rank_c"), K)),
    Template("the smallest two of a row", "$a = float(⟨10.0|100.0⟩)\n$b = float(⟨10.0|100.0⟩)\nfor $k in range(5):\n    $e = {row}[{i}, $k]\n    $b = wp.min($b, wp.max($a, $e))\n    $a = wp.min($a, $e)\n$r = ⟨$b - $a|$a + $b * {w}|$b⟩⟨| * {0}⟩", (Y,), (A, B, K, inner("e", "e", "item_e"), R)),
    Template("insertion into a sorted few", "$a = int(1000)\n$b = int(1000)\n$c = int(1000)\nfor $k in range({k}):\n    $e = {irow}[{i}, $k]\n    if $e < $a:\n        $c = $b\n        $b = $a\n        $a = $e\n    elif $e < $b:\n        $c = $b\n        $b = $e\n    elif $e < $c:\n        $c = $e\n{iout}[{i}] = ⟨$c|$a + $b + $c|$c - $a⟩", (), (A, B, C, K, inner("e", "e", "new_item"))),
    Template("where the largest is", "$b = int(0)\nfor $k in range(1, 5):\n    if {row}[{i}, $k] ⟨>|<⟩ {row}[{i}, $b]:\n        $b = $k\n⟨{iout}[{i}] = $b|$r = {row}[{i}, $b]⟨| * {0}⟩⟩", (Y,), (inner("b", "best", "arg_k"), K, R)),
    Template("a radix digit", "$a = ({c}[{i}] >> ⟨2|4|{stride}⟩) & ⟨3|7⟩\n$c = int(0)\nfor $k in range({i}):\n    if (({c}[$k] >> 2) & 3) == ($a & 3):\n        $c += 1\n{iout}[{i}] = $c⟨| * 4⟩ + $a", (), (inner("a", "digit", "bucket_a"), inner("c", "before_c", "same_c"), K)),
    Template("a running check of order", "$e = wp.where({i} > 0, {x}[wp.max({i} - 1, 0)], {x}[0])\n$r = ⟨wp.max($e - {x}[{i}], 0.0)|{x}[{i}] - $e⟩ ⟨+|-⟩ {0}", (X,), (inner("e", "previous", "before_x"), R)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (STATISTICS, SIGNAL, IMAGE), TEMPLATES, ("sort", "order", "exchange", "rank", "select"), PARAMETERS, HELPERS
)
CATEGORY = Category("sorting", DOMAIN.draw, WEIGHTS, "by sorting", "domains", dry_run=False)
