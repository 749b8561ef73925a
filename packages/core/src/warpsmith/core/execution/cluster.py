"""Runs a function over many items as tasks of a Ray cluster, and yields the results as they come.

A task that is lost with its process or its node is started again elsewhere, so a task has to be one that may run twice. Few are
under way at a time: a million items take no more memory than a hundred. The extra `ray` provides Ray, on every node.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.extras import RAY

PER_CPU = 2
"""Tasks under way for each processor: one that runs, and one that is ready to follow it."""

RETRIES = 5
"""How often a task may be lost with its process or its node before the run gives up."""

ANSWER_SECONDS = 5.0
"""How long a cluster may take to accept a connection; Ray itself would try for minutes."""

OBJECT_STORE_BYTES = 80_000_000
"""Shared memory of a cluster that is started here: results are small, and this is the least that Ray takes."""

ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""Of every worker: Warp's text depends on it."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def run(
    task: Callable[[Item], Result], items: Iterable[Item], address: str | None = None, at_most: int | None = None
) -> Iterator[tuple[Item, Result]]:
    """Call ``task`` with each of ``items`` somewhere on a cluster; yield each item with its result as they come.

    Args:
        task: can be pickled, and imported on every node; may be called more than once with an item.
        items: are taken as there is room.
        address: of the cluster, as ``ray.init`` reads it; None for the one that runs on this machine, or else one of its own.
        at_most: how many tasks at a time; None for as many as the cluster has processors.

    Raises:
        WarpsmithError: if there is no Ray or no cluster, if ``task`` raises one, or if an item is lost too often.
    """
    ray = _ray()
    with _connected(ray, address, at_most):
        remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)
        left = iter(items)
        waiting: dict[Any, Item] = {}
        while True:
            room = (at_most or PER_CPU * _processors(ray)) - len(waiting)
            waiting |= {remote.remote(task, item): item for item in islice(left, max(room, 0))}
            if not waiting:
                return
            ready, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0.2)
            for reference in ready:
                yield waiting.pop(reference), _result(ray, reference)


def _call(task: Callable[[Item], Result], item: Item) -> Result:
    return task(item)


def _processors(ray: Any) -> int:
    """How many the cluster has now: nodes come and go."""
    return max(int(ray.cluster_resources().get("CPU", 0)), 1)


def _result(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, WarpsmithError):
            raise error.cause from None
        raise WarpsmithError(f"a task failed on the cluster: {describe(error.cause)}") from error
    except ray.exceptions.RayError as error:
        raise WarpsmithError(
            f"the cluster lost a task {RETRIES + 1} times ({type(error).__name__}); what is finished is kept: look at "
            "the memory of its nodes, and run the same command again"
        ) from error


# ------------------------------------------------------------------------------------------------------------ the connection


def _ray() -> Any:
    # what Ray would tell and ask on its own
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    return RAY.load("ray")


@contextlib.contextmanager
def _connected(ray: Any, address: str | None, processors: int | None) -> Iterator[None]:
    """Be connected; a connection that is there already is used and left."""
    if ray.is_initialized():
        yield
        return
    try:
        with contextlib.redirect_stdout(sys.stderr):  # Ray tells of nodes that die; stdout is for the answer
            _connect(ray, address or os.environ.get("RAY_ADDRESS"), processors)
            yield
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str | None, processors: int | None) -> None:
    options = {"runtime_env": {"env_vars": ENVIRONMENT}, "log_to_driver": False, "logging_level": "ERROR"}
    own = {"num_cpus": processors, "object_store_memory": OBJECT_STORE_BYTES, "include_dashboard": False}
    try:
        if address == "local":
            ray.init("local", **options, **own)
        elif address is not None:
            _expect_answer(address)
            ray.init(address, **options)
        else:
            try:
                ray.init("auto", **options)
            except ConnectionError:  # none runs here
                ray.init("local", **options, **own)
    except (OSError, ValueError, RuntimeError) as error:
        raise WarpsmithError(
            f"no Ray cluster answers at {address or 'this machine'} ({describe(error)}): start one with 'ray start --head', or "
            "name another --ray-address"
        ) from error


def _expect_answer(address: str) -> None:
    """Find out whether somebody listens at a ``host:port``.

    Raises:
        OSError: if not.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS).close()
