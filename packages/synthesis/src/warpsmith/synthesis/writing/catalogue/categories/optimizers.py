"""Category `optimizers`: descent with momentum, Adam and variants, gradient clipping, decay, schedules, parameter averages."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import LEARNING, SIGNAL
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("curve", 1.0), ("selection", 0.6), ("transcendental", 0.4)))

PARAMETERS = (
    array("p", FLOAT, -2.0, 2.0, "params", "theta", "weights_in", "w_in"),
    array("g", FLOAT, -3.0, 3.0, "grads", "grad_in", "dl_dw"),
    array("m", FLOAT, -1.0, 1.0, "momentum", "m", "first_moment", "exp_avg"),
    array("v", FLOAT, 0.01, 2.0, "variance", "v", "second_moment", "exp_avg_sq"),
    array("q", VEC3, -2.0, 2.0, "points", "param_vecs", "control_points"),
    array("d", VEC3, -3.0, 3.0, "point_grads", "grad_vecs", "vec_grads"),
    array("mv", VEC3, -1.0, 1.0, "vec_momentum", "velocity_buf"),
    array("ema", FLOAT, -2.0, 2.0, "ema_params", "shadow", "slow_weights"),
    value("lr", 0.001, 0.1, "lr", "learning_rate", "step_size", "eta"),
    value("b1", 0.8, 0.95, "beta1", "beta", "mu"),
    value("b2", 0.9, 0.99, "beta2", "rho", "gamma"),
    value("wd", 0.001, 0.1, "weight_decay", "wd", "l2"),
    value("step", 1.0, 20.0, "step", "t", "iteration"),
    value("clip", 0.5, 2.0, "max_norm", "clip_value", "grad_limit"),
    output("np", FLOAT, "new_params", "params_out", "new_theta"),
    output("nm", FLOAT, "new_momentum", "new_m", "m_out"),
    output("nv", FLOAT, "new_variance", "new_v", "v_out"),
    output("nq", VEC3, "new_points", "points_out", "moved_points"),
    output("nmv", VEC3, "new_vec_momentum", "velocity_out"),
    total("norm", FLOAT, "grad_norm_sq", "update_norm"),
)
G, M, V = inner("g", "g", "grad_i", "g_t"), inner("m", "m_t", "m_new", "avg_g"), inner("v", "v_t", "v_new", "avg_sq")
A, B = inner("a", "m_hat", "m_corr"), inner("b", "v_hat", "v_corr")
W, U = inner("w", "w", "p_i", "theta_i"), template_output("u", FLOAT, -90.0, 90.0, "update_i", "delta_w", "step_i")
EPS = "⟨0.001|0.0001|0.00001⟩"
GRAD = "$g = {g}[{i}]⟨| + {wd} * {p}[{i}]| * {0}| + 0.1 * {0}⟩\n"
FIRST = "$m = {b1} * {m}[{i}] + (1.0 - {b1}) * $g\n"
SECOND = "$v = {b2} * {v}[{i}] + (1.0 - {b2}) * $g * $g\n"
KEEP = "{nm}[{i}] = $m\n{nv}[{i}] = $v\n"
CORRECT = "$a = $m / (1.0 - wp.pow({b1}, {step}))\n$b = $v / (1.0 - wp.pow({b2}, {step}))\n"
X = template_input(FLOAT, 0.2, 2.0)

TEMPLATES = (
    Template("gradient descent", "{np}[{i}] = {p}[{i}] - {lr} * ⟨{g}[{i}]|({g}[{i}] + {wd} * {p}[{i}])|{0} * {g}[{i}]|wp.clamp({g}[{i}], -{clip}, {clip})⟩", (X,), ()),
    Template("momentum", GRAD + "$m = {b1} * {m}[{i}] + ⟨$g|(1.0 - ⟨0.1|{b1}⟩) * $g⟩\n{nm}[{i}] = $m\n{np}[{i}] = {p}[{i}] - {lr} * $m", (X,), (G, M)),
    Template("Nesterov's momentum", GRAD + "$m = {b1} * {m}[{i}] + $g\n{nm}[{i}] = $m\n{np}[{i}] = {p}[{i}] - {lr} * ($g + {b1} * $m)", (X,), (G, M)),
    Template("Adam", GRAD + FIRST + SECOND + CORRECT + KEEP + f"{{np}}[{{i}}] = {{p}}[{{i}}] - {{lr}} * $a / (wp.sqrt($b) + {EPS})", (X,), (G, M, V, A, B)),
    Template("Adam with decoupled decay", "$g = {g}[{i}]⟨| * {0}⟩\n" + FIRST + SECOND + CORRECT + KEEP + f"$w = {{p}}[{{i}}] * (1.0 - {{lr}} * {{wd}})\n{{np}}[{{i}}] = $w - {{lr}} * $a / (wp.sqrt($b) + {EPS})", (X,), (G, M, V, A, B, W)),
    Template("RMSProp", GRAD + SECOND + f"{{nv}}[{{i}}] = $v\n{{np}}[{{i}}] = {{p}}[{{i}}] - {{lr}} * $g / ⟨(wp.sqrt($v) + {EPS})|wp.sqrt($v + {EPS})⟩", (X,), (G, V)),
    Template("AdaGrad", GRAD + f"$v = {{v}}[{{i}}] + $g * $g\n{{nv}}[{{i}}] = $v\n{{np}}[{{i}}] = {{p}}[{{i}}] - {{lr}} / (wp.sqrt($v) + {EPS}) * $g", (X,), (G, V)),
    Template("AdaMax", GRAD + FIRST + "$v = wp.max({b2} * {v}[{i}], wp.abs($g) + 0.001)\n" + KEEP + "{np}[{i}] = {p}[{i}] - {lr} ⟨* $m / $v|/ (1.0 - {b1}) * $m / $v⟩", (X,), (G, M, V)),
    Template("a step by the sign", "$m = {b1} * {m}[{i}] + (1.0 - {b1}) * {g}[{i}]\n{nm}[{i}] = {b2} * {m}[{i}] + (1.0 - {b2}) * {g}[{i}]\n{np}[{i}] = {p}[{i}] * (1.0 - {lr} * {wd}) - {lr} * ⟨wp.sign($m)|wp.tanh($m * 10.0)⟩", (), (M,)),
    Template("gradients clipped by value", "$g = wp.clamp({g}[{i}]⟨| * {0}⟩, -{clip}, {clip})\n$u = -{lr} * $g⟨| * {0}⟩", (X,), (G, U)),
    Template("gradients clipped by norm", "$g = {d}[{i}]\n$w = wp.length($g) + 0.001\n⟨$g = $g * wp.min(1.0, {clip} / $w)|if $w > {clip}:\n    $g = $g * ({clip} / $w)⟩\n{nq}[{i}] = {q}[{i}] - $g * {lr}", (), (G, inner("w", "norm_g", "g_len"))),
    Template("momentum of points", "$g = {d}[{i}]⟨| + {q}[{i}] * {wd}⟩\n$m = {mv}[{i}] * {b1} + $g\n{nmv}[{i}] = $m\n{nq}[{i}] = {q}[{i}] - $m * {lr}", (), (G, M)),
    Template("a moving average of parameters", "$w = ⟨{b2}|wp.min({b2}, (1.0 + {step}) / (10.0 + {step}))⟩\n$u = $w * {ema}[{i}] + (1.0 - $w) * {p}[{i}]", (), (inner("w", "decay_i", "keep"), U)),
    Template("a cosine schedule", "$w = {lr} * ⟨0.5 * (1.0 + wp.cos(3.14159265 * {step} / ⟨20.0|25.0⟩))|wp.exp(-0.1 * {step})|1.0 / wp.sqrt({step})|wp.min({step} / 10.0, 1.0)⟩\n{np}[{i}] = {p}[{i}] - ($w⟨ + 0.001| + 0.0001⟩) * {g}[{i}]", (), (inner("w", "lr_t", "rate_t"),)),
    Template("the norm of the gradients", "$g = {g}[{i}]\nwp.atomic_add({norm}, 0, $g * $g⟨| * {0}⟩)\n$u = $g * ⟨0.1|{0}⟩", (X,), (G, U)),
    Template("a soft threshold of parameters", "$w = {p}[{i}] - {lr} * {g}[{i}]\n$u = wp.sign($w) * wp.max(wp.abs($w) - {lr} * ⟨{0}|{wd}⟩, 0.0)", (X,), (W, U)),
)  # fmt: skip

DOMAIN = DomainTemplate((LEARNING, SIGNAL), TEMPLATES, ("update", "step", "apply", "optimize", "descend"), PARAMETERS)
CATEGORY = Category("optimizers", DOMAIN.draw, WEIGHTS, "by steps of an optimizer", "domains", dry_run=False)
