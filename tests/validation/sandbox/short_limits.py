"""Levels with short time limits, with and without level parse; a worker runs this module.

Without level parse, tests check the confinement independently of the allowlist.
"""

from __future__ import annotations

from dataclasses import replace

from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.worker.check_worker import main

GUARDED = tuple(replace(level, seconds=min(level.seconds, 20.0)) for level in levels_to("gradient"))
UNGUARDED = tuple(level for level in GUARDED if level.name != "parse")

if __name__ == "__main__":
    main(GUARDED, launch_seconds=2.0)
