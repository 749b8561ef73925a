"""Level parse finds atomic operations that the generated text makes without being atomic."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.atomics import plain_atomic

SOURCE = '''import warp as wp


@wp.func
def deposit(bins: wp.array(dtype=float), i: int, value: float):
    """Call wp.atomic_max(bins, i, value) and add."""
    old = wp.atomic_add(bins, i, value)
    return old


@wp.kernel
def k(x: wp.array(dtype=float), u: wp.array(dtype=float), m: wp.array2d(dtype=int), c: wp.array(dtype=wp.uint8)):
    i = wp.tid()
    u[i % 4] += x[i]
    u[i] *= 2.0  # no wp.atomic_mul(u, i, 2.0) exists
    m[i, 0] -= 1
    c[i] += wp.uint8(1)
    deposit(u, i % 3, x[i])
    if wp.atomic_max(m, i, 1, 3) < 4:
        wp.atomic_min(
            u, i, x[i] * 0.5
        )
'''

PLAIN = {
    # the atomic function: what computes the same where threads run one after the other
    r"var_(\d+) = wp::atomic_add\(var_bins, var_i, var_value\);":
        r"wp::array_store(var_bins, var_i, wp::add(*wp::address(var_bins, var_i), var_value));",
    r"var_(\d+) = wp::atomic_max\((.*)\);": r"wp::array_store(\2);",
    r"var_(\d+) = wp::atomic_min\((.*)\);": r"wp::array_store(\2);",
    r"var_(\d+) = wp::atomic_add\(var_u, var_(\d+), var_(\d+)\);":
        r"var_90 = wp::add(var_91, var_\3); wp::array_store(var_u, var_\2, var_90);",
    r"var_(\d+) = wp::atomic_sub\(var_m, (.*), var_(\d+)\);":
        r"var_90 = wp::sub(var_91, var_\3); wp::array_store(var_m, \2, var_90);",
}  # fmt: skip


@pytest.fixture(scope="module")
def line(pair_line: Callable[..., Line]) -> Line:
    return pair_line(SOURCE, None)


def test_atomic_texts_pass(line: Line, run_levels: Any) -> None:
    assert [one.reason for one in run_levels([line], "parse")["parse"]] == [""]
    assert line.pair is not None
    assert line.pair.cuda_ir_forward is not None
    assert "wp.atomic_max(bins" in line.pair.python_source


@pytest.mark.parametrize("target", ["cuda_ir_forward", "cpp_forward"])
@pytest.mark.parametrize("pattern", PLAIN)
def test_a_plain_operation_fails(line: Line, change_line: Any, run_levels: Any, pattern: str, target: str) -> None:
    def change(record: dict[str, Any]) -> None:
        record[target], count = re.subn(pattern, PLAIN[pattern], record[target])
        assert count == 1

    [finding] = run_levels([change_line(line, change)], "parse")["parse"]
    assert finding.status == "fail"
    assert "is not atomic where the Python is: " in finding.reason


def test_all_texts_of_a_dataset_are_atomic(lines: list[Line]) -> None:
    texts = [text for line in lines if line.pair for text in (line.pair.cpp_forward, line.pair.cuda_ir_forward) if text]
    assert sum("wp.atomic_" in text for text in texts) > 20
    assert [plain_atomic(text) for text in texts] == [None] * len(texts)
