"""The choice of an executor from the options of a command."""

from __future__ import annotations

from collections.abc import Callable

from warpsmith.core.commands.options import processes
from warpsmith.core.execution.cluster import RayCluster
from warpsmith.core.execution.executor import Executor


def select_executor(
    name: str,
    workers: str,
    ray_address: str | None,
    local: Callable[[int], Executor],
    prepare: Callable[[], object] | None = None,
) -> Executor:
    """Return the executor that ``--executor``, ``--workers`` and ``--ray-address`` describe.

    Args:
        name: ``"local"`` or ``"ray"``.
        workers: a number or ``"auto"``.
        ray_address: the address of the cluster, see `RayCluster`.
        local: creates the local executor of the command from a number of workers.
        prepare: see `RayCluster`.

    Raises:
        WarpsmithError: if ``workers`` is neither a number nor ``"auto"``.
    """
    count = processes(workers)
    if name == "local":
        return local(count)
    return RayCluster(ray_address, None if workers == "auto" else count, prepare)
