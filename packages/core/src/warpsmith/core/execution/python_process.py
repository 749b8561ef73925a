"""How other processes of this Python are started, none of which imports modules from the current folder, and how they end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from warpsmith.core.errors import signal_name, single_line

_RUN = """\
import sys
if not sys.path[0]: del sys.path[0]
del sys.argv[0]
import runpy
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""Like ``python -m``, which puts the current folder first in ``sys.path``. Python 3.10 has no option against that."""

SAFE_PATH = "PYTHONSAFEPATH"
"""With it, Python 3.11 and later leave out the current folder."""


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module as ``python -m`` does, without the current folder in ``sys.path``."""
    return [sys.executable, "-c", _RUN, module, *arguments]


@contextmanager
def safe_path() -> Iterator[None]:
    """Let processes that the standard library starts with ``python -c`` do without the current folder, too."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        with nullcontext() if sys.version_info >= (3, 11) else root_folder():
            yield
    finally:
        del os.environ[SAFE_PATH]
        os.environ |= {} if before is None else {SAFE_PATH: before}


@contextmanager
def root_folder() -> Iterator[None]:
    """Make the root of the file system the current folder, for libraries whose processes import from the current one."""
    folder = Path.cwd()
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.chdir(folder)


def ending(code: int, printed: bytes) -> str:
    """Describe how a process ended: its exit code or signal, and the last line that it printed."""
    if code == -signal.SIGKILL:
        return "was killed by SIGKILL, perhaps for lack of memory"
    how = f"died of {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
    return how + last_words(printed)


def last_words(printed: bytes) -> str:
    """Return the end of a message about a process: the last line that it printed, if there is one."""
    lines = printed.decode(errors="replace").split("\n")
    line = next((line for line in reversed(lines) if line.strip()), "")
    return f"; the last line printed: {single_line(line)}" if line else ""
