"""The descendants of a process, read from /proc, and their end."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
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


def kill_at_random(process: subprocess.Popen[str], seconds: float, chance: random.Random) -> int:
    """Kill a command, one of its descendants, or all of them, at a random moment; return the number of kills.

    Args:
        process: the command, in a session of its own.
        seconds: the latest moment.
        chance: chooses.
    """
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0.0, seconds))
    if process.poll() is not None:
        return 0
    target = chance.choice(["all", "command", "one"])
    descendants = sorted(descendants_of(process.pid))
    if target == "one" and descendants:
        kill(chance.choice(descendants))
        return 1
    kill(process.pid, *(descendants if target == "all" else ()))
    process.wait(60)
    return 1


def kill_session(session: int) -> None:
    """Assert that the processes of a session end by themselves within seconds; kill those that do not."""
    deadline = time.monotonic() + 10.0
    while (alive := _session(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    kill(*alive)
    assert not alive, f"still alive: {[command_of(process) for process in alive]}"


def _session(session: int) -> list[int]:
    found = []
    for path in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = _fields(path)
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(path.parent.name))
    return found


def _fields(stat: Path) -> list[str]:
    return stat.read_text().rpartition(")")[2].split()
