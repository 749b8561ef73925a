"""Category `tile_fft`: Fourier transforms of rows of complex numbers in tiles: filters, convolutions, derivatives."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import VEC2
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.tiles import compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

COMPLEX = """@wp.func
def complex_mul(a: wp.vec2, b: wp.vec2):
    return wp.vec2(a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])"""
CONJUGATE = """@wp.func
def conjugate(z: wp.vec2):
    return wp.vec2(z[0], -z[1])"""
TURN = """@wp.func
def turn(z: wp.vec2):
    return wp.vec2(-z[1], z[0])"""
FUNCTIONS = {"complex_mul": COMPLEX, "conjugate": CONJUGATE, "turn": TURN}

# A transform changes its tile in place. The input is not read again, because the adjoint would read the changed values.
FORWARD = (
    ("a transform", "wp.tile_fft($t)"),
    ("an inverse transform", "wp.tile_ifft($t)"),
    ("two transforms", "wp.tile_fft($t)\nwp.tile_fft($u)"),
    ("a scaled transform", "$t = $t * ⟨0.5|2.0|0.1⟩\nwp.tile_⟨fft|ifft⟩($t)"),
)
BETWEEN = (
    ("a product of spectra", "$t = wp.tile_map(complex_mul, $t, $u)"),
    ("a conjugate", "$t = wp.tile_map(conjugate, $t)"),
    ("a quarter turn", "$t = wp.tile_map(turn, $t)⟨| * 0.5⟩"),
    ("a mix of spectra", "$t = $t ⟨+|-⟩ $u * ⟨0.5|0.25⟩"),
    ("a scaled spectrum", "$t = $t * ⟨0.0625|0.03125⟩"),
)
RESPONSES = (
    ("a response", "$t = wp.tile_map({complex}, $t)"),
    ("a response of the other", "$t = $t ⟨+|-⟩ wp.tile_map({complex}, $u) * ⟨0.5|0.25⟩"),
)
BACK = (
    ("", ""),
    ("a transform back", "wp.tile_ifft($t)"),
    ("a normalized transform back", "wp.tile_ifft($t)\n$t = $t * ⟨0.03125|0.015625⟩"),
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that transforms rows of a signal, one group of rows for each block."""
    rng = builder.rng
    block, rows, blocks = rng.choice((16, 32, 64)), rng.choice((1, 2, 4)), rng.between(2, 5)
    builder.set_option("block_dim", block)
    builder.set_option(
        "enable_mathdx_fft", False
    )  # the library does not change the generated text, and linking against it takes seconds
    size = block * rng.choice((1, 1, 2))
    set_sizes(builder, n=rows * blocks, m=size)
    names = rng.sample(("signal", "samples", "spectrum", "waves", "field"), 2)
    chosen = [rng.choice(FORWARD), *rng.sample(BETWEEN, rng.between(1, 2)), *rng.sample(RESPONSES, rng.choice((0, 1, 1, 1)))]
    if not any(
        "tile_map" in text for _, text in chosen
    ):  # the result of a map has a vector type that Warp does not accept as ``wp.vec2``
        chosen.append(rng.choice(BACK))
    body = "\n".join(text for _, text in chosen if text)
    letters = [letter for letter in "tu" if f"${letter}" in body]
    where = {
        letter: builder.add_array(name, VEC2, -1.0, 1.0, ("n", "m")).name for letter, name in zip(letters, names, strict=False)
    }
    load = "${0} = wp.tile_load({{{0}}}, shape=({{rows}}, {{size}}), offset=($i * {{rows}}, 0))"
    loads = [load.format(letter) for letter in letters]
    out = builder.add_output(VEC2, ("n", "m"), role="inout" if rng.chance(0.2) else "output")
    verb = "store" if out.role == "output" else "atomic_add"
    end = f"wp.tile_{verb}({out.name}, $t, offset=($i * {rows}, 0))"
    text = expand(builder, join_steps("$i = wp.tid()", *loads, body, end), rows=rows, size=size, **where)
    for name, function in FUNCTIONS.items():
        if f"({name}," in text:
            builder.define(function)
    mention = ", ".join(name for name, _ in chosen if name)
    return compose_tile_kernel(builder, text, mention, ("filter", "transform", "convolve"), blocks)


CATEGORY = Category("tile_fft", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
