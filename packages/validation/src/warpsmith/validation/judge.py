"""Gives lines to limited children and collects verdicts; a child that dies or hangs costs its pair and nothing else."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

import orjson

from warpsmith.extraction.errors import WarpsmithError
from warpsmith.extraction.jsonl import Line
from warpsmith.extraction.supported import check_installed
from warpsmith.extraction.verdict import STATUSES, Verdict
from warpsmith.validation.child import HEADER, send
from warpsmith.validation.headers import Headers
from warpsmith.validation.ladder import LADDER, Level

START_SECONDS = 60.0
"""How long a child may take until its first answer, on top of what the check may take: it loads Warp and its compilers."""

END_SECONDS = 5.0
"""How long a child may take to end once its answers have."""

PRECOMPILE_SECONDS = 120.0
"""How long a child may take over Warp's headers; it needs some seconds."""

_PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "WARPSMITH_DEVICE")


MOST_BYTES = 64 << 20
"""The longest answer that is believed."""


_RUN = "import runpy, sys; del sys.path[0], sys.argv[0]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=False)"
"""Like ``python -m``, but what lies in the working folder cannot stand in for a module."""


_FOREIGN = re.compile(r"^\s*#|\b__?asm__?\b|\basm\b", re.MULTILINE)


class ChildDied(Exception):
    """The child is gone, and why."""


class Judge:
    """One child and the conversation with it; use it as a context manager.

    Args:
        ladder: the levels that pairs are judged by.
        module: what the child runs: ``main`` of `child` with at least these levels.
        headers: those that the children of a run share; without any this one has its own.

    Raises:
        UnsupportedWarpError: if this Warp is not one that is known.
    """

    def __init__(
        self, ladder: Sequence[Level] = LADDER, module: str = "warpsmith.validation.child", headers: Headers | None = None
    ) -> None:
        check_installed()  # a child that cannot load Warp would blame the pair
        self._levels = tuple(ladder)
        self._module = module
        self._own = contextlib.ExitStack()
        self._headers = headers or self._own.enter_context(Headers())
        self._scratch = Path(tempfile.mkdtemp(prefix="warpsmith-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._alone: Judge | None = None
        self._lock = Lock()
        self._ended = False
        self._fresh = True

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._own.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def end(self) -> None:
        """From another thread than the one that talks to the child: kill it, and let no other be started in its place."""
        with self._lock:
            self._ended = True
            if self._alone is not None:
                self._alone.end()
            if self._process is not None and self._process.poll() is None:
                _kill(self._process)

    def verdicts(self, lines: Sequence[Line]) -> list[Verdict]:
        """Judge ``lines`` by all levels; one verdict a line and level, line by line."""
        found = {id(line): verdicts for line, verdicts in self._together([line for line in lines if not _holds_native(line)])}
        for line in filter(_holds_native, lines):
            with Judge(self._levels, self._module, self._headers) as alone:
                with self._unless_ended():
                    self._alone = alone
                found |= {id(line): verdicts for line, verdicts in alone._together([line])}
        return [verdict for line in lines for verdict in found[id(line)]]

    def _together(self, lines: Sequence[Line]) -> list[tuple[Line, list[Verdict]]]:
        """Judge ``lines`` in one child. If it dies, the line that it was at is out; if that cannot be known, halves tell."""
        if not lines:
            return []
        got: list[Verdict] = []
        if not self._lives() and any(level.whole for level in self._levels):  # only these compile
            self._headers.give(self._scratch, self._precompile)
        try:
            self._ask({"task": "judge", "levels": [level.name for level in self._levels]}, lines)
            for level in self._levels:
                for line in lines:
                    verdict = _checked(self._answer(level.limit(len(lines))), line.identity, level.name)
                    got.append(verdict)
        except ChildDied as death:
            self._stop()
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
            self._ask({"task": task, "options": options}, lines)
            answer = self._answer(seconds)
        except ChildDied as death:
            raise WarpsmithError(f"no {what}: {death}") from None
        if not isinstance(answer, dict):
            raise WarpsmithError(f"no {what}: the child answered nonsense")
        return answer

    # ------------------------------------------------------------------------------------------------------------ the child

    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @contextlib.contextmanager
    def _unless_ended(self) -> Iterator[None]:
        with self._lock:
            if self._ended:
                raise WarpsmithError("the run was ended")
            yield

    def _precompile(self) -> None:
        with contextlib.suppress(WarpsmithError):  # the level that needs them will say what is wrong
            self.ask("precompile", [], PRECOMPILE_SECONDS)

    def _ask(self, request: dict[str, Any], lines: Sequence[Line]) -> None:
        process = self._process if self._process is not None and self._lives() else self._start()
        heads = [[str(line.path), line.number, len(line.raw)] for line in lines]
        try:
            send(_pipe(process.stdin), request | {"lines": heads}, b"".join(line.raw for line in lines))
        except BrokenPipeError:
            raise ChildDied(self._end()) from None

    def _answer(self, seconds: float) -> Any:
        if self._process is None:
            raise ChildDied("the check was stopped")
        answers = _pipe(self._process.stdout)
        deadline = time.monotonic() + seconds + (START_SECONDS if self._fresh else 0.0)
        try:
            size, blob = HEADER.unpack(_read(answers, HEADER.size, deadline))
            answer = orjson.loads(_read(answers, size + blob, deadline)[:size])
        except TimeoutError:
            self._stop()
            raise ChildDied(f"the check took more than {seconds:.0f} s") from None
        except EOFError:
            raise ChildDied(self._end()) from None
        except ValueError:
            self._stop()
            raise ChildDied("the check answered nonsense") from None
        self._fresh = False
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment |= {
            "HOME": str(self._scratch),
            "TMPDIR": str(self._scratch),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._fresh = True
        with self._unless_ended():
            self._process = subprocess.Popen(  # noqa: S603 - this Python, our own module
                [sys.executable, "-c", _RUN, self._module, str(self._scratch)],
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
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._stop()
            return "the check closed its connection"
        self._stop()
        if code < 0:
            return f"the check died of {_signal_name(-code)}"
        return f"the check ended itself with exit code {code}"

    def _stop(self) -> None:
        if self._process is None:
            return
        _kill(self._process)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process = None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a child and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _read(stream: IO[bytes], size: int, deadline: float) -> bytes:
    """Read exactly ``size`` bytes; the child may stop in the middle of a frame, or announce one that nobody should wait for.

    Raises:
        ValueError: if that is more than `MOST_BYTES`.
        TimeoutError: after ``deadline``.
        EOFError: if the stream ends before.
    """
    if size > MOST_BYTES:
        raise ValueError(f"a frame of {size} bytes")
    content = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while len(content) < size:
            if not selector.select(max(deadline - time.monotonic(), 0.0)):
                raise TimeoutError
            part = os.read(stream.fileno(), min(size - len(content), 1 << 16))
            if not part:
                raise EOFError
            content += part
    return content


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ChildDied("the check has no connection")
    return stream


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
        or any(map(_FOREIGN.search, texts))
    )


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _checked(answer: Any, identity: str, level: str) -> Verdict:
    """An answer as a verdict; the child may have been taken over by what it checks."""
    try:
        verdict = Verdict(
            str(answer["id"]), str(answer["level"]), answer["status"], str(answer["reason"])[:1000], float(answer["ms"])
        )
    except (TypeError, KeyError, ValueError):
        raise ChildDied("the check answered nonsense") from None
    if verdict.status not in STATUSES or (verdict.id, verdict.level) != (identity, level):
        raise ChildDied("the check answered nonsense")
    return verdict
