"""Category `atomics`: all atomic operations on integers, floats and vectors, with separate elements where order would matter."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES, VEC2, VEC3, VEC4
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import SIGNAL, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.graphics import MESH, TERRAIN
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import PARTICLES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 1.0), ("selection", 0.8), ("curve", 0.6), ("physics", 0.6)))
UINT, WIDE, DOUBLE = TYPES["uint32"], TYPES["int64"], TYPES["float64"]

PARAMETERS = (
    length("g", 8, 8, "num_groups", "bucket_total"),
    length("h", 4, 4, "half_groups"),
    array("g_of", INT, 0, 7, "group_of", "owner", "bucket_in"),
    array("key", INT, 0, 31, "tag_in", "bit_index", "flags_in"),
    array("x", FLOAT, -2.0, 2.0, "amounts", "samples_x", "readings"),
    array("p", VEC3, -2.0, 2.0, "points_in", "vertices_x", "sites"),
    array("uv", VEC2, -1.0, 1.0, "uv_in", "plane_points"),
    array("c", VEC4, 0.0, 1.0, "rgba", "tangents", "quads_in"),
    value("t", 0.2, 1.0, "cut", "limit_x", "min_amount"),
    total("num", INT, "num_active", "counter", "tally_out"),
    total("cnt", INT, "group_counts", "cell_counts", "occupied", dims=("g",)),
    total("isum", INT, "int_sums", "code_sums", dims=("g",)),
    total("bits", INT, "bit_masks", "seen_mask", "occupancy_bits", dims=("g",)),
    total("ubits", UINT, "ubit_masks", "presence", dims=("g",)),
    total("odd", INT, "parity_masks", "toggled_bits", dims=("g",)),
    total("ones", INT, "all_masks", "and_masks", dims=("g",), start=1023),
    total("hi", INT, "max_key", "highest_key", dims=("g",), start=-1),
    total("lo", INT, "min_key", "lowest_key", dims=("g",), start=1000),
    total("sum", FLOAT, "group_sums", "deposited", "mass_sum", dims=("g",)),
    total("sums2", FLOAT, "pair_sums", "table_sums", dims=("g", "h")),
    total("vsum", VEC3, "vec_sums", "centroid_sum", "momentum_sum", dims=("g",)),
    total("v2", VEC2, "uv_sums", "plane_sums", dims=("g",)),
    total("v4", VEC4, "rgba_sums", "color_acc", dims=("g",)),
    total("fmax", FLOAT, "group_max", "peak_of", dims=("g",), start=-1000.0),
    total("fmin", FLOAT, "group_min", "floor_of", dims=("g",), start=1000.0),
    total("wide", WIDE, "wide_total", "big_sum"),
    total("dbl", DOUBLE, "precise_total", "double_sum"),
    total("slot", INT, "slots", "owned_slots", "exchange_out", dims=("n",)),
    output("prev", INT, "previous", "seen_before", "old_values"),
    total("fslot", FLOAT, "float_slots", "stash", dims=("n",)),
)
G, K = inner("g", "g", "group_i", "b"), inner("k", "k", "tag", "key_i")
F, V = inner("f", "amount_i", "share", "x_w"), inner("v", "v", "p_i", "arm")
R, W = (
    template_output("r", FLOAT, -60.0, 60.0, "amount_r", "weight_r", "score_r"),
    template_output("o", VEC3, -60.0, 60.0, "scaled_p", "lever", "offset_o"),
)
AT, X, Y = "$g = {g_of}[{i}]\n", template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0)

TEMPLATES = (
    Template("atomic sums", AT + "$r = {x}[{i}] ⟨*|+⟩ {0}\nwp.atomic_⟨add|sub⟩({sum}, $g, $r)", (Y,), (G, R)),
    Template("the operator for atomic sums", AT + "$r = {x}[{i}] ⟨*|-⟩ {0}\n{sum}[$g] ⟨+|-⟩= $r⟨|\n{cnt}[$g] += 1⟩", (Y,), (G, R)),
    Template("atomic sums in a table", AT + "$k = {key}[{i}] % 4\nwp.atomic_add({sums2}, $g, $k, {x}[{i}]⟨| * {0}⟩)", (Y,), (G, K)),
    Template("atomic sums of vectors", AT + "$o = {p}[{i}] * ⟨{0}|{x}[{i}]⟩\nwp.atomic_⟨add|sub⟩({vsum}, $g, $o)⟨|\nwp.atomic_add({cnt}, $g, 1)⟩", (Y,), (G, W)),
    Template("atomic sums of wider vectors", AT + "⟨wp.atomic_add({v4}, $g, {c}[{i}] * {0})|wp.atomic_sub({v2}, $g, {uv}[{i}] * {0})|wp.atomic_add({v2}, $g, {uv}[{i}])\nwp.atomic_add({v4}, $g, {c}[{i}])⟩", (Y,), (G,)),
    Template("moments of points", AT + "$v = {p}[{i}]\nwp.atomic_add({vsum}, $g, wp.cross($v, ⟨wp.vec3(0.0, 1.0, 0.0)|wp.vec3(1.0, 0.0, 0.5)⟩) * ⟨{0}|{x}[{i}]⟩)\nwp.atomic_add({sum}, $g, wp.dot($v, $v))", (Y,), (G, V)),
    Template("a count of what passes", "⟨if {x}[{i}] > {t}:\n    wp.atomic_add({num}, 0, 1)|if wp.abs({x}[{i}]) > {t} and {key}[{i}] % 2 == 0:\n    wp.atomic_add({num}, 0, {key}[{i}])|wp.atomic_add({num}, 0, wp.where({x}[{i}] < {t}, 1, 0))⟩\n$r = {x}[{i}] - {t}", (), (R,)),
    Template("masks of bits", AT + "$k = 1 << ({key}[{i}] ⟨% 10|& 7⟩)\nwp.atomic_or({bits}, $g, $k)⟨|\nwp.atomic_and({ones}, $g, 1023 - $k)⟩", (), (G, K)),
    Template("masks of bits without a sign", AT + "$k = wp.uint32({key}[{i}])\nwp.atomic_⟨or({ubits}, $g, wp.uint32(1) << $k)|⟨xor|add|max⟩({ubits}, $g, ⟨wp.uint32(1) << $k|$k * wp.uint32(3)|$k ^ wp.uint32(21)⟩)⟩", (), (G, K)),
    Template("parities by exclusive or", AT + "$k = {key}[{i}] ⟨+ 1|* 3 + 1⟩\nwp.atomic_xor({odd}, $g, $k)⟨|\nwp.atomic_add({isum}, $g, $k)⟩", (), (G, K)),
    Template("extremes of whole numbers", AT + "$k = {key}[{i}]⟨| * 2 + 1| ^ 5⟩\nwp.atomic_⟨max({hi}, $g, $k)|min({lo}, $g, $k)|max({hi}, $g, $k)\nwp.atomic_min({lo}, $g, $k)⟩", (), (G, K)),
    Template("extremes of floats", AT + "$f = {x}[{i}] * ⟨1.5|0.5|2.0⟩ ⟨+|-⟩ ⟨0.1|0.25⟩\nwp.atomic_⟨max({fmax}, $g, $f)|min({fmin}, $g, $f)|max({fmax}, $g, $f)\nwp.atomic_min({fmin}, $g, $f)⟩\n$r = $f ⟨*|+⟩ {0}", (Y,), (G, F, R)),
    Template("an exchange in a slot of one's own", "$k = {key}[{i}]⟨| + 1| * 5⟩\n{prev}[{i}] = wp.atomic_exch({slot}, {i}, $k + 1) ⟨+|-⟩ $k", (), (K,)),
    Template("a comparison and exchange in a slot of one's own", "$k = {key}[{i}] + 1\n$g = wp.atomic_cas({slot}, {i}, ⟨0|{key}[{i}] % 2⟩, $k)\n{prev}[{i}] = ⟨$g + $k|wp.where($g == 0, $k, -1)|$k - $g⟩", (), (K, inner("g", "before", "old_value"))),
    Template("wide and precise totals", "⟨wp.atomic_add({wide}, 0, wp.int64({key}[{i}]) * wp.int64(⟨1000003|70001⟩))|wp.atomic_add({dbl}, 0, wp.float64({x}[{i}]) * wp.float64({0}))|wp.atomic_add({wide}, 0, wp.int64({key}[{i}]))\nwp.atomic_add({dbl}, 0, wp.float64({x}[{i}]))⟩\n$r = {x}[{i}] * {0}", (Y,), (R,)),
    Template("sums of a slot and its neighbour", "wp.atomic_add({fslot}, {i}, {x}[{i}] * ⟨0.5|{0}⟩)\nif {i} > 0:\n    wp.atomic_⟨add|sub⟩({fslot}, {i} - 1, {x}[{i}] * ⟨0.25|0.5⟩)", (Y,), ()),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (PARTICLES, STATISTICS, SIGNAL, MESH, TERRAIN), TEMPLATES, ("gather", "tally", "collect", "reduce", "mark"), PARAMETERS
)
CATEGORY = Category("atomics", DOMAIN.draw, WEIGHTS, "by atomics", "domains", dry_run=False)
