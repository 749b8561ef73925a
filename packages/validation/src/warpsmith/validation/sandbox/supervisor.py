"""The supervisor of a sandboxed worker: it sends lines, collects verdicts, and tries lines again alone if a worker dies."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from warpsmith.core.errors import SandboxError, describe
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.extraction.warp.supported import check_installed
from warpsmith.validation.allowlist.native_text import has_native_code
from warpsmith.validation.levels.registry import LEVELS, Level
from warpsmith.validation.sandbox.client import Client, SandboxBroken, WorkerDied
from warpsmith.validation.sandbox.fault_attribution import TRIES, Trouble, reported, verdicts_of_trouble
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.protocol import CHECK, Request, parse_verdict
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

PRECOMPILE_SECONDS = 120.0
"""The time limit for precompiling Warp's headers, which takes some seconds."""

BROKEN = "the sandbox does not work on this machine"
"""The start of the error that ends a command whose first worker cannot work."""

WORKER = "warpsmith.validation.worker.check_worker"
"""The module that a worker runs by default."""

WORKERS = {False: WORKER, True: "warpsmith.validation.worker.unconfined_check_worker"}
"""The module that a worker runs, by whether the sandbox may be incomplete."""

PRECOMPILE = "warpsmith.validation.worker.check_worker:precompile_headers"
SELF_TEST = "warpsmith.validation.worker.self_test:compile_and_run"
"""The tasks of every new worker: precompile Warp's headers, and prove that it can write, compile, load and run."""


class Supervisor:
    """One sandboxed worker and the requests to it; use it as a context manager.

    Args:
        levels: the levels that lines are checked by.
        module: the module that the worker runs; it calls `check_worker.main` with at least these levels.
        headers: the precompiled headers that the workers of a run share; without them, this supervisor makes its own.
        compiles: whether the tasks of the worker compile; its levels declare it for themselves.

    Attributes:
        levels: the levels; they may be replaced between requests.
        client: the client of the worker.
        isolated: the supervisor of a pair that runs in a separate worker, while that worker runs.
        finished: the verdicts by line number of the lines that were checked by all levels and had no trouble. An interrupted
            run keeps them although the answer for their batch is missing.

    Raises:
        UnsupportedWarpError: if the installed Warp is not a supported one.
    """

    def __init__(
        self, levels: Sequence[Level] = LEVELS, module: str = WORKER, headers: Headers | None = None, compiles: bool = False
    ) -> None:
        check_installed()  # otherwise every pair would fail because the worker cannot load Warp
        self.levels = tuple(levels)
        self._module = module
        self._compiles = compiles
        self._resources = contextlib.ExitStack()
        self._headers = headers or self._resources.enter_context(Headers())
        self._state = self._headers.machine
        self._lock = Lock()
        self.client = Client(module)
        self.isolated: Supervisor | None = None
        self.finished: dict[int, list[Verdict]] = {}
        self._scratch_with_headers: Path | None = None

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the worker and remove its files."""
        self.client.close()
        self._resources.close()

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
        mixes = any(level.compiles for level in self.levels)  # other levels check pairs one by one
        for line in lines:
            (native if mixes and has_native_code(line) else generated).append(line)
        by_line = {id(line): verdicts for line, verdicts in self._check_together(generated)}
        by_line |= {id(line): self._check_isolated(line) for line in native}
        return [verdict for line in lines for verdict in by_line[id(line)]]

    def _check_isolated(self, line: Line) -> list[Verdict]:
        with Supervisor(self.levels, self._module, self._headers, self._compiles) as isolated:
            with self._lock:
                self.isolated = isolated
                if self.client.aborted:
                    isolated.abort()
            verdicts = isolated._check_together([line])[0][1]
        self.finished |= isolated.finished
        return verdicts

    def _check_together(self, lines: Sequence[Line], seen: Trouble | None = None) -> list[tuple[Line, list[Verdict]]]:
        """Check ``lines`` in one worker.

        If the worker dies, the line that it was checking is tried alone; if that line is unknown, halves of the batch are
        checked.

        Args:
            lines: the lines.
            seen: the trouble of a batch that contained these lines.
        """
        if len(lines) == 1:
            return [(lines[0], self._check_alone(lines[0], seen))]
        if not lines:
            return []
        if (problem := self._problem_of_machine()) is not None:
            return [(line, self._not_checked(line, problem)) for line in lines]
        verdicts, death = self._collect(lines)
        if death is not None:
            return self._continue_after_death(lines, verdicts, death)
        found = {id(line): verdicts[number :: len(lines)] for number, line in enumerate(lines)}
        troubles = {id(line): trouble for line in lines if (trouble := reported(found[id(line)])) is not None}
        if troubles:
            self.client.stop()
            suspects = [line for line in lines if id(line) in troubles]
            found |= {id(line): verdicts for line, verdicts in self._check_halves(suspects, troubles[id(suspects[0])])}
        return [(line, found[id(line)]) for line in lines]

    def _check_halves(self, lines: Sequence[Line], seen: Trouble) -> list[tuple[Line, list[Verdict]]]:
        middle = len(lines) // 2
        return self._check_together(lines[:middle], seen) + self._check_together(lines[middle:], seen)

    def _check_alone(self, line: Line, seen: Trouble | None = None) -> list[Verdict]:
        """Check one line; if it has trouble, again in new workers, until the fault is attributed, see `fault_attribution`."""
        troubles = [] if seen is None else [seen]
        kept: Sequence[Verdict] = ()
        for _ in range(TRIES):
            if (problem := self._problem_of_machine()) is not None:
                return self._not_checked(line, problem)
            verdicts, death = self._collect([line])
            trouble = death or reported(verdicts)
            if trouble is None:
                return verdicts
            self.client.stop()
            repeated = trouble.can_be_of_pair and any(map(trouble.is_like, troubles))
            if repeated and self._problem_of_machine() is None:
                return verdicts_of_trouble(line, self.levels, trouble, verdicts, of_pair=True)
            troubles.append(trouble)
            kept = verdicts
        dies = all(trouble.can_be_of_pair and trouble.died for trouble in troubles) and self._problem_of_machine() is None
        return verdicts_of_trouble(line, self.levels, troubles[-1], kept, of_pair=dies)

    def _not_checked(self, line: Line, problem: str) -> list[Verdict]:
        return verdicts_of_trouble(line, self.levels, Trouble(0, problem, died=False, killed=False), (), of_pair=False)

    def _collect(self, lines: Sequence[Line]) -> tuple[list[Verdict], Trouble | None]:
        """Return the verdicts that the worker gives, and its death, if it dies before it has given all.

        Raises:
            WarpsmithError: if a level cannot be loaded.
        """
        verdicts: list[Verdict] = []
        extracted = sum(line.pair is not None and line.pair.is_extracted for line in lines)
        try:
            self.client.request(Request(CHECK, levels=tuple(level.name for level in self.levels)), lines)
            for level in self.levels:
                for number, line in enumerate(lines):
                    answer = self.client.answer(level.time_limit(len(lines), extracted))
                    verdicts.append(_verdict(answer, line.identity, level.name))
                    if level is self.levels[-1] and reported(verdicts[number :: len(lines)]) is None:
                        self.finished[line.number] = verdicts[number :: len(lines)]
        except WorkerDied as death:
            self.client.stop()
            level_number = len(verdicts) // len(lines)
            return verdicts, Trouble(level_number, str(death), died=True, killed=death.killed, slow=death.slow)
        except SandboxBroken as problem:
            raise SandboxError(f"{BROKEN}: {problem}") from None
        return verdicts, None

    def _problem_of_machine(self) -> str | None:
        """Start a worker that proves that it works, if none runs; return why there is none, or None.

        Raises:
            SandboxError: if no worker has ever worked.
        """
        if (problem := self._state.problem) is not None:
            return problem
        for _ in range(TRIES):
            try:
                self._start_worker()
            except (WorkerDied, SandboxBroken, OSError) as error:
                self.client.stop()
                problem = describe(error) if isinstance(error, OSError) else str(error)
            else:
                self._state.works()
                return None
        problem = problem or "no worker"
        if not self._state.proved:
            raise SandboxError(f"{BROKEN}: {problem}")
        self._state.lacks(problem)
        return problem

    def _start_worker(self) -> None:
        compiles = self._compiles or any(level.compiles for level in self.levels)
        if self.client.is_running and not (compiles and self._scratch_with_headers != self.client.scratch):
            return
        self.client.start()  # only a worker that has received no line may precompile headers for others
        self.client.wait_until_ready()
        if compiles:
            self._headers.install(self.client.scratch, lambda: self._perform(PRECOMPILE))
            try:
                self._perform(SELF_TEST)
            except (WorkerDied, SandboxBroken):
                self._headers.reject()
                raise
            self._scratch_with_headers = self.client.scratch

    def _continue_after_death(
        self, lines: Sequence[Line], verdicts: Sequence[Verdict], death: Trouble
    ) -> list[tuple[Line, list[Verdict]]]:
        """Return the verdicts of all lines after a worker died that had given ``verdicts`` so far."""
        if self.levels[death.level].takes_batches:
            return self._check_halves(lines, death)
        number = len(verdicts) % len(lines)
        out = {number for number in range(len(lines)) for verdict in verdicts[number :: len(lines)] if _ends(verdict)}
        # Lines that failed an earlier level are not checked by this one: the worker was at the next line that passed.
        while number in out and number + 1 < len(lines):
            number += 1
        alone = self._check_alone(lines[number], death)
        rest = self._check_together([*lines[:number], *lines[number + 1 :]])
        return [*rest[:number], (lines[number], alone), *rest[number:]]

    def require_worker(self) -> None:
        """Start a worker that proves that it works, if none runs.

        Raises:
            SandboxError: if no worker works on this machine.
        """
        if (problem := self._problem_of_machine()) is not None:
            raise SandboxError(f"{BROKEN}: {problem}")

    def run_task(self, task: str, lines: Sequence[Line], seconds: float, **options: Any) -> dict[str, Any]:
        """Run the function ``task``, see `CHECK`, on ``lines`` and return its answer, which is JSON of unknown shape.

        Raises:
            TaskFailed: if the worker dies over the task, takes longer than ``seconds``, or answers something else.
            SandboxError: if no worker works on this machine.
        """
        name = task.partition(":")[2].replace("_", " ")
        what = f"{name} of {lines[0].path.name}" if lines else name
        try:
            self.client.request(Request(task, options=options), lines)
            answer = self.client.answer(seconds)
        except WorkerDied as death:
            raise TaskFailed(f"no {what}: {death}", death.killed) from None
        except SandboxBroken as problem:
            raise SandboxError(f"{BROKEN}: {problem}") from None
        if not isinstance(answer, dict):
            raise TaskFailed(f"no {what}: the worker answered nonsense", killed=False)
        return answer

    def _perform(self, task: str) -> None:
        self.client.request(Request(task), [])
        self.client.answer(PRECOMPILE_SECONDS)


def _ends(verdict: Verdict) -> bool:
    """Return whether later levels skip the line of this verdict."""
    return verdict.status == "fail" or verdict.is_about_machine


def _verdict(answer: Any, identity: str, level: str) -> Verdict:
    try:
        return parse_verdict(answer, identity, level)
    except ValueError:
        raise WorkerDied("the check answered nonsense") from None
