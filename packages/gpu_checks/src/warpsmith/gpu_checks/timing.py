"""Times of pairs on a device: build, and launches forward and backward."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks.launching import compiled_kernel, launch_kernel


def measure(lines: Sequence[Line], device: str, launches: int) -> dict[str, Any]:
    """Return medians over pairs in milliseconds: ``build ms``, and ``run ms`` of both launches with their copies.

    Args:
        lines: lines of a dataset; lines without a pair and pairs without a ``launch`` are ignored.
        device: the name of the device in Warp.
        launches: the number of launches of each pair, of which the median counts.
    """
    builds: list[float] = []
    runs: list[float] = []
    for pair in (line.pair for line in lines if line.pair):
        launch = pair.metadata.launch
        if launch is None:
            continue
        values = make_inputs(launch, pair.id)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            with compiled_kernel(pair, device, Path(folder)) as kernel:
                builds.append(time.perf_counter() - start)
                times = []
                for _ in range(launches):
                    start = time.perf_counter()
                    launch_kernel(kernel, launch, values, device, pair.metadata.has_backward)
                    wp.synchronize_device(device)
                    times.append(time.perf_counter() - start)
                runs.append(float(np.median(times)))
    medians = {"build ms": builds, "run ms": runs}
    return {"pairs": len(runs)} | {name: round(1e3 * float(np.median(times)), 3) for name, times in medians.items() if times}
