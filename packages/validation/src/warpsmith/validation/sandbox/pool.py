"""Several sandboxed workers side by side, and the batches of lines that they share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from warpsmith.core.execution.batches import divide
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch_size import MAX_BYTES, launch_size
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.confinement.measures import Confinement
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import WORKER, Supervisor

PAIRS_PER_BATCH = 500
"""The most pairs of one batch: compilers share the work of reading headers and instantiating templates."""

B = TypeVar("B")
T = TypeVar("T")

BATCH_BYTES = 32 << 20
"""The most bytes of one batch of several pairs. A batch of generated pairs is smaller."""


BATCH_MEMORY = MAX_BYTES
"""The most bytes that the launches of one batch take in a worker; a batch of generated pairs takes a tenth."""


def batches(lines: Iterable[Line], size: int) -> Iterator[list[Line]]:
    """Divide ``lines`` into batches of ``size``; the last one, and those with long lines or large launches, are smaller."""
    return divide(lines, size, (lambda line: len(line.raw), BATCH_BYTES), (_launch_memory, BATCH_MEMORY))


def _launch_memory(line: Line) -> int:
    """Return the bytes that the launch of a line takes; 0 if level ``schema`` refuses the launch before it takes any."""
    launch = line.pair.metadata.launch if line.pair is not None else None
    needed = 0 if launch is None else launch_size(launch).bytes
    return needed if needed <= MAX_BYTES else 0


class WorkerPool:
    """Several supervisors of sandboxed workers; each is used by one thread at a time."""

    def __init__(self, count: int, levels: Sequence[Level] = (), module: str = WORKER, compiles: bool = False) -> None:
        self._headers = Headers()
        self._supervisors = [Supervisor(levels, module, self._headers, compiles) for _ in range(count)]
        self._free: SimpleQueue[Supervisor] = SimpleQueue()
        for supervisor in self._supervisors:
            self._free.put(supervisor)
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for supervisor in self._supervisors:
            supervisor.abort()
        self._threads.shutdown(wait=True)
        for supervisor in self._supervisors:
            supervisor.close()
        self._headers.close()

    def map(self, request: Callable[[Supervisor, B], T], batches: Iterable[B]) -> Iterator[tuple[B, T]]:
        """Yield each batch with its answer, in order; only a few batches are read ahead."""
        waiting: deque[tuple[B, Future[T]]] = deque()
        for batch in batches:
            waiting.append((batch, self._threads.submit(self._with_free, request, batch)))
            while len(waiting) > 2 * len(self._supervisors):
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()

    @property
    def sandbox(self) -> Confinement | None:
        """The measures that hold for a worker that has been ready; None if there was none."""
        return next((supervisor.client.report for supervisor in self._supervisors if supervisor.client.report), None)

    def finished(self, shard: Path) -> dict[int, list[Verdict]]:
        """Return the verdicts on a shard's lines by number that the supervisors have received, see `Supervisor.finished`."""
        found = [supervisor.finished.copy() for supervisor in self._supervisors]
        return {number: verdicts for each in found for (path, number), verdicts in each.items() if path == shard}

    def drop_finished(self, shard: Path) -> None:
        """Drop the verdicts on a shard that has been written."""
        for supervisor in self._supervisors:
            for key in [key for key in supervisor.finished.copy() if key[0] == shard]:
                del supervisor.finished[key]

    def share(self, lines: Sized) -> int:
        """Return the size of batches of ``lines`` that keeps all workers busy to the end."""
        rounds = -(-len(lines) // (PAIRS_PER_BATCH * len(self._supervisors)))
        return max(-(-len(lines) // (max(rounds, 1) * len(self._supervisors))), 1)

    def _with_free(self, request: Callable[[Supervisor, B], T], batch: B) -> T:
        supervisor = self._free.get()
        try:
            return request(supervisor, batch)
        finally:
            self._free.put(supervisor)
