"""Runs a plan on the processors of this machine: one process a worker, one part of a shard a task.

Workers write their parts themselves and report a summary, so that no text travels between processes. They are forked from a
process that has loaded Warp, see `server`, and end when the command is gone.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.errors import WarpsmithError
from warpsmith.extraction.terminal import Advance
from warpsmith.synthesis.production import server
from warpsmith.synthesis.production.plan import Part, Plan
from warpsmith.synthesis.production.shard import Summary, make_part

GC_THRESHOLD = 20_000
"""Allocations between two looks of the garbage collector: Warp's trees hold cycles, a kernel some 15,000 objects of them."""

ATTEMPTS = 3
"""How often the workers may die before the run gives up."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes of a run: how many, the device that they build on or None, and whether Warp is accelerated in them."""

    count: int
    device: str | None = None
    accelerate: bool = True


def run_parts(
    plan: Plan, parts: list[Part], folder: Path, workers: Workers, advance: Advance
) -> Iterator[tuple[Part, Summary]]:
    """Make ``parts`` and yield each with its summary as they come.

    A worker that dies takes only its own part with it; the rest goes on in new workers.

    Raises:
        WarpsmithError: if workers keep dying.
    """
    left = list(parts)
    for _ in range(ATTEMPTS):
        if not left:
            return
        done: set[Part] = set()
        try:
            for part, summary in _pass(plan, left, folder, workers, advance):
                done.add(part)
                yield part, summary
        except BrokenProcessPool:
            left = [part for part in left if part not in done]
            continue
        return
    raise WarpsmithError(
        f"workers died {ATTEMPTS} times, perhaps for lack of memory; what is finished is kept: run the same command again, "
        "with fewer --workers"
    )


def _pass(plan: Plan, parts: list[Part], folder: Path, workers: Workers, advance: Advance) -> Iterator[tuple[Part, Summary]]:
    context = server.start()
    counter = context.Value("Q", 0)
    pool = ProcessPoolExecutor(min(workers.count, len(parts)), context, _start, (counter, workers.accelerate))
    try:
        futures: dict[Future[Summary], Part] = {pool.submit(_task, plan, part, folder, workers.device): part for part in parts}
        shown = 0
        waiting = set(futures)
        while waiting:
            finished, waiting = wait(waiting, timeout=0.2, return_when="FIRST_COMPLETED")
            made = int(counter.value)
            if made > shown:
                advance(made - shown)
                shown = made
            for future in finished:
                yield futures[future], future.result()
    except BrokenProcessPool:  # a worker died, and the pool has ended the others
        pool.shutdown()
        raise
    except BaseException:  # Ctrl-C, or a caller that wants no more
        pool.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(OSError):  # one that ends by itself while it is asked whether it has
            for process in multiprocessing.active_children():
                process.terminate()
        raise
    pool.shutdown()


_counter: Any = None
_for_good = contextlib.ExitStack()


def _start(counter: Any, accelerate: bool) -> None:
    """Prepare a worker: quiet on Ctrl-C, gone with its parent, its modules out of the garbage collector's sight."""
    global _counter  # noqa: PLW0603 - the one thing a pool's worker can keep
    _counter = counter
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # compilers print what they like; stdout is for the summary
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _for_good.enter_context(accelerated(accelerate))
    settle_memory()


def settle_memory() -> None:
    """Take all that is loaded out of the garbage collector's sight, and let it look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    while parent is not None and parent.is_alive():
        time.sleep(0.5)
    os._exit(1)


def _task(plan: Plan, part: Part, folder: Path, device: str | None) -> Summary:
    return make_part(plan, part, folder, _add, device)


def _add(count: int) -> None:
    with _counter.get_lock():
        _counter.value += count
