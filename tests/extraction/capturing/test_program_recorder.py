"""The launch that a program's recorder keeps of each kernel: one that writes, if there is one."""

from __future__ import annotations

import pytest
import warp as wp

from warpsmith.extraction.capturing.program_recorder import ProgramRecorder
from warpsmith.extraction.capturing.tapes.live_leaves import snapshot_leaves
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.warp import launch_hooks


@wp.kernel
def count_down(left: wp.array(dtype=int)):
    if left[0] > 0:
        left[0] = left[0] - 1


@pytest.mark.parametrize(
    ("start", "launches", "kept"),
    [
        pytest.param(3, 9, 2, id="the fourth and the eighth launch write nothing"),
        pytest.param(9, 9, 2, id="the eighth launch writes"),
        pytest.param(0, 9, 0, id="no launch writes"),
    ],
)
def test_a_launch_that_writes_is_kept(start: int, launches: int, kept: int) -> None:
    left = wp.array([start], dtype=int, device="cpu")
    recorder = ProgramRecorder(Limits(launches=1, launch_bytes=1 << 20, total_bytes=1 << 20))
    with launch_hooks.observed(recorder):
        for _ in range(launches):
            wp.launch(count_down, dim=1, inputs=[left], device="cpu")
    (found,) = recorder.kernels()
    (launch,) = found.launches
    assert [int(values[0]) for _, values in snapshot_leaves(launch.arguments or ())] == [kept]
    assert (found.count, len(recorder.order)) == (launches, launches)
    assert recorder.faults == []
    assert recorder.held == launch.nbytes == 4
