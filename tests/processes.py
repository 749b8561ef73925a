"""The descendants of a process, read from /proc, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")


def children_of(parents: Iterable[int]) -> set[int]:
    """Return the processes that ``parents`` started and have not waited for."""
    sought, found = set(parents), set()
    for path in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(_fields(path)[1]) in sought:
                found.add(int(path.parent.name))
    return found


def descendants_of(process: int) -> set[int]:
    """Return all descendants of ``process``."""
    found: set[int] = set()
    while more := children_of({process} | found) - found:
        found |= more
    return found


def command_of(process: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    with contextlib.suppress(OSError):
        return (PROC / str(process) / "cmdline").read_bytes()
    return b""


def is_alive(process: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    with contextlib.suppress(OSError):
        return _fields(PROC / str(process) / "stat")[0] not in "ZX"
    return False


def living_below(folder: Path) -> list[int]:
    """Return processes whose HOME is below a folder, as it is for sandboxed workers."""
    found = []
    for path in PROC.glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"HOME={folder}/".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def assert_nothing_lives(folder: Path) -> None:
    """Assert that within seconds no worker and none of its descendants runs; kill those that do."""
    deadline = time.monotonic() + 5.0
    while (alive := living_below(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    kill(*alive)
    assert alive == [], f"still alive: {alive}"


def kill(*processes: int) -> None:
    """Kill processes with SIGKILL, as the kernel does when memory runs out; some may have ended already."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _fields(stat: Path) -> list[str]:
    return stat.read_text().rpartition(")")[2].split()
