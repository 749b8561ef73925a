"""A Ray cluster. The extra ``warpsmith-core[ray]`` installs Ray."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.execution.executor import Item, Report, Result, Task, ignore
from warpsmith.core.execution.python_process import root_folder
from warpsmith.core.extras import RAY

TASKS_PER_CPU = 2
"""Tasks submitted for each processor: one that runs, and one that is ready to follow."""

RETRIES = 5
"""How often a task may be lost with its process or its node before the run fails."""

CONNECT_SECONDS = 5.0
"""How long a cluster may take to accept a connection; Ray itself would try for minutes."""

OBJECT_STORE_BYTES = 80_000_000
"""Shared memory of a cluster that is started here: results are small, and Ray accepts no less."""

ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""The environment of every worker: Warp's text depends on the hash seed."""


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Runs tasks on a Ray cluster, see `Executor`. Tasks lost with a process or a node run again elsewhere.

    Few tasks are submitted at a time: a million items need no more memory than a hundred.

    Attributes:
        address: the cluster, as ``ray.init`` reads it; None for a cluster that runs on this machine, or else a new local one.
        workers: how many tasks run at the same time; None for as many as the cluster has processors.
        prepare: called before every task; a function that is costly should cache its result.
        retries: how often a task may be lost.
    """

    address: str | None = None
    workers: int | None = None
    prepare: Callable[[], object] | None = None
    retries: int = RETRIES

    remote: ClassVar[bool] = True

    def session(self) -> contextlib.AbstractContextManager[object]:
        """Implement `Executor.session`: the connection stays open.

        Raises:
            WarpsmithError: if there is no Ray or no cluster.
        """
        return _connected(_import_ray(), self.address, self.workers)

    def run(self, task: Task[Item, Result], items: Iterable[Item], report: Report = ignore) -> Iterator[tuple[Item, Result]]:
        """Implement `Executor.run`; ``task`` can be imported on every node, and nothing is reported.

        Raises:
            WarpsmithError: if there is no Ray or no cluster, if ``task`` raises an error, or if a task is lost too often.
        """
        del report
        ray = _import_ray()
        with _connected(ray, self.address, self.workers):
            remote = ray.remote(num_cpus=1, max_retries=self.retries)(_call)
            pending = iter(items)
            running: dict[Any, Item] = {}
            while True:
                free = (self.workers or TASKS_PER_CPU * _processors(ray)) - len(running)
                running |= {remote.remote(task, item, self.prepare): item for item in islice(pending, max(free, 0))}
                if not running:
                    return
                ready, _ = ray.wait(list(running), num_returns=len(running), timeout=0.2)
                for reference in ready:
                    yield running.pop(reference), self._result(ray, reference)

    def _result(self, ray: Any, reference: Any) -> Any:
        try:
            return ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, WarpsmithError):
                raise error.cause from None
            raise WarpsmithError(f"a task failed on the cluster: {describe(error.cause)}") from error
        except ray.exceptions.RayError as error:
            raise WarpsmithError(
                f"the cluster lost a task {self.retries + 1} times ({type(error).__name__}); finished work is kept: check the "
                "memory of its nodes, and run the same command again"
            ) from error


def _call(task: Task[Item, Result], item: Item, prepare: Callable[[], object] | None) -> Result:
    if prepare is not None:
        prepare()
    return task(item, ignore)


def _processors(ray: Any) -> int:
    """Return the current number of processors: nodes join and leave."""
    return max(int(ray.cluster_resources().get("CPU", 0)), 1)


# ---------------------------------------------------------------------------------------------------------------- connection


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    return RAY.load("ray")


@contextlib.contextmanager
def _connected(ray: Any, address: str | None, processors: int | None) -> Iterator[None]:
    """Connect for the duration of the context; an existing connection is used and stays open."""
    if ray.is_initialized():
        yield
        return
    try:
        with contextlib.redirect_stdout(sys.stderr):  # Ray prints about lost nodes; stdout is for results
            with root_folder():  # Ray puts the current folder first in the path of all workers
                _connect(ray, address or os.environ.get("RAY_ADDRESS"), processors)
            yield
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str | None, processors: int | None) -> None:
    options = {"runtime_env": {"env_vars": ENVIRONMENT}, "log_to_driver": False, "logging_level": "ERROR"}
    new_cluster = {"num_cpus": processors, "object_store_memory": OBJECT_STORE_BYTES, "include_dashboard": False}
    try:
        if address == "local":
            ray.init("local", **options, **new_cluster)
        elif address is not None:
            _check_listening(address)
            ray.init(address, **options)
        else:
            try:
                ray.init("auto", **options)
            except ConnectionError:  # no cluster runs on this machine
                ray.init("local", **options, **new_cluster)
    except (OSError, ValueError, RuntimeError) as error:
        raise WarpsmithError(
            f"no Ray cluster answers at {address or 'this machine'} ({describe(error)}): start one with 'ray start --head', or "
            "choose another --ray-address"
        ) from error


def _check_listening(address: str) -> None:
    """Check that a server accepts connections at a ``host:port``.

    Raises:
        OSError: if none does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
