"""Levels that misbehave according to the category of a line; a worker runs this module, like `gpu_checks.device_worker`."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.worker.check_worker import main


def answers() -> int:
    """Return the descriptor of the worker's answers, a pipe, found as an attacker would find it."""
    for number in range(3, 64):
        if Path(f"/proc/self/fd/{number}").is_fifo() and (fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY):
            return number
    raise LookupError("there is no pipe for answers")


def stay_behind(_: Path) -> None:
    if os.fork() == 0:
        os.closerange(3, 64)
        time.sleep(600)
    os._exit(3)


def fill_the_folder(scratch: Path) -> None:
    folder = scratch / "a" / "b"
    folder.mkdir(parents=True)
    for number in range(8):
        (folder / str(number)).write_bytes(bytes(2 << 20))
    time.sleep(600)


def exhaust_memory(_: Path) -> None:
    hoard = [bytearray(9 << 30)]
    hoard.append(bytearray(1))


def write_without_end(scratch: Path) -> None:
    with (scratch / "large").open("wb") as file:
        file.truncate(1 << 30)


def open_many_files(scratch: Path) -> None:
    _ = [(scratch / "small").open("wb") for _ in range(1000)]


def damage_the_folder(scratch: Path) -> None:
    for header in scratch.glob("*.pch"):
        header.write_bytes(b"damaged")
    (scratch / "headers_64.pch").write_bytes(b"invented")
    os._exit(0)


def forge(identity: str, count: int) -> None:
    """Forge answers of the worker that pairs pass."""
    message = json.dumps({"id": identity, "level": "odd", "status": "pass", "reason": "", "ms": 0.0}).encode()
    os.write(answers(), count * (struct.pack("<QQ", len(message), 0) + message))


def _raise(error: BaseException) -> None:
    raise error


def recurse(_: Path) -> None:
    recurse(_)


BEHAVIOURS = {
    "segfault": lambda _: ctypes.string_at(0),
    "abort": lambda _: os.abort(),
    "unnamed signal": lambda _: os.kill(os.getpid(), 40),
    "loop": lambda _: [None for _ in iter(int, 1)],
    "sleep": lambda _: time.sleep(600),
    "signals blocked": lambda _: (signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()), time.sleep(600)),
    "memory": exhaust_memory,
    "large file": write_without_end,
    "many files": open_many_files,
    "exit 0": lambda _: os._exit(0),
    "exit 7": lambda _: os._exit(7),
    "system exit": lambda _: sys.exit(5),
    "interrupt": lambda _: _raise(KeyboardInterrupt()),
    "recursion": recurse,
    "exception": lambda _: _raise(ValueError("two\nlines")),
    "close answers": lambda _: (os.close(answers()), time.sleep(600)),
    "garbage": lambda _: os.write(answers(), b"garbage " * 200),
    "half a frame": lambda _: (os.write(answers(), struct.pack("<QQ", 1000, 0) + b"{"), time.sleep(600)),
    "half a header": lambda _: (os.write(answers(), b"\x01"), time.sleep(600)),
    "no verdict": lambda _: (os.write(answers(), struct.pack("<QQ", 2, 0) + b"[]"), time.sleep(600)),
    "forge": lambda _: (forge("another", 40), time.sleep(600)),
    "stay behind": stay_behind,
    "damage the folder": damage_the_folder,
    "chatter": lambda _: (print("noise " * 50_000), os.write(2, b"noise " * 50_000)),
    "fill the folder": fill_the_folder,
    "no thread ends": lambda _: threading.Thread(target=time.sleep, args=(600,)).start(),
    "write to home": lambda _: Path("~/.profile").expanduser().write_text("gone with the scratch folder"),
}
"""Behaviour of a check; the last three entries are harmless."""


def report(scratch: Path) -> dict[str, object]:
    """Return the worker's view of the system."""
    return {
        "environment": dict(os.environ),
        "home": str(Path.home()),
        "cwd": str(Path.cwd()),
        "scratch": str(scratch),
        "limits": {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")},
        "process id": os.getpid(),
        "no new privileges": ctypes.CDLL(None).prctl(39, 0, 0, 0, 0),
        "standard": [str(Path(f"/proc/self/fd/{number}").readlink()) for number in range(3)],
    }


def read(path: str) -> str:
    try:
        Path(path).read_bytes()
    except OSError as error:
        return type(error).__name__
    return "read"


def connect(port: int) -> str:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5.0).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


def misbehave(line: Line, scratch: Path) -> Finding:
    """Misbehave according to the category, and pass if the worker survives."""
    assert line.pair is not None
    behaviour, _, argument = line.pair.metadata.category.partition("|")
    if behaviour == "report":  # the only folder that a worker may write to
        (scratch / "report.json").write_text(json.dumps(report(scratch)))
    elif behaviour == "process id":
        return Finding("pass", str(os.getpid()))
    elif behaviour == "read":
        return fail(read(argument))
    elif behaviour == "connect":
        return fail(connect(int(argument)))
    elif behaviour in BEHAVIOURS:
        BEHAVIOURS[behaviour](scratch)
    return PASS


def pass_all(lines: Sequence[Line], _: BatchContext) -> Iterator[Finding]:
    yield from (PASS for _ in lines)


def misbehave_by_line(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    yield from (misbehave(line, context.scratch) for line in lines)


def misbehave_at_once(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    return [misbehave(line, context.scratch) for line in lines]


def misbehave_later(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    for line in lines:
        assert line.pair is not None
        _, fatal, behaviour = line.pair.metadata.category.partition("fatal: ")
        if fatal:
            BEHAVIOURS[behaviour](context.scratch)
        yield PASS


EVEN, LAST = (Level(name, 2.0, check="hostile_levels:pass_all") for name in ("even", "last"))
LEVELS = (EVEN, Level("odd", 2.0, check="hostile_levels:misbehave_by_line"), LAST)
FATAL = Level("fatal", 2.0, check="hostile_levels:misbehave_later")
AT_ONCE = Level("odd at once", 2.0, takes_batches=True, compiles=True, check="hostile_levels:misbehave_at_once")
WHOLE_BATCH_LEVELS = (EVEN, AT_ONCE, LAST)
"""The same levels, but all findings come at once, so that the client cannot see at which line the worker died."""

if __name__ == "__main__":
    main((*LEVELS, WHOLE_BATCH_LEVELS[1], FATAL))
