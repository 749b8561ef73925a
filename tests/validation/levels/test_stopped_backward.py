"""A backward pass that stops counts where an array has a gradient; Warp does not restore the elements of local arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Origin

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

KERNEL = """import warp as wp


@wp.kernel
def walk(steps: wp.array(dtype=int), out: wp.array(dtype={dtype})):
    i = wp.tid()
    stack = wp.zeros(shape=(4,), dtype=int)
    count = int(1)
    stack[0] = i
    total = int(0)
    while count > 0:
        count -= 1
        place = stack[count]
        total += place
        if steps[place] > 0 and place < 4:
            stack[count] = place + 2
            count += 1
    out[i] = {value}
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("dtype", "value", "status"),
    [
        ("int", "total + 1", "pass"),
        ("bool", "total > 3", "pass"),
        ("float", "float(total)", "fail"),
    ],
)
def test_a_stopped_backward_pass_counts_where_there_is_a_gradient(
    dtype: str,
    value: str,
    status: str,
    argument: Callable[..., Argument],
    pair_line: Callable[..., Line],
    run_levels: Callable[..., Any],
) -> None:
    steps = argument("steps", "int32", (6,), low=1, high=3)
    out = argument("out", {"int": "int32", "float": "float32"}.get(dtype, dtype.removeprefix("wp.")), (6,), "output")
    line = pair_line(KERNEL.format(dtype=dtype, value=value), Launch(dim=(6,), args=(steps, out)))
    pair = line.checked()
    pair = replace(pair, metadata=replace(pair.metadata, origin=Origin(file="walk.py", line=5, launch="captured")))
    found = run_levels(
        [replace(line, pair=pair, raw=encode(pair))], "regenerate", "execute", "emulate", "gradient", launch_seconds=1.0
    )
    assert found["execute"][0].status == status, found["execute"][0].reason
    if status == "pass":
        assert found["emulate"][0].status == "pass", found["emulate"][0].reason
        assert found["gradient"][0].status == "not_applicable"
