"""Level parse finds variables that a statement reads before any statement assigns them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import to_dict
from warpsmith.validation.levels.assignments import unassigned

SOURCE = """import warp as wp


@wp.func
def parts(a: float):
    b = a * 2.0
    if b > 3.0:
        return b, a
    return a, b


@wp.kernel
def k(x: wp.array2d(dtype=float), n: int, y: wp.array(dtype=float)):
    i, j = wp.tid()
    low, high = parts(x[i, j])
    total = float(0.0)
    for m in range(n):
        if x[i, m] > low or high > 2.0:
            total += x[i, m] * wp.sin(total)
    old = wp.atomic_add(y, i, total)
    if old < 0.0:
        y[i] = old + 1.0
"""


@pytest.fixture(scope="module")
def line(pair_line: Callable[..., Line]) -> Line:
    return pair_line(SOURCE, None)


def test_texts_of_warp_pass(line: Line, run_levels: Any) -> None:
    """Outputs of calls, and variables of loops and branches."""
    assert [one.reason for one in run_levels([line], "parse")["parse"]] == [""]


def exchanged(text: str) -> list[str]:
    """Return the text with two neighbours exchanged, where the second reads what the first one assigns.

    A call without a result may assign it; conditions do not count, see `unassigned`.
    """
    lines, found = text.split("\n"), []
    for number, (first, second) in enumerate(pairwise(lines)):
        assigned = re.fullmatch(r" +(var_\d+) = .*;", first)
        if (
            assigned
            and re.search(rf"[ (*]{assigned[1]}[,);]", second)
            and not second.strip().startswith(("//", "if", "parts_0"))
        ):
            found.append("\n".join([*lines[:number], second, first, *lines[number + 2 :]]))
    return found


def test_exchanged_statements_fail(line: Line) -> None:
    assert line.pair is not None
    for text in (line.pair.cuda_ir_forward, line.pair.cpp_forward):
        assert text is not None
        assert unassigned(text) is None
        changed = exchanged(text)
        assert len(changed) >= 7
        assert [unassigned(one) is None for one in changed] == [False] * len(changed)


def test_the_level_names_the_line(line: Line, run_levels: Any) -> None:
    assert line.pair is not None
    text = exchanged(line.pair.cuda_ir_forward or "")[0]
    broken = decode(encode(to_dict(line.pair) | {"cuda_ir_forward": text}), line.path, 1)
    (verdict,) = run_levels([broken], "parse")["parse"]
    assert verdict.status == "fail"
    assert re.fullmatch(r"the cuda text reads a variable before it has a value: var_\d+ = .*;", verdict.reason)


ADJOINT = """import warp as wp


@wp.kernel
def k(x: wp.array2d(dtype=float), n: int, y: wp.array(dtype=float)):
    i = wp.tid()
    last = float(0.0)
    for m in range(n):
        step = x[i, m] * last
        last = step
    if step < 0.01:
        y[i] = last
"""


def test_adjoints_of_warp_pass(pair_line: Callable[..., Line], run_levels: Any) -> None:
    """The adjoint reads what the loop assigned, and does not run the loop again."""
    line = pair_line(ADJOINT, None)
    assert line.pair is not None
    assert unassigned(line.pair.cuda_ir_backward or "") is not None
    assert [one.reason for one in run_levels([line], "parse")["parse"]] == [""]


DOUBLE = """import warp as wp

D = wp.constant(wp.float64(0.1))


@wp.kernel
def k(x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64)):
    i = wp.tid()
    {}
"""


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ("y[i] = x[i] * D\n    y[i] = y[i] + wp.float64(D)", True),
        ("d = D\n    y[i] = x[i] * d\n    y[i] = y[i] + wp.float64(d)", False),
        ("d = wp.float64(D)\n    y[i] = x[i] * d\n    y[i] = y[i] + d", False),
        ("y[i] = x[i] * D\n    y[i] = y[i] + D", False),
    ],
)
def test_a_constant_read_above_its_conversion(body: str, reads: bool, pair_line: Callable[..., Line], run_levels: Any) -> None:
    (verdict,) = run_levels([pair_line(DOUBLE.format(body), None)], "parse")["parse"]
    assert (verdict.status, "reads a variable before it has a value" in verdict.reason) == (
        ("fail", True) if reads else ("pass", False)
    )
