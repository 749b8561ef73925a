"""Searches for the smallest pair that still fails, which shows the cause of the failure.

Sandboxed workers read, rebuild and check the pairs; this process only combines lines of text.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import TargetError, WarpsmithError, single_line
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import Pair, to_dict
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.reduction.bug_report import Shown, fault_report, gradient_report
from warpsmith.validation.reduction.fault import Causes, Fault, fault_of, read_causes
from warpsmith.validation.reduction.merging import merge
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.protocol import MAX_REASON
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

INITIAL_BATCH_SIZE = 16
"""The first number of candidates per worker; the next batch is twice as large if no candidate fails."""

SECONDS = 900.0
"""The time limit of a reduction, which then returns its best result."""

CANDIDATES = "warpsmith.validation.reduction.candidates:list_candidates"
REBUILD = "warpsmith.validation.reduction.rebuild:rebuild"
CAUSES = "warpsmith.validation.reduction.causes:list_causes"
REPRODUCE = "warpsmith.validation.reduction.reproduce:reproduce"
"""The tasks of workers, see `protocol.CHECK`."""

ASK_SECONDS = 120.0
"""The time limit for listing or rebuilding candidates."""

TEXT_LEVELS = ("schema", "parse", "regenerate")
"""Levels that check the given text: with rebuilt text, the failure disappears."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """The result of a reduction.

    Attributes:
        pair: the smallest failing pair, complete with generated code and the id of the original pair.
        level: the level that it fails.
        reason: the reason in its verdict.
        steps: the number of times a smaller pair was found.
        tried: the number of candidates checked.
        reproducer: the text of a Python file that shows the wrong gradient with Warp and NumPy alone; empty if none was wanted,
            or none shows the error.
        report: a bug report in Markdown, with the reproducer if there is one.
        problem: why there is no reproducer, if one was wanted.
    """

    pair: Pair
    level: str
    reason: str
    steps: int
    tried: int
    reproducer: str = ""
    report: str = ""
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        facts = {"id": self.pair.id, "level": self.level, "reason": self.reason, "steps": self.steps, "tried": self.tried}
        if self.reproducer or self.problem:
            facts |= {"reproducer": self.reproducer, "problem": self.problem}
        return facts | {"report": self.report} | {"pair": to_dict(self.pair)}


def reduce_in(
    dataset: Dataset,
    identity: str,
    level: str,
    workers: int = 1,
    seconds: float = SECONDS,
    *,
    unconfined: bool = False,
    reproducer: bool = False,
) -> Reduction:
    """Reduce one pair of a dataset, see `reduce`.

    Raises:
        TargetError: if the dataset does not contain the pair.
        WarpsmithError: if the level does not exist, or the pair does not fail it.
    """
    for line in dataset.lines():
        if line.pair is not None and line.pair.id == identity:
            return reduce(line, level, workers, seconds, unconfined=unconfined, reproducer=reproducer)
    raise TargetError(f"no pair {identity!r} in {dataset.folder}")


def reduce_pair(
    pair: Pair, level: str = "gradient", seconds: float = SECONDS, *, unconfined: bool = False, reproducer: bool = True
) -> Reduction:
    """Reduce a pair, and write a Python file that shows its wrong gradient.

    Args:
        pair: the pair.
        level: the level that it fails.
        seconds: the time limit.
        unconfined: whether to work without the parts of the sandbox that this system lacks, for pairs that you trust.
        reproducer: whether to write a reproducer; only level ``gradient`` has one.

    Raises:
        WarpsmithError: if the level does not exist, or the pair does not fail it.
    """
    line = decode(encode(pair), Path("<memory>"), 1)
    return reduce(line, level, 1, seconds, unconfined=unconfined, reproducer=reproducer and level == "gradient")


def reduce(
    line: Line,
    level: str,
    workers: int = 1,
    seconds: float = SECONDS,
    *,
    unconfined: bool = False,
    reproducer: bool = False,
) -> Reduction:
    """Reduce the pair of a line until no smaller candidate fails ``level`` or the time is over.

    Args:
        line: a line with a failing pair.
        level: the name of a level that runs or compiles the code.
        workers: the number of workers.
        seconds: the time limit.
        unconfined: whether to work without the parts of the sandbox that this system lacks.
        reproducer: whether to write a reproducer as well; only level ``gradient`` has one.

    Raises:
        WarpsmithError: if the level does not exist, or the pair does not fail it.
    """
    if level in TEXT_LEVELS:
        raise WarpsmithError(f"level {level} checks the given text: there is nothing to reduce, see the reason of its verdict")
    if reproducer and level != "gradient":
        raise WarpsmithError(f"only a wrong gradient has a reproducer, not a failure at level {level}")
    levels = levels_to(level)
    with ExitStack() as stack:
        headers = stack.enter_context(Headers())
        supervisors = [stack.enter_context(Supervisor(levels, WORKERS[unconfined], headers)) for _ in range(workers)]
        threads = stack.enter_context(ThreadPoolExecutor(workers))
        for supervisor in supervisors:
            stack.callback(supervisor.abort)
        found = _Search(line, level, supervisors, threads, time.monotonic() + seconds).result()
        found = replace(found, report=fault_report(found.pair, level, found.reason))
        return _reproduced(supervisors[0], line, found) if reproducer else found


def _reproduced(supervisor: Supervisor, line: Line, found: Reduction) -> Reduction:
    """Return a reduction with a reproducer of the reduced pair, or else of the pair itself."""
    problem = ""
    for candidate in (decode(encode(found.pair), line.path, 1), line):
        try:
            answer = supervisor.run_task(REPRODUCE, [candidate], ASK_SECONDS)
        except TaskFailed as failure:
            answer = {"missing": str(failure)}
        if isinstance(text := answer.get("text"), str) and text:
            shown = Shown(*(str(answer.get(name, "")) for name in ("summary", "printed", "environment")))
            return replace(found, reproducer=text, report=gradient_report(candidate.pair or found.pair, text, shown))
        problem = problem or single_line(str(answer.get("missing")), MAX_REASON)
    return replace(found, problem=problem)


class _Search:
    """One reduction: continues with the first failing candidate, or with several combined into one."""

    def __init__(
        self, line: Line, level: str, supervisors: Sequence[Supervisor], threads: ThreadPoolExecutor, until: float
    ) -> None:
        self._level, self._supervisors, self._threads, self._until = level, supervisors, threads, until
        self._best, self._fault = line, Fault("")
        self._each = 0.0  # seconds that the last batch took, divided by its candidates
        self._reason = self._first_reason(line)
        self._steps = 0
        self._tried: set[bytes] = set()

    def result(self) -> Reduction:
        """Search, and return the result."""
        while self._step():
            self._steps += 1
        return Reduction(self._pair, self._level, self._reason, self._steps, len(self._tried))

    @property
    def _pair(self) -> Pair:
        if self._best.pair is None:
            raise WarpsmithError(f"{self._best.identity} is not a pair: {self._best.error}")
        return self._best.pair

    def _first_reason(self, line: Line) -> str:
        (verdicts,) = self._supervisors[0].check([line])
        first = next((verdict for verdict in verdicts if verdict.status == "fail"), verdicts[-1])
        if (first.level, first.status) != (self._level, "fail"):
            actual = f"it has {first.status} at {first.level}" + (f" ({first.reason})" if first.reason else "")
            raise WarpsmithError(f"{line.identity} does not fail level {self._level}: {actual}")
        self._fault = fault_of(first, self._causes(self._supervisors[0], [line])[0])
        return first.reason

    def _step(self) -> bool:
        """Find a smaller failing candidate, and return whether there is one."""
        candidates = self._candidates()
        size = INITIAL_BATCH_SIZE * len(self._supervisors) if self._steps else 1  # starts with the source as ast prints it
        while candidates and (left := self._until - time.monotonic()) > 0:
            if self._each:
                size = max(1, min(size, int(left / self._each)))
            failing = self._failing(candidates[:size])
            if len(failing) > 1:
                failing = self._failing(list(self._combined([line for line, _ in failing]))) or failing
            if failing:
                self._best, self._reason = failing[0][0], failing[0][1].reason
                return True
            candidates, size = candidates[size:], max(2 * size, INITIAL_BATCH_SIZE)
        return False

    def _candidates(self) -> list[Line]:
        return self._decoded(self._supervisors[0].run_task(CANDIDATES, [self._best], ASK_SECONDS).get("pairs"))

    def _combined(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Yield combinations of candidates: all, the first half, and so on down to two."""
        counts = {2, *(len(lines) >> halvings for halvings in range(len(lines).bit_length() - 1))}
        for count in sorted(counts, reverse=True):
            if (line := self._merged(lines[:count])) is not None:
                yield line

    def _merged(self, lines: Sequence[Line]) -> Line | None:
        """Return the pair with all changes of ``lines`` that do not overlap."""
        base = self._pair
        pairs = [line.pair for line in lines if line.pair is not None]
        source = merge(base.python_source, [pair.python_source for pair in pairs])
        launches = [pair.metadata.launch for pair in pairs]
        launch = base.metadata.launch
        if launch is not None:
            kept = [argument for argument in launch.args if all(other is None or argument in other.args for other in launches)]
            launch = launch.with_args(kept)
        merged = replace(pairs[0], python_source=source, metadata=replace(pairs[0].metadata, launch=launch))
        return next(iter(self._decoded([encode(merged).decode()])), None)

    def _failing(self, lines: Sequence[Line]) -> list[tuple[Line, Verdict]]:
        """Return the rebuilt candidates that fail like the pair, in order."""
        start = time.monotonic()
        fresh = [line for line in lines if line.raw not in self._tried]
        self._tried.update(line.raw for line in fresh)
        share = -(-len(fresh) // len(self._supervisors)) or 1
        parts = [fresh[first : first + share] for first in range(0, len(fresh), share)]
        found = [entry for part in self._threads.map(self._failing_of, self._supervisors, parts) for entry in part]
        if fresh:
            self._each = (time.monotonic() - start) / len(fresh)
        return found

    def _failing_of(self, supervisor: Supervisor, lines: Sequence[Line]) -> list[tuple[Line, Verdict]]:
        rebuilt = self._rebuilt(supervisor, lines)
        found = []
        for line, verdicts in zip(rebuilt, supervisor.check(rebuilt), strict=True):
            failure = next((verdict for verdict in verdicts if verdict.status == "fail"), None)
            if failure is not None and failure.level == self._level:
                found.append((line, failure))
        causes = self._causes(supervisor, [line for line, _ in found])
        return [entry for entry, known in zip(found, causes, strict=True) if self._fault.is_kept(fault_of(entry[1], known))]

    def _causes(self, supervisor: Supervisor, lines: Sequence[Line]) -> list[Causes]:
        """Return what may make the gradients of pairs wrong, by argument; other levels do not need it."""
        if self._level != "gradient" or not lines:
            return [{} for _ in lines]
        try:
            return read_causes(supervisor.run_task(CAUSES, lines, ASK_SECONDS).get("causes"), len(lines))
        except TaskFailed:
            return [{} for _ in lines]

    def _rebuilt(self, supervisor: Supervisor, lines: Sequence[Line]) -> list[Line]:
        try:
            return self._decoded(supervisor.run_task(REBUILD, lines, ASK_SECONDS).get("pairs"))
        except WarpsmithError:  # a candidate ended the worker
            if len(lines) == 1:
                return []
        middle = len(lines) // 2
        return self._rebuilt(supervisor, lines[:middle]) + self._rebuilt(supervisor, lines[middle:])

    def _decoded(self, answer: Any) -> list[Line]:
        """Return the pairs in an answer, which is not trusted: hostile code may control the worker.

        Each line has a distinct number, by which levels distinguish lines.
        """
        texts = [text for text in answer if isinstance(text, str)] if isinstance(answer, list) else []
        decoded = [decode(text.encode(), self._best.path, number) for number, text in enumerate(texts, start=1)]
        return [line for line in decoded if line.pair is not None and line.pair.id == self._best.identity]
