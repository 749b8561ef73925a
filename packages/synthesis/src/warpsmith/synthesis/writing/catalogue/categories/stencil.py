"""Category `stencil`: differences, diffusion, advection, filters and cellular automata on grids of one to three dimensions."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import inner, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 5.0), ("selection", 1.0), ("curve", 1.5), ("physics", 1.0)))

SIZES = (("h", "rows_n", "nx"), ("w", "cols_n", "ny"))
SIDES = {"l": ("left", "west"), "r": ("right", "east"), "b": ("below", "south"), "t": ("above", "north")}
EDGES = ("clamped", "periodic", "guarded")
LINE = (
    ("a second difference", "$d = $r - 2.0 * {c} + $l"),
    ("a central difference", "$d = ($r - $l) * ⟨0.5|2.0⟩"),
    ("an upwind difference", "$d = ({c} - $l) if {c} > 0.0 else ($r - {c})"),
    ("a moving average", "$d = ⟨($l + {c} + $r) / 3.0|0.25 * $l + 0.5 * {c} + 0.25 * $r⟩"),
)
PLANE = (
    ("a five-point Laplacian", "$d = $l + $r + $b + $t - 4.0 * {c}"),
    ("the size of a gradient", "$d = wp.sqrt(($r - $l) * ($r - $l) + ($t - $b) * ($t - $b) + ⟨0.01|0.1⟩)"),
    ("a box filter", "$d = ({c} + $l + $r + $b + $t) * 0.2"),
    ("a divergence", "$d = 0.5 * ($r - $l) + 0.5 * ($t - $b)"),
    ("a sharpening filter", "$d = {c} + ⟨0.25|0.1⟩ * (4.0 * {c} - $l - $r - $b - $t)"),
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that combines each thread's element with its neighbours."""
    rng = builder.rng
    builder.dims = rng.choice((("n",), ("n", "m"), ("n", "m")))
    field = builder.add_input(FLOAT)
    extra = builder.add_input(FLOAT)
    builder.add_scalars(1, FLOAT)
    opening, at = builder.open_threads()
    read = _read_neighbours(builder, field.name, [index.name for index in at], field.high)
    body = (
        *opening,
        *builder.load_elements(extra, at=at),
        read,
        Steps(rng.choice((1, 2)), (FLOAT,), 1),
        store_result(builder.add_output(FLOAT), at),
    )
    return builder.build_kernel(rng.choice(("diffuse", "advect", "smooth", "filter", "relax")), body)


def _read_neighbours(builder: KernelBuilder, field: str, names: list[str], high: float) -> TemplateStatement:
    """Read the neighbours along each dimension, kept inside the grid in one of three ways."""
    rng = builder.rng
    edge = rng.choice(EDGES)
    # Sizes come first: the adjoint of reading a shape clears the gradient's shape, and Warp's index checks then reject the gradient.
    sizes = [f"$s{dimension} = {field}.shape[{dimension}]" for dimension in range(len(names))]
    outputs = [inner(f"s{dimension}", *words) for dimension, words in enumerate(SIZES[: len(names)])]
    lines = [*sizes, f"$c = {field}[{', '.join(names)}]"]
    outputs.append(template_output("c", FLOAT, -high, high, "center", "here", "mid"))
    for dimension, keys in zip(range(len(names)), (("l", "r"), ("b", "t")), strict=False):
        for key, step in zip(keys, ("- 1", "+ 1"), strict=True):
            lines += _read_neighbour(edge, key, field, names, dimension, step)
            outputs.append(inner(key, *SIDES[key]))
            outputs.append(inner(f"{key}i", f"{names[dimension]}{'m' if step[0] == '-' else 'p'}", f"i_{key}"))
    mention, formula = rng.choice(LINE if len(names) == 1 else PLANE)
    text = "\n".join([*lines, formula.format(c="$c")])
    most = 9.0 * max(abs(high), 1.0)
    return TemplateStatement(
        vary(text, rng), (), (*outputs, template_output("d", FLOAT, -most, most, "lap", "slope", "diff", "flux")), mention
    )


def _read_neighbour(edge: str, key: str, field: str, names: list[str], dimension: int, step: str) -> list[str]:
    name, size = names[dimension], f"$s{dimension}"
    at = ", ".join(f"${key}i" if axis == dimension else other for axis, other in enumerate(names))
    if edge == "clamped":
        bound = f"wp.max({name} - 1, 0)" if step == "- 1" else f"wp.min({name} + 1, {size} - 1)"
        return [f"${key}i = {bound}", f"${key} = {field}[{at}]"]
    if edge == "periodic":
        return [f"${key}i = ({name} {step} + {size}) % {size}", f"${key} = {field}[{at}]"]
    inside = f"{name} > 0" if step == "- 1" else f"{name} + 1 < {size}"
    return [f"${key} = $c", f"if {inside}:", f"    ${key} = {field}[{at.replace(f'${key}i', f'{name} {step}')}]"]


CATEGORY = Category("stencil", draw, WEIGHTS, "by a stencil", "arrays", dry_run=False)
