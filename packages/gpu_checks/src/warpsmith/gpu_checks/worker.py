"""The sandbox worker with the level `gpu` and the task `bench`; run as ``python -m warpsmith.gpu_checks.worker SCRATCH``."""

from __future__ import annotations

from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.sandbox.worker import main

SAFE_LEVELS = levels_to("parse")
"""The levels that a pair passes before its Python is loaded."""

LEVELS = (*SAFE_LEVELS, Level("gpu", seconds=300.0, order=100, check="warpsmith.gpu_checks.level:check"))
"""The levels of `warpsmith-gpu run`."""

TASKS = {"bench": "warpsmith.gpu_checks.timing:measure"}
"""The tasks of this worker besides checks."""

if __name__ == "__main__":
    main(LEVELS, memory=0, tasks=TASKS)  # CUDA reserves more address space than any machine has
