"""Rounding of an adjoint whose terms cancel is inconclusive in double precision; a wrong adjoint at the same point fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SOURCE = """import warp as wp


@wp.func
def triple(y: float):
    return 3.0 * y


@wp.func_grad(triple)
def adj_triple(y: float, adj_ret: float):
    wp.adjoint[y] += {slope} * adj_ret


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    far = 1.0 / (x[i] - 0.5)
    t = far - wp.floor(far)
    u = 1.0 - t
    out[i] = triple(y[i]) + 1000.0 * (u * u + 2.0 * t * u + t * t)
"""
"""The weights of the last line add up to 1 wherever ``far`` is, so that the derivative by ``x`` is 0."""


@pytest.mark.parametrize(("slope", "status"), [("3.0", "inconclusive"), ("3.3", "fail")])
def test_rounding_is_told_from_a_wrong_adjoint(
    slope: str, status: str, argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    values = (0.5 + 2.0**-13 * np.arange(1.0, 9.0)).astype(np.float32)
    x = Argument(
        name="x", kind="array", dtype="float32", role="input", shape=(8,), domain=Domain(kind="stored", low=0.0, high=1.0)
    )
    args = (x, argument("y", "float32", (8,)), argument("out", "float32", (8,), role="output"))
    launch = Launch(dim=(8,), args=args, stored={"x": encode_values(values)})
    line = pair_line(SOURCE.format(slope=slope), launch)
    [finding] = run_levels([line], "execute", "gradient")["gradient"]
    assert finding.status == status, finding
    assert ("inputs that differ in their last bits" in finding.reason) == (status == "inconclusive")
