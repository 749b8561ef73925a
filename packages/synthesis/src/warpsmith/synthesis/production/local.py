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
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.production import server
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.plan import Part, Plan

GC_THRESHOLD = 20_000
"""Allocations between two looks of the garbage collector: Warp's trees hold cycles, a kernel some 15,000 objects of them."""

ATTEMPTS = 3
"""How often the workers may die or hang before the run gives up."""

PATIENCE = 900.0
"""Seconds without a finished pair after which the workers count as hung: far more than building a part of them takes."""

_DEATHS = (BrokenProcessPool, EOFError, ConnectionError)
"""What is raised if a worker is gone, or the process that workers are forked from: by the pool, or where one is asked for."""

Report = Callable[[int], None]
"""What is called now and then with the number of units that were finished since."""

Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes of a run: how many, the device that they build on or None, and whether Warp is accelerated in them.

    ``patience`` is how many seconds they may go without finishing anything.
    """

    count: int
    device: str | None = None
    accelerate: bool = True
    patience: float = PATIENCE


def run_parts(plan: Plan, parts: list[Part], folder: Path, workers: Workers, advance: Report) -> Iterator[tuple[Part, Summary]]:
    """Make ``parts`` and yield each with its summary as they come, see `run_tasks`."""
    return run_tasks(partial(_make, plan, folder, workers.device), parts, workers, advance)


def _make(plan: Plan, folder: Path, device: str | None, part: Part, report: Report) -> Summary:
    from warpsmith.synthesis.production.generate_pairs import make_part

    return make_part(plan, part, folder, report, device)


@cache
def ask(question: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return what ``question`` answers in a process that has loaded Warp, so that this one does without; once for a run.

    Raises:
        WarpsmithError: see `run_tasks`, and what ``question`` raises.
    """
    ((_, answer),) = run_tasks(partial(_answered, question), [arguments], Workers(1, accelerate=False), lambda _: None)
    return answer


def _answered(question: Callable[..., Answer], arguments: tuple[Any, ...], _: Report) -> Answer:
    return question(*arguments)


def run_tasks(
    work: Callable[[Task, Report], Answer], tasks: Iterable[Task], workers: Workers, advance: Report
) -> Iterator[tuple[Task, Answer]]:
    """Have processes do ``work`` on each of the tasks, and yield each task with its answer as they come.

    A worker that dies or hangs takes only its own task with it; the rest goes on in new workers.

    Args:
        work: a function, which can be pickled, of a task and a `Report`.
        tasks: values that can be pickled, all different.
        workers: the processes.
        advance: is called with what the tasks report.

    Raises:
        WarpsmithError: if workers keep dying or hanging.
    """
    left = list(tasks)
    how = ""
    for _ in range(ATTEMPTS):
        if not left:
            return
        done: set[Task] = set()
        try:
            for task, answer in _pass(work, left, workers, advance):
                done.add(task)
                yield task, answer
        except _DEATHS:
            how = "died"
        except TimeoutError:
            how = "hung"
        else:
            return
        left = [task for task in left if task not in done]
    raise WarpsmithError(
        f"workers {how} {ATTEMPTS} times, perhaps for lack of memory; what is finished is kept: run the same command again, "
        "with fewer --workers"
    )


def _pass(
    work: Callable[[Task, Report], Answer], tasks: list[Task], workers: Workers, advance: Report
) -> Iterator[tuple[Task, Answer]]:
    context = server.start()
    counter = context.Value("Q", 0)
    pool = ProcessPoolExecutor(min(workers.count, len(tasks)), context, _start, (counter, workers.accelerate))
    try:
        futures: dict[Future[Answer], Task] = {pool.submit(_run, work, task): task for task in tasks}
        shown, last = 0, time.monotonic()
        waiting = set(futures)
        while waiting:
            finished, waiting = wait(waiting, timeout=0.2, return_when="FIRST_COMPLETED")
            made = int(counter.value)
            if finished or made > shown:
                last = time.monotonic()
            if made > shown:
                advance(made - shown)
                shown = made
            for future in finished:
                yield futures[future], future.result()
            _expect_progress(since=last, patience=workers.patience)
    except BrokenProcessPool:  # a worker died, and the pool has ended the others
        pool.shutdown()
        raise
    except BaseException:  # Ctrl-C, workers that hang, an error of one, or a caller that wants no more
        with contextlib.suppress(OSError):  # one that ends by itself while it is asked whether it has
            for process in multiprocessing.active_children():
                process.kill()  # one that was stopped would not hear anything else
        pool.shutdown(cancel_futures=True)  # and wait: at exit Python wakes the pool's thread through a pipe that this closes
        raise
    pool.shutdown()


def _expect_progress(since: float, patience: float) -> None:
    if time.monotonic() - since > patience:
        raise TimeoutError


_counter: Any = None
_for_good = contextlib.ExitStack()


def _start(counter: Any, accelerate: bool) -> None:
    """Prepare a worker: quiet on Ctrl-C, gone with its parent, its modules out of the garbage collector's sight."""
    global _counter  # noqa: PLW0603 - the one thing a pool's worker can keep
    _counter = counter
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # compilers print what they like; stdout is for the summary
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if accelerate:
        from warpsmith.extraction.accelerate import accelerated

        _for_good.enter_context(accelerated())
    settle_memory()


def settle_memory() -> None:
    """Take all that is loaded out of the garbage collector's sight, and let it look less often."""
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    gc.enable()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _run(work: Callable[[Task, Report], Answer], task: Task) -> Answer:
    return work(task, _add)


def _add(count: int) -> None:
    with _counter.get_lock():
        _counter.value += count
