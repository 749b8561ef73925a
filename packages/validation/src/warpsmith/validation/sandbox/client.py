"""The parent's side of a limited child: starts it, talks with it, and ends it; `child` is the other side."""

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
from threading import Lock
from typing import IO, Any

import orjson

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.sandbox.worker import HEADER, send

START_SECONDS = 60.0
"""How long a child may take until its first answer, on top of what the check may take: it loads Warp and its compilers."""

END_SECONDS = 5.0
"""How long a child may take to end once its answers have."""

MOST_BYTES = 64 << 20
"""The longest answer that is believed."""

_PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "WARPSMITH_DEVICE")

_RUN = "import runpy, sys; del sys.path[0], sys.argv[0]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=False)"
"""Like ``python -m``, but what lies in the working folder cannot stand in for a module."""


class WorkerDied(Exception):
    """The child is gone, and why."""


class Client:
    """A process that runs a module, and another one in its place when it has died; a thread alone talks to it.

    Args:
        module: what it runs: ``main`` of `child`.

    Attributes:
        folder: what it writes lies below it.
        scratch: the folder that the process works in, another one for each.
        process: the one that was started last, until it is known to be gone.
        ended: whether no other may be started.
    """

    def __init__(self, module: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="warpsmith-"))
        self.scratch = self.folder
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = False
        self._module = module
        self._lock = Lock()
        self._fresh = True

    def close(self) -> None:
        """Kill it and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """From another thread than the one that talks to it: kill it, and let no other be started in its place."""
        with self._lock:
            self.ended = True
            if self.lives:
                self._kill()

    @property
    def lives(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def ask(self, request: dict[str, Any], lines: Sequence[Line]) -> None:
        """Send a request on ``lines``, to a new process if the last one is gone.

        Raises:
            ChildDied: if it dies over it.
            WarpsmithError: after `end`.
        """
        process = self.process if self.process is not None and self.lives else self.start()
        heads = [[str(line.path), line.number, len(line.raw)] for line in lines]
        try:
            send(_pipe(process.stdin), request | {"lines": heads}, b"".join(line.raw for line in lines))
        except BrokenPipeError:
            raise WorkerDied(self._end()) from None

    def answer(self, seconds: float) -> Any:
        """Return the next answer.

        Raises:
            ChildDied: if there is none within ``seconds``, or one that nobody would send.
        """
        if self.process is None:
            raise WorkerDied("the check was stopped")
        answers = _pipe(self.process.stdout)
        deadline = time.monotonic() + seconds + (START_SECONDS if self._fresh else 0.0)
        try:
            size, blob = HEADER.unpack(_read(answers, HEADER.size, deadline))
            answer = orjson.loads(_read(answers, size + blob, deadline)[:size])
        except TimeoutError:
            self.stop()
            raise WorkerDied(f"the check took more than {seconds:.0f} s") from None
        except EOFError:
            raise WorkerDied(self._end()) from None
        except ValueError:
            self.stop()
            raise WorkerDied("the check answered nonsense") from None
        self._fresh = False
        return answer

    def start(self) -> subprocess.Popen[bytes]:
        """Start a process in a new folder, so that it finds nothing of what a pair left to the one before.

        Raises:
            WarpsmithError: after `end`.
        """
        self.stop()
        if self.scratch != self.folder:
            shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch = Path(tempfile.mkdtemp(dir=self.folder))
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment |= {
            "HOME": str(self.scratch),
            "TMPDIR": str(self.scratch),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._fresh = True
        with self._lock:
            if self.ended:
                raise WarpsmithError("the run was ended")
            self.process = subprocess.Popen(  # noqa: S603 - this Python, our own module
                [sys.executable, "-c", _RUN, self._module, str(self.scratch)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        return self.process

    def _end(self) -> str:
        """Wait for a child that is going, and say how it went."""
        if self.process is None:
            return "the check was stopped"
        try:
            code = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.stop()
            return "the check closed its connection"
        self.stop()
        if code < 0:
            return f"the check died of {_signal_name(-code)}"
        return f"the check ended itself with exit code {code}"

    def stop(self) -> None:
        """Kill it, with all that it started."""
        if self.process is None:
            return
        self._kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process = None

    def _kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


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
        raise WorkerDied("the check has no connection")
    return stream


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
