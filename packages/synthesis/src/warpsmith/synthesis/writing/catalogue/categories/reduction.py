"""Category `reduction`: sums of rows, means and variances, extremes and their positions, norms, running sums, all by loops."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import inner, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 5.0), ("selection", 1.0), ("curve", 1.0), ("transcendental", 0.6)))

LOOPS = (
    ("a sum of a row", "$t = float(0.0)\nfor $k in range({n}):\n    $t += {x}⟨| * ⟨0.5|2.0⟩|⟨ * | + ⟩{y}⟩", 400.0),
    ("a mean of a row", "$t = float(0.0)\nfor $k in range({n}):\n    $t = $t + {x}\n$t = $t / float({n})", 60.0),
    (
        "a weighted sum",
        "$t = float(0.0)\nfor $k in range({n}):\n    $t += {x} * ⟨wp.exp(-⟨0.1|0.5⟩ * float($k))|wp.cos(float($k))|{y}⟩",
        800.0,
    ),
    (
        "a sum of what is positive",
        "$t = float(0.0)\nfor $k in range({n}):\n    ⟨if {x} > ⟨0.0|0.5⟩:\n        $t += {x}|$t += wp.max({x}, ⟨0.0|0.1⟩)⟩",
        400.0,
    ),
    ("a sum of squares", "$t = float(0.0)\nfor $k in range({n}):\n    $e = {x}\n    $t += $e * $e", 4000.0),
    (
        "a sum of differences",
        "$t = float(0.0)\nfor $k in range(1, {n}):\n    $t += ⟨wp.abs({x} - {before})|({x} - {before}) * ({x} - {before})⟩",
        8000.0,
    ),
    ("a sum backwards", "$t = float(0.0)\nfor $k in range({n} - 1, -1, -1):\n    $t += {x} * ⟨0.5|1.5⟩", 600.0),
    ("every other element", "$t = float(0.0)\nfor $k in range(0, {n}, 2):\n    $t -= {x}", 400.0),
    ("a count", "$c = int(0)\nfor $k in range({n}):\n    if {x} ⟨> {y}|< ⟨0.5|1.0⟩⟩:\n        $c += 1\n$t = float($c)", 60.0),
    (
        "where the largest is",
        "$c = int(0)\nfor $k in range({n}):\n    if {x} > {at_c}:\n        $c = $k\n$t = float($c) * ⟨1.0|0.5⟩",
        60.0,
    ),
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that reduces a row for each thread to one or two numbers."""
    rng = builder.rng
    read = builder.add_input(FLOAT)
    table = builder.add_input(FLOAT, dims=("n", "k"))
    weights = builder.add_input(FLOAT, dims=("k",))
    opening, at = builder.open_threads()
    count = builder.add_length("k", 3, 9, "num_cols", "row_length", "k_max").name
    outputs = [builder.add_output(FLOAT), *([builder.add_output(INT)] if rng.chance(0.2) else [])]
    templates = [
        _write_loop(builder, at[0].name, table.name, weights.name, count, way)
        for way in rng.sample(LOOPS, rng.choice((1, 1, 2)))
    ]
    uses = [store_result(out, at) for out in outputs]
    body = (
        *opening,
        *builder.load_elements(read, at=at),
        *templates,
        *([Steps(1, (FLOAT,), 1)] if rng.chance(0.5) else []),
        *uses,
    )
    return builder.build_kernel(rng.choice(("reduce", "sum", "average", "accumulate", "measure")), body)


def _write_loop(
    builder: KernelBuilder, i: str, table: str, weights: str, count: str, way: tuple[str, str, float]
) -> TemplateStatement:
    mention, text, most = way
    names = {
        "x": f"{table}[{i}, $k]",
        "y": f"{weights}[$k]",
        "before": f"{table}[{i}, $k - 1]",
        "at_c": f"{table}[{i}, $c]",
        "n": count,
    }
    outputs = (
        inner("k", "k", "j", "col_k"), inner("e", "elem", "entry"), inner("c", "count_k", "best", "where_k"),
        template_output("t", FLOAT, -most, most, "row_sum", "acc", "total", "norm_sq", linear=True),
    )  # fmt: skip
    return TemplateStatement(vary(text.format(**names), builder.rng), (), outputs, mention)


CATEGORY = Category("reduction", draw, WEIGHTS, "by a reduction", "arrays", dry_run=False)
