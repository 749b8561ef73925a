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
        "EPS = wp.constant(wp.float64(1.0e-6))\nUP = wp.constant(wp.vec3(0.0, -1.0, 0.0))\n",
        "from enum import IntEnum\n\nclass Kind(IntEnum):\n    'Kinds.'\n    NONE = -1\n    SOLID = 2\n\n",
        "N = 3\n\n@wp.func\ndef f(a: float):\n    return a * wp.static(float_of * 2.0 / (N - Kind.SOLID))\n\n",
        "@wp.kernel(module='unique', enable_backward=False)\ndef first():\n    i = wp.tid()\n\n",
        "@wp.kernel\ndef g(x: wp.array(dtype=Any)):\n    i = wp.tid()\n\nwp.overload(g, [wp.array(dtype=float)])\n",
        "@wp.kernel\ndef g(x: wp.array(dtype=Any)):\n    i = wp.tid()\n\nwp.overload(g, {'x': wp.array2d[wp.float64]})\n",
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
        "N = wp.clear_kernel_cache(0)\n",
        "N = wp.constant(print(1))\n",
        "N = 9 ** 9\n",
        "from enum import IntFlag\n",
        "class Kind(IntEnum):\n    A = print(1)\n",
        "class Kind(IntEnum):\n    _ignore_ = 3\n",
        "class Kind(IntEnum):\n    def __int__(self):\n        return 1\n",
        "class Kind(IntEnum, metaclass=M):\n    A = 1\n",
        "@wp.func\ndef f(a: float):\n    return wp.static(9 ** 9)\n",
        "@wp.func\ndef f(a: float):\n    return wp.static(N.x.y)\n",
        "@wp.func\ndef f(a: float):\n    return wp.static(f(1))\n",
        "@wp.func\ndef f(a: float):\n    g = wp.static\n    return g(N)\n",
        "@wp.func\ndef f(a: float):\n    return wp.static('a' * N)\n",
        "@wp.kernel(module=print(1))\ndef f(a: float):\n    i = wp.tid()\n",
        "wp.overload(k, [print(1)])\n",
        "wp.overload(print(1), [wp.float32])\n",
        "wp.overload(k, {print(1): wp.float32})\n",
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
