"""Tasks of the tests of executors, in a module that worker processes can import."""

from __future__ import annotations

import os
from pathlib import Path

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
