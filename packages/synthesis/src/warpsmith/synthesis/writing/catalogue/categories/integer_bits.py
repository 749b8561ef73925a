"""Category `integer_bits`: hashes, bit fields, Morton codes and fixed point in integers of all widths."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("integer", 4.0), ("selection", 1.0), ("cast", 1.0)))

K, X = template_input(INT, 0, 100), template_input(FLOAT, -4.0, 4.0)
N = template_output("n", INT, -100000, 100000, "code", "packed", "mask", "slot", "bits", "flags")
U = inner("u", "h", "word", "key", "u_bits")
A, B = inner("a", "lo", "a_bits", "first"), inner("b", "hi", "b_bits", "second")
WIDE = "⟨wp.int64|wp.uint64|wp.uint32⟩"

TEMPLATES = (
    Template("a hash", "$u = wp.uint32({0}) * wp.uint32(⟨2654435761|2246822519|374761393⟩)\n$u = $u ⟨^|+⟩ ($u >> wp.uint32(⟨15|13|16⟩))\n"
          "$n = int($u & wp.uint32(⟨1023|255|63⟩))", (K,), (U, N)),
    Template("bit fields", "$a = {0} & ⟨15|7|31⟩\n$b = ({0} >> ⟨2|3|4⟩) & ⟨7|3⟩\n$n = ($b << ⟨4|5⟩) | $a", (K,), (A, B, N)),
    Template("a Morton code", "$a = ({0} | ({0} << 4)) & 0x0F0F\n$a = ($a | ($a << 2)) & 0x3333\n$a = ($a | ($a << 1)) & 0x5555\n$n = $a ⟨|+ 1⟩", (template_input(INT, 0, 63),), (A, N)),
    Template("a count of bits", "$a = ⟨int|wp.uint32|wp.int64|wp.uint64⟩({0})\n$n = int(wp.bit_count(⟨$a|$a * $a|$a ^ ($a + $a)⟩))", (K,), (A, N)),
    Template("the bits of a number", "$u = wp.cast({0}, wp.uint32)\n$n = int(($u >> wp.uint32(⟨23|20⟩)) & wp.uint32(⟨255|127⟩))", (X,), (U, N)),
    Template("parity", "$n = wp.bit_count({0} ⟨^|&⟩ ⟨85|51|15⟩) % 2", (K,), (N,)),
    Template("a mask", "$a = ~{0}\n$n = ($a & ⟨255|127⟩) ^ ⟨21|90⟩", (K,), (A, N)),
    Template("a Gray code", "$n = {0} ^ ({0} >> 1)", (K,), (N,)),
    Template("fixed point numbers", "$a = int({0} * ⟨16.0|64.0⟩)\n$n = ($a * $a) >> ⟨4|6⟩", (X,), (A, N)),
    Template("wide whole numbers", f"$a = {WIDE}({{0}} + 1)\n$b = $a * $a * $a + $a\n$n = int($b // $a)", (K,), (A, B, N)),
    Template("narrow whole numbers", "$a = wp.⟨int8|uint8|int16|uint16⟩({0} % 11)\n$b = ⟨$a + $a|$a * $a|wp.min($a * $a, $a + $a)⟩\n$n = int($b)",
          (K,), (A, B, N)),
    Template("a permutation", "$n = ({0} * ⟨5|13|37⟩ + ⟨3|11⟩) % ⟨16|64|97⟩", (K,), (N,)),
    Template("a rotation of bits", "$u = wp.uint32({0} + 1)\n$u = ($u << wp.uint32(⟨3|7⟩)) | ($u >> wp.uint32(⟨29|25⟩))\n$n = int($u % wp.uint32(⟨1000|512⟩))", (K,), (U, N)),
    Template("a linear congruential generator", "$u = wp.uint32({0})\nfor $k in range(⟨2|3|4⟩):\n    $u = $u * wp.uint32(1664525) + wp.uint32(1013904223)\n"
          "$n = int($u >> wp.uint32(⟨20|24⟩))", (K,), (U, inner("k", "round_", "k"), N)),
    Template("integer vectors", "$a = ⟨wp.vec3i(wp.int32({0}), 3, 5)|wp.vec3l(wp.int64({0}))|wp.vec2s(wp.int16({0}))|wp.vec4ui(wp.uint32({0}))⟩\n$n = int(wp.⟨dot($a, $a)|min($a)|max($a)|length_sq($a)⟩)", (template_input(INT, 0, 50),), (A, N)),
    Template("a truth value as a number", "$n = wp.where(⟨{0} % 2 == 0|{0} > 20|not {0}⟩, ⟨1|{0}⟩, ⟨0|-1⟩) + wp.nonzero({0} % 3) * ⟨2|4⟩", (K,), (N,)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes codes from integers."""
    return compose_kernel(
        builder, TEMPLATES, (INT, FLOAT), (INT, INT, FLOAT), ("encode", "hash", "pack", "scramble", "index"), 3
    )


CATEGORY = Category("integer_bits", draw, WEIGHTS, "with whole numbers and their bits", "numbers", dry_run=False)
