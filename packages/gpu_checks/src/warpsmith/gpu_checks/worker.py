"""The sandbox worker with the level `gpu` and the task `bench`; run as ``python -m warpsmith.gpu_checks.worker SCRATCH``."""

from __future__ import annotations

from warpsmith.gpu_checks.level import check
from warpsmith.gpu_checks.timing import measure
from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.sandbox.worker import main

SAFE_LEVELS = levels_to("parse")
"""The levels that a pair passes before its Python is loaded."""

LEVELS = (*SAFE_LEVELS, Level("gpu", check, 300.0))
"""The levels of `warpsmith-gpu run`."""

if __name__ == "__main__":
    main(LEVELS, memory=0, tasks={"bench": measure})  # CUDA reserves more address space than any machine has
