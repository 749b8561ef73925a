"""The summary of a program counts each kernel once, also where kernels share a qualified name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.records.jsonl import read_pairs
from warpsmith.extraction import capture
from warpsmith.extraction.capturing.capture_request import CaptureRequest, Program
from warpsmith.extraction.capturing.program_process import write_pairs
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS


def scaling(factor: float) -> Any:
    @wp.kernel(enable_backward=False)
    def scaled(x: wp.array(dtype=float)):
        x[wp.tid()] *= factor

    return scaled


def test_kernels_with_one_name_are_counted_separately(tmp_path: Path) -> None:
    x = wp.ones(8, dtype=float, device="cpu")
    kernels = [scaling(factor) for factor in (2.0, 3.0, 2.0)]
    with capture() as captured:
        for kernel in kernels:
            wp.launch(kernel, 8, inputs=[x], device="cpu")
            x.fill_(1.0)
    files = {name: str(tmp_path / name) for name in ("pairs", "rejects", "summary")}
    program = Program("script", "program.py", ())
    request = CaptureRequest(program, "cpu", False, False, (), ("scaled",), DEFAULT_LIMITS, **files)
    summary = write_pairs(captured, request)
    assert (summary.kernels, summary.launches, summary.pairs) == (3, 3, len(list(read_pairs(tmp_path / "pairs"))))
    assert (summary.pairs, summary.kernels_with_launch, summary.kernels_repeated) == (2, 2, 1)
