"""Tiles: a block of threads loads, maps, scans, reduces, multiplies and stores parts of arrays together."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Kernel, Phrase
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.writing.categories.category import Category
from warpsmith.synthesis.writing.palette import Palette
from warpsmith.synthesis.writing.phrases import inner, vary
from warpsmith.synthesis.writing.sketch import Sketch

PALETTE = Palette((("arithmetic", 1.0),))

MAPS = """
@wp.func
def ⟨soften|activate⟩(x: float):
    return ⟨x / (1.0 + wp.abs(x))|wp.tanh(x)|wp.exp(-x * x)|wp.sqrt(x * x + 0.5)⟩


@wp.func
def ⟨blend|merge⟩(a: float, b: float):
    return ⟨0.25 * a + 0.75 * b|a * b|wp.max(a, b)|a - 0.5 * b⟩
"""
STEPS = (
    ("a map over a tile", "$t = wp.tile_map(⟨wp.sin|wp.tanh|wp.abs|{unary}⟩, $t)"),
    ("a map over two tiles", "$t = wp.tile_map(⟨{binary}|wp.min|wp.max|{binary}⟩, $t, $u)"),
    ("arithmetic of tiles", "$t = ⟨$t + $u|$t - $u|$t * ⟨0.5|2.0⟩ + $u|-$t + $u * 0.1|$t * $u⟩"),
    ("a scaled sum of tiles", "wp.tile_axpy(⟨0.5|2.0⟩, $u, $t)"),
    ("a running sum", "$t = wp.tile_scan_⟨inclusive|exclusive⟩($t)⟨| * 0.1⟩"),
    (
        "a part of a tile",
        "$p = wp.tile_view($t, offset=(⟨0|{half}⟩,), shape=({half},))\n$t = wp.tile_broadcast(wp.tile_sum($p), shape=({size},)) + $t",
    ),
    ("a centred tile", "$m = wp.tile_sum($t)\n$t = $t - wp.tile_broadcast($m, shape=({size},)) * ⟨0.05|0.01⟩"),
    (
        "a constant tile",
        "$c = wp.tile_⟨full(shape={size}, value=float(⟨0.5|2.0⟩), dtype=float)|ones(shape={size}, dtype=float)|arange(0.0, {size}.0, 1.0, dtype=float)⟩\n$t = $t ⟨+|-⟩ $c * ⟨0.1|0.3⟩",
    ),
    (
        "an element of a tile",
        "$e = wp.tile_extract($t, ⟨0|{half}|1⟩)\n$t = $t + wp.tile_full(shape={size}, value=$e, dtype=float) * 0.1",
    ),
    ("a running maximum", "$t = $t + wp.tile_scan_⟨max|min⟩_inclusive($u) * 0.2"),
)
ENDS = (
    ("a stored tile", "wp.tile_store({out}, $t, offset={i} * {size})", "n"),
    ("an added tile", "wp.tile_atomic_add({out}, $t, offset={i} * {size})", "n"),
    ("a sum over a tile", "$r = wp.tile_sum($t)\nwp.tile_store({out}, $r, offset={i})", "b"),
    ("an extreme of a tile", "$r = wp.tile_⟨max|min⟩($t)\nwp.tile_store({out}, $r + wp.tile_sum($u), offset={i})", "b"),
    ("a reduction of a tile", "$r = wp.tile_reduce(wp.add, $t)\nwp.tile_store({out}, $r, offset={i})", "b"),
    ("a dot product of tiles", "$r = wp.tile_dot($t, $u)\nwp.tile_store({out}, $r, offset={i})", "b"),
)


def draw(s: Sketch) -> Kernel:
    """A row of tiles, or a product of matrices, one tile to a block."""
    s.option("block_dim", s.d.choice((32, 64, 64, 128)))
    return s.d.choice((_row, _row, _row, _product))(s)


def _row(s: Sketch) -> Kernel:
    """Tiles of two arrays, steps, and what is stored of them."""
    d = s.d
    size, blocks = d.choice((16, 32, 64)), d.between(3, 8)
    s.size("n", size * blocks, size * blocks)
    s.size("b", blocks, blocks)
    first, second = s.input(FLOAT), s.input(FLOAT)
    helpers = vary(MAPS, d)
    unary, binary = (line.split("(")[0].removeprefix("def ") for line in helpers.splitlines() if line.startswith("def "))
    says, end, dims = d.choice(ENDS)
    steps = d.sample(STEPS, d.between(1, 3))
    out = s.output(FLOAT, (dims,), role="inout" if "atomic" in end else "output")
    where = {"i": "$i", "size": size, "half": size // 2, "out": out.name, "unary": unary, "binary": binary}
    storage = d.choice(("", "", ', storage="shared"'))
    loads = [f"$i = wp.tid()\n{_load('$t', first, size, storage)}\n{_load('$u', second, size, storage)}"]
    text = "\n".join([*loads, *(step.format(**where) for _, step in steps), end.format(**where)])
    text = vary(text, d)
    if unary in text or binary in text:
        s.define(helpers)
    return _kernel(
        s, text, ", ".join([*(name for name, _ in steps), says]), blocks, ("transform", "reduce", "scan", "normalize")
    )


def _load(key: str, array: Array, size: int, storage: str) -> str:
    return f"{key} = wp.tile_load({array.name}, shape={size}, offset=$i * {size}{storage})"


def _product(s: Sketch) -> Kernel:
    """A product of two matrices, tile by tile."""
    d = s.d
    s.option("enable_mathdx_gemm", False)  # the library writes no text, and linking against it takes seconds
    m, n, k, steps, rows, columns = (
        d.choice((4, 8)),
        d.choice((4, 8)),
        d.choice((4, 8)),
        d.between(1, 3),
        d.between(1, 3),
        d.between(1, 3),
    )
    s.size("m", m * rows, m * rows)
    s.size("n", n * columns, n * columns)
    s.size("k", k * steps, k * steps)
    a, b = s.input(FLOAT, dims=("m", "k")), s.input(FLOAT, dims=("k", "n"))
    out = s.output(FLOAT, ("m", "n"))
    text = (
        f"$i, $j = wp.tid()\n$t = wp.tile_zeros(shape=({m}, {n}), dtype=float)\nfor $k in range({steps}):\n"
        f"    $a = wp.tile_load({a.name}, shape=({m}, {k}), offset=($i * {m}, $k * {k}))\n"
        f"    $b = wp.tile_load({b.name}, shape=({k}, {n}), offset=($k * {k}, $j * {n}))\n"
        "    ⟨wp.tile_matmul($a, $b, $t)|wp.tile_matmul($a, $b * ⟨0.5|2.0⟩, $t)⟩\n"
        f"wp.tile_store({out.name}, $t⟨| * ⟨0.5|0.1⟩⟩, offset=($i * {m}, $j * {n}))"
    )
    return _kernel(s, vary(text, d), "a product of matrices", rows, ("multiply", "project", "contract"), columns)


def _kernel(s: Sketch, text: str, says: str, blocks: int, verbs: tuple[str, ...], columns: int = 0) -> Kernel:
    keys = {"i": ("i", "block", "row_block"), "j": ("j", "col_block"), "t": ("t", "acc", "tile"), "u": ("u", "other", "tile_b"), "p": ("part", "half_tile"),
            "m": ("mean_t", "level_t"), "c": ("c", "bias_t"), "e": ("e", "first_e"), "r": ("r", "out_t", "reduced"), "k": ("k", "step_k"),
            "a": ("a", "lhs"), "b": ("b", "rhs")}  # fmt: skip
    dim = (blocks, *([columns] if columns else []), dict(s.options)["block_dim"])
    return s.kernel(s.d.choice(verbs), (Phrase(text, (), tuple(inner(key, *names) for key, names in keys.items()), says),), dim)


CATEGORY = Category("tile", draw, PALETTE, "in tiles", "tiles", tried=False)
