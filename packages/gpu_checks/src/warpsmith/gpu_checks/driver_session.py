"""A worker's connection to the driver of a device: requests, answers of known length, time limits, and the end of a driver."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from warpsmith.core.execution import framing
from warpsmith.gpu_checks.fork_server import END_SECONDS, ForkServer
from warpsmith.gpu_checks.messages import DONE, MACHINE_FAILED, MAX_TEXT, PAIR_FAILED, KernelRequest, Request, send_request
from warpsmith.validation.confinement.machine_problems import MachineProblem, machine_problem

START_SECONDS = 120.0
"""Time that a driver may take until it has proved that it can use its device: it loads CUDA, compilers and headers."""

PAIR_SECONDS = 120.0
"""Time that a driver may take for one pair."""

PAIRS = 200
"""The most pairs that one driver, with one CUDA context, runs."""

MAX_KILLS = 3
"""How often a driver may be killed over one pair, or while it starts, before the session gives up."""


class DriverProblem(Exception):
    """The driver did not answer a request with results.

    Attributes:
        killed: whether another process killed the driver, which says nothing about the pair.
        reported: whether the driver reported the problem and continues.
    """

    def __init__(self, reason: str, killed: bool = False, reported: bool = False) -> None:
        super().__init__(reason)
        self.killed, self.reported = killed, reported


@dataclass(slots=True)
class Session:
    """The driver of one device, which is replaced after it has ended. Only one thread may use it.

    Attributes:
        server: starts the drivers.
        device: Warp's name of the device.
        scratch: the folder for the folders of the drivers.
        pairs: how many pairs the present driver has received; 0 if there is none, or if it is fresh.
    """

    server: ForkServer
    device: str
    scratch: Path
    pairs: int = 0
    _requests: BinaryIO | None = None
    _answers: int = -1

    @property
    def forks(self) -> bool:
        """Whether each launch is a separate process, so that no pair affects the pairs after it."""
        return self.device == "cpu"

    def restart(self) -> None:
        """Replace the driver by one that has proved that it can use the device.

        Raises:
            MachineProblem: if it cannot.
        """
        for tries_left in reversed(range(MAX_KILLS)):
            self._start()
            try:
                self._read(0, START_SECONDS)
            except DriverProblem as problem:
                if problem.killed and tries_left:
                    continue
                raise self._unusable(problem) from None
            except MachineProblem as problem:
                raise self._unusable(problem) from None
            return

    def _unusable(self, problem: Exception) -> MachineProblem:
        return MachineProblem(f"the device {self.device} cannot be used in the sandbox: {problem}")

    def _start(self) -> None:
        """Replace the driver by a new one."""
        self.stop()
        try:
            driver_requests, requests = os.pipe2(os.O_CLOEXEC)
            answers, driver_answers = os.pipe2(os.O_CLOEXEC)
            folder = tempfile.mkdtemp(prefix="driver-", dir=self.scratch)
        except OSError as error:
            raise MachineProblem(machine_problem(error) or str(error)) from error
        self.server.start_driver(driver_requests, driver_answers, {"folder": folder, "device": self.device})
        os.close(driver_requests)
        os.close(driver_answers)
        self._requests, self._answers, self.pairs = os.fdopen(requests, "wb"), answers, 0

    def send(self, request: Request | KernelRequest) -> bool:
        """Send a request to the driver, to a new one if there is none or if it has run many pairs.

        Returns:
            Whether it is the first request of its driver.

        Raises:
            MachineProblem: if no driver can be started.
        """
        if self._requests is None or self.pairs >= PAIRS:
            self.restart()
        self.pairs += 1
        with contextlib.suppress(BrokenPipeError):  # `receive` returns why the driver has ended
            send_request(self._stream, request)
        return self.pairs == 1

    def receive(self, size: int) -> bytes:
        """Return the bytes of the answer, which has to have ``size`` bytes.

        Raises:
            DriverProblem: if the driver answers anything else, or dies, or takes more than `PAIR_SECONDS`.
            MachineProblem: if the driver reports a problem of the machine.
        """
        return self._read(size, PAIR_SECONDS)

    def stop(self) -> None:
        """End the driver."""
        if self._requests is None:
            return
        self.server.kill_driver()
        self._finish()

    @property
    def _stream(self) -> BinaryIO:
        if self._requests is None:
            raise ValueError("there is no driver")
        return self._requests

    def _finish(self) -> int:
        """Wait for the end of the driver and return its status."""
        with contextlib.suppress(BrokenPipeError):
            self._stream.close()
        os.close(self._answers)
        self._requests, self._answers, self.pairs = None, -1, 0
        status = self.server.status(END_SECONDS)
        if status is None:
            raise MachineProblem("a driver does not end")
        return status

    def _read(self, size: int, seconds: float) -> bytes:
        try:
            status, content = framing.receive_before(time.monotonic() + seconds, self._answers, max(size, MAX_TEXT) + 1)
        except TimeoutError:
            self.stop()
            raise DriverProblem("it took too long") from None
        except EOFError:
            raise self._problem_of_end() from None
        except ValueError:
            status, content = None, b""
        if status == DONE and len(content) == size:
            return content
        if status not in (PAIR_FAILED, MACHINE_FAILED) or len(content) > MAX_TEXT:  # a set would hash a hostile status
            self.stop()
            raise DriverProblem("the driver answered nonsense")
        received = content.decode(errors="replace")
        text = " ".join("".join(letter if letter.isprintable() else " " for letter in received).split())
        if status == PAIR_FAILED and self.forks:
            raise DriverProblem(text, reported=True)
        self.stop()  # after an error on a device, other launches of the process may fail
        if status == MACHINE_FAILED:
            raise MachineProblem(text)
        raise DriverProblem(text)

    def _problem_of_end(self) -> DriverProblem:
        """Return why a driver that closed its answers has ended."""
        status = self._finish()
        code = os.waitstatus_to_exitcode(status)
        return DriverProblem(f"the driver {framing.describe_end(code)}", killed=code == -signal.SIGKILL)
