"""The protocol between a sandbox client and its worker: requests and answers, as frames.

The client imports this module and the table of levels, and nothing else that the worker runs. A worker may be taken over by
what it checks, so that the client checks everything that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from warpsmith.core.execution import framing
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.verdict import STATUSES, Verdict

MAX_ANSWER_BYTES = 64 << 20
"""The longest answer that a client accepts."""

MAX_REASON = 1000
"""The longest reason of a verdict, in characters; longer ones are cut."""

CHECK = "check"
"""The task that checks lines by levels. Every other task is a function of warpsmith, named as ``module:function`` by the module
that requests it. The function receives the lines and the options of the request, and returns JSON values."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a worker, apart from the lines that it is about.

    Attributes:
        task: `CHECK`, or ``module:function``.
        levels: the names of the levels, for `CHECK`.
        shares: how many pairs there are for each that a level checks, for levels that do not check all.
        options: keyword arguments of other tasks.
    """

    task: str
    levels: tuple[str, ...] = ()
    shares: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _LineHead:
    """The file and number of a line, and the length of its bytes in the frame."""

    path: str
    number: int
    size: int


def send_request(stream: IO[bytes], request: Request, lines: Sequence[Line]) -> None:
    """Write a request about ``lines``."""
    heads = [_LineHead(_as_text(line.path), line.number, len(line.raw)) for line in lines]
    framing.send(stream, {"request": request, "lines": heads}, b"".join(line.raw for line in lines))


def _as_text(path: Path) -> str:
    """Return a path as JSON can contain it: names of files may be any bytes."""
    return str(path).encode(errors="backslashreplace").decode()


def receive_request(stream: IO[bytes]) -> tuple[Request, list[Line]] | None:
    """Read a request and its lines, or return None at the end of the stream."""
    frame = framing.receive(stream)
    if frame is None:
        return None
    message, blob = frame
    fields = message["request"]
    request = Request(fields["task"], tuple(fields["levels"]), fields["shares"], fields["options"])
    return request, list(_lines([_LineHead(**head) for head in message["lines"]], blob))


def _lines(heads: Sequence[_LineHead], blob: bytes) -> Iterator[Line]:
    start = 0
    for head in heads:
        yield decode(blob[start : start + head.size], Path(head.path), head.number)
        start += head.size


def parse_verdict(answer: Any, identity: str, level: str) -> Verdict:
    """Return an answer as the verdict of ``level`` on the line ``identity``.

    Raises:
        ValueError: if it is anything else.
    """
    try:
        verdict = Verdict(
            str(answer["id"]), str(answer["level"]), answer["status"], str(answer["reason"])[:MAX_REASON], float(answer["ms"])
        )
    except (TypeError, KeyError, ValueError):
        raise ValueError("not a verdict") from None
    if verdict.status not in STATUSES or (verdict.id, verdict.level) != (identity, level):
        raise ValueError("not the verdict that was requested")
    return verdict
