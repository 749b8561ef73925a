"""Tasks of the tests of executors, in a module that worker processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NoReturn

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.executor import Report


def double(item: int, report: Report) -> int:
    report(item)
    return 2 * item


def fail(item: int) -> None:
    raise WarpsmithError(f"item {item}")


def die_once(marker: Path, item: int) -> int:
    """Kill the worker at the first item, once."""
    if item == 0 and not marker.exists():
        marker.touch()
        os._exit(1)
    return item


def print_and_exit(code: int) -> None:
    """Print a line and end the worker."""
    print("no table of gradients", flush=True)
    os._exit(code)


def kill(item: int) -> None:
    """Kill the worker, as the kernel does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL * item)


def raise_end_of_file() -> NoReturn:
    """Fail as Python does where a fork server has ended."""
    raise EOFError
