"""Frames of untrusted writers: each kind of damage ends the read, and no reader waits for ever."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.execution import framing

LIMIT = 1000


def read_from(write: Callable[[int], object], seconds: float = 5.0, **options: Any) -> tuple[Any, bytes]:
    """Return what a reader receives from a pipe that ``write`` has written to and that is then closed."""
    reader, writer = os.pipe()
    try:
        write(writer)
        os.close(writer)
        return framing.receive_before(time.monotonic() + seconds, reader, LIMIT, **options)
    finally:
        os.close(reader)


def frame(message: bytes, blob: bytes = b"") -> bytes:
    return len(message).to_bytes(8, "little") + len(blob).to_bytes(8, "little") + message + blob


@pytest.mark.parametrize(("message", "blob"), [({"a": [1, None]}, b""), ("", b"\n\0" * 9), (None, b"x" * (LIMIT - 4))])
def test_frames_arrive_as_they_were_sent(message: Any, blob: bytes) -> None:
    stream = io.BytesIO()
    framing.send(stream, message, blob)
    content = stream.getvalue()
    assert read_from(lambda writer: os.write(writer, content)) == (message, blob)
    stream.seek(0)
    assert framing.receive(stream) == (message, blob)
    assert framing.receive(stream) is None


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", EOFError),
        (frame(b"{}")[:9], EOFError),
        (frame(b"{}", b"1234")[:-1], EOFError),
        (frame(b"{]"), ValueError),
        (frame(b"\xff"), ValueError),
        (frame(b"1", b"x" * LIMIT), ValueError),
        ((2**64 - 1).to_bytes(8, "little") * 2, ValueError),
    ],
)
def test_damaged_frames_are_errors(content: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_from(lambda writer: os.write(writer, content))


def test_a_silent_writer_ends_at_the_deadline_and_is_watched() -> None:
    reader, writer = os.pipe()
    calls = []
    os.write(writer, frame(b"[1]")[:-1])
    with pytest.raises(TimeoutError):
        framing.receive_before(time.monotonic() + 0.2, reader, LIMIT, lambda: calls.append(1))
    os.close(reader)
    os.close(writer)
    assert calls


def test_reading_to_the_end_has_a_limit_and_a_deadline() -> None:
    for size, error in ((LIMIT, None), (LIMIT + 1, ValueError)):
        reader, writer = os.pipe()
        os.write(writer, b"x" * size)
        os.close(writer)
        if error is None:
            assert framing.read_to_end(time.monotonic() + 5.0, reader, LIMIT) == b"x" * size
        else:
            with pytest.raises(error):
                framing.read_to_end(time.monotonic() + 5.0, reader, LIMIT)
        os.close(reader)
    reader, writer = os.pipe()
    with pytest.raises(TimeoutError):
        framing.read_to_end(time.monotonic() + 0.1, reader, LIMIT)
    os.close(reader)
    os.close(writer)


def test_the_end_of_a_process_is_seen_and_described() -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with framing.ProcessEnd(process.pid) as end:
        assert not end.wait(0.05)
        status = framing.kill(process.pid)
        assert end.wait(5.0)
    process.returncode = 0  # reaped above
    assert framing.describe_end(os.waitstatus_to_exitcode(status)) == "died of SIGKILL"
    assert framing.describe_end(-signal.SIGSEGV) == "died of SIGSEGV"
    assert framing.describe_end(3) == "ended itself with exit code 3"
