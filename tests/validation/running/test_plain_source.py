"""Files that may share a fork declare kernels, functions, structs and numbers; anything else is loaded alone."""

from __future__ import annotations

import pytest

from warpsmith.validation.running.plain_source import is_plain

KERNEL = "@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"


@pytest.mark.parametrize(
    "before",
    [
        "",
        "N = wp.constant(-3)\nSCALE = 0.5\n",
        "@wp.struct\nclass Body:\n    '''A body.'''\n    mass: float\n    x: wp.array(dtype=wp.vec3)\n\n",
        "from typing import Any\n\n@wp.func\ndef f(a: Any) -> float:\n    return float(a)\n\n",
    ],
)
def test_declarations_are_plain(before: str) -> None:
    assert is_plain(f"import warp as wp\n\n{before}{KERNEL}")


@pytest.mark.parametrize(
    "before",
    [
        "import os\n",
        "DEED = 'text'\n",
        "print(1)\n",
        "vec5 = wp.types.vector(length=5, dtype=float)\n",
        "@wp.func\ndef f(a=print(1)):\n    return a\n",
        "@wp.func\ndef f(a: 'print(1)'):\n    return a\n",
        "@wp.func\ndef f(a: [print(1)]):\n    return a\n",
        "@wp.func\ndef f(a: wp.array(dtype=print(1))):\n    return a\n",
        "@wp.func(name='f')\ndef f(a: float):\n    return a\n",
        "@wp.struct\nclass Body(enum.Enum):\n    mass: float\n",
        "@wp.struct\nclass Body:\n    mass: float = print(1)\n",
        "@wp.struct\nclass Body:\n    def __init__(self):\n        print(1)\n",
        "class Body:\n    mass: float\n",
        "@wp.func\ndef f(a: float):\n    return wp.static(print(1))\n",
        "@wp.func\ndef f(a: float):\n    return (lambda: a)()\n",
        "def f():\n    pass\n",
        "for i in range(3):\n    pass\n",
        "x = y\n",
        "(",
    ],
)
def test_anything_else_is_not(before: str) -> None:
    assert not is_plain(f"import warp as wp\n\n{before}{KERNEL}")
