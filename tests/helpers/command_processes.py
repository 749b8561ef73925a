"""Commands as processes that need not load their modules: they are forked from a process that has loaded them.

A command has its own arguments, environment, folder, streams and exit code. To load its modules takes 0.3 seconds of processor
time, longer than most commands run. Tests of what a command loads start it with Python.
"""

from __future__ import annotations

import contextlib
import io
import json
import locale
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

MODULES = (
    "warpsmith.core.commands.dataset",
    "warpsmith.synthesis.cli",
    "warpsmith.synthesis.production.produce",
    "warpsmith.validation.cli",
    "warpsmith.validation.dataset_run",
    "warpsmith.extraction.cli",
    "warpsmith.gpu_checks.cli",
    "rich.progress",
)
"""What the first process loads: the commands, and neither NumPy, which starts threads, nor Warp."""

AT_START = ("PYTHON", "LANG", "LC_", "LD_")
"""Beginnings of the names of variables that Python reads when it starts."""


class CommandProcesses:
    """A process that forks commands, started when it is first needed; use it as a context manager.

    Args:
        modules: what the process loads.
    """

    def __init__(self, modules: Sequence[str] = MODULES) -> None:
        self._modules = modules
        self._server: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._environment = {**os.environ, "PYTHONHASHSEED": "0"}

    def __enter__(self) -> CommandProcesses:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._server is not None and self._socket is not None:
            self._socket.close()
            self._server.kill()
            self._server.communicate()
        self._server = self._socket = None

    def run(
        self,
        code: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: str | Path | None = None,
        seconds: float | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run Python code with arguments like ``python -c``; Python starts anew if the environment requires that.

        Raises:
            TimeoutError: if the streams of a forked process stay open and silent for ``seconds``.
        """
        if _at_start(environment) != _at_start(self._environment) or any(name.startswith("COVERAGE_") for name in environment):
            command = [sys.executable, "-c", code, *arguments]
            return subprocess.run(
                command, capture_output=True, check=False, text=True, env=environment, cwd=folder, timeout=seconds
            )
        if self._server is not None and self._server.poll() is not None:  # a test killed all children of this process
            self.close()
        if self._server is None:
            self._start()
        try:
            return self._run(code, arguments, environment, folder or Path.cwd(), seconds)
        except BaseException:  # an alarm of a test: the next command must not receive the answer to this one
            self.close()
            raise

    def _start(self) -> None:
        self._socket, other = socket.socketpair()
        command = [sys.executable, "-c", _SERVER, str(other.fileno()), *self._modules]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}  # Python's streams differ for files
        self._server = subprocess.Popen(
            command, pass_fds=[other.fileno()], env=self._environment, stdin=subprocess.DEVNULL, cwd="/", **pipes
        )
        other.close()

    def _run(
        self,
        code: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: str | Path,
        seconds: float | None,
    ) -> subprocess.CompletedProcess[str]:
        assert self._socket is not None
        request = json.dumps([code, list(arguments), dict(environment), str(folder)]).encode()
        streams = [os.pipe(), os.pipe()]
        try:
            socket.send_fds(self._socket, [len(request).to_bytes(8, "big")], [written for _, written in streams])
            self._socket.sendall(request)
        finally:
            for _, written in streams:
                os.close(written)
        out, err = _read_all([read for read, _ in streams], seconds)
        answer = self._socket.recv(64)
        assert answer, "the process that forks commands has ended"
        return subprocess.CompletedProcess([sys.executable, "-c", code, *arguments], int(answer), _text(out), _text(err))


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def _read_all(files: Sequence[int], seconds: float | None) -> list[bytes]:
    """Return what is written to pipes until all their writers have closed them."""
    found = {file: bytearray() for file in files}
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        for file in files:
            stack.callback(os.close, file)
            selector.register(file, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(seconds)
            if not ready:
                raise TimeoutError(f"no output for {seconds} s")
            for key, _ in ready:
                if part := os.read(key.fd, 1 << 16):
                    found[key.fd] += part
                else:
                    selector.unregister(key.fd)
    return [bytes(found[file]) for file in files]


def _text(written: bytes) -> str:
    return io.TextIOWrapper(io.BytesIO(written), encoding=locale.getpreferredencoding(False)).read()


_SERVER = """
import importlib, json, os, socket, sys

connection = socket.socket(fileno=int(sys.argv[1]))
for module in sys.argv[2:]:
    importlib.import_module(module)
assert "warp" not in sys.modules and "numpy" not in sys.modules

def receive(count):
    parts = b""
    while len(parts) < count:
        part = connection.recv(count - len(parts))
        if not part:
            os._exit(0)
        parts += part
    return parts

while True:
    size, streams, _, _ = socket.recv_fds(connection, 8, 2)
    if not size:
        os._exit(0)
    size += receive(8 - len(size))
    code, arguments, environment, folder = json.loads(receive(int.from_bytes(size, "big")))
    child = os.fork()
    if child == 0:
        break
    for stream in streams:
        os.close(stream)
    status = os.waitpid(child, 0)[1]
    connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())

connection.close()
os.dup2(streams[0], 1)
os.dup2(streams[1], 2)
for stream in streams:
    os.close(stream)
os.chdir(folder)
os.environ.clear()
os.environ.update(environment)
sys.argv = ["-c", *arguments]
for name in [name for name in globals() if not name.startswith("__") and name != "code"]:
    del globals()[name]
exec(code)
"""
