"""Kernels are found by their decorators wherever they are in a file, and their texts are those of the file."""

from __future__ import annotations

import ast

import pytest

from warpsmith.validation.statistics.realism.kernels import device_texts, find_kernels

SOURCE = """import warp as wp
from warp.fem import integrand


@wp.struct
class Body:
    mass: float


class Solver:
    @wp.kernel
    def method(x: wp.array(dtype=float)):
        # a comment
        x[0] = 1.0

    def launch(self):
        @wp.func
        def helper(v: float):
            return v

        if self.fast:

            @wp.kernel(module="unique", enable_backward=False)
            def inner(
                x: wp.array(dtype=float),
            ):
                x[0] = helper(2.0)


@integrand
def form(s: Sample):
    return 1.0


def host():
    return Body()
"""


def kernels(source: str) -> list[str]:
    return [kernel.node.name for kernel in find_kernels(source, ast.parse(source))]


def test_kernels_in_classes_functions_and_branches_are_found() -> None:
    assert kernels(SOURCE) == ["method", "inner"]


@pytest.mark.parametrize(
    "decorator",
    [
        "@wp.kernel",
        "@warp.kernel",
        "@kernel",
        "@wp.kernel(enable_backward=False)",
        "@wp.kernel()",
        "@cache.dynamic_kernel(key)",
    ],
)
def test_decorators_of_kernels(decorator: str) -> None:
    assert kernels(f"@other\n{decorator}\ndef k(x: int):\n    pass\n") == ["k"]


@pytest.mark.parametrize("decorator", ["@wp.func", "@ti.kernel", "@cuda.jit", "@kernel_cache", "@wp.kernel.other", "@table[0]"])
def test_decorators_of_others(decorator: str) -> None:
    assert kernels(f"{decorator}\ndef k(x: int):\n    pass\n") == []


def test_a_kernel_has_the_decorator_that_makes_it_one() -> None:
    (kernel,) = find_kernels(source := "@cached(1)\n@wp.kernel(module='unique')\ndef k(x: int):\n    pass\n", ast.parse(source))
    assert ast.unparse(kernel.decorator) == "wp.kernel(module='unique')"


def test_texts_of_definitions_are_in_order_and_without_common_indentation() -> None:
    body, method, helper, inner, form = device_texts(SOURCE, ast.parse(SOURCE))
    assert body == "@wp.struct\nclass Body:\n    mass: float\n"
    assert method == "@wp.kernel\ndef method(x: wp.array(dtype=float)):\n    # a comment\n    x[0] = 1.0\n"
    assert helper == "@wp.func\ndef helper(v: float):\n    return v\n"
    assert inner.startswith('@wp.kernel(module="unique", enable_backward=False)\ndef inner(\n    x: wp.array')
    assert inner.endswith(":\n    x[0] = helper(2.0)\n")
    assert form == "@integrand\ndef form(s: Sample):\n    return 1.0\n"
