"""Category `losses`: squares, Huber, cross entropies, hinges, divergences, similarities, regularizers, summed by atomics."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3, VEC4
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import LEARNING, STATISTICS
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("curve", 1.5), ("selection", 0.8), ("transcendental", 0.8)))

PARAMETERS = (
    length("k", 5, 5, "num_classes", "dim"),
    array("p", FLOAT, -2.0, 2.0, "pred", "predictions", "y_hat", "outputs_in"),
    array("t", FLOAT, -2.0, 2.0, "target", "targets_in", "y_true", "truth"),
    array("q", FLOAT, 0.05, 0.95, "probs", "q_dist", "prob_in"),
    array("z", FLOAT, -2.0, 2.0, "logits", "scores_in", "raw_scores", dims=("n", "k")),
    array("y", FLOAT, 0.1, 1.0, "soft_labels", "label_probs", dims=("n", "k")),
    array("label", INT, 0, 4, "labels", "class_ids", "gold"),
    array("a", VEC3, -2.0, 2.0, "anchor_emb", "embed_a", "query_vec"),
    array("b", VEC3, -2.0, 2.0, "positive_emb", "embed_b", "key_vec"),
    array("c", VEC3, -2.0, 2.0, "negative_emb", "embed_c"),
    array("v", VEC4, -2.0, 2.0, "row_logits", "quad_scores", "logits4"),
    array("w", FLOAT, 0.2, 2.0, "sample_weight", "loss_weights", "importance"),
    value("m", 0.1, 1.0, "margin", "delta", "huber_delta"),
    value("l", 0.01, 0.5, "reg", "lam", "weight_decay"),
    total("sum", FLOAT, "loss_sum", "loss_total", "objective", "loss_acc"),
    total("hit", INT, "confusion", "confusion_counts", dims=("k", "k")),
    output("g", FLOAT, "grad_out", "d_pred", "dl_dp"),
)
E, L = inner("e", "err", "diff_p", "e_i", "r"), template_output("l", FLOAT, -90.0, 90.0, "loss_i", "l_i", "penalty_i", "cost")
Z, S, K = inner("z", "z_max", "top", "peak"), inner("s", "sum_exp", "denom", "norm_z"), inner("k", "k", "c", "cls_k")
P, Y = inner("p", "p_i", "prob", "sigma_p"), inner("y", "y_i", "sign_y", "gold_i")
ERROR = "$e = {p}[{i}] - ⟨{t}[{i}]|{0}⟩\n"
ADD = "\nwp.atomic_add({sum}, 0, $l⟨| * {w}[{i}]| / float({n})⟩)"
X, N = template_input(FLOAT, -2.0, 2.0), template_input(FLOAT, 0.1, 2.0)
SOFT = "$z = float(⟨-5.0|-10.0⟩)\nfor $k in range(5):\n    $z = wp.max($z, {z}[{i}, $k])\n$s = float(0.0)\nfor $k in range(5):\n    $s += wp.exp({z}[{i}, $k] - $z)\n"
COS = "$s = wp.dot({a}[{i}], {b}[{i}])\n$e = wp.length({a}[{i}]) * wp.length({b}[{i}]) + ⟨0.1|0.01⟩\n"

TEMPLATES = (
    Template("a squared error", ERROR + "$l = ⟨$e * $e|0.5 * $e * $e⟩⟨| * {w}[{i}]⟩" + ADD, (X,), (E, L)),
    Template("a squared error with its gradient", ERROR + "$l = 0.5 * $e * $e\n{g}[{i}] = $e⟨| * {w}[{i}]| / float({n})⟩" + ADD, (X,), (E, L)),
    Template("an absolute error", ERROR + "$l = ⟨wp.abs($e)|wp.sqrt($e * $e + ⟨0.01|0.001⟩)|wp.log(wp.cosh($e))⟩" + ADD, (X,), (E, L)),
    Template("Huber's loss", ERROR + "⟨$y = wp.abs($e)\n$l = wp.where($y < {m}, 0.5 * $e * $e, {m} * ($y - 0.5 * {m}))|$y = wp.abs($e)\n$l = 0.5 * $e * $e\nif $y > {m}:\n    $l = {m} * ($y - 0.5 * {m})|$y = $e / {m}\n$l = {m} * {m} * (wp.sqrt(1.0 + $y * $y) - 1.0)⟩" + ADD, (X,), (E, inner("y", "abs_e", "scaled_e", "mag_e"), L)),
    Template("a binary cross entropy", "$p = ⟨{q}[{i}]|1.0 / (1.0 + wp.exp(-{p}[{i}]))⟩\n$y = ⟨float({label}[{i}] % 2)|wp.clamp({0}, 0.1, 0.9)⟩\n$l = -$y * wp.log($p) - (1.0 - $y) * wp.log(1.0 - $p)" + ADD, (X,), (P, Y, L)),
    Template("a focal loss", "$p = {q}[{i}]\n$y = 1.0 - $p\n$l = -⟨{w}[{i}]|0.25⟩ * ⟨$y * $y|wp.pow($y, 1.5)⟩ * wp.log($p)" + ADD, (), (P, Y, L)),
    Template("a cross entropy with softmax", SOFT + "$l = wp.log($s) + $z - {z}[{i}, {label}[{i}]]" + ADD, (), (Z, K, S, L)),
    Template("a cross entropy with soft labels", SOFT + "$l = float(0.0)\nfor $k in range(5):\n    $l -= {y}[{i}, $k] * ({z}[{i}, $k] - $z - wp.log($s))" + ADD, (), (Z, K, S, L)),
    Template("a softmax of four", "$z = wp.max({v}[{i}])\n$p = wp.vec4(wp.exp({v}[{i}][0] - $z), wp.exp({v}[{i}][1] - $z), wp.exp({v}[{i}][2] - $z), wp.exp({v}[{i}][3] - $z))\n$s = $p[0] + $p[1] + $p[2] + $p[3]\n$l = ⟨-wp.log($p[{label}[{i}] % 4] / $s)|wp.dot($p, {v}[{i}]) / $s⟩" + ADD, (), (Z, inner("p", "exps", "unnormed"), S, L)),
    Template("a confusion matrix", "$b = int(0)\nfor $k in range(1, 5):\n    if {z}[{i}, $k] > {z}[{i}, $b]:\n        $b = $k\nwp.atomic_add({hit}, ⟨{label}[{i}], $b|$b, {label}[{i}]⟩, 1)\n$l = float($b) * 0.1 + {z}[{i}, ⟨0|2⟩]", (), (inner("b", "best", "arg_max"), K, L)),
    Template("a hinge loss", "$y = ⟨wp.where({label}[{i}] > 2, 1.0, -1.0)|2.0 * float({label}[{i}] % 2) - 1.0⟩\n$e = wp.max(⟨0.0|-0.1⟩, ⟨{m}|1.0⟩ - $y * {p}[{i}])\n$l = ⟨$e|$e * $e|$e * ⟨{0}|{w}[{i}]⟩⟩" + ADD, (N,), (Y, E, L)),
    Template("a divergence of Kullback and Leibler", "$p = {q}[{i}]\n$y = ⟨0.5|wp.clamp({0}, 0.1, 0.9)⟩\n$l = $y * (wp.log($y) - wp.log($p))⟨| + (1.0 - $y) * (wp.log(1.0 - $y) - wp.log(1.0 - $p))| - $y + $p⟩" + ADD, (X,), (P, Y, L)),
    Template("a Gaussian likelihood", ERROR + "$s = ⟨{w}[{i}]|{1}⟩\n$l = 0.5 * ($e * $e / ($s * $s) + ⟨2.0 * |⟩wp.log($s))" + ADD, (X, N), (E, inner("s", "std_i", "scale_i"), L)),
    Template("a cosine similarity", COS + "$l = 1.0 - $s / $e⟨| + {0}⟩" + ADD, (X,), (inner("s", "dot_ab", "inner_ab"), inner("e", "norms", "len_ab"), L)),
    Template("a triplet loss", "$s = wp.⟨length|length_sq⟩({a}[{i}] - {b}[{i}])\n$e = wp.⟨length|length_sq⟩({a}[{i}] - {c}[{i}])\n$l = wp.max($s - $e + {m}, ⟨0.0|-0.5⟩)" + ADD, (), (inner("s", "d_pos", "near_d"), inner("e", "d_neg", "far_d"), L)),
    Template("regularizers", "$l = {l} * ⟨{p}[{i}] * {p}[{i}]|wp.abs({p}[{i}])|(0.5 * wp.abs({p}[{i}]) + 0.5 * {p}[{i}] * {p}[{i}])|wp.log(1.0 + {p}[{i}] * {p}[{i}])⟩ ⟨* {w}[{i}]|+ {0} * {0} * 0.1⟩" + ADD, (X,), (L,)),
    Template("a pinball loss", ERROR + "$l = wp.max(⟨0.9|0.75⟩ * $e, ⟨-0.1|-0.25⟩ * $e)⟨| * {w}[{i}]⟩" + ADD, (X,), (E, L)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (LEARNING, STATISTICS), TEMPLATES, ("evaluate", "accumulate", "compute", "score", "measure"), PARAMETERS
)
CATEGORY = Category("losses", DOMAIN.draw, WEIGHTS, "by loss functions", "domains", dry_run=False)
