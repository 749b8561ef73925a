"""Gives lines to limited children and collects verdicts; a child that dies or hangs costs its pair and nothing else."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, get_args

from warpsmith.extraction.errors import WarpsmithError
from warpsmith.extraction.jsonl import Line
from warpsmith.validation.child import receive, send
from warpsmith.validation.ladder import LADDER, Level
from warpsmith.validation.verdict import Status, Verdict

START_SECONDS = 60.0
"""How long a child may take until its first answer, on top of what the check may take: it loads Warp and its compilers."""

_PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "WARPSMITH_DEVICE")


class ChildDied(Exception):
    """The child is gone, and why."""


class Judge:
    """One child and the conversation with it; use it as a context manager.

    Args:
        ladder: the levels that pairs are judged by.
        module: what the child runs: ``main`` of `child` with at least these levels.
    """

    def __init__(self, ladder: Sequence[Level] = LADDER, module: str = "warpsmith.validation.child") -> None:
        self._levels = tuple(ladder)
        self._module = module
        self._scratch = Path(tempfile.mkdtemp(prefix="warpsmith-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._fresh = True

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def verdicts(self, lines: Sequence[Line]) -> list[Verdict]:
        """Judge ``lines`` by all levels; one verdict a line and level, in this order."""
        levels = self._levels
        verdicts: list[Verdict] = []
        rest = list(lines)
        while rest:
            expected = len(rest) * len(levels)
            got: list[Verdict] = []
            try:
                self._ask({"task": "judge", "levels": [level.name for level in levels]}, rest)
                while len(got) < expected:
                    current = levels[len(got) % len(levels)]
                    got.append(_checked(self._answer(current.seconds)))
            except ChildDied as death:
                at, done = divmod(len(got), len(levels))
                line = rest[at]
                identity = line.pair.id if line.pair else f"{line.path.name}:{line.number}"
                got.append(Verdict(identity, levels[done].name, "fail", str(death), 0.0))
                got += [
                    Verdict(identity, later.name, "skipped", f"{levels[done].name} failed", 0.0) for later in levels[done + 1 :]
                ]
            verdicts += got
            rest = rest[len(got) // len(levels) :]
        return verdicts

    def ask(self, task: str, lines: Sequence[Line], seconds: float, **options: Any) -> dict[str, Any]:
        """Have the child carry out ``task``, one of its `child.TASKS`, on ``lines``, and return its answer.

        Raises:
            WarpsmithError: if the child dies over it or takes longer than ``seconds``.
        """
        try:
            self._ask({"task": task, "options": options}, lines)
            answer = self._answer(seconds)
        except ChildDied as death:
            raise WarpsmithError(f"no {task} of {lines[0].path.name}: {death}") from None
        if not isinstance(answer, dict):
            raise WarpsmithError(f"no {task} of {lines[0].path.name}: the child answered nonsense")
        return answer

    # ------------------------------------------------------------------------------------------------------------ the child

    def _ask(self, request: dict[str, Any], lines: Sequence[Line]) -> None:
        process = self._process if self._process and self._process.poll() is None else self._start()
        heads = [[str(line.path), line.number, len(line.raw)] for line in lines]
        try:
            send(_pipe(process.stdin), request | {"lines": heads}, b"".join(line.raw for line in lines))
        except BrokenPipeError:
            raise ChildDied(self._end()) from None

    def _answer(self, seconds: float) -> Any:
        if self._process is None:
            raise ChildDied("the check was stopped")
        answers = _pipe(self._process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            deadline = time.monotonic() + seconds + (START_SECONDS if self._fresh else 0.0)
            if not selector.select(max(deadline - time.monotonic(), 0.0)):
                self._stop()
                raise ChildDied(f"the check took more than {seconds:.0f} s")
        answer = receive(answers)
        self._fresh = False
        if answer is None:
            raise ChildDied(self._end())
        return answer[0]

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment |= {
            "HOME": str(self._scratch),
            "TMPDIR": str(self._scratch),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._fresh = True
        self._process = subprocess.Popen(  # noqa: S603 - this Python, our own module
            [sys.executable, "-m", self._module, str(self._scratch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=True,
        )
        return self._process

    def _end(self) -> str:
        """Wait for a child that is going, and say how it went."""
        if self._process is None:
            return "the check was stopped"
        try:
            code = self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._stop()
            return "the check closed its connection"
        self._process = None
        if code < 0:
            return f"the check died of {signal.Signals(-code).name}"
        return f"the check ended itself with exit code {code}"

    def _stop(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process = None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ChildDied("the check has no connection")
    return stream


def _checked(answer: Any) -> Verdict:
    """An answer as a verdict; the child may have been taken over by what it checks."""
    try:
        verdict = Verdict(
            str(answer["id"]), str(answer["level"]), answer["status"], str(answer["reason"])[:1000], float(answer["ms"])
        )
    except (TypeError, KeyError, ValueError):
        raise ChildDied("the check answered nonsense") from None
    if verdict.status not in get_args(Status):
        raise ChildDied("the check answered nonsense")
    return verdict
