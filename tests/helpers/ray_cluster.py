"""A local Ray cluster for tests: a head, and nodes that are added and removed, with one processor each."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Any
from unittest import mock

from processes import command_of, descendants_of, kill

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
SOON = {"health_check_period_ms": 500, "health_check_failure_threshold": 3, "health_check_initial_delay_ms": 0}
"""Settings with which a dead node is noticed within seconds."""


@contextlib.contextmanager
def head() -> Iterator[Any]:
    """Start a cluster of one node whose processes have no pinned hash seed."""
    with mock.patch.dict(os.environ, {"PYTHONHASHSEED": "random", "RAY_USAGE_STATS_ENABLED": "0"}):
        from ray.cluster_utils import Cluster  # noqa: PLC0415 - Ray is an optional dependency

        cluster = Cluster(initialize_head=True, head_node_args=NODE | {"_system_config": SOON})
        try:
            yield cluster
        finally:
            cluster.shutdown()


@contextlib.contextmanager
def another(cluster: Any) -> Iterator[Any]:
    """Add a node."""
    with mock.patch.dict(os.environ, {"PYTHONHASHSEED": "random"}):
        node = cluster.add_node(**NODE)
    try:
        yield node
    finally:
        cluster.remove_node(node, allow_graceful=False)


def raylet_of(node: Any) -> int:
    """Return the main process of a node."""
    (info,) = node.all_processes["raylet"]
    return int(info.process.pid)


def busy_workers_of(node: Any) -> list[int]:
    """Return the processes of a node that run a task: Ray names them after it."""
    return [process for process in descendants_of(raylet_of(node)) if command_of(process).startswith(b"ray::_call")]


def caught_at_work(node: Any) -> int | None:
    """Stop a process of a node in the middle of a task, so that killing it certainly loses the task, and return the process."""
    for process in busy_workers_of(node):
        os.kill(process, signal.SIGSTOP)
        if command_of(process).startswith(b"ray::_call"):
            return process
        os.kill(process, signal.SIGCONT)
    return None


def lose(node: Any) -> None:
    """Kill all processes of a node, as a power failure would."""
    raylet = raylet_of(node)
    kill(raylet, *descendants_of(raylet))
