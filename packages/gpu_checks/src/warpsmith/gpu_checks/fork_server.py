"""A process that forks drivers for a confined worker, which cannot start processes that may open devices.

The worker starts the server before it confines itself and before it receives a pair. The server loads Warp's Python and nothing
else: it never touches a device, because processes forked from one that has could not use CUDA. Each driver is a fork of it.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypedDict

from warpsmith.core.execution.framing import ProcessEnd, kill
from warpsmith.validation.confinement.machine_problems import MachineProblem, machine_problem
from warpsmith.validation.confinement.system_call_numbers import dying_with_parent

END_SECONDS = 10.0
"""Time that a killed driver may take to end."""

_STATUS = struct.Struct("=i")
_MAX_MESSAGE = 1 << 16
_STANDARD = 3


class DriverOptions(TypedDict):
    """The arguments of a driver besides descriptors.

    ``folder`` is the folder in which the driver may write, and ``device`` is Warp's name of the device.
    """

    folder: str
    device: str


Entry = Callable[..., None]
"""The function that a driver runs."""


@dataclass(slots=True)
class ForkServer:
    """The worker's end of the connection to its server."""

    control: socket.socket

    @classmethod
    def start(cls, entry: Entry, confined: bool = True) -> ForkServer:
        """Start a server whose drivers run ``entry``.

        Args:
            entry: receives the descriptors of requests and answers, the options of `start_driver`, and ``confined``.
            confined: whether the drivers are to confine themselves.
        """
        try:
            worker_end, server_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            process = os.fork()
        except OSError as error:
            raise MachineProblem(machine_problem(error) or str(error)) from error
        if process == 0:
            try:
                _serve(server_end.detach(), partial(entry, confined=confined))
            finally:
                os._exit(1)
        server_end.close()
        return cls(worker_end)

    def start_driver(self, requests: int, answers: int, options: DriverOptions) -> None:
        """Start a driver.

        Args:
            requests: the descriptor that it reads requests from.
            answers: the descriptor that it writes answers to.
            options: further arguments of the function that it runs. Their folder is removed when the driver has ended.
        """
        socket.send_fds(self.control, [json.dumps(options).encode()], [requests, answers])

    def kill_driver(self) -> None:
        """Kill the driver, if it runs."""
        self.control.send(b"kill")

    def status(self, seconds: float) -> int | None:
        """Wait for the driver to end and return its status as `os.waitpid` does; None if it still runs after ``seconds``.

        Raises:
            MachineProblem: if the server is gone.
        """
        self.control.settimeout(seconds)
        try:
            message = self.control.recv(_MAX_MESSAGE)
        except TimeoutError:
            return None
        if len(message) != _STATUS.size:
            raise MachineProblem("the process that starts drivers has ended")
        (status,) = _STATUS.unpack(message)
        return int(status)


def _serve(descriptor: int, entry: Entry) -> None:
    """Fork a driver for each message until the worker ends its end of the connection."""
    dying_with_parent()()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(_STANDARD):
        os.dup2(nowhere, standard)
    os.closerange(_STANDARD, descriptor)
    os.closerange(descriptor + 1, os.sysconf("SC_OPEN_MAX"))
    control = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, _MAX_MESSAGE, 2)
        if not message:
            os._exit(0)
        if len(descriptors) == 2:
            options: DriverOptions = json.loads(message)
            status = _run(control, entry, descriptors, options)
            shutil.rmtree(Path(options["folder"]), ignore_errors=True)
            control.send(_STATUS.pack(status))


def _run(control: socket.socket, entry: Entry, descriptors: list[int], options: DriverOptions) -> int:
    """Run a driver until it ends or the worker has it killed, and return its status."""
    process = os.fork()
    if process == 0:
        try:
            dying_with_parent()()
            control.close()
            entry(*descriptors, **options)
        finally:
            os._exit(1)
    for descriptor in descriptors:
        os.close(descriptor)
    with ProcessEnd(process) as end:
        ready, _, _ = select.select([end.fileno(), control.fileno()], [], [])
        if end.fileno() not in ready:
            control.recv(_MAX_MESSAGE)  # a request to kill the driver, or the end of the worker
            return kill(process)
        return os.waitpid(process, 0)[1]
