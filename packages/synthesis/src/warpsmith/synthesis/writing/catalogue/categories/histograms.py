"""Category `histograms`: bins of values and weights, extremes of bins, prefix sums over bins, ranks, searches in sorted tables."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC2, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import SIGNAL, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import IMAGE
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("selection", 1.0), ("curve", 0.8), ("transcendental", 0.4)))

PARAMETERS = (
    length("bins", 8, 16, "num_bins", "bin_count", "n_buckets"),
    length("g", 8, 8, "grid_bins"),
    length("k", 6, 10, "table_len", "num_edges"),
    array("x", FLOAT, -2.0, 2.0, "samples_in", "values", "data_in", "readings"),
    array("w", FLOAT, 0.1, 2.0, "weights", "sample_weights", "mass_in"),
    array("key", INT, 0, 63, "keys", "codes_in", "labels_in"),
    array("p", VEC2, -1.0, 1.0, "points_2d", "xy", "sites"),
    array("c", VEC3, 0.0, 1.0, "colors_in", "rgb_in"),
    array("edges", FLOAT, -2.0, 2.0, "bin_edges", "thresholds", "sorted_table", dims=("k",)),
    array("hist", FLOAT, 0.0, 3.0, "hist_in", "bin_mass", dims=("bins",)),
    value("lo", -2.0, -1.0, "range_min", "lower", "x_min"),
    value("hi", 1.0, 2.0, "range_max", "upper", "x_max"),
    total("count", INT, "histogram", "counts", "hits", dims=("bins",)),
    total("sum", FLOAT, "bin_sums", "weighted_hist", "bin_total", dims=("bins",)),
    total("sq", FLOAT, "bin_sq", "sum_squares", dims=("bins",)),
    total("least", FLOAT, "bin_min", "lowest_in_bin", dims=("bins",), start=100.0),
    total("most", FLOAT, "bin_max", "highest_in_bin", dims=("bins",), start=-100.0),
    total("last", INT, "last_index", "last_seen", dims=("bins",)),
    total("plane", FLOAT, "density_grid", "heatmap", "joint_hist", dims=("g", "g")),
    total("vec", VEC3, "color_sums", "bin_colors", dims=("bins",)),
    output("rank", INT, "ranks", "order_out", "positions_out"),
    output("cdf", FLOAT, "cdf_out", "prefix_out", "cumulative"),
)
B, K, T = inner("b", "b", "bin_i", "bucket"), inner("k", "k", "j", "other"), inner("t", "acc", "running", "below")
U, V = inner("u", "u", "unit_x", "rel"), inner("v", "x_i", "sample_i", "val")
BIN = "$v = {x}[{i}]\n⟨$u = ($v - {lo}) / ({hi} - {lo})\n$b = wp.clamp(int($u * float({bins})), 0, {bins} - 1)|$b = wp.min(wp.max(int(($v - {lo}) / ({hi} - {lo}) * float({bins})), 0), {bins} - 1)|$b = wp.clamp(int(wp.floor(($v + 2.0) * ⟨2.0|3.0⟩)), 0, {bins} - 1)⟩\n"
BINNED = (B, U, V)
N, R = (
    template_output("n", INT, 0, 200, "rank_i", "slot_i", "found_at"),
    template_output("r", FLOAT, -50.0, 50.0, "weight_i", "deviation", "mapped"),
)
X, P = template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.1, 2.0)

TEMPLATES = (
    Template("a histogram", BIN + "wp.atomic_add({count}, $b, ⟨1|2⟩)", (), BINNED),
    Template("a weighted histogram", BIN + "$r = ⟨{w}[{i}]|{0} * {w}[{i}]|wp.exp(-$v * $v) * {w}[{i}]⟩\nwp.atomic_add({sum}, $b, $r)", (P,), (*BINNED, R)),
    Template("moments of bins", BIN + "$r = $v - ⟨{0}|0.25⟩\nwp.atomic_add({sum}, $b, $r)\nwp.atomic_add({sq}, $b, $r * $r)⟨|\nwp.atomic_add({count}, $b, 1)⟩", (X,), (*BINNED, R)),
    Template("the least and the greatest of each bin", BIN + "⟨wp.atomic_min({least}, $b, $v)|wp.atomic_max({most}, $b, $v)|wp.atomic_min({least}, $b, $v * {w}[{i}])\nwp.atomic_max({most}, $b, $v * {w}[{i}])⟩", (), BINNED),
    Template("a histogram of whole numbers", "$b = ⟨{key}[{i}] % {bins}|({key}[{i}] >> 2) % {bins}|wp.min({key}[{i}] // 4, {bins} - 1)|({key}[{i}] ^ ({key}[{i}] >> 3)) % {bins}⟩\nwp.atomic_add({count}, $b, 1)⟨|\nwp.atomic_max({last}, $b, {i})⟩", (), (B,)),
    Template("a histogram of a plane", "$v = {p}[{i}]\n$b = wp.clamp(int(($v[0] + 1.0) * 4.0), 0, 7)\n$u = wp.clamp(int(($v[1] + 1.0) * 4.0), 0, 7)\nwp.atomic_add({plane}, $b, $u, ⟨{w}[{i}]|{0}|wp.length($v)⟩)", (P,),
          (inner("v", "xy_i", "site"), inner("b", "bx", "col_b"), inner("u", "by", "row_b"))),
    Template("a value shared by two bins", "$u = wp.clamp(({x}[{i}] - {lo}) / ({hi} - {lo}), 0.0, ⟨0.99|0.999⟩) * float({bins} - 1)\n$b = int($u)\n$r = $u - float($b)\nwp.atomic_add({sum}, $b, (1.0 - $r) * {w}[{i}])\nwp.atomic_add({sum}, $b + 1, $r * ⟨{w}[{i}]|{0}⟩)".replace("|{0}⟩", "⟩"), (), (*BINNED, template_output("r", FLOAT, -0.1, 1.1, "frac_b", "share"))),
    Template("colours by brightness", "$v = {c}[{i}]\n$u = ⟨0.299 * $v[0] + 0.587 * $v[1] + 0.114 * $v[2]|($v[0] + $v[1] + $v[2]) / 3.0|wp.max($v[0], wp.max($v[1], $v[2]))⟩\n$b = wp.clamp(int($u * float({bins})), 0, {bins} - 1)\nwp.atomic_add({vec}, $b, $v⟨| * {0}⟩)", (P,),
          (inner("v", "rgb", "color_i"), inner("u", "luma", "gray"), B)),
    Template("a sum over the bins before", "$b = {i} % {bins}\n$t = float(0.0)\nfor $k in range($b⟨ + 1|⟩):\n    $t += {hist}[$k]\n{cdf}[{i}] = $t⟨| / float({bins})⟩ + ⟨0.1 * {w}[{i}]|0.01 * {x}[{i}]⟩", (), (B, T, K)),
    Template("ranks by counting", "$v = {x}[{i}]\n$c = int(0)\nfor $k in range({n}):\n    ⟨if {x}[$k] < $v or ({x}[$k] == $v and $k < {i}):\n        $c += 1|$c += wp.where({x}[$k] < $v, 1, 0)⟩\n{rank}[{i}] = $c⟨| - 1| + 1⟩", (), (V, K, inner("c", "rank_c", "smaller"))),
    Template("a count within reach", "$v = {x}[{i}]\n$c = int(0)\nfor $k in range(⟨{n}|0, {n}, 2⟩):\n    if wp.abs({x}[$k] - $v) < ⟨0.3|0.5|{w}[{i}]⟩:\n        $c += 1\n{rank}[{i}] = $c", (), (V, K, inner("c", "near_c", "hits_c"))),
    Template("a binary search", "$n = wp.lower_bound({edges}, ⟨{x}[{i}]|{0}|{x}[{i}] * 0.5⟩)⟨| + {key}[{i}] % 3⟩", (X,), (N,)),
    Template("a look-up between two entries", "$b = wp.clamp(wp.lower_bound({edges}, ⟨0, {k}, |⟩{x}[{i}]), 1, {k} - 1)\n$r = {edges}[$b - 1] + ({edges}[$b] - {edges}[$b - 1]) * ⟨0.5|{w}[{i}]|{0}⟩", (P,), (B, R)),
    Template("a search by halves", "$b = int(0)\n$e = int({k})\nfor $k in range(4):\n    $m = ($b + $e) // 2\n    if $b < $e:\n        if {edges}[$m] < {x}[{i}]:\n            $b = $m + 1\n        else:\n            $e = $m\n$n = $b + {key}[{i}] % ⟨2|5⟩", (),
          (inner("b", "low_i", "left_i"), inner("e", "high_i", "right_i"), inner("k", "step_s", "probe"), inner("m", "middle", "mid"), N)),
)  # fmt: skip

DOMAIN = DomainTemplate((STATISTICS, SIGNAL, IMAGE), TEMPLATES, ("bin", "tally", "count", "rank", "collect"), PARAMETERS)
CATEGORY = Category("histograms", DOMAIN.draw, WEIGHTS, "in bins", "domains", dry_run=False)
