"""Category `while_loop`: searches, iterations until a bound, digits, greatest common divisors, binary search, series."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 5.0), ("integer", 2.0), ("selection", 1.0), ("curve", 1.0)))

K, X = template_input(INT, 1, 90), template_input(FLOAT, -3.0, 3.0)
A, B = inner("a", "a", "value_k", "rest"), inner("b", "b", "other_k", "divisor")
T = inner("t", "tmp", "swap", "carry")
N = template_output("n", INT, -10000, 10000, "steps", "found", "digits", "level_k", "code_k", linear=True)
S = template_output("s", FLOAT, -200.0, 200.0, "series", "acc", "total", "summed", linear=True)

TEMPLATES = (
    Template("the length of a Collatz sequence", "$a = int({0})\n$n = int(0)\nwhile $a > 1 and $n < ⟨20|32|50⟩:\n    if $a % 2 == 0:\n        $a = $a // 2\n    else:\n        $a = 3 * $a + 1\n    $n += 1", (K,), (A, N)),
    Template("a greatest common divisor", "$a = int({0})\n$b = int(⟨12|18|30⟩)\nwhile $b > 0:\n    $t = $a % $b\n    $a = $b\n    $b = $t\n$n = $a", (K,), (A, B, T, N)),
    Template("a number of digits", "$a = int({0})\n$n = int(0)\nwhile $a > 0:\n    $a = $a // ⟨2|10|3⟩\n    $n = $n + 1", (K,), (A, N)),
    Template("a sum of digits", "$a = int({0})\n$n = int(0)\nwhile $a > 0:\n    $n += $a % ⟨10|8⟩\n    $a = $a // ⟨10|8⟩", (K,), (A, N)),
    Template("an integer square root", "$n = int(0)\nwhile ($n + 1) * ($n + 1) <= {0}:\n    $n += 1", (K,), (N,)),
    Template("the next power of two", "$n = int(1)\nwhile $n < {0}:\n    $n = $n * 2", (K,), (N,)),
    Template("a bisection of whole numbers", "$a = int(0)\n$b = int(⟨64|100⟩)\nwhile $a < $b:\n    $t = ($a + $b) // 2\n    if $t * $t < {0}:\n        $a = $t + 1\n    else:\n        $b = $t\n$n = $a", (K,), (A, B, T, N)),
    Template("a series", "$s = float(0.0)\n$a = int(0)\nwhile $a < ⟨4|6|5⟩:\n    $a += 1\n    $s += ⟨{0} / float($a)|{0} * {0} / float($a * $a)|wp.sin({0} * float($a)) / float($a)|wp.cos(float($a) * {0})⟩", (X,), (A, S)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes numbers with while loops."""
    return compose_kernel(builder, TEMPLATES, (FLOAT, INT), (FLOAT, FLOAT, INT), ("iterate", "search", "count", "compute"), 2)


CATEGORY = Category("while_loop", draw, WEIGHTS, "by while loops", "language", dry_run=False)
