"""Category `sparse`: sparse products in three formats, solver sweeps, messages along graph edges, segment sums."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import LEARNING, SIGNAL, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import HEAT
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("selection", 1.0), ("curve", 0.8), ("physics", 0.6)))

PARAMETERS = (
    length("k", 3, 8, "nnz_per_row", "max_row", "row_width"),
    length("t", 16, 16, "num_cols", "vec_len"),
    length("z", 32, 32, "nnz", "num_entries"),
    length("g", 8, 8, "num_segments", "num_groups"),
    array("start", INT, 0, 24, "row_start", "row_offsets", "indptr"),
    array("cnt", INT, 1, 8, "row_nnz", "row_lengths", "counts_in"),
    array("cols", INT, 0, 15, "columns", "col_indices", "indices", dims=("z",)),
    array("vals", FLOAT, -2.0, 2.0, "values", "nonzeros", "data_in", dims=("z",)),
    array("ecol", INT, 0, 15, "ell_cols", "neighbor_table", dims=("n", "k")),
    array("eval", FLOAT, -2.0, 2.0, "ell_vals", "edge_table", dims=("n", "k")),
    array("row", INT, 0, 15, "coo_rows", "row_ids", "dst"),
    array("col", INT, 0, 15, "coo_cols", "col_ids", "src"),
    array("w", FLOAT, -1.5, 1.5, "coo_vals", "edge_weights", "entries"),
    array("seg", INT, 0, 7, "segment_ids", "group_of", "block_id"),
    array("x", FLOAT, -2.0, 2.0, "x", "vec_in", "features_in", dims=("t",)),
    array("xv", VEC3, -2.0, 2.0, "node_vecs", "x_blocks", dims=("t",)),
    array("deg", FLOAT, 1.0, 6.0, "degree", "node_degree", dims=("t",)),
    array("rhs", FLOAT, -3.0, 3.0, "b", "rhs", "b_vec"),
    array("diag", FLOAT, 1.0, 5.0, "diagonal", "diag", "a_ii"),
    array("own", FLOAT, -2.0, 2.0, "x_old", "guess", "state_in"),
    value("omega", 0.4, 1.0, "omega", "relax", "damping_w"),
    value("c", 0.2, 1.5, "alpha", "scale", "coeff"),
    output("y", FLOAT, "y", "product_out", "row_sums", "x_new"),
    output("yv", VEC3, "y_blocks", "aggregated", "vec_out"),
    total("acc", FLOAT, "y_acc", "node_sum", "messages", dims=("t",)),
    total("accv", VEC3, "node_acc", "vec_sum", dims=("t",)),
    total("sums", FLOAT, "segment_sum", "group_sum", dims=("g",)),
    total("num", INT, "segment_size", "group_count", dims=("g",)),
    total("res", FLOAT, "residual_sq", "norm_sq"),
)
K, C, T = inner("k", "k", "e", "slot_k"), inner("c", "c", "col_k", "nb"), inner("t", "acc", "row_dot", "s", "dot_i")
B, E = inner("b", "begin", "first", "lo"), inner("e", "end", "last", "hi")
ROW = "$b = {start}[{i}]\n$e = $b + {cnt}[{i}]\n$t = float(0.0)\nfor $k in range($b, $e):\n"
ELL = "$t = float(0.0)\nfor $k in range({k}):\n    $c = {ecol}[{i}, $k]\n"
R, Q = template_output("r", FLOAT, -90.0, 90.0, "r_i", "update_i", "message", "edge_value"), inner("q", "g", "seg_i", "group_i")
D, S = inner("d", "d", "diff_e", "delta_e"), inner("s", "i0", "src_i", "head")
U = inner("u", "i1", "dst_i", "tail")
X, P = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.1, 2.0)
CSR = (B, E, T, K)

TEMPLATES = (
    Template("a product in compressed rows", ROW + "    $t += {vals}[$k] * {x}[{cols}[$k]]\n{y}[{i}] = ⟨$t|0.5 * $t|$t + {own}[{i}] * {c}|{rhs}[{i}] - $t⟩", (), CSR),
    Template("a product in compressed rows with a branch", ROW + "    $c = {cols}[$k]\n    if $c ⟨!= {i}|% 2 == 0|< 12⟩:\n        $t += {vals}[$k] * {x}[$c]\n{y}[{i}] = $t⟨| * 0.5| * 2.0⟩ + ⟨0.1 * {rhs}[{i}]|{0}⟩", (X,), (*CSR, C)),
    Template("a product in padded rows", ELL + "    $t += {eval}[{i}, $k] * {x}[$c]\n{y}[{i}] = ⟨$t|$t * 1.5|$t + {c} * {0}|$t + {0}⟩", (X,), (T, K, C)),
    Template("a product with padding skipped", ELL + "    if $c ⟨> 0|< 14|> 1⟩:\n        $t ⟨+|-⟩= {eval}[{i}, $k] * {x}[$c]\n{y}[{i}] = $t ⟨+ {0}|- {rhs}[{i}]⟩", (X,), (T, K, C)),
    Template("a product of coordinates", "$r = {w}[{i}] * {x}[{col}[{i}]]⟨| * {0}⟩\nwp.atomic_add({acc}, {row}[{i}], $r)", (P,), (R,)),
    Template("a transposed product", "for $k in range(⟨3|{k}⟩):\n    wp.atomic_add({acc}, {ecol}[{i}, $k], {eval}[{i}, $k] * ⟨{own}[{i}]|{0}⟩)", (P,), (K,)),
    Template("a Jacobi sweep", "$t = float(0.0)\nfor $k in range(⟨3|2⟩):\n    $c = {ecol}[{i}, $k]\n    if $c != {i}:\n        $t += {eval}[{i}, $k] * {x}[$c]\n{y}[{i}] = ⟨({rhs}[{i}] - $t) / {diag}[{i}]|{own}[{i}] + {omega} * (({rhs}[{i}] - $t) / {diag}[{i}] - {own}[{i}])⟩", (), (T, K, C)),
    Template("a residual", "$t = float(0.0)\nfor $k in range(3):\n    $t += {eval}[{i}, $k] * {x}[{ecol}[{i}, $k]]\n$r = {rhs}[{i}] - {diag}[{i}] * {own}[{i}] - $t\nwp.atomic_add({res}, 0, $r * $r)", (), (T, K, R)),
    Template("a preconditioned step", "$r = {own}[{i}] + {omega} * ({rhs}[{i}] - {diag}[{i}] * {own}[{i}]⟨| + {0}⟩) / {diag}[{i}]", (X,), (R,)),
    Template("messages along edges", "$s = {col}[{i}]\n$u = {row}[{i}]\n$r = ⟨{w}[{i}] * {x}[$s] / wp.sqrt({deg}[$s] * {deg}[$u])|wp.tanh({x}[$s] * {w}[{i}] + {0})|wp.max({x}[$s] - {x}[$u], 0.1 * {x}[$s])⟩\nwp.atomic_add({acc}, $u, $r)", (X,), (S, U, R)),
    Template("a graph Laplacian", "$s = {col}[{i}]\n$u = {row}[{i}]\n$d = {x}[$s] - {x}[$u] ⟨+ 0.1|- {0}⟩\nwp.atomic_sub({acc}, $s, {w}[{i}] * $d)\nwp.atomic_add({acc}, $u, {w}[{i}] * $d)", (X,), (S, U, D)),
    Template("means of neighbours", "$t = wp.vec3(0.0)\nfor $k in range({k}):\n    $t += {xv}[{ecol}[{i}, $k]] * ⟨{eval}[{i}, $k]|0.5⟩\n{yv}[{i}] = $t⟨ / float({k})| * 0.25|⟩", (), (inner("t", "agg", "acc_v", "nb_sum"), K)),
    Template("vectors along edges", "$d = {xv}[{col}[{i}]] - {xv}[{row}[{i}]]\nwp.atomic_add({accv}, {row}[{i}], $d * ⟨{w}[{i}]|{0}⟩)\n$r = wp.dot($d, $d) * ⟨0.5|{c}⟩", (P,), (D, R)),
    Template("sums of segments", "$q = {seg}[{i}]\n$r = {w}[{i}] ⟨* {own}[{i}]|* {0}|+ {0}⟩\nwp.atomic_add({sums}, $q, $r)⟨|\nwp.atomic_add({num}, $q, 1)⟩", (P,), (Q, R)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (HEAT, LEARNING, SIGNAL, STATISTICS), TEMPLATES, ("multiply", "apply", "sweep", "propagate", "aggregate"), PARAMETERS
)
CATEGORY = Category("sparse", DOMAIN.draw, WEIGHTS, "of a sparse structure", "domains", dry_run=False)
