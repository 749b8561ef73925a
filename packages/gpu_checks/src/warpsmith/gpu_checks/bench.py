"""How long pairs take on a device: to build, to launch forward, to launch backward."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from warpsmith.extraction.record import Pair
from warpsmith.gpu_checks.launching import built, launch
from warpsmith.validation.inputs import make_inputs


def measure(pairs: Sequence[Pair], device: str, launches: int) -> dict[str, Any]:
    """Return medians over ``pairs`` in milliseconds: ``build ms``, and ``run ms`` of both launches with their copies.

    Args:
        pairs: with a ``launch``.
        device: as Warp names it.
        launches: of each pair; the median counts.
    """
    builds: list[float] = []
    runs: list[float] = []
    for pair in pairs:
        how = pair.metadata.launch
        if how is None:
            continue
        values = make_inputs(how, pair.id)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            with built(pair, device, Path(folder)) as kernel:
                builds.append(time.perf_counter() - start)
                times = []
                for _ in range(launches):
                    start = time.perf_counter()
                    launch(kernel, how, values, device, pair.metadata.has_backward)
                    wp.synchronize_device(device)
                    times.append(time.perf_counter() - start)
                runs.append(float(np.median(times)))
    return {"pairs": len(runs), "build ms": 1e3 * float(np.median(builds)), "run ms": 1e3 * float(np.median(runs))}
