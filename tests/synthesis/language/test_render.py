"""The renderer: the file of a kernel made by hand, in every style."""

from __future__ import annotations

import ast
import re

import pytest
from msgspec.structs import replace

from warpsmith.core.records.launch import Argument, Domain
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.composed_kernel import Array, Constant, Kernel, OpaqueParameter, Scalar
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.warp_types import FLOAT, INT
from warpsmith.synthesis.writing.generate import write_kernel

KERNEL = Kernel(
    name="sum_rows",
    params=(
        Array("grid", FLOAT, ("n", "m"), 0.0, 1.0),
        Scalar("n", INT, 8, 8, "fill"),
        Scalar("m", INT, 3, 3, "fill"),
        Array("sums", FLOAT, ("n",), 0.0, 0.0, "fill", "output"),
    ),
    body=(
        "i = wp.tid()",
        "# one thread per row",
        "if i >= n:",
        "    return",
        "",
        "total = float(0.0)",
        "for j in range(m):",
        "    total += grid[i, j]",
        "sums[i] = half(total)",
    ),
    sizes=(("n", 8), ("m", 3)),
    dim=(8,),
    constants=(Constant("HALF", 0.5), Constant("COUNT", 2, wrapped=False)),
    preface=("@wp.func\ndef half(x: float) -> float:\n    return HALF * x",),
    doc="Sum rows for each row.",
)

GOLDEN = '''\
import warp as wp

HALF = wp.constant(0.5)
COUNT = 2


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
    written = render(replace(KERNEL, imports=("from typing import Any",), generic=("grid", "n")), style)
    ast.parse(written)
    assert written.startswith("from typing import Any\n\nimport warp as wp\n")
    assert "n: Any" in written
    assert "m: int" in written
    before, _, after = written.partition("\n\n\nwp.overload(")
    assert "array" in before
    assert overload.replace(" ", "") in re.sub(r"\s", "", after)


def test_decorators_and_other_parameters_are_written_as_they_are() -> None:
    mesh = Argument(
        name="mesh", kind="mesh", dtype="uint64", role="input", shape=(4, 4), domain=Domain(kind="uniform", low=0.0, high=1.0)
    )
    written = render(
        replace(KERNEL, params=(OpaqueParameter("mesh", "wp.uint64", mesh),), decorator="@wp.kernel(enable_backward=False)"),
        Style(),
    )
    assert "@wp.kernel(enable_backward=False)\ndef sum_rows(mesh: wp.uint64):\n" in written


def test_written_kernels_parse_and_are_laid_out_like_handwritten_code() -> None:
    for index in range(200):
        source = write_kernel(KernelKey(7, index)).source
        ast.parse(source)
        lines = source.splitlines()
        assert source.endswith("\n")
        assert not source.endswith("\n\n")
        assert lines[0].startswith(("import warp as wp", "from typing import Any", "from enum import IntEnum", '"""'))
        assert not any(line != line.rstrip() or "\t" in line or "\n\n\n\n" in source for line in lines)
        assert not re.search(r"^ *(?!Args|In|Out|Param)[a-z].*:\n\n", source, re.MULTILINE), "a blank line opens a block"
