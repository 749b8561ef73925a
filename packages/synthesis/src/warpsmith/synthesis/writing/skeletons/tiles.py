"""The base of the tile categories: a notation for numbers and functions of any type, names, and launches of whole blocks.

``#0.5`` in a text is a number of the tile's type; ``{unary}`` and other keys are functions, which are drawn and defined
before the kernel.
"""

from __future__ import annotations

import re

from warpsmith.synthesis.language.nodes import Kernel, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import inner, vary

BLOCKS = (32, 64, 64, 128)
"""Numbers of threads per block."""

_NUMBER = re.compile(r"#(-?\d+\.\d+)")

_FUNCTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "unary": (
        ("soften", "activate", "squash", "shape"),
        "(x: {dtype}):\n    return {x}",
    ),
    "binary": (
        ("blend", "merge", "mix_two", "join"),
        "(a: {dtype}, b: {dtype}):\n    p = {a}\n    q = {b}\n    return ⟨p + q|p - q|p * q|wp.max(p, q)⟩",
    ),
    "ternary": (
        ("combine", "mad", "mix_three", "select3"),
        "(a: {dtype}, b: {dtype}, c: {dtype}):\n    p = {a}\n    return ⟨p * b|wp.max(p, b)|p + b * #0.5⟩ ⟨+|-⟩ {c}",
    ),
}

_FUNCTIONS["recode"] = (("code_of", "bucket", "recode", "level_of"), "(h: int):\n    return {h}")
_FUNCTIONS["complex"] = (
    ("response", "shape_z", "filtered_z"),
    "(z: wp.vec2):\n    x = ⟨z[0]|z[1]⟩\n    a = ⟨z[1]|z[0] * z[1]|wp.length(z)⟩\n    return wp.vec2({x}, {a})",
)
_CURVE = (
    "⟨{v}|{v} * ⟨#0.5|#0.25|#2.0⟩|{v} ⟨+|-⟩ #0.5|wp.⟨tanh|sin|cos⟩({v})|wp.exp(-{v} * {v})|{v} / (#1.0 + wp.abs({v}))|"
    "{v} * {v}|wp.sqrt({v} * {v} + #0.5)|wp.⟨min({v}, #0.5 * {v} + #0.3)|max({v}, #0.1 - {v})⟩|wp.abs({v})⟩"
)
"""A function of one number, ``{v}``, that stays moderate and is not constant on any interval."""

_WHOLE_CURVE = (
    "⟨{v} + 3|{v} * 2|{v} % 7|{v} ^ 5|{v} & 15|wp.min({v}, {v} // 2 + 20)|wp.max({v} - 1, 9 - {v})|wp.abs({v} - 9)|{v} // 2|"
    "wp.clamp({v}, 3, {v} // 2 + 30)⟩"
)

_CURVED = re.compile(r"{([xabchpq])}")

_NAMES = {
    "i": ("i", "block", "row_block", "tile_id"), "j": ("j", "col_block", "tile_col"), "k": ("k", "step_k", "s_k"),
    "t": ("t", "acc", "tile", "block_t"), "u": ("u", "other", "tile_b", "rhs_t"), "q": ("q", "chunk", "loaded"),
    "p": ("part", "half_tile", "piece"), "m": ("mean_t", "level_t", "total"), "c": ("c", "bias_t", "ramp"),
    "e": ("e", "first_e", "picked"), "r": ("r", "out_t", "reduced"), "a": ("a", "lhs", "mat_a"), "b": ("b", "rhs", "mat_b"),
    "w": ("w", "wide_t", "grid_t"), "x": ("val", "mine", "sample"), "s": ("s", "system", "spd"), "l": ("l", "chol", "factor"),
    "y": ("y", "sol", "weights_t"), "n": ("order", "ids_t", "where_t"), "h": ("keys", "labels_t", "marks"),
    "g": ("g", "at", "pos"), "z": ("z", "bins", "shared_t"), "v": ("v", "item", "top"), "o": ("slot", "place", "lane"),
    "f": ("f", "gain", "damp", "share"), "d": ("d", "count_t", "tally"),
}  # fmt: skip


def set_sizes(builder: KernelBuilder, **lengths: int) -> None:
    """Set the lengths of array dimensions."""
    for symbol, length in lengths.items():
        builder.draw_size(symbol, length, length)


def join_steps(*steps: str, shared: str = "ijthuab") -> str:
    """Join steps to one text, with separate variables for each step, as their types differ.

    Args:
        steps: the texts.
        shared: letters that stand for the same variable in all steps.
    """
    separate = rf"\$([^{shared}\W\d])\b"
    return "\n".join(re.sub(separate, rf"$\g<1>{number}", step) for number, step in enumerate(steps))


def expand(builder: KernelBuilder, text: str, dtype: Type = FLOAT, /, **where: object) -> str:
    """Choose the alternatives of ``text``, define its functions, and replace each ``{key}`` of ``where`` by its value."""
    text = vary(text, builder.rng)
    for key, (names, rest) in _FUNCTIONS.items():
        if f"{{{key}}}" in text:
            name = builder.choose_name(*names)
            builder.define(_apply_dtype("@wp.func\ndef " + name + _write_function(rest, builder.rng), dtype))
            text = text.replace(f"{{{key}}}", name)
    for key, value in where.items():
        text = text.replace(f"{{{key}}}", str(value))
    return _apply_dtype(text, dtype)


def _write_function(text: str, rng: RandomStream) -> str:
    """Choose the alternatives of a function's text, and put a curve in the place of each ``{x}`` and similar letters."""
    return _CURVED.sub(lambda match: _write_curve(match[1], rng), vary(text, rng))


def _write_curve(letter: str, rng: RandomStream) -> str:
    """Write a function of a number, or a composition of two."""
    forms = _WHOLE_CURVE if letter == "h" else _CURVE
    inner, outer = vary(forms, rng).replace("{v}", letter), vary(forms, rng)
    return outer.replace("{v}", inner if outer.count("{v}") == 1 and " " not in inner else letter)


def _apply_dtype(text: str, dtype: Type) -> str:
    number = r"\1" if dtype.shape or dtype is FLOAT else rf"{dtype.spelling}(\1)"
    return _NUMBER.sub(number, text.replace("{dtype}", dtype.spelling))


def compose_tile_kernel(
    builder: KernelBuilder, text: str, mention: str, verbs: tuple[str, ...], *grid: int, one_each: bool = False
) -> Kernel:
    """Compose a kernel with the body ``text`` and a block for each element of ``grid``.

    Args:
        builder: collects the parts of the kernel; its option ``block_dim`` is set.
        text: lines in which ``$t`` and other letters stand for names.
        mention: the phrase for the description.
        verbs: the verbs to choose the kernel's name from.
        grid: the numbers of blocks.
        one_each: whether each thread has its own ``wp.tid()``, instead of each block.
    """
    block = builder.options["block_dim"]
    outputs = tuple(inner(key, *_NAMES[key[0]]) for key in dict.fromkeys(re.findall(r"\$([a-z]\d*)\b", text)))
    dim = (grid[0] * block,) if one_each else (*grid, block)
    return builder.build_kernel(builder.rng.choice(verbs), (TemplateStatement(text, (), outputs, mention),), dim)
