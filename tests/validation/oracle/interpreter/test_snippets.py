"""Native functions are interpreted where their C++ is arithmetic, and rejected otherwise."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from oracle_kernels import check, floats, run_alone
from warpsmith.validation.oracle.interpreter.snippets import native_body
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

NATIVE = '''
first = """
    // the square of a sum
    float t = x * 0.5f - -y;
    t *= 2.0f;
    return t > 1.5f ? t * t : (x > y ? t : 1.0f);
    """


@wp.func_native(first)
def square(x: float, y: float) -> float: ...


@wp.func_native("const int bits = x ^ (x >> 2) + 1; int z = bits; z -= 2; return (~bits + z % 5 & 31) << 1 | 3;")
def bits(x: int) -> int: ...


@wp.kernel
def k(x: wp.array(dtype=float), o: wp.array2d(dtype=float)):
    i = wp.tid()
    o[i, 0] = square(x[i], 0.25)
    o[i, 1] = float(bits(int(x[i] * 8.0)))
'''


def test_native_functions() -> None:
    check(NATIVE, (30,), x=("float32", floats(30)), o=("float32", np.zeros((30, 2), np.float32)))


@pytest.mark.parametrize(
    ("snippet", "expected"),
    [
        ("return a | b ^ c & d == e < f << g + h * i;", "a | b ^ c & ((d == (e < (f << g + h * i))))"),
        ("return a - b - c / d / e;", "a - b - c / d / e"),
        ("return a ? b : c ? d : e;", "b if a else d if c else e"),
        ("return -a * ~(b);", "-a * ~b"),
    ],
)
def test_precedence_of_operators(snippet: str, expected: str) -> None:
    (statement,) = native_body(snippet)
    assert ast.unparse(statement) == f"return {ast.unparse(ast.parse(expected, mode='eval'))}"


@pytest.mark.parametrize(
    "snippet",
    [
        "return sin(x);",
        "return x + 1.0;",
        "x++; return x;",
        "for (int i = 0; i < 3; ++i) x += 1;",
        "return x",
        "int y; return y;",
        "return x && y;",
        "double d = x; return d;",
        "return 017;",
        "@",
        "return (x;",
        "if (x) return y; return x;",
        "return " + "(" * 60 + "x;",
        "__shared__ float s[4]; return s[0];",
    ],
)
def test_other_native_code_is_rejected(snippet: str) -> None:
    with pytest.raises(Unsupported):
        native_body(snippet)
    prelude = f"@wp.func_native({snippet!r})\ndef f(x: float) -> float: ..."
    with pytest.raises(Unsupported):
        run_alone("o[0] = f(x)", prelude=prelude)
