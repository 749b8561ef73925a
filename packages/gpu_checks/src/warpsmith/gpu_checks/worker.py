"""The limited child with the level `gpu` and the task `bench`; run as ``python -m warpsmith.gpu_checks.worker SCRATCH``."""

from __future__ import annotations

from warpsmith.gpu_checks.bench import measure
from warpsmith.gpu_checks.level import check
from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.sandbox.worker import main

SAFE = levels_to("parse")
"""What a pair has to pass before its Python is loaded."""

RUNG = (*SAFE, Level("gpu", check, 300.0))
"""The levels of `warpsmith-gpu run`."""

if __name__ == "__main__":
    main(RUNG, memory=0, tasks={"bench": measure})  # CUDA reserves more address space than any machine has
