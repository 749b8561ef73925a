"""A backward pass that stops counts where an array has a gradient; Warp does not restore the elements of local arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Origin
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.levels.extracted import stopped_backward
from warpsmith.validation.running.fork_runner import SLOW
from warpsmith.validation.running.outputs import LaunchOutputs

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


SEARCH = """import warp as wp


@wp.func
def is_below(parents: wp.array(dtype=int), body: int, root: int) -> bool:
    while body != 0:
        if body == root:
            {found}
        body = parents[body]
    return False


@wp.kernel
def mass(parents: wp.array(dtype=int), m: wp.array(dtype=float), out: wp.array(dtype=float)):
    if is_below(parents, m.shape[0] - 1, 1):
        out[0] = m[0] * 2.0
"""


@pytest.mark.parametrize(("found", "cause"), [("return True", "a return in a while"), ("break", "a negative index")])
def test_the_reason_of_a_stop_names_what_the_code_contains(found: str, cause: str) -> None:
    with loaded_kernel(SEARCH.format(found=found), None, {}) as kernel:
        code = extract_ir(kernel, "cpu").codes["cpu"]
    domain = Domain(kind="fill", low=0, high=0)
    values = Argument(name="m", kind="array", dtype="float32", role="input", shape=(1,), domain=domain)
    contents = {"m": np.zeros(1, np.float32)}
    after = LaunchOutputs(contents, {})
    finding = stopped_backward(Launch(dim=(1,), args=(values,)), contents, after, f"{SLOW} more than 2 s", code)
    assert finding.status == "fail"
    assert cause in finding.reason
