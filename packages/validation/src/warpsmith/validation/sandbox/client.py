"""The client of one sandboxed worker: it starts the process, exchanges frames with it, and stops it; see `protocol`."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

from warpsmith.core.errors import WarpsmithError, describe, single_line
from warpsmith.core.execution import framing
from warpsmith.core.execution.python_process import module_command
from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.confinement.measures import Confinement
from warpsmith.validation.sandbox.disk import WATCH_SECONDS, excess
from warpsmith.validation.sandbox.protocol import MAX_ANSWER_BYTES, Request, send_request

START_SECONDS = 60.0
"""Time that a new worker may take until its first answer, on top of the limit of the check: it loads Warp and its compilers."""

END_SECONDS = 5.0
"""Time that a worker may take to end after its last answer."""

_PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "WARPSMITH_DEVICE")
"""The environment variables that a worker inherits."""


class WorkerDied(Exception):
    """The worker has ended; the message is the reason.

    Attributes:
        killed: whether a process other than the client has killed it.
        slow: whether the client has stopped it because it gave no answer in time.
    """

    def __init__(self, reason: str, killed: bool = False, slow: bool = False) -> None:
        super().__init__(reason)
        self.killed = killed
        self.slow = slow


class SandboxBroken(Exception):
    """A worker reports that it cannot work on this machine; the message is the reason."""


class Client:
    """The client of a process that runs a module; a process that died is replaced. Only one thread at a time may use it.

    Args:
        module: the module to run, which calls `check_worker.main`.

    Attributes:
        folder: the parent of all folders that the processes write to.
        scratch: the working folder of the process; each process has a new one.
        process: the process that was started last, until it has been reaped.
        aborted: whether no other process may be started.
        report: the measures that hold in the process that was ready last; None if none was ready.

    Raises:
        WarpsmithError: if no folder can be made.
    """

    def __init__(self, module: str) -> None:
        self._temporary = TemporaryFolder()
        self.folder = self._temporary.path
        self.scratch = self.folder
        self.process: subprocess.Popen[bytes] | None = None
        self.aborted = False
        self.report: Confinement | None = None
        self._module = module
        self._lock = Lock()
        self._fresh = True
        self._ready = False
        self._has_lines = False
        self._untouched = True
        self._watched = time.monotonic()

    def close(self) -> None:
        """Kill the process and remove its folder."""
        self.stop()
        self._temporary.remove()

    def abort(self) -> None:
        """Kill the process and forbid a replacement. Call this from another thread than the one that uses the client."""
        with self._lock:
            self.aborted = True
            if self.is_running:
                self._kill()

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def request(self, request: Request, lines: Sequence[Line]) -> None:
        """Send a request about ``lines``, to a new process if the last one has ended.

        Raises:
            WorkerDied: if the process dies over the request.
            SandboxBroken: if no process can be started.
            WarpsmithError: after `abort`.
        """
        process = self.process if self.process is not None and self.is_running else self.start()
        self._has_lines |= bool(lines)
        try:
            send_request(_pipe(process.stdin), request, lines)
        except BrokenPipeError:
            raise self._death() from None

    def answer(self, seconds: float) -> Any:
        """Return the next answer, as JSON of unknown shape.

        Raises:
            WorkerDied: if there is no answer within ``seconds``, or if the answer is not a frame of JSON.
            SandboxBroken: if a process reports that it cannot work before it has given an answer about a line.
        """
        self.wait_until_ready()
        answer = self._receive(seconds)
        if self._untouched and isinstance(answer, dict) and isinstance(answer.get("problem"), str):
            self.stop()
            raise SandboxBroken(single_line(answer["problem"]))
        self._fresh = False
        self._untouched &= not self._has_lines
        return answer

    def wait_until_ready(self) -> None:
        """Receive the report of a new process, which it sends before it reads anything.

        Raises:
            WorkerDied: if there is no report.
            SandboxBroken: if the process reports that it cannot work.
        """
        if self._ready:
            return
        match self._receive(0.0):
            case {"ready": dict(report), "problem": None}:
                self.report, self._ready = self._measures(report), True
            case {"ready": dict(), "problem": str(problem)}:
                self.stop()
                raise SandboxBroken(single_line(problem))
            case _:
                self.stop()
                raise WorkerDied("the check answered nonsense")

    def _measures(self, report: object) -> Confinement:
        try:
            return Confinement.from_json(report)
        except ValueError:
            self.stop()
            raise WorkerDied("the check answered nonsense") from None

    def _receive(self, seconds: float) -> Any:
        if self.process is None:
            raise WorkerDied("the check was stopped")
        answers = _pipe(self.process.stdout)
        deadline = time.monotonic() + seconds + (START_SECONDS if self._fresh else 0.0)
        try:
            answer, _ = framing.receive_before(deadline, answers.fileno(), MAX_ANSWER_BYTES, self._watch_disk)
        except TimeoutError:
            self.stop()
            raise WorkerDied(f"the check took more than {seconds:.0f} s", slow=True) from None
        except EOFError:
            raise self._death() from None
        except ValueError:
            self.stop()
            raise WorkerDied("the check answered nonsense") from None
        return answer

    def _watch_disk(self) -> None:
        """Stop the process if it keeps too much in its folder; the folder is measured at most once a second.

        Raises:
            WorkerDied: if it does.
        """
        if time.monotonic() < self._watched + WATCH_SECONDS:
            return
        found = excess(self.scratch)
        self._watched = time.monotonic()
        if found is not None:
            self.stop()
            raise WorkerDied(f"the check kept {found} in its folder")

    def start(self) -> subprocess.Popen[bytes]:
        """Start a process in a new folder, so that it finds no files of a pair that an earlier process checked.

        Raises:
            SandboxBroken: if the machine does not allow that.
            WarpsmithError: after `abort`.
        """
        self.stop()
        if self.scratch != self.folder:
            shutil.rmtree(self.scratch, ignore_errors=True)
        try:
            self.scratch = Path(tempfile.mkdtemp(dir=self.folder))
            return self._start()
        except OSError as error:
            raise SandboxBroken(f"no worker can be started: {describe(error)}") from None

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment |= {
            "HOME": str(self.scratch),
            "TMPDIR": str(self.scratch),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # a fork copies fewer tables of large pages, which saves 5% of its time
        }
        self._fresh, self._ready, self._has_lines, self._untouched = True, False, False, True
        with self._lock:
            if self.aborted:
                raise WarpsmithError("the run was ended")
            self.process = subprocess.Popen(  # noqa: S603 - this Python, our own module
                module_command(self._module, str(self.scratch)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,
            )
        return self.process

    def _death(self) -> WorkerDied:
        """Wait for a process that is ending and return the reason."""
        if self.process is None:
            return WorkerDied("the check was stopped")
        try:
            code = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.stop()
            return WorkerDied("the check closed its connection")
        self.stop()
        return WorkerDied(f"the check {framing.describe_end(code)}", killed=code == -signal.SIGKILL)

    def stop(self) -> None:
        """Kill the process and all processes that it started."""
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


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise WorkerDied("the check has no connection")
    return stream
