"""The sandbox worker with the level `gpu`; run as ``python -m warpsmith.gpu_checks.device_worker SCRATCH``.

The worker itself is confined like any other: the server that it starts first forks the processes that drive the device.
"""

from __future__ import annotations

from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.worker import check_worker

SAFE_LEVELS = levels_to("regenerate")
"""The levels that a pair passes before its text runs."""

LEVELS = (
    *SAFE_LEVELS,
    Level("gpu", seconds=300.0, order=100, needs=("regenerate",), compiles=True, check="warpsmith.gpu_checks.level:check"),
)
"""The levels of `warpsmith-gpu run`."""

PROVE = "warpsmith.gpu_checks.level:prove"
BENCH = "warpsmith.gpu_checks.timing:measure"
"""The tasks of this worker besides checks, see `protocol.CHECK`."""


def serve(confined: bool) -> None:
    """Answer requests until there are no more.

    Args:
        confined: whether the processes that drive the device are confined. This process works without the measures that the
            system lacks if they are not.
    """
    from warpsmith.gpu_checks import level  # noqa: PLC0415 - loads Warp; the client imports this module for its levels

    level.prepare(confined)
    check_worker.main(LEVELS, unconfined=not confined)


if __name__ == "__main__":
    serve(confined=True)
