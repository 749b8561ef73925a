"""The worker processes of synthesis: they have loaded Warp, so that the command does not have to."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

from warpsmith.core.commands.executor_choice import select_executor
from warpsmith.core.execution import forkserver
from warpsmith.core.execution.executor import Executor, Report, ignore
from warpsmith.core.execution.local import TIMEOUT, LocalProcesses

PRELOAD = "warpsmith.synthesis.production.preload"
"""The module that the fork server imports."""

GC_THRESHOLD = 20_000
"""Allocations between two runs of the garbage collector: Warp's trees contain cycles, some 15,000 objects for each kernel."""

Result = TypeVar("Result")


def start_server() -> None:
    """Start the fork server without waiting for it: loading Warp takes longer than everything that a command does before."""
    forkserver.start(PRELOAD)


def local_processes(workers: int, accelerate: bool = True, timeout: float = TIMEOUT) -> LocalProcesses:
    """Return an executor whose workers have loaded Warp.

    Args:
        workers: the number of processes.
        accelerate: whether workers use `warpsmith.extraction.accelerate`; the bytes are the same.
        timeout: see `LocalProcesses`.
    """
    return LocalProcesses(workers, PRELOAD, partial(prepare_process, accelerate), timeout)


def executor_for(name: str, workers: str, ray_address: str | None, accelerate: bool) -> Executor:
    """Return the executor that the options of a command describe, see `select_executor`."""
    local = partial(local_processes, accelerate=accelerate)
    return select_executor(name, workers, ray_address, local, partial(prepare_process, accelerate))


@cache
def prepare_process(accelerate: bool) -> contextlib.ExitStack:
    """Accelerate Warp for the lifetime of this process and tune its garbage collector, once."""
    from warpsmith.extraction.accelerate import accelerated  # loads Warp

    forever = contextlib.ExitStack()
    forever.enter_context(accelerated(accelerate))
    tune_garbage_collection()
    return forever


def tune_garbage_collection() -> None:
    """Exclude all present objects from garbage collection, and collect less often."""
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    gc.enable()


@cache
def run_in_worker(function: Callable[..., Result], *arguments: object) -> Result:
    """Return the result of ``function`` in a process that has loaded Warp; the same call runs once.

    Raises:
        WarpsmithError: see `LocalProcesses.run`; also everything that ``function`` raises.
    """
    ((_, result),) = LocalProcesses(1, PRELOAD).run(partial(_call, function), [arguments], ignore)
    return result


def _call(function: Callable[..., Result], arguments: tuple[object, ...], _: Report) -> Result:
    return function(*arguments)
