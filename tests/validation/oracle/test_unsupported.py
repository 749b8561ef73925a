"""Unsupported, undefined and hostile constructs are rejected with a reason."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle_kernels import run_alone
from warpsmith.validation.oracle.builtins.builtin_table import ROWS
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("s = wp.bsr_row_index(o, 1)", "bsr_row_index"),
        ("o[0] = wp.static(x)", "static"),
        ("o[0] = wp.mesh_query_point(x)", "mesh_query_point"),
        ("o[0] = no_such_function(x)", "no_such_function"),
        ("o[0] = x * 2", "mul of float32 and int32"),
        ("o[0] = 1", "int32 stored where float32"),
        ("o[0] = wp.sin(1)", "sin of int32"),
        ("o[0] = wp.sin(x, x)", "'sin' with 2 arguments"),
        ("o[0] = wp.clamp(x=x, low=0.0, high=1.0)", "named arguments"),
        ("o[0] = [1.0][0]", "a List expression"),
        ("o[0] = (lambda: 1.0)()", "a call of an expression"),
        ("f = wp.sin\no[0] = f(x)", "the name 'wp.sin'"),
        ("with x:\n    pass", "a With statement"),
        ("try:\n    pass\nexcept:\n    pass", "a Try statement"),
        ("def inner():\n    pass", "a FunctionDef statement"),
        ("import os", "an? Import statement"),
        ("for v in o:\n    pass", "not over a range"),
        ("v = wp.vec3(1.0, 2.0)", "2 components"),
        ("v = wp.vec3()\no[0] = v.w", r"\.w of 3 float32"),
        ("v = wp.vec3() * wp.vec3()", "mul of 3 float32 and 3 float32"),
        ("q = wp.quat() * wp.vec3()", "mul of quaternion float32 and 3 float32"),
        ("if wp.vec3():\n    pass", "as a condition"),
        ("o[0] = UNKNOWN", "UNKNOWN"),
        ("o[0] = float(10**30)", "pow"),
        ("a = b = 1.0", "several targets"),
        ("del x", "a Delete statement"),
        ("o[0] = x is x", "comparison Is"),
        ("a = 1.0\nb = 2.0\nfor j in range(3):\n    a, b = b, a", "tuple of variables"),
        ("a, b = o[0], o[1]", "tuple of array elements"),
        ("o[0] = x.real", r"\.real of float32"),
        ("o.data = x", "a part of Array"),
    ],
)
def test_unsupported_constructs_are_named(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason) as caught:
        run_alone(body)
    assert type(caught.value) is Unsupported
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("o[0] = o[4]", "index 4 where there are 4"),
        ("o[-5] = 1.0", "index -5"),
        ("v = wp.vec3()\no[0] = v[3]", "index 3"),
        ("o[0] = float(1 / int(x))", "division by zero"),
        ("o[0] = float(1 % int(x))", "division by zero"),
        ("o[0] = float(-2147483648 / int(-1))", "overflows"),
        ("o[0] = float(1 << 32)", "shift"),
        ("o[0] = float(int(1.0e10))", "converted to int32"),
        ("o[0] = float(int(x / 0.0))", "nan converted to int32"),
        ("if x > 0.0:\n    y = 1.0\no[0] = y", "'y' read before"),
        ("for j in range(0, 3, int(x)):\n    pass", "step zero"),
    ],
)
def test_undefined_behaviour_has_no_result(body: str, reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        run_alone(body)


@pytest.mark.parametrize(
    "body",
    [
        "o[0] = x.__class__",
        "o[0] = o.data.tofile('written')",
        "o.data.tofile('written')",
        "o[0] = wp.__dict__",
        "o[0] = wp.load_module('os')",
        "o[0] = math.__loader__",
        "o[0] = eval('1')",
        "o[0] = np.float32(1)",
        "o[0] = ROWS",
        "o[0] = self",
        "v = wp.identity(n=100000000, dtype=float)",
        "v = wp.vector(1.0, length=1000000000, dtype=float)",
        "o[0] = " + "-" * 3000 + "x",
    ],
)
def test_hostile_kernels_have_no_effect(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsupported):
        run_alone(body)
    assert not list(tmp_path.iterdir())


ARBITRARY = """
    (1.0, x)|wp.quat()|wp.transform()|wp.mat33(2.0)|wp.mat22()[0:1]|wp.vec2()|wp.uint8(3)|wp.float64(2.0)|True|o|S()|S().v
    print("x")|wp.quat_to_axis_angle(wp.quat())|wp.mat33|wp.pi|float|...|1j|None|"x"|wp.tid()|wp.vec3()[0:2]|wp.vec3i(1)|{1}|*o
""".strip().replace("\n", "|").replace("    ", "").split("|")  # fmt: skip


def run_or_fail_as_unsupported(body: str) -> None:
    """Run the statements; only Unsupported is accepted as an error."""
    with contextlib.suppress(Unsupported):
        run_alone(body, prelude="@wp.struct\nclass S:\n    v: wp.vec3\n")


@given(st.sampled_from(sorted(ROWS)), st.lists(st.sampled_from(ARBITRARY), min_size=1, max_size=4))
@settings(deadline=None, max_examples=600)
def test_builtins_accept_arbitrary_arguments_or_raise_unsupported(name: str, arguments: list[str]) -> None:
    run_or_fail_as_unsupported(f"a = wp.{name}({', '.join(arguments)})\no[0] = 1.0")


@given(st.sampled_from("+ - * / // % ** @ & | ^ << >> < == != and or".split()), *[st.sampled_from(ARBITRARY)] * 2)
@settings(deadline=None, max_examples=400)
def test_operators_accept_arbitrary_operands_or_raise_unsupported(operator: str, left: str, right: str) -> None:
    assume("*o" not in (left, right))
    run_or_fail_as_unsupported(f"a = ({left}) {operator} ({right})\nb = -a")
    run_or_fail_as_unsupported(f"c = ({left})[({right})]\nc.x = {right}\nc[{left}] += {right}")
