"""Frames between processes: JSON messages with bytes, reading with deadlines, and the end of a process and its cause.

A frame is the lengths of its message and of its bytes, the message, and the bytes. A process that reads what an untrusted one
writes uses the functions with a deadline and a limit: the writer may stop in the middle of a frame, or announce a frame that
never ends.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import time
from collections.abc import Callable
from types import TracebackType
from typing import IO, Any

import orjson

from warpsmith.core.errors import signal_name

HEADER = struct.Struct("<QQ")
"""The lengths of a frame's JSON message and of the bytes after it."""

WATCH_SECONDS = 1.0
"""The longest time between two calls of the function that watches over a reader."""

_CHUNK = 1 << 20


def send(stream: IO[bytes], message: Any, blob: bytes = b"") -> None:
    """Write one frame: a JSON message, and the bytes that belong to it."""
    encoded = orjson.dumps(message)
    stream.write(HEADER.pack(len(encoded), len(blob)) + encoded + blob)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[Any, bytes] | None:
    """Read one frame of a trusted process, or return None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    message, blob = HEADER.unpack(header)
    return orjson.loads(stream.read(message)), stream.read(blob)


def receive_before(
    deadline: float, descriptor: int, limit: int, watch: Callable[[], object] = lambda: None
) -> tuple[Any, bytes]:
    """Read one frame of an untrusted process.

    Args:
        deadline: the time of `time.monotonic` at which to give up.
        descriptor: the descriptor to read from.
        limit: the most bytes of a frame after its header.
        watch: called again and again while this function waits; its exceptions end the wait.

    Raises:
        ValueError: if the frame is longer than ``limit``, or its message is not JSON.
        TimeoutError: after ``deadline``.
        EOFError: if the stream ends before the frame.
    """
    message, blob = HEADER.unpack(read_exactly(deadline, descriptor, HEADER.size, watch))
    if message + blob > limit:
        raise ValueError(f"a frame of {message + blob} bytes")
    content = read_exactly(deadline, descriptor, message + blob, watch)
    return orjson.loads(content[:message]), content[message:]


def read_exactly(deadline: float, descriptor: int, size: int, watch: Callable[[], object] = lambda: None) -> bytes:
    """Read exactly ``size`` bytes; see `receive_before`."""
    content = bytearray()
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while len(content) < size:
        watch()
        remaining = deadline - time.monotonic()
        if not poll.poll(max(min(remaining, WATCH_SECONDS), 0.0) * 1000.0):
            if remaining <= WATCH_SECONDS:
                raise TimeoutError
            continue
        chunk = os.read(descriptor, min(size - len(content), _CHUNK))
        if not chunk:
            raise EOFError
        content += chunk
    return bytes(content)


def read_to_end(deadline: float, descriptor: int, limit: int) -> bytes:
    """Read until the stream ends.

    Raises:
        ValueError: if the stream has more than ``limit`` bytes.
        TimeoutError: after ``deadline``.
    """
    content = bytearray()
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while len(content) <= limit:
        if not poll.poll(max(deadline - time.monotonic(), 0.0) * 1000.0):
            raise TimeoutError
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            return bytes(content)
        content += chunk
    raise ValueError(f"more than {limit} bytes")


class ProcessEnd:
    """The end of a child of this process, which can be waited for with a time limit; a context manager.

    Args:
        process: the number of the child.

    Raises:
        OSError: if the system has no descriptor for it.
    """

    def __init__(self, process: int) -> None:
        self.process = process
        self._descriptor = os.pidfd_open(process)

    def __enter__(self) -> ProcessEnd:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._descriptor)

    def fileno(self) -> int:
        """Return the descriptor that is readable once the child has ended, for `select.select`."""
        return self._descriptor

    def wait(self, seconds: float) -> bool:
        """Wait until the child has ended, at most for ``seconds``, and return whether it has."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(max(seconds, 0.0) * 1000.0))


def kill(process: int) -> int:
    """Kill a child of this process, wait for its end, and return its status as `os.waitpid` does."""
    os.kill(process, signal.SIGKILL)
    return os.waitpid(process, 0)[1]


def describe_end(code: int) -> str:
    """Describe how a process ended.

    Args:
        code: the exit code, or the negative number of a signal, as `os.waitstatus_to_exitcode` and `subprocess` return it.
    """
    return f"died of {signal_name(-code)}" if code < 0 else f"ended itself with exit code {code}"
