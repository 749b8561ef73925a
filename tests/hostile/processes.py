"""A command as a separate process, in surroundings that show what it changes and leaves behind."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from command_line import start_code
from processes import PROC, kill

MEMORY = 10 << 30
"""The address space of a command, so that a successful attack does not stop the machine."""

CODES = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong after a command.

    Attributes:
        kind: ``escape``, ``changed``, ``missed``, ``traceback``, ``hang``, ``left`` or ``terminal``.
        command: the command.
        detail: one line.
    """

    kind: str
    command: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.command}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that ended by itself or at its time limit, which is exit code None."""

    code: int | None
    out: str
    err: str


class Surroundings:
    """Folders of a command: ``tmp`` and ``home``, and ``outside`` and ``current``, which must stay empty."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("tmp", "home", "outside", "current"):
            (root / name).mkdir(parents=True, exist_ok=True)

    @property
    def marker(self) -> Path:
        """The path that a successful attack creates."""
        return self.root / "outside" / "marker"

    def start(self, tool: str, *arguments: object, seconds: float) -> Done:
        """Run a command as a user does, and kill it with all its processes after ``seconds``."""
        environment = {
            **os.environ,
            "PYTHONHASHSEED": "0",  # another seed restarts the command
            "TMPDIR": str(self.root / "tmp"),
            "HOME": str(self.root / "home"),
        }
        with subprocess.Popen(
            [sys.executable, "-c", start_code(tool), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=self.root / "current",
            start_new_session=True,
            preexec_fn=_limit,  # noqa: PLW1509 - the test has one thread
        ) as process:
            try:
                out, err = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                kill(process.pid, *self.living())
                process.communicate()
                return Done(None, "", "")
        return Done(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def living(self) -> list[int]:
        """Return the processes that a command has left."""
        found, sought = [], f"TMPDIR={self.root / 'tmp'}".encode()
        for path in PROC.glob("[0-9]*/environ"):
            with suppress(OSError):
                if sought in path.read_bytes() and int(path.parent.name) != os.getpid():
                    found.append(int(path.parent.name))
        return found

    def problems(self, command: str, done: Done) -> Iterator[Problem]:
        """Yield what is wrong after a command, whatever it did, and remove what it left."""
        if done.code is None:
            yield Problem("hang", command, "it does not end")
        elif "Traceback" in done.err or done.code not in CODES:
            yield Problem("traceback", command, f"exit code {done.code}: {' '.join(done.err.split())[-300:]}")
        if any(character in done.out + done.err for character in "\x1b\x07\x9b"):
            yield Problem("terminal", command, "it prints escapes")
        deadline = time.monotonic() + 5.0
        while (alive := self.living()) and time.monotonic() < deadline:
            time.sleep(0.05)
        kill(*alive)
        if alive:
            yield Problem("left", command, f"{len(alive)} processes")
        for name in ("tmp", "outside", "current"):
            if left := sorted(path.name for path in (self.root / name).iterdir()):
                yield Problem("left" if name == "tmp" else "escape", command, f"{name} contains {', '.join(left)[:200]}")
                remove(self.root / name)


def remove(folder: Path) -> None:
    """Remove the content of a folder; commands may have made it unreadable."""
    subprocess.run(["find", str(folder), "-mindepth", "1", "-delete"], check=False, capture_output=True)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
