"""Slips in handwritten CUDA text, of each kind."""

from __future__ import annotations

import pytest

from mutants.handmade import BACKWARD, FORWARD
from warpsmith.scoring.mutants import cuda_edits, text

SLIPS = [
    ("missing semicolon", "var_16 =", FORWARD, ["var_16 = wp::sub(var_13, var_s)"]),
    ("missing semicolon", "if (var_14)", FORWARD, []),
    ("missing semicolon", "wp::float32 var_3", FORWARD, []),
    ("undeclared variable", "wp::float32 var_16", FORWARD, [None]),
    ("undeclared variable", "var_16 =", FORWARD, ["var_16 = wp::sub(var_13, var_s_value);"]),
    ("undeclared variable", "const wp::int32 var_7", FORWARD, [None]),
    ("function name", "var_8 =", FORWARD, ["var_8 = wp::divide(var_3, var_5);", "var_8 = div(var_3, var_5);"]),
    ("function name", "var_0 =", FORWARD, []),
    ("function name", "wp::adj_mul(var_4", BACKWARD, [
        "wp::adj_multiply(var_4, var_s, adj_2, adj_s, adj_3);", "adj_mul(var_4, var_s, adj_2, adj_s, adj_3);",
    ]),
    ("type", "wp::float32* var_2", FORWARD, ["wp::float32 var_2;"]),
    ("type", "wp::float32 var_3", FORWARD, ["wp::vec_t<3, wp::float32> var_3;"]),
    ("type", "const wp::float32 var_5", FORWARD, []),
    ("argument count", "var_13 =", FORWARD, ["var_13 = wp::extract(var_11);"]),
    ("argument count", "var_4 =", FORWARD, []),
    ("missing atomic", "var_3 =", FORWARD, []),
]  # fmt: skip


def slips(kind: str, line: str, where: str) -> list[str | None]:
    (function,) = text.functions(where)
    statement = next(one for one in function.statements if one.code.startswith(line))
    return list(cuda_edits.SLIPS[kind](statement, function))


@pytest.mark.parametrize(("kind", "line", "where", "expected"), SLIPS)
def test_slips(kind: str, line: str, where: str, expected: list[str | None]) -> None:
    assert slips(kind, line, where) == expected


@pytest.mark.parametrize("name", ["add", "sub", "min", "max"])
def test_a_missing_atomic_stores(name: str) -> None:
    line = f"var_16 = wp::atomic_{name}(var_y, var_0, var_13);"
    where = FORWARD.replace("var_16 = wp::sub(var_13, var_s);", line)
    assert slips("missing atomic", "var_16 =", where) == ["wp::array_store(var_y, var_0, var_13);"]


def test_a_variable_that_nothing_uses_may_be_undeclared() -> None:
    where = FORWARD.replace("wp::float32 var_16;", "wp::float32 var_99;\n        wp::float32 var_16;")
    assert slips("undeclared variable", "wp::float32 var_99", where) == []


def test_a_function_that_does_not_end_has_no_slips() -> None:
    assert list(cuda_edits.slip_edits(FORWARD.replace("\n}\n", "\n"))) == []
