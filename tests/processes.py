"""What runs below a process, read from /proc, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")


def children_of(parents: Iterable[int]) -> set[int]:
    """The processes that ``parents`` started and have not waited for."""
    sought, found = set(parents), set()
    for path in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(_fields(path)[1]) in sought:
                found.add(int(path.parent.name))
    return found


def descendants_of(process: int) -> set[int]:
    """Every process below ``process``."""
    found: set[int] = set()
    while more := children_of({process} | found) - found:
        found |= more
    return found


def command_of(process: int) -> bytes:
    """Its command line; empty where it has ended."""
    with contextlib.suppress(OSError):
        return (PROC / str(process) / "cmdline").read_bytes()
    return b""


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody asked about does not."""
    with contextlib.suppress(OSError):
        return _fields(PROC / str(process) / "stat")[0] not in "ZX"
    return False


def living_below(folder: Path) -> list[int]:
    """Processes that were given a home in this folder, as children are that have their own below it."""
    found = []
    for path in PROC.glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"HOME={folder}/".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def assert_nothing_lives(folder: Path) -> None:
    """Within seconds no child is left, nor what it started; what is left is killed."""
    deadline = time.monotonic() + 5.0
    while (left := living_below(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    kill(*left)
    assert left == [], f"still alive: {left}"


def kill(*processes: int) -> None:
    """Kill processes as the kernel would for lack of memory; one may have ended since it was found."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _fields(stat: Path) -> list[str]:
    return stat.read_text().rpartition(")")[2].split()
