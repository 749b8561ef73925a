"""The process that workers are forked from: it imports slow modules once for all workers."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Iterator
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

from warpsmith.core.execution.python_process import SAFE_PATH, safe_path

_STDERR = 2

_KEPT_BYTES = 4000
"""How much of the printed text `Printed` keeps."""


class Printed:
    """What the server and its workers print: `forward` passes it on to stderr.

    Attributes:
        input: the descriptor that the processes print to.
        end: the last part of what was passed on.
    """

    def __init__(self) -> None:
        self._output, self.input = os.pipe()
        os.set_blocking(self._output, False)
        self.end = b""

    def forward(self) -> None:
        """Pass on what was printed since the last call."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._output, 1 << 16):
                self.end = (self.end + chunk)[-_KEPT_BYTES:]
                if sys.stderr is not None:
                    os.write(_STDERR, chunk)


@cache
def printed() -> Printed:
    """Return what the server of this process and its workers print."""
    return Printed()


def start(preload: str) -> BaseContext:
    """Start the server unless it runs, without waiting for it, and return the context that creates processes from it.

    The server is a new interpreter with hash seed 0, which its workers inherit. It ends with this process. Systems without fork
    servers start every process separately.

    Args:
        preload: the module that the server imports.
    """
    os.environ["PYTHONHASHSEED"] = "0"  # a new interpreter reads it
    if "forkserver" not in multiprocessing.get_all_start_methods():
        os.environ[SAFE_PATH] = "1"  # for the processes that the caller starts
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([preload])
    with safe_path(), _stderr_to(printed().input):
        forkserver.ensure_running()  # starts Python's resource tracker, too
    return context


@contextlib.contextmanager
def _stderr_to(descriptor: int) -> Iterator[None]:
    """Let processes that are started in this context print to a descriptor."""
    if sys.stderr is None:  # this process was started without it
        yield
        return
    stderr = os.dup(_STDERR)
    os.dup2(descriptor, _STDERR)
    try:
        yield
    finally:
        os.dup2(stderr, _STDERR)
        os.close(stderr)
