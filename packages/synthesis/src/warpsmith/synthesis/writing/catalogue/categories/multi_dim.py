"""Category `multi_dim`: slices, views and transposed reads of arrays with two to four dimensions, and three or four thread indices."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps, Stmt, TemplateStatement, Threads
from warpsmith.synthesis.language.terms import index
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import inner, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 5.0), ("vector", 1.0), ("selection", 1.0), ("curve", 1.0), ("transcendental", 0.5)))

NAMES = {3: (("i", "j", "k"), ("x", "y", "z"), ("layer", "row", "col")), 4: (("b", "i", "j", "k"), ("n", "c", "y", "x"))}
SYMBOLS = ("n", "m", "p", "q")
VALUE = template_output("v", FLOAT, -40.0, 40.0, "sliced", "view_sum", "mean_v", "line_value")
OWN = template_output("t", FLOAT, -40.0, 40.0, "own_sum", "kept", "local_sum", linear=True)
"""The sum over a thread-local array, whose elements Warp's backward pass does not restore."""

VIEWS = (
    ("a slice", "$r = {x}[{i}]\n$v = $r[⟨0|1|2⟩] ⟨+|-|*⟩ $r[⟨1|0⟩]"),
    ("a sum over a slice", "$r = {x}[{i}]\n$v = float(0.0)\nfor $k in range(3):\n    $v += $r[$k]⟨| * ⟨0.5|2.0⟩⟩"),
    ("an array of a thread's own", "$r = wp.zeros(shape=(⟨3|4⟩,), dtype=int)\nfor $k in range(3):\n    $r[$k] = int({x}[{i}, $k] * ⟨4.0|10.0⟩)\n$t = 0.1 * float($r[0] ⟨+|-⟩ $r[2])"),
    ("a length of a slice", "$v = {x}[{i}, 0] * ⟨0.5|2.0⟩ + 0.1 * float(len({x}[{i}]))"),
    ("a helper of a slice", "$v = row_⟨sum|ends⟩({x}[{i}])"),
    ("a strided view", "$r = {x}[{i}, ::2]\n$v = $r[0] ⟨+|-⟩ ⟨0.5|2.0⟩ * $r[1]"),
    ("a range of a slice", "$r = {x}[{i}, 1:4]\n$v = $r[0] ⟨+|*|-⟩ $r[⟨1|2⟩]"),
)  # fmt: skip
HELPERS = (
    ("row_sum", "row[0] + row[1] + ⟨row[2]|0.5 * row[2]|row[2] * row[2]⟩"),
    ("row_ends", "⟨row[0] - row[2]|row[2] * row[0]|wp.max(row[0], row[1])⟩"),
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel over three or four dimensions, or one that reads a slice of each row."""
    return _draw_views(builder) if builder.rng.chance(0.5) else _draw_grid(builder)


def _draw_grid(builder: KernelBuilder) -> Kernel:
    """Draw a kernel over all elements of a field with three or four dimensions."""
    rng = builder.rng
    rank = rng.choice((3, 3, 4))
    builder.dims = SYMBOLS[:rank]
    reads = [builder.add_input(FLOAT) for _ in range(rng.choice((1, 2)))]
    if rng.chance(0.4):
        reads.append(builder.add_input(VEC3))
    builder.add_scalars(1, FLOAT)
    sizes = [builder.draw_size(symbol, 3, 7) for symbol in builder.dims]
    names = [builder.choose_name(name) for name in rng.choice(NAMES[rank])]
    at = tuple(index(name, size, symbol) for name, size, symbol in zip(names, sizes, builder.dims, strict=True))
    outputs = [builder.add_output(FLOAT), *([builder.add_output(VEC3)] if rng.chance(0.3) else [])]
    steps, results = Steps(rng.choice((1, 2)), (FLOAT,), 2), (store_result(out, at) for out in outputs)
    body: tuple[Stmt, ...] = (Threads(at), *builder.load_elements(*reads, at=at), steps, *results)
    return builder.build_kernel(rng.choice(("update", "project", "filter", "evaluate", "scale")), body, tuple(sizes))


def _draw_views(builder: KernelBuilder) -> Kernel:
    """Draw a kernel over slices of a table, one row for each thread."""
    rng = builder.rng
    read, table = builder.add_input(FLOAT), builder.add_input(FLOAT, dims=("n", "k"))
    builder.draw_size("k", 4, 8)
    opening, at = builder.open_threads()
    mention, text = rng.choice(VIEWS)
    text = vary(text.format(x=table.name, i=at[0].name), rng)
    for name, returned in HELPERS:
        if name in text:
            builder.define(vary(f"@wp.func\ndef {name}(row: wp.array(dtype=float)):\n    return {returned}", rng))
    value = OWN if "$t" in text else VALUE
    outputs = (inner("r", "line", "row_view", "segment_k"), inner("k", "k", "c"), value)
    statement = TemplateStatement(text, (), outputs, mention)
    body = (
        *opening,
        *builder.load_elements(read, at=at),
        statement,
        Steps(1, (FLOAT,), 1),
        store_result(builder.add_output(FLOAT), at),
    )
    return builder.build_kernel(rng.choice(("reduce", "project", "combine", "compute")), body)


CATEGORY = Category("multi_dim", draw, WEIGHTS, "over several dimensions", "arrays", dry_run=False)
