"""The limited child with the level `gpu`; run as ``python -m warpsmith.gpu_checks.child SCRATCH``."""

from __future__ import annotations

from warpsmith.gpu_checks.level import check
from warpsmith.validation.child import main
from warpsmith.validation.ladder import LADDER, Level

GPU = Level("gpu", check, 300.0)

RUNG = (*(level for level in LADDER if level.name in ("schema", "parse")), GPU)
"""The levels of `warpsmith-gpu run`: a pair's Python is loaded only after it was parsed and found safe."""

if __name__ == "__main__":
    main(RUNG, memory=0)  # CUDA reserves more address space than any machine has
