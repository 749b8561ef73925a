"""Times of pairs on a device: build, and launches forward and backward."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks.device_launches import program_of
from warpsmith.gpu_checks.driver_session import DriverProblem
from warpsmith.gpu_checks.level import session
from warpsmith.gpu_checks.messages import TIMES, Request
from warpsmith.gpu_checks.worker_answers import Figures, Problem
from warpsmith.validation.confinement.machine_problems import MachineProblem


def measure(lines: Sequence[Line], launches: int) -> Figures | Problem:
    """Return medians over pairs in milliseconds: ``build ms``, and ``run ms`` of both launches with their copies.

    The number of pairs that do not run is returned, too. If the device cannot be used, the result is the ``problem``.

    Args:
        lines: lines of a dataset; lines without a pair, and pairs without a launch or a text for the device, are ignored.
        launches: the number of launches of each pair, of which the median counts.
    """
    driver = session(Path.cwd())
    times: list[tuple[float, float]] = []
    failed = 0
    for line in lines:
        if line.pair is None or program_of(line.pair, driver.device) is None:
            continue
        try:
            driver.send(Request(line, launches=launches))
            times.append(TIMES.unpack(driver.receive(TIMES.size)))
        except DriverProblem:
            failed += 1
        except MachineProblem as problem:
            return {"problem": str(problem)}
    figures: Figures = {"pairs": len(times), "failed": failed}
    if times:
        build, run = (round(1e3 * float(seconds), 3) for seconds in np.median(times, axis=0))
        figures |= {"build ms": build, "run ms": run}
    return figures
