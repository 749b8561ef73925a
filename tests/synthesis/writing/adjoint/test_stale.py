"""Stale values: kernels that are refused have a wrong gradient in Warp, and kernels that are kept have the right one."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
import warp as wp

from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.adjoint.replaced import replaced_use
from warpsmith.synthesis.writing.adjoint.stale import stale_use
from warpsmith.synthesis.writing.generate import write_kernel

HEADER = """import warp as wp

LENGTH = wp.constant(4)


@wp.func
def squared(value: float):
    return value * value


@wp.func
def sum_of_squares(x: wp.array[float], n: int):
    total = float(0.0)
    for i in range(n):
        total += x[i] * x[i]
    return total


@wp.kernel
def k(x: wp.array[float], w: wp.array[float], first: wp.array[int], n: int, scale: float, out: wp.array[float]):
"""

SUM = "total = float(0.0)\nfor i in range(n):\n    total += x[i] * w[i]\n"

WRONG = {
    "a product": SUM + "out[0] = total * total",
    "a product with an input": SUM + "out[0] = total * w[0]",
    "a quotient of which it is the divisor": SUM + "out[0] = w[0] / total",
    "a function": SUM + "out[0] = wp.sin(total)",
    "a helper function": SUM + "out[0] = squared(total)",
    "a test": SUM + "if total > 0.1:\n    out[0] = x[0] * x[1]",
    "a test of a count": "c = int(0)\nfor i in range(n):\n    c += 1\nif c > 2:\n    out[0] = x[0] * x[1]",
    "an exit": "c = int(0)\nfor i in range(n):\n    c += 1\nif c == 0:\n    return\nout[0] = x[0] * x[1]",
    "an index": "last = int(0)\nfor i in range(n):\n    last = first[i]\nout[0] = x[last] * x[last]",
    "the bound of a loop": (
        "c = int(0)\nfor i in range(n):\n    c += 1\ns = float(0.0)\nfor j in range(c):\n    s += x[j]\nout[0] = s"
    ),
    "a product of a copy": SUM + "rest = x[0] - total\nout[0] = rest * rest",
    "a product that is carried": "p = float(1.0)\nfor i in range(n):\n    p = p * x[i]\nout[0] = p",
    "a product in place": "p = float(1.0)\nfor i in range(n):\n    p *= x[i]\nout[0] = p",
    "a sum of an inner loop": (
        "s = float(0.0)\nfor i in range(n):\n    t = float(0.0)\n    for j in range(n):\n        t += x[j]\n"
        "    s += t * x[i]\nout[0] = s"
    ),
    "the smallest value": (
        "least = float(10.0)\nfor i in range(n):\n    d = x[i] * x[i]\n    if d < least:\n        least = d\nout[0] = least"
    ),
    "a loop that is too long to unroll": "s = float(0.0)\nfor i in range(17):\n    s += x[i % 4]\nout[0] = s * s",
}
RIGHT = {
    "a sum": SUM + "out[0] = total",
    "a sum of the sum and an input": SUM + "out[0] = x[0] - total",
    "a product with a constant": SUM + "out[0] = total * 0.5",
    "a product with a plain argument": SUM + "out[0] = total * scale",
    "a quotient with a count": SUM + "out[0] = total / float(n)",
    "a vector of sums": SUM + "both = wp.vec2(total, x[0])\nout[0] = both[0] + both[1]",
    "an unrolled loop": "p = float(1.0)\nfor i in range(LENGTH):\n    p = p * x[i]\nout[0] = p * p",
    "a variable of the round": "s = float(0.0)\nfor i in range(n):\n    d = x[i] - w[i]\n    s += d * d\nout[0] = s",
    "a function that contains the loop": "out[0] = sum_of_squares(x, n)",
    "a value that is set again": SUM + "out[1] = total\ntotal = x[0]\nout[0] = total * total",
    "a test of what receives no gradient": SUM + "out[0] = total\nif total > 0.1:\n    out[1] = 1.0",
    "the place of the smallest value": (
        "least = float(10.0)\nbest = int(0)\nfor i in range(n):\n    d = x[i] * x[i]\n"
        "    if d < least:\n        least = d\n        best = i\nout[1] = float(best)\nout[0] = x[0] * x[0]"
    ),
}

REPLACED = {
    "a test": "if first[0] == 3:\n    out[0] = x[0]\nfirst[0] = 0",
    "a test of a local": "before = first[0]\nif before > 2:\n    out[0] = x[0] * x[1]\nfirst[0] = before - 2",
    "an exit": "if first[0] == 0:\n    return\nout[0] = x[0]\nfirst[0] = 0",
    "an index": "place = first[2]\nout[0] = x[place]\nfirst[2] = 3",
    "a choice": "out[0] = wp.where(first[0] == 3, x[0], w[0])\nfirst[0] = 0",
    "an atomic sum": "if first[0] == 3:\n    out[0] = x[0]\nwp.atomic_add(first, 0, 1)",
}
KEPT = {
    "another array": "if first[0] == 3:\n    out[0] = x[0]\nout[1] = 0.0",
    "a read after the change": "first[0] = 1\nout[0] = x[first[0]]",
    "a number that decides nothing": "before = first[0]\nout[0] = x[0]\nfirst[0] = before + 1",
}


def kernel_file(body: str) -> str:
    return HEADER + textwrap.indent(body, "    ") + "\n"


def is_right(body: str) -> bool:
    """Compare Warp's gradient of the sum of the outputs with central differences of what Warp computes."""
    values = np.array([0.4, 0.3, 0.6, 0.7], np.float32)

    with loaded_kernel(kernel_file(body), "k", None, f"stale_{abs(hash(body))}") as kernel:

        def launch(x: wp.array, w: wp.array, adjoint: bool) -> float:
            first = wp.array([3, 1, 0, 2], dtype=int, device="cpu")
            out = wp.zeros(2, dtype=float, device="cpu", requires_grad=True)
            inputs = [x, w, first, 4, 0.5, out]
            wp.launch(kernel, dim=1, inputs=inputs, device="cpu")
            if adjoint:
                out.grad = wp.ones(2, dtype=float, device="cpu")
                adjoints = [x.grad, w.grad, None, 0, 0.0, out.grad]
                wp.launch(kernel, dim=1, inputs=inputs, adj_inputs=adjoints, adjoint=True, device="cpu")
            return float(out.numpy().sum())

        def array(content: np.ndarray) -> wp.array:
            return wp.array(content.astype(np.float32), dtype=float, device="cpu", requires_grad=True)

        x, w = array(values), array(values[::-1] + 0.2)
        launch(x, w, adjoint=True)
        for number, moved in enumerate((x, w)):
            for place in range(4):
                sides = []
                for step in (1.0e-2, -1.0e-2):
                    pair = [x.numpy().copy(), w.numpy().copy()]
                    pair[number][place] += step
                    sides.append(launch(array(pair[0]), array(pair[1]), adjoint=False))
                if abs((sides[0] - sides[1]) / 2.0e-2 - moved.grad.numpy()[place]) > 5.0e-3:
                    return False
    return True


@pytest.mark.sampled(8)
@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_kernels_whose_gradient_warp_gets_wrong_are_found(body: str) -> None:
    assert stale_use(kernel_file(body)) is not None
    assert not is_right(body)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_kernels_whose_gradient_is_right_are_kept(body: str) -> None:
    assert stale_use(kernel_file(body)) is None
    assert is_right(body)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("body", REPLACED.values(), ids=REPLACED)
def test_decisions_by_elements_that_are_replaced_are_found(body: str) -> None:
    assert replaced_use(kernel_file(body)) is not None
    assert not is_right(body)


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_other_changes_of_elements_are_kept(body: str) -> None:
    assert replaced_use(kernel_file(body)) is None
    assert is_right(body)


def test_decisions_about_integers_alone_are_kept() -> None:
    text = kernel_file("if first[0] == 3:\n    first[0] = 0").replace("out: wp.array[float]", "out: wp.array[int]")
    assert replaced_use(text) is None


@pytest.mark.parametrize(("length", "found"), [("17", True), ("COUNT", True), ("16", False)])
def test_a_loop_over_a_long_constant_range_is_found_without_another_loop(length: str, found: bool) -> None:
    text = f"""import warp as wp

COUNT = wp.constant(27)


@wp.kernel
def k(x: wp.array[float], out: wp.array[float]):
    s = float(0.0)
    for i in range({length}):
        s += x[i % 4]
    out[0] = s * s
"""
    assert (stale_use(text) is not None) == found


def test_a_kernel_without_adjoint_is_kept() -> None:
    text = kernel_file(WRONG["a product"])
    assert stale_use(text.replace("@wp.kernel", "@wp.kernel(enable_backward=False)")) is None


def test_the_generator_draws_such_kernels_again() -> None:
    """The first draft of this key multiplies a residual by itself after the sum over its row."""
    assert stale_use(write_kernel(KernelKey(2000, 3764)).source) is None


def test_a_product_that_a_loop_adds_to_a_tile_is_a_sum() -> None:
    """The tile is stale after the loop: a sum of it is right, a function of it is not."""
    text = """
@wp.kernel
def k(a: wp.array2d[float], b: wp.array2d[float], n: int, out: wp.array2d[float]):
    total = wp.tile_zeros(shape=(8, 8), dtype=float)
    for i in range(n):
        left = wp.tile_load(a, shape=(8, 8), offset=(0, i * 8))
        right = wp.tile_load(b, shape=(8, 8), offset=(i * 8, 0))
        wp.tile_matmul(left, right, total)
    wp.tile_store(out, total)
"""
    assert stale_use(text) is None
    assert stale_use(text.replace("(out, total)", "(out, wp.tile_map(wp.tanh, total))")) == "wp.tile_map(wp.tanh, total)"
