"""Makes a failing pair smaller while it still fails: what is left shows what is wrong.

Reading, remaking and judging all happen in limited children; this process puts lines of text together and nothing more.
"""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.records.jsonl import Line, decode, encode
from warpsmith.core.records.pair import Pair, to_dict
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.protocol import REMAKE, SMALLER
from warpsmith.validation.sandbox.supervisor import Supervisor

BATCH = 16
"""How many candidates a child judges together at first; the next batch is twice as large if none of them fails."""

SECONDS = 900.0
"""How long a reduction goes on; what it has by then is its result."""

ASK_SECONDS = 120.0
"""How long a child may take to list or remake candidates."""

TEXT_LEVELS = ("schema", "parse", "regenerate")
"""Levels that a pair fails by its text as it stands: with new text the failure is gone."""

_WORD = re.compile(r"\n *|\w+|.")
"""What changes are made of."""

_Change = tuple[int, int, list[str]]
"""From which word of a text to which there are others, and which."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """What is left of a pair.

    Attributes:
        pair: the smallest that was found, whole and with its generated text; its id is the one of the pair it came from.
        level: which level it fails, and ``reason`` is what that says.
        reason: with figures.
        steps: how often something smaller was found.
        tried: how many candidates were looked at.
    """

    pair: Pair
    level: str
    reason: str
    steps: int
    tried: int

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        facts = {"id": self.pair.id, "level": self.level, "reason": self.reason, "steps": self.steps, "tried": self.tried}
        return facts | {"pair": to_dict(self.pair)}


def reduce_in(dataset: Dataset, identity: str, level: str, workers: int = 1, seconds: float = SECONDS) -> Reduction:
    """Reduce one pair of a dataset.

    Raises:
        TargetError: if the dataset does not hold it.
        WarpsmithError: if there is no such level, or the pair does not fail it.
    """
    for line in dataset.lines():
        if line.pair is not None and line.pair.id == identity:
            return reduce(line, level, workers, seconds)
    raise TargetError(f"no pair {identity!r} in {dataset.folder}")


def reduce(line: Line, level: str, workers: int = 1, seconds: float = SECONDS) -> Reduction:
    """Reduce the pair of a line until nothing smaller fails ``level`` or the time is up.

    Args:
        line: holds a pair that fails.
        level: the name of the level, which has to be one that runs or compiles the code.
        workers: how many children judge side by side.
        seconds: when to stop.

    Raises:
        WarpsmithError: if there is no such level, or the pair does not fail it.
    """
    if level in TEXT_LEVELS:
        raise WarpsmithError(f"level {level} judges the text as it stands: there is nothing to reduce, see its reason")
    levels = levels_to(level)
    with ExitStack() as stack:
        headers = stack.enter_context(Headers())
        judges = [stack.enter_context(Supervisor(levels, headers=headers)) for _ in range(workers)]
        threads = stack.enter_context(ThreadPoolExecutor(workers))
        for judge in judges:
            stack.callback(judge.abort)
        return _Search(line, level, judges, threads, time.monotonic() + seconds).result()


class _Search:
    """One reduction: always goes on with the first candidate that fails, or with several of them in one."""

    def __init__(self, line: Line, level: str, judges: Sequence[Supervisor], threads: ThreadPoolExecutor, until: float) -> None:
        self._level, self._judges, self._threads, self._until = level, judges, threads, until
        self._best, self._kind = line, ""
        self._reason = self._first_reason(line)
        self._steps = 0
        self._tried: set[bytes] = set()

    def result(self) -> Reduction:
        """Search, and say what was found."""
        while self._step():
            self._steps += 1
        return Reduction(self._pair, self._level, self._reason, self._steps, len(self._tried))

    @property
    def _pair(self) -> Pair:
        if self._best.pair is None:
            raise WarpsmithError(f"{self._best.identity} is no pair: {self._best.error}")
        return self._best.pair

    def _first_reason(self, line: Line) -> str:
        verdicts = self._judges[0].verdicts([line])
        first = next((verdict for verdict in verdicts if verdict.status == "fail"), verdicts[-1])
        if (first.level, first.status) != (self._level, "fail"):
            found = f"it has {first.status} at {first.level}" + (f" ({first.reason})" if first.reason else "")
            raise WarpsmithError(f"{line.identity} does not fail level {self._level}: {found}")
        self._kind = _kind(first)
        return first.reason

    def _step(self) -> bool:
        """Find something smaller that fails, and return whether there is."""
        candidates = self._smaller()
        size = BATCH * len(self._judges) if self._steps else 1  # first as ast prints it: what follows differs in few words
        while candidates and time.monotonic() < self._until:
            failing = self._failing(candidates[:size])
            if len(failing) > 1:
                failing = self._failing(list(self._together([line for line, _ in failing]))) or failing
            if failing:
                self._best, self._reason = failing[0][0], failing[0][1].reason
                return True
            candidates, size = candidates[size:], max(2 * size, BATCH)
        return False

    def _smaller(self) -> list[Line]:
        return self._decoded(self._judges[0].run_task(SMALLER, [self._best], ASK_SECONDS).get("pairs"))

    def _together(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Several candidates in one: all, the first half of them, and so on down to two."""
        counts = {2, *(len(lines) >> halvings for halvings in range(len(lines).bit_length() - 1))}
        for count in sorted(counts, reverse=True):
            if (line := self._merged(lines[:count])) is not None:
                yield line

    def _merged(self, lines: Sequence[Line]) -> Line | None:
        """The changes of all ``lines`` that do not touch each other."""
        base = self._pair
        pairs = [line.pair for line in lines if line.pair is not None]
        source = merge(base.python_source, [pair.python_source for pair in pairs])
        launches = [pair.metadata.launch for pair in pairs]
        launch = base.metadata.launch
        if launch is not None:
            kept = [one for one in launch.args if all(other is None or one in other.args for other in launches)]
            launch = replace(launch, args=tuple(kept))
        merged = replace(pairs[0], python_source=source, metadata=replace(pairs[0].metadata, launch=launch))
        return next(iter(self._decoded([encode(merged).decode()])), None)

    def _failing(self, lines: Sequence[Line]) -> list[tuple[Line, Verdict]]:
        """Those of ``lines`` that fail like the pair, remade, in their order."""
        fresh = [line for line in lines if line.raw not in self._tried]
        self._tried.update(line.raw for line in fresh)
        share = -(-len(fresh) // len(self._judges)) or 1
        parts = [fresh[start : start + share] for start in range(0, len(fresh), share)]
        found = self._threads.map(self._failing_of, self._judges, parts)
        return [one for part in found for one in part]

    def _failing_of(self, judge: Supervisor, lines: Sequence[Line]) -> list[tuple[Line, Verdict]]:
        remade = self._remade(judge, lines)
        verdicts = judge.verdicts(remade) if remade else []
        each = len(verdicts) // max(len(remade), 1)
        found = []
        for number, line in enumerate(remade):
            of_line = verdicts[number * each : (number + 1) * each]
            failure = next((verdict for verdict in of_line if verdict.status == "fail"), None)
            if failure is not None and failure.level == self._level and _kind(failure) == self._kind:
                found.append((line, failure))
        return found

    def _remade(self, judge: Supervisor, lines: Sequence[Line]) -> list[Line]:
        try:
            return self._decoded(judge.run_task(REMAKE, lines, ASK_SECONDS).get("pairs"))
        except WarpsmithError:  # the child died over one of them
            if len(lines) == 1:
                return []
        middle = len(lines) // 2
        return self._remade(judge, lines[:middle]) + self._remade(judge, lines[middle:])

    def _decoded(self, answer: Any) -> list[Line]:
        """Pairs out of an answer, which may hold anything: a child may have been taken over.

        Each has a number of its own, by which levels tell them apart.
        """
        texts = [text for text in answer if isinstance(text, str)] if isinstance(answer, list) else []
        decoded = [decode(text.encode(), self._best.path, number) for number, text in enumerate(texts, start=1)]
        return [line for line in decoded if line.pair is not None and line.pair.id == self._best.identity]


def merge(base: str, others: Sequence[str]) -> str:
    """Return ``base`` with the changes of all ``others``, but for those that touch what one before changes."""
    words = _WORD.findall(base)
    changes: list[_Change] = []
    for other in others:
        new = _WORD.findall(other)
        matcher = difflib.SequenceMatcher(None, words, new, autojunk=False)
        own = [(start, stop, new[first:last]) for tag, start, stop, first, last in matcher.get_opcodes() if tag != "equal"]
        if not any(_touch(ours, theirs) for ours in own for theirs in changes):
            changes += own
    for start, stop, text in sorted(changes, reverse=True):
        words[start:stop] = text
    return "".join(words)


def _touch(ours: _Change, theirs: _Change) -> bool:
    """Whether two changes share a word, or put something in the same place."""
    return ours[0] == theirs[0] or (ours[0] < theirs[1] and theirs[0] < ours[1])


def _kind(verdict: Verdict) -> str:
    """What stays of a reason without its names and figures; level gradient has one way to fail."""
    if verdict.level == "gradient":
        return "gradient"
    return re.sub(r"'[^']*'|[\d.]+(e[-+]?\d+)?|\b[A-Za-z]\w?\b", "", verdict.reason)[:40]
