"""Gives lines to limited children and collects verdicts; a child that dies or hangs costs its pair and nothing else."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from threading import Lock
from typing import Any

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import STATUSES, Verdict
from warpsmith.extraction.warp.supported import check_installed
from warpsmith.validation.levels.registry import LADDER, Level
from warpsmith.validation.sandbox.client import Client, WorkerDied
from warpsmith.validation.sandbox.headers import Headers

PRECOMPILE_SECONDS = 120.0
"""How long a child may take over Warp's headers; it needs some seconds."""

_MARKS = ("#", "%:", "asm", "_Pragma", "\\")
"""No text reaches beyond itself without one of these: directives in either spelling, assembler, and both cut by line ends."""

_FOREIGN = re.compile(r"\b_{0,2}asm_{0,2}\b|\b_Pragma\b|\\\s*[\r\n]")
_DIRECTIVE = re.compile(r"#|%:")
_LINE_OF_COMMENT = re.compile(r"^[^\S\n]*//[^\r\n]*", re.MULTILINE)


class Supervisor:
    """One child and what it is asked; use it as a context manager.

    Args:
        ladder: the levels that pairs are judged by.
        module: what the child runs: ``main`` of `child` with at least these levels.
        headers: those that the children of a run share; without any this one has its own.

    Attributes:
        child: the child.
        alone: the judge of a pair that another child was started for, while it is at it.

    Raises:
        UnsupportedWarpError: if this Warp is not one that is known.
    """

    def __init__(
        self,
        ladder: Sequence[Level] = LADDER,
        module: str = "warpsmith.validation.sandbox.worker",
        headers: Headers | None = None,
    ) -> None:
        check_installed()  # a child that cannot load Warp would blame the pair
        self._levels = tuple(ladder)
        self._module = module
        self._own = contextlib.ExitStack()
        self._headers = headers or self._own.enter_context(Headers())
        self._lock = Lock()
        self.child = Client(module)
        self.alone: Supervisor | None = None

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close()
        self._own.close()

    def end(self) -> None:
        """From another thread than the one that waits for verdicts: have it wait no longer, which is an error there."""
        with self._lock:
            self.child.end()
            if self.alone is not None:
                self.alone.end()

    def verdicts(self, lines: Sequence[Line]) -> list[Verdict]:
        """Judge ``lines`` by all levels; one verdict a line and level, line by line.

        Raises:
            WarpsmithError: after `end`.
        """
        native: list[Line] = []
        others: list[Line] = []
        for line in lines:
            (native if _holds_native(line) else others).append(line)
        found = {id(line): verdicts for line, verdicts in self._together(others)}
        found |= {id(line): self._verdicts_alone(line) for line in native}
        return [verdict for line in lines for verdict in found[id(line)]]

    def _verdicts_alone(self, line: Line) -> list[Verdict]:
        with Supervisor(self._levels, self._module, self._headers) as alone:
            with self._lock:
                self.alone = alone
                if self.child.ended:
                    alone.end()
            return alone._together([line])[0][1]

    def _together(self, lines: Sequence[Line]) -> list[tuple[Line, list[Verdict]]]:
        """Judge ``lines`` in one child. If it dies, the line that it was at is out; if that cannot be known, halves tell."""
        if not lines:
            return []
        got: list[Verdict] = []
        if not self.child.lives:
            self.child.start()
            if any(level.whole for level in self._levels):  # only these compile
                self._headers.give(self.child.scratch, self._precompile)
        try:
            self.child.ask({"task": "judge", "levels": [level.name for level in self._levels]}, lines)
            for level in self._levels:
                for line in lines:
                    verdict = _checked(self.child.answer(level.limit(len(lines))), line.identity, level.name)
                    got.append(verdict)
        except WorkerDied as death:
            self.child.stop()
            return self._after_a_death(lines, got, str(death))
        return [(line, got[number :: len(lines)]) for number, line in enumerate(lines)]

    def _after_a_death(self, lines: Sequence[Line], got: list[Verdict], how: str) -> list[tuple[Line, list[Verdict]]]:
        done, number = divmod(len(got), len(lines))
        level = self._levels[done]
        if level.whole and len(lines) > 1:
            middle = len(lines) // 2
            return self._together(lines[:middle]) + self._together(lines[middle:])
        failed_before = {
            number for number in range(len(lines)) for verdict in got[number :: len(lines)] if verdict.status == "fail"
        }
        # what failed before is not given to the level: the next line is the one it was at
        while number in failed_before and number + 1 < len(lines):
            number += 1
        line = lines[number]
        verdicts = got[number :: len(lines)][:done]
        verdicts.append(Verdict(line.identity, level.name, "fail", how, 0.0))
        verdicts += [
            Verdict(line.identity, later.name, "skipped", f"{level.name} failed", 0.0) for later in self._levels[done + 1 :]
        ]
        others = self._together([*lines[:number], *lines[number + 1 :]])
        return [*others[:number], (line, verdicts), *others[number:]]

    def ask(self, task: str, lines: Sequence[Line], seconds: float, **options: Any) -> dict[str, Any]:
        """Have the child carry out ``task``, one of its `child.TASKS`, on ``lines``, and return its answer.

        Raises:
            WarpsmithError: if the child dies over it or takes longer than ``seconds``.
        """
        what = f"{task} of {lines[0].path.name}" if lines else task
        try:
            self.child.ask({"task": task, "options": options}, lines)
            answer = self.child.answer(seconds)
        except WorkerDied as death:
            raise WarpsmithError(f"no {what}: {death}") from None
        if not isinstance(answer, dict):
            raise WarpsmithError(f"no {what}: the child answered nonsense")
        return answer

    def _precompile(self) -> None:
        with contextlib.suppress(WorkerDied):  # the level that needs them will say what is wrong
            self.child.ask({"task": "precompile", "options": {}}, [])
            self.child.answer(PRECOMPILE_SECONDS)


def _holds_native(line: Line) -> bool:
    """Whether a line has text of its author among the generated text.

    It might reach over into the text of others that are compiled with it, so that it gets a child of its own.
    """
    if line.pair is None:
        return False
    options = line.pair.metadata.module_options
    texts = (line.pair.code(target)[direction] or "" for target in ("cpu", "cuda") for direction in (0, 1))
    return (
        "func_native" in line.pair.python_source
        or any("preamble" in option for option in options)
        or any(map(is_foreign, texts))
    )


def is_foreign(text: str) -> bool:
    """Whether a text may hold assembler or a directive; a "#" in Python that Warp quotes, in lines of comment, is none."""
    if not any(mark in text for mark in _MARKS):
        return False
    return "/*" in text or bool(_FOREIGN.search(text) or _DIRECTIVE.search(_LINE_OF_COMMENT.sub("", text)))


def _checked(answer: Any, identity: str, level: str) -> Verdict:
    """An answer as a verdict; the child may have been taken over by what it checks."""
    try:
        verdict = Verdict(
            str(answer["id"]), str(answer["level"]), answer["status"], str(answer["reason"])[:1000], float(answer["ms"])
        )
    except (TypeError, KeyError, ValueError):
        raise WorkerDied("the check answered nonsense") from None
    if verdict.status not in STATUSES or (verdict.id, verdict.level) != (identity, level):
        raise WorkerDied("the check answered nonsense")
    return verdict
