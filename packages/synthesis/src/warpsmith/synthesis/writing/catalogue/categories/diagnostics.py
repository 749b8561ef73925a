"""Category `diagnostics`: assertions, expectations, counts and reports of values that are not finite or out of bounds."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import LEARNING, ROBOT, STATISTICS
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import FLUID, PARTICLES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 1.0), ("selection", 0.8), ("curve", 1.0)))

HELPERS = (
    ("is_bad", "@wp.func\ndef is_bad(x: float) -> bool:\n    return ⟨wp.isnan(x) or wp.isinf(x)|not wp.isfinite(x)|not (wp.abs(x) < 1.0e6)⟩"),
    ("checked_index", "@wp.func\ndef checked_index(k: int, count: int) -> int:\n    ⟨if k < 0 or k >= count:\n        wp.printf(\"index %d is outside of %d\\n\", k, count)\n        return 0\n    return k|assert k >= 0 and k < count\n    return k|assert k < count, \"index out of range\"\n    return wp.max(k, 0)⟩"),
)  # fmt: skip

PARAMETERS = (
    array("x", FLOAT, -3.0, 3.0, "readings_in", "raw", "field_x", "inputs_x"),
    array("w", FLOAT, 0.1, 2.0, "masses_in", "weights_w", "volumes"),
    array("v", VEC3, -3.0, 3.0, "velocities_in", "vecs", "gradients_v"),
    array("key", INT, 0, 23, "indices", "targets_i", "remap"),
    value("cap", 0.5, 2.0, "max_value", "cap", "bound"),
    total("bad", INT, "num_bad", "error_count", "violations"),
    total("big", INT, "num_clipped", "overflow_count", "num_large"),
    total("worst", INT, "worst_code", "highest_fault"),
    total("seen", INT, "fault_mask", "seen_codes"),
    output("flag", INT, "status", "flags_out", "error_code"),
)
R = template_output("r", FLOAT, -200.0, 200.0, "checked", "safe_value", "verified", "measured_f")
W = template_output("q", VEC3, -30.0, 30.0, "safe_v", "limited_v", "checked_v")
K, D = inner("k", "k", "slot_i", "index_i"), inner("d", "denom", "norm_d", "total_w")
F = inner("f", "faults", "state_f", "code_f")
X, Y = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0)
REPORT = '⟨wp.printf("⟨bad value|not finite⟩ at %d: %f\\n", {i}, $r)|wp.printf("thread %d is out of bounds\\n", {i})|print($r)|wp.print($r)⟩'

TEMPLATES = (
    Template("an assertion of an index", "$k = {key}[{i}]⟨| // 2⟩\nassert $k >= 0⟨| and $k < 64⟩\n$r = {x}[$k] ⟨+|*|-⟩ {1}", (X, Y), (K, R)),
    Template("an assertion of a divisor", "$d = {w}[{i}] ⟨+ {1}|* 2.0|+ {x}[{i}] ** 2.0⟩\nassert $d > 0.0⟨|, \"the divisor is not positive\"⟩\n$r = ⟨{0}|{x}[{i}]⟩ / $d", (X, Y), (D, R)),
    Template("a checked index", "$k = checked_index({key}[{i}], {n})\n$r = {x}[$k] ⟨* {0}|+ {0}⟩", (X,), (K, R)),
    Template("a report of what is not finite", "$r = {x}[{i}] * {1} ⟨+|-⟩ {0}\nif ⟨is_bad($r)|wp.isnan($r)|not wp.isfinite($r)⟩:\n    " + REPORT, (X, Y), (R,)),
    Template("a count of bad values", "$r = ⟨{x}[{i}] / ({w}[{i}] + 0.1)|wp.log({w}[{i}]) * {0}|wp.sqrt({w}[{i}]) + {0}⟩\nif is_bad($r) or {key}[{i}] < ⟨8|12⟩:\n    wp.atomic_add({bad}, 0, 1)", (X,), (R,)),
    Template("what is clipped is counted", "$r = {x}[{i}] ⟨* 2.0|+ 0.1 * {0}⟩\nif ⟨$r > {cap} or $r < -{cap}|not (wp.abs($r) <= {cap})⟩:\n    $r = wp.clamp($r, -{cap}, {cap})\n    wp.atomic_add({big}, 0, 1)", (X,), (R,)),
    Template("codes of what is wrong", "$f = int(0)\nif is_bad({x}[{i}]):\n    $f = $f | 1\nif {w}[{i}] < ⟨0.5|1.0⟩:\n    $f = $f | 2\nif not ({key}[{i}] < ⟨12|16⟩) and {x}[{i}] ⟨>|<⟩ 0.0:\n    $f = $f | 4\n{flag}[{i}] = $f\n⟨if $f != 0:\n    wp.atomic_add({bad}, 0, 1)|wp.atomic_max({worst}, 0, $f)|wp.atomic_or({seen}, 0, $f)⟩", (), (F,)),
    Template("an expectation", "wp.expect_⟨eq({key}[{i}] % 1, 0)|neq({key}[{i}], -1)|near({x}[{i}], {x}[{i}] * 1.0, 1.0e-5)⟩\n$r = {x}[{i}] ⟨* {1}|- {0}⟩", (X, Y), (R,)),
    Template("a limit of speed that is reported", "$q = {v}[{i}]\nif wp.length($q) > ⟨2.0|1.5⟩ + 0.5 * {cap}:\n    $q = wp.normalize($q) * {cap}\n    ⟨wp.atomic_add({big}, 0, 1)|{flag}[{i}] = 1\nelse:\n    {flag}[{i}] = 0⟩", (), (W,)),
    Template("an assertion of bounds", "$r = wp.clamp({x}[{i}] * {1}, -{cap}, {cap})\nassert ⟨wp.abs($r) <= {cap}|$r >= -{cap} and $r <= {cap}⟩⟨|, \"clamping failed\"⟩", (X, Y), (R,)),
)  # fmt: skip

DOMAIN = DomainTemplate(
    (PARTICLES, FLUID, ROBOT, LEARNING, STATISTICS),
    TEMPLATES,
    ("check", "validate", "verify", "watch", "guard"),
    PARAMETERS,
    HELPERS,
)
CATEGORY = Category("diagnostics", DOMAIN.draw, WEIGHTS, "with checks of itself", "language", dry_run=False)
