"""The hash seed of Python, which Warp's text depends on: Warp iterates over a set of names while it writes some kernels."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable


def pin() -> None:
    """Restart this process with ``PYTHONHASHSEED=0`` if it has another hash seed."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # not `is_pinned`: Python ignores the variable with -I
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the same command


def is_pinned() -> bool:
    """Return whether this process was started with the hash seed 0."""
    return not sys.flags.hash_randomization


def entry_point(module: str) -> Callable[[], None]:
    """Return an entry point that pins the hash seed before it imports ``module``, and then calls its ``main``."""

    def main() -> None:
        pin()
        importlib.import_module(module).main()

    return main
