"""The supervisor of a sandboxed worker: it sends lines, collects verdicts, and limits the loss to one pair if a worker dies."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.extraction.warp.supported import check_installed
from warpsmith.validation.levels.registry import LEVELS, Level
from warpsmith.validation.sandbox.client import Client, WorkerDied
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.native import has_native_code
from warpsmith.validation.sandbox.protocol import CHECK, PRECOMPILE, Request, parse_verdict

PRECOMPILE_SECONDS = 120.0
"""The time limit for precompiling Warp's headers, which takes some seconds."""

WORKER = "warpsmith.validation.sandbox.worker"
"""The module that a worker runs by default."""


class Supervisor:
    """One sandboxed worker and the requests to it; use it as a context manager.

    Args:
        levels: the levels that lines are checked by.
        module: the module that the worker runs; it calls `worker.main` with at least these levels.
        headers: the precompiled headers that the workers of a run share; without them, this supervisor makes its own.

    Attributes:
        levels: the levels; they may be replaced between requests.
        client: the client of the worker.
        isolated: the supervisor of a pair that runs in a separate worker, while that worker runs.

    Raises:
        UnsupportedWarpError: if the installed Warp is not a supported one.
    """

    def __init__(self, levels: Sequence[Level] = LEVELS, module: str = WORKER, headers: Headers | None = None) -> None:
        check_installed()  # otherwise every pair would fail because the worker cannot load Warp
        self.levels = tuple(levels)
        self._module = module
        self._own = contextlib.ExitStack()
        self._headers = headers or self._own.enter_context(Headers())
        self._lock = Lock()
        self.client = Client(module)
        self.isolated: Supervisor | None = None
        self._scratch_with_headers: Path | None = None

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the worker and remove its files."""
        self.client.close()
        self._own.close()

    def abort(self) -> None:
        """Stop the request that another thread waits for; that thread receives a `WarpsmithError`."""
        with self._lock:
            self.client.abort()
            if self.isolated is not None:
                self.isolated.abort()

    def verdicts(self, lines: Sequence[Line]) -> list[Verdict]:
        """Check ``lines`` by all levels and return one verdict per line and level, line by line.

        Raises:
            WarpsmithError: after `abort`.
        """
        native: list[Line] = []
        generated: list[Line] = []
        for line in lines:
            (native if has_native_code(line) else generated).append(line)
        by_line = {id(line): verdicts for line, verdicts in self._check_together(generated)}
        by_line |= {id(line): self._check_isolated(line) for line in native}
        return [verdict for line in lines for verdict in by_line[id(line)]]

    def _check_isolated(self, line: Line) -> list[Verdict]:
        with Supervisor(self.levels, self._module, self._headers) as isolated:
            with self._lock:
                self.isolated = isolated
                if self.client.aborted:
                    isolated.abort()
            return isolated._check_together([line])[0][1]

    def _check_together(self, lines: Sequence[Line]) -> list[tuple[Line, list[Verdict]]]:
        """Check ``lines`` in one worker.

        If the worker dies, the line that it was checking fails; if that line is unknown, halves of the batch are checked.
        """
        if not lines:
            return []
        verdicts: list[Verdict] = []
        self._start_worker()
        try:
            self.client.request(Request(CHECK, levels=tuple(level.name for level in self.levels)), lines)
            for level in self.levels:
                for line in lines:
                    answer = self.client.answer(level.time_limit(len(lines)))
                    verdicts.append(_verdict(answer, line.identity, level.name))
        except WorkerDied as death:
            self.client.stop()
            return self._continue_after_death(lines, verdicts, str(death))
        return [(line, verdicts[number :: len(lines)]) for number, line in enumerate(lines)]

    def _start_worker(self) -> None:
        compiles = any(level.whole_batch for level in self.levels)
        if self.client.is_running and not (compiles and self._scratch_with_headers != self.client.scratch):
            return
        self.client.start()  # only a worker that has received no line may precompile headers for others
        if compiles:
            self._headers.install(self.client.scratch, self._precompile)
            self._scratch_with_headers = self.client.scratch

    def _continue_after_death(
        self, lines: Sequence[Line], verdicts: Sequence[Verdict], reason: str
    ) -> list[tuple[Line, list[Verdict]]]:
        """Return the verdicts of all lines after a worker died that had given ``verdicts`` so far."""
        done, number = divmod(len(verdicts), len(lines))
        level = self.levels[done]
        if level.whole_batch and len(lines) > 1:
            middle = len(lines) // 2
            return self._check_together(lines[:middle]) + self._check_together(lines[middle:])
        failed_before = {
            number for number in range(len(lines)) for verdict in verdicts[number :: len(lines)] if verdict.status == "fail"
        }
        # Lines that failed an earlier level are not checked by this one: the worker was at the next line that passed.
        while number in failed_before and number + 1 < len(lines):
            number += 1
        line = lines[number]
        own = [*verdicts[number :: len(lines)][:done], Verdict(line.identity, level.name, "fail", reason, 0.0)]
        own += [Verdict(line.identity, later.name, "skipped", f"{level.name} failed", 0.0) for later in self.levels[done + 1 :]]
        rest = self._check_together([*lines[:number], *lines[number + 1 :]])
        return [*rest[:number], (line, own), *rest[number:]]

    def run_task(self, task: str, lines: Sequence[Line], seconds: float, **options: Any) -> dict[str, Any]:
        """Run ``task``, one of the worker's tasks, on ``lines`` and return its answer, which is JSON of unknown shape.

        Raises:
            WarpsmithError: if the worker dies over the task or takes longer than ``seconds``.
        """
        what = f"{task} of {lines[0].path.name}" if lines else task
        try:
            self.client.request(Request(task, options=options), lines)
            answer = self.client.answer(seconds)
        except WorkerDied as death:
            raise WarpsmithError(f"no {what}: {death}") from None
        if not isinstance(answer, dict):
            raise WarpsmithError(f"no {what}: the worker answered nonsense")
        return answer

    def _precompile(self) -> None:
        with contextlib.suppress(WorkerDied):  # the level that needs the headers reports what is wrong
            self.client.request(Request(PRECOMPILE), [])
            self.client.answer(PRECOMPILE_SECONDS)


def _verdict(answer: Any, identity: str, level: str) -> Verdict:
    try:
        return parse_verdict(answer, identity, level)
    except ValueError:
        raise WorkerDied("the check answered nonsense") from None
