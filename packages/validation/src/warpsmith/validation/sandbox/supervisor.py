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
from warpsmith.validation.sandbox.checked_line import CheckedLine, next_to_check
from warpsmith.validation.sandbox.client import Client, SandboxBroken, WorkerDied
from warpsmith.validation.sandbox.fault_attribution import TRIES, Trouble, verdicts_of_trouble
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.protocol import CHECK, Request, parse_verdict
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

PRECOMPILE_SECONDS = 120.0
"""The time limit for precompiling Warp's headers, which takes some seconds."""

BROKEN = "the sandbox does not work on this machine"
"""The start of the error that ends a command whose first worker cannot work."""

MACHINE_SECONDS = 600.0
"""The time limit for compiling the SIMT machine, which takes half a minute."""

WORKER = "warpsmith.validation.worker.check_worker"
"""The module that a worker runs by default."""

WORKERS = {False: WORKER, True: "warpsmith.validation.worker.unconfined_check_worker"}
"""The module that a worker runs, by whether the sandbox may be incomplete."""

PRECOMPILE = "warpsmith.validation.worker.check_worker:precompile_headers"
COMPILE_MACHINE = "warpsmith.validation.worker.check_worker:compile_machine"
SELF_TEST = "warpsmith.validation.worker.self_test:compile_and_run"
"""The tasks of new workers: precompile Warp's headers, compile the SIMT machine if a level uses it, and prove that the worker
can write, compile, load and run."""


class Supervisor:
    """One sandboxed worker and the requests to it; use it as a context manager.

    Args:
        levels: the levels that lines are checked by.
        module: the module that the worker runs; it calls `check_worker.main` with at least these levels.
        headers: the precompiled headers that the workers of a run share; without them, this supervisor makes its own.
        compiles: whether the tasks of the worker compile; its levels declare it for themselves.
        uses_machine: whether they use the SIMT machine, too.

    Attributes:
        levels: the levels; they may be replaced between requests.
        client: the client of the worker.
        isolated: the supervisor of a pair that runs in a separate worker, while that worker runs.
        finished: the verdicts by file and line number of the lines that were checked by all levels and had no trouble. An
            interrupted run keeps them although the answer for their batch is missing.

    Raises:
        UnsupportedWarpError: if the installed Warp is not a supported one.
    """

    def __init__(
        self, levels: Sequence[Level] = LEVELS, module: str = WORKER, headers: Headers | None = None,
        compiles: bool = False, uses_machine: bool = False,
    ) -> None:  # fmt: skip
        check_installed()  # otherwise every pair would fail because the worker cannot load Warp
        self.levels = tuple(levels)
        self._module = module
        self._compiles, self._uses_machine = compiles or uses_machine, uses_machine
        self._resources = contextlib.ExitStack()
        self._headers = headers or self._resources.enter_context(Headers())
        self._state = self._headers.machine
        self._lock = Lock()
        self.client = Client(module)
        self.isolated: Supervisor | None = None
        self.finished: dict[tuple[Path, int], list[Verdict]] = {}
        self._prepared: tuple[Path, bool] | None = None

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

    def check(self, lines: Sequence[Line]) -> list[list[Verdict]]:
        """Check ``lines`` by all levels and return the verdicts of each line, one for each level.

        Raises:
            WarpsmithError: after `abort`.
        """
        native: list[Line] = []
        generated: list[Line] = []
        mixes = any(level.compiles for level in self.levels)  # other levels check pairs one by one
        for line in lines:
            (native if mixes and has_native_code(line) else generated).append(line)
        found = [*self._check_together(generated), *map(self._check_isolated, native)]
        by_line = {id(checked.line): checked.verdicts for checked in found}
        return [by_line[id(line)] for line in lines]

    def _check_isolated(self, line: Line) -> CheckedLine:
        with Supervisor(self.levels, self._module, self._headers, self._compiles) as isolated:
            with self._lock:
                self.isolated = isolated
                if self.client.aborted:
                    isolated.abort()
            (checked,) = isolated._check_together([line])
        self.finished |= isolated.finished
        return checked

    def _check_together(self, lines: Sequence[Line], seen: Trouble | None = None) -> list[CheckedLine]:
        """Check ``lines`` in one worker.

        If the worker dies, the line that it was checking is tried alone; if that line is unknown, halves of the batch are
        checked.

        Args:
            lines: the lines.
            seen: the trouble of a batch that contained these lines.
        """
        if len(lines) == 1:
            return [CheckedLine(lines[0], self._check_alone(lines[0], seen))]
        if not lines:
            return []
        if (problem := self._problem_of_machine()) is not None:
            return [CheckedLine(line, self._not_checked(line, problem)) for line in lines]
        found, death = self._collect(lines)
        if death is not None:
            return self._continue_after_death(found, death)
        suspects = [checked.line for checked in found if checked.trouble is not None]
        if suspects:
            self.client.stop()
            trouble = next(checked.trouble for checked in found if checked.trouble is not None)
            repeated = {id(checked.line): checked for checked in self._check_halves(suspects, trouble)}
            found = [repeated.get(id(checked.line), checked) for checked in found]
        return found

    def _check_halves(self, lines: Sequence[Line], seen: Trouble) -> list[CheckedLine]:
        middle = len(lines) // 2
        return self._check_together(lines[:middle], seen) + self._check_together(lines[middle:], seen)

    def _check_alone(self, line: Line, seen: Trouble | None = None) -> list[Verdict]:
        """Check one line; if it has trouble, again in new workers, until the fault is attributed, see `fault_attribution`."""
        troubles = [] if seen is None else [seen]
        kept: Sequence[Verdict] = ()
        for _ in range(TRIES):
            if (problem := self._problem_of_machine()) is not None:
                return self._not_checked(line, problem)
            (checked,), death = self._collect([line])
            trouble = death or checked.trouble
            if trouble is None:
                return checked.verdicts
            self.client.stop()
            repeated = trouble.can_be_of_pair and any(map(trouble.is_like, troubles))
            if repeated and self._problem_of_machine() is None:
                return verdicts_of_trouble(line, self.levels, trouble, checked.verdicts, of_pair=True)
            troubles.append(trouble)
            kept = checked.verdicts
        dies = all(trouble.can_be_of_pair and trouble.died for trouble in troubles) and self._problem_of_machine() is None
        return verdicts_of_trouble(line, self.levels, troubles[-1], kept, of_pair=dies)

    def _not_checked(self, line: Line, problem: str) -> list[Verdict]:
        return verdicts_of_trouble(line, self.levels, Trouble(0, problem, died=False, killed=False), (), of_pair=False)

    def _collect(self, lines: Sequence[Line]) -> tuple[list[CheckedLine], Trouble | None]:
        """Return the verdicts that the worker gives, and its death, if it dies before it has given all.

        Raises:
            WarpsmithError: if a level cannot be loaded.
        """
        found = [CheckedLine(line) for line in lines]
        extracted = sum(line.pair is not None and line.pair.is_extracted for line in lines)
        try:
            names = tuple(level.name for level in self.levels)
            shares = {level.name: level.share for level in self.levels if level.share > 1}
            self.client.request(Request(CHECK, levels=names, shares=shares), lines)
            for level in self.levels:
                for checked in found:
                    answer = self.client.answer(level.time_limit(len(lines), extracted))
                    checked.verdicts.append(_verdict(answer, checked.line.identity, level.name))
                    if level is self.levels[-1] and checked.trouble is None:
                        self.finished[checked.line.path, checked.line.number] = checked.verdicts
        except WorkerDied as death:
            self.client.stop()
            level_number = min(len(checked.verdicts) for checked in found)
            return found, Trouble(level_number, str(death), died=True, killed=death.killed, slow=death.slow)
        except SandboxBroken as problem:
            raise SandboxError(f"{BROKEN}: {problem}") from None
        return found, None

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
        uses_machine = self._uses_machine or any(level.uses_machine for level in self.levels)
        prepared = self._prepared in ((self.client.scratch, uses_machine), (self.client.scratch, True))
        if self.client.is_running and (prepared or not compiles):
            return
        self.client.start()  # only a worker that has received no line may precompile headers for others
        self.client.wait_until_ready()
        if compiles:
            self._headers.install(self.client.scratch, lambda: self._perform(PRECOMPILE))
            if uses_machine:
                self._headers.install_machine(self.client.scratch, lambda: self._perform(COMPILE_MACHINE, MACHINE_SECONDS))
            try:
                self._perform(SELF_TEST)
            except (WorkerDied, SandboxBroken):
                self._headers.reject()
                raise
            self._prepared = self.client.scratch, uses_machine

    def _continue_after_death(self, found: Sequence[CheckedLine], death: Trouble) -> list[CheckedLine]:
        """Return the verdicts of all lines after a worker died that had given those of ``found``."""
        lines = [checked.line for checked in found]
        if self.levels[death.level].takes_batches:
            return self._check_halves(lines, death)
        number = next_to_check(found)
        alone = CheckedLine(lines[number], self._check_alone(lines[number], death))
        rest = self._check_together([*lines[:number], *lines[number + 1 :]])
        return [*rest[:number], alone, *rest[number:]]

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

    def _perform(self, task: str, seconds: float = PRECOMPILE_SECONDS) -> None:
        self.client.request(Request(task), [])
        self.client.answer(seconds)


def _verdict(answer: Any, identity: str, level: str) -> Verdict:
    try:
        return parse_verdict(answer, identity, level)
    except ValueError:
        raise WorkerDied("the check answered nonsense") from None
