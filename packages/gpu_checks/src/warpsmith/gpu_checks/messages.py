"""The messages between a worker and its driver: lines in one direction, a status and bytes in the other; all are frames."""

from __future__ import annotations

import struct
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import msgspec

from warpsmith.core.execution import framing
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.gpu_checks.device_launches import Program, program_of
from warpsmith.gpu_checks.timed_kernels import TimedKernel

TIMES = struct.Struct("=dd")
"""The seconds to build and the seconds to launch, the answer to a request with a number of launches."""

DONE, PAIR_FAILED, MACHINE_FAILED = range(3)
"""The statuses: the bytes are results; or the text of a problem, of the pair or of the machine."""

MAX_TEXT = 1000
"""The longest text of a problem, in bytes."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a driver.

    Attributes:
        line: the line of the pair.
        code: the text to run; None for the text in the record.
        launches: 0 for the results of one launch; otherwise how many launches to measure.
    """

    line: Line
    code: Code | None = None
    launches: int = 0


@dataclass(frozen=True, slots=True)
class KernelRequest:
    """A request to a driver to measure a kernel.

    Attributes:
        kernel: the kernel.
        repeats: the launches of which the median counts.
    """

    kernel: TimedKernel
    repeats: int


def send_request(stream: IO[bytes], request: Request | KernelRequest) -> None:
    """Write a request."""
    if isinstance(request, KernelRequest):
        framing.send(stream, {"repeats": request.repeats}, msgspec.json.encode(request.kernel))
        return
    code = asdict(request.code) if request.code is not None else None
    framing.send(stream, {"code": code, "launches": request.launches}, request.line.raw)


def read_request(stream: IO[bytes], device: str) -> tuple[Program, int] | KernelRequest | None:
    """Return a program for ``device`` and the number of launches to measure, or a kernel; None at the end of the stream.

    Raises:
        ValueError: if the line has no text for the device.
    """
    frame = framing.receive(stream)
    if frame is None:
        return None
    message, raw = frame
    if "repeats" in message:
        return KernelRequest(msgspec.json.decode(raw, type=TimedKernel), message["repeats"])
    pair = decode(raw, Path("pair.jsonl"), 1).pair
    code = Code(**message["code"]) if message["code"] is not None else None
    program = program_of(pair, device, code) if pair is not None else None
    if program is None:
        raise ValueError("a pair without a text for the device")
    return program, message["launches"]
