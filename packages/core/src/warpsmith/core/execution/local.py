"""Local worker processes, forked from a server that has imported what they need; dead and hung workers are replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, ClassVar

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution import forkserver
from warpsmith.core.execution.executor import Item, Report, Result, Task
from warpsmith.core.execution.python_process import ending, last_words

ATTEMPTS = 3
"""How often the workers may die or hang before the run fails."""

TIMEOUT = 900.0
"""Seconds without progress after which the workers count as hung: far more than any unit of work takes."""

POLL_SECONDS = 0.2

_SERVER_LOST = 255
"""The exit code that Python reports for a worker whose server is gone."""

_SERVER_SECONDS = 2.0
"""Pause after a lost server: until the system has freed its memory, Python takes it for running and asks it for workers."""


class _WorkerDied(Exception):
    """A worker has ended; the argument lists the exit codes of all workers. The pool ends the others by SIGTERM."""


_DEATHS = (_WorkerDied, EOFError, ConnectionError)
"""Errors that a lost worker causes, and those that a lost server causes when a process is started."""


@dataclass(frozen=True, slots=True)
class LocalProcesses:
    """Runs tasks in several processes of this machine, see `Executor`.

    Results are pickled, so large ones should be written to files by the task. Workers end when this process ends.

    Attributes:
        workers: the number of processes.
        preload: the module that workers have imported, see `forkserver.start`.
        prepare: called once in every worker before its first task.
        timeout: seconds that the workers may take without reporting progress or finishing a task.
    """

    workers: int
    preload: str
    prepare: Callable[[], object] | None = None
    timeout: float = TIMEOUT

    remote: ClassVar[bool] = False

    def session(self) -> contextlib.AbstractContextManager[object]:
        """Implement `Executor.session`: nothing is shared."""
        return contextlib.nullcontext()

    def run(self, task: Task[Item, Result], items: Iterable[Item], report: Report) -> Iterator[tuple[Item, Result]]:
        """Implement `Executor.run`.

        A worker that dies or hangs loses only its current task, which runs again in a new worker.

        Raises:
            WarpsmithError: if workers die or hang `ATTEMPTS` times.
        """
        remaining = list(items)
        failure = ""
        for attempt in range(1, ATTEMPTS + 1):
            if not remaining:
                return
            done: set[Item] = set()
            try:
                for item, result in self._attempt(task, remaining, report):
                    done.add(item)
                    yield item, result
            except _DEATHS as error:
                code = _exit_code(error)
                failure = f"workers died {ATTEMPTS} times: {_description(code)}"
                if code == _SERVER_LOST and attempt < ATTEMPTS:
                    time.sleep(_SERVER_SECONDS)
            except TimeoutError:
                failure = f"workers hung {ATTEMPTS} times: no progress for {self.timeout:.0f} s, perhaps for lack of memory"
            else:
                return
            remaining = [item for item in remaining if item not in done]
        advice = ", with fewer --workers" if "memory" in failure else ""
        raise WarpsmithError(f"{failure}; finished work is kept: run the same command again{advice}")

    def _attempt(self, task: Task[Item, Result], items: list[Item], report: Report) -> Iterator[tuple[Item, Result]]:
        """Run all tasks in one pool; the first dead or hung worker ends the attempt with an error."""
        context = forkserver.start(self.preload)
        counter = context.Value("Q", 0)
        pool = ProcessPoolExecutor(min(self.workers, len(items)), context, _initialize, (counter, self.prepare))
        try:
            futures: dict[Future[Result], Item] = {pool.submit(_run, task, item): item for item in items}
            for future in self._completed(set(futures), counter, report):
                yield futures[future], future.result()
        except BrokenProcessPool as error:  # the pool has ended the other workers
            # `active_children` lacks the workers that ended before it is called.
            workers = list(pool._processes.values())  # noqa: SLF001
            pool.shutdown()
            raise _WorkerDied([worker.exitcode for worker in workers]) from error
        except BaseException:  # Ctrl-C, a hung worker, an error of a task, or a caller that stops the iteration
            _kill_children()
            # Waiting matters: at exit, Python wakes the pool's thread through a pipe that this call closes.
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            forkserver.printed().forward()
        pool.shutdown()

    def _completed(self, waiting: set[Future[Result]], counter: Any, report: Report) -> Iterator[Future[Result]]:
        """Yield futures as they complete and forward the progress of the workers.

        Raises:
            TimeoutError: after ``timeout`` seconds without progress.
        """
        reported, last_progress = 0, time.monotonic()
        while waiting:
            finished, waiting = wait(waiting, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
            forkserver.printed().forward()
            count = int(counter.value)
            if finished or count > reported:
                last_progress = time.monotonic()
            if count > reported:
                report(count - reported)
                reported = count
            yield from finished
            if time.monotonic() - last_progress > self.timeout:
                raise TimeoutError


def _exit_code(death: BaseException) -> int:
    """Return how a worker ended that nobody asked to end."""
    codes = death.args[0] if isinstance(death, _WorkerDied) else []
    return next((code for code in codes if code not in (None, 0, -signal.SIGTERM)), _SERVER_LOST)


def _description(code: int) -> str:
    """Return what an exit code means, and the last line that the workers printed."""
    printed = forkserver.printed().end
    return (
        f"the process that starts them ended{last_words(printed)}" if code == _SERVER_LOST else f"one {ending(code, printed)}"
    )


def _kill_children() -> None:
    with contextlib.suppress(OSError):  # a child may end by itself meanwhile
        for process in multiprocessing.active_children():
            process.kill()  # the one signal that a stopped process receives


# ---------------------------------------------------------------------------------------------------------------- in a worker

_counter: Any = None


def _initialize(counter: Any, prepare: Callable[[], object] | None) -> None:
    """Prepare a worker: it ignores Ctrl-C, ends with its parent, and prints to stderr."""
    global _counter  # noqa: PLW0603 - a pool passes state to its workers through globals only
    _counter = counter
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # compilers print; stdout belongs to the command's summary
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _run(task: Task[Item, Result], item: Item) -> Result:
    return task(item, _count)


def _count(units: int) -> None:
    with _counter.get_lock():
        _counter.value += units
