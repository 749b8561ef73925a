"""The renderer: its output is Python with the meaning of the tree, without missing or superfluous parentheses.

Random trees are rendered, evaluated by Python, and compared with an evaluator that walks the tree.
"""

from __future__ import annotations

import ast
import operator
import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import (
    Apply,
    Array,
    Assign,
    Augment,
    Call,
    Compare,
    Component,
    Const,
    Construct,
    Declare,
    Expr,
    For,
    Function,
    If,
    Jump,
    Kernel,
    Load,
    Logic,
    Name,
    Return,
    Scalar,
    Size,
    Store,
    Ternary,
    Threads,
    While,
)
from warpsmith.synthesis.language.render import Style, render, render_expression
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VEC3
from warpsmith.synthesis.writing.generate import write_kernel

VALUES = {"a": 3, "b": -2, "c": 0, "d": 7}
BINARY = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "mod": operator.mod,
          "floordiv": operator.floordiv}  # fmt: skip
COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}

LEAVES = (*(Name(name, INT, -9, 9) for name in VALUES), *(Const(value, INT) for value in (-2, -1, 0, 1, 5)))


@st.composite
def numbers(draw: st.DrawFn, depth: int) -> Expr:
    choice = draw(st.integers(0, 7)) if depth else 0
    if choice == 0:
        return draw(st.sampled_from(LEAVES))
    inner = numbers(depth - 1)
    if choice < 4:
        return Apply(draw(st.sampled_from(list(BINARY))), (draw(inner), draw(inner)), INT, 0, 0)
    if choice == 4:
        return Apply("neg", (draw(inner),), INT, 0, 0)
    if choice == 5:
        return Apply("max", (draw(inner), draw(inner)), INT, 0, 0)
    if choice == 6:
        return Ternary(draw(conditions(depth - 1)), draw(inner), draw(inner), INT, 0, 0)
    vector = Call("three", (draw(inner),), VEC3, 0, 0)
    return Component(vector, (Const(draw(st.integers(0, 2)), INT),), INT, 0, 0)


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> Expr:
    choice = draw(st.integers(0, 3)) if depth else 0
    inner = conditions(depth - 1) if depth else numbers(0)
    if choice == 0:
        operators = draw(st.lists(st.sampled_from(list(COMPARED)), min_size=1, max_size=2))
        return Compare(tuple(operators), tuple(draw(numbers(max(depth - 1, 0))) for _ in range(len(operators) + 1)))
    if choice == 1:
        return Logic("not", (draw(inner),))
    return Logic(draw(st.sampled_from(["and", "or"])), (draw(inner), draw(inner)))


def evaluate(expr: Expr) -> Any:
    match expr:
        case Name(name):
            return VALUES[name]
        case Const(value):
            return value
        case Apply("neg", (arg,)):
            return -evaluate(arg)
        case Apply("max", (left, right)):
            return max(evaluate(left), evaluate(right))
        case Apply(key, (left, right)):
            return BINARY[key](evaluate(left), evaluate(right))
        case Call("three", (arg,)):
            return [evaluate(arg), evaluate(arg) + 1, evaluate(arg) + 2]
        case Component(value, (index,)):
            return evaluate(value)[evaluate(index)]
        case Ternary(condition, then, other):
            return evaluate(then) if is_true(condition) else evaluate(other)
    raise AssertionError(expr)


def is_true(condition: Expr) -> bool:
    match condition:
        case Logic("not", (part,)):
            return not is_true(part)
        case Logic("and", (left, right)):
            return is_true(left) and is_true(right)
        case Logic("or", (left, right)):
            return is_true(left) or is_true(right)
        case Compare(operators, operands):
            values = map(evaluate, operands)
            left = next(values)
            return all(COMPARED[sign](left, left := right) for sign, right in zip(operators, values))
    raise AssertionError(condition)


def outcome(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (ZeroDivisionError, OverflowError) as error:
        return type(error)


@settings(deadline=None, derandomize=True, database=None, max_examples=500)
@given(numbers(4))
def test_text_has_the_value_of_the_tree(expr: Expr) -> None:
    names = VALUES | {"wp": SimpleNamespace(max=max), "three": lambda value: [value, value + 1, value + 2]}
    assert outcome(eval, render_expression(expr), {}, names) == outcome(evaluate, expr)


A, B, C = (Name(name, FLOAT, 0.0, 1.0) for name in "abc")


def binary(key: str, left: Expr, right: Expr) -> Apply:
    return Apply(key, (left, right), FLOAT, 0.0, 1.0)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (binary("mul", binary("add", A, B), C), "(a + b) * c"),
        (binary("add", A, binary("mul", B, C)), "a + b * c"),
        (binary("sub", A, binary("sub", B, C)), "a - (b - c)"),
        (binary("sub", binary("sub", A, B), C), "a - b - c"),
        (binary("div", A, binary("mul", B, C)), "a / (b * c)"),
        (Apply("neg", (binary("add", A, B),), FLOAT, 0.0, 1.0), "-(a + b)"),
        (binary("mul", Apply("neg", (A,), FLOAT, 0.0, 1.0), B), "-a * b"),
        (Apply("int", (binary("mul", A, Const(4.0, FLOAT)),), INT, 0, 4), "int(a * 4.0)"),
        (Apply("dot", (A, B), FLOAT, 0.0, 1.0), "wp.dot(a, b)"),
        (Construct((A, B, C), VEC3, 0.0, 1.0), "wp.vec3(a, b, c)"),
        (Component(Name("v", VEC3, 0.0, 1.0), (Const(2, INT),), FLOAT, 0.0, 1.0, letters=True), "v.z"),
        (Component(binary("add", A, B), (Const(2, INT),), FLOAT, 0.0, 1.0), "(a + b)[2]"),
        (Logic("and", (Logic("or", (A, B)), Logic("not", (C,)))), "(a or b) and not c"),
        (Logic("not", (Logic("and", (A, B)),)), "not (a and b)"),
        (Compare(("<", "<"), (A, B, binary("add", A, C))), "a < b < a + c"),
        (Compare(("==",), (Compare(("<",), (A, B)), Compare((">",), (B, C)))), "(a < b) == (b > c)"),
        (binary("mul", Ternary(Compare((">",), (A, B)), A, B, FLOAT, 0.0, 1.0), C), "(a if a > b else b) * c"),
        (Load("grid", (Name("i", INT, 0, 7), Const(2, INT)), FLOAT, 0.0, 1.0), "grid[i, 2]"),
        (Size("grid", 1, 3, 3, "m"), "grid.shape[1]"),
        (Const(True, BOOL), "True"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_text_has_no_superfluous_parentheses(expr: Expr, expected: str) -> None:
    assert render_expression(expr) == expected


I, J = Name("i", INT, 0, 7, "n"), Name("j", INT, 0, 2, "m")  # noqa: E741 - what kernels call them
TOTAL = Name("total", FLOAT, 0.0, 3.0)
KERNEL = Kernel(
    name="sum_rows",
    params=(
        Array("grid", FLOAT, ("n", "m"), 0.0, 1.0),
        Scalar("n", INT, 8, 8, "fill", "n"),
        Scalar("m", INT, 3, 3, "fill", "m"),
        Array("sums", FLOAT, ("n",), 0.0, 0.0, "fill", "output"),
    ),
    body=(
        Threads((I,)),
        nodes.Comment("one thread per row"),
        If(Compare((">=",), (I, Name("n", INT, 8, 8))), (Jump("return"),)),
        Declare("total", Const(0.0, FLOAT)),
        For(J, Const(0, INT), Name("m", INT, 3, 3), 3, (Augment("total", "add", Load("grid", (I, J), FLOAT, 0.0, 1.0)),)),
        If(
            Compare((">",), (TOTAL, Const(2.0, FLOAT))),
            (Assign("total", Const(2.0, FLOAT)),),
            (If(Compare(("<",), (TOTAL, Const(1.0, FLOAT))), (Assign("total", Const(1.0, FLOAT)),), (Jump("return"),)),),
        ),
        While(Compare(("<",), (TOTAL, Const(1.5, FLOAT))), 3, (Augment("total", "mul", Const(2.0, FLOAT)),)),
        nodes.Atomic("atomic_add", "sums", (Const(0, INT),), TOTAL),
        Store("sums", (I,), Call("half", (TOTAL,), FLOAT, 0.0, 1.0)),
    ),
    sizes=(("n", 8), ("m", 3)),
    dim=(8,),
    functions=(
        Function(
            "half",
            (Scalar("x", FLOAT, 0.0, 3.0),),
            FLOAT,
            (Return(binary("mul", Name("HALF", FLOAT, 0.5, 0.5), Name("x", FLOAT, 0.0, 3.0))),),
            annotated=True,
        ),
    ),
    constants=(nodes.Constant("HALF", Const(0.5, FLOAT)),),
    doc="Sum rows for each row.",
)

GOLDEN = '''\
import warp as wp

HALF = wp.constant(0.5)


@wp.func
def half(x: float) -> float:
    return HALF * x


@wp.kernel
def sum_rows(grid: wp.array2d(dtype=float), n: int, m: int, sums: wp.array(dtype=float)):
    """Sum rows for each row."""
    i = wp.tid()
    # one thread per row
    if i >= n:
        return
    total = float(0.0)
    for j in range(m):
        total += grid[i, j]
    if total > 2.0:
        total = 2.0
    elif total < 1.0:
        total = 1.0
    else:
        return
    while total < 1.5:
        total *= 2.0
    wp.atomic_add(sums, 0, total)
    sums[i] = half(total)
'''


def test_golden_kernel() -> None:
    assert render(KERNEL, Style()) == GOLDEN


@pytest.mark.parametrize(
    ("style", "signature"),
    [
        (Style(numbered=False), "grid: wp.array(dtype=float, ndim=2), n: int, m: int, sums: wp.array(dtype=float)"),
        (Style(subscripted=True), "grid: wp.array2d[float], n: int, m: int, sums: wp.array[float]"),
        (Style(warp_scalars=True, subscripted=True), "grid: wp.array2d[wp.float32], n: wp.int32, m: wp.int32, "),
    ],
)
def test_style_changes_how_parameters_are_spelled(style: Style, signature: str) -> None:
    written = render(KERNEL, style)
    assert signature in re.sub(r"\(\s+|,\s+", lambda found: found[0][0] + " " * (found[0][0] == ","), written)
    plain = [line for line in GOLDEN.splitlines() if line.startswith("    ") and ":" not in line]
    assert [line for line in plain if line not in written.splitlines()] == []


@pytest.mark.parametrize(
    ("style", "overload"),
    [
        (Style(), '{"grid": wp.array2d(dtype=float), "n": int}'),
        (Style(numbered=False), "[wp.array(dtype=float, ndim=2), int, "),
    ],
)
def test_generic_parameters_have_their_types_in_an_overload(style: Style, overload: str) -> None:
    written = render(replace(KERNEL, preface=("from typing import Any",), generic=("grid", "n")), style)
    ast.parse(written)
    assert written.startswith("from typing import Any\n\nimport warp as wp\n")
    assert "n: Any" in written
    assert "m: int" in written
    before, _, after = written.partition("\n\n\nwp.overload(")
    assert render(KERNEL, style).count("\n") < written.count("\n")
    assert "array" in before
    assert overload.replace(" ", "") in re.sub(r"\s", "", after)


def test_written_kernels_parse_and_are_laid_out_like_handwritten_code() -> None:
    for index in range(500):
        source = write_kernel(KernelKey(7, index)).source
        ast.parse(source)
        lines = source.splitlines()
        assert source.endswith("\n")
        assert not source.endswith("\n\n")
        assert lines[0] == "import warp as wp"
        assert not any(line != line.rstrip() or "\t" in line or "\n\n\n\n" in source for line in lines)
