"""The hash seed, which Warp's text depends on: it walks a set of names while it writes some kernels."""

from __future__ import annotations

import os
import sys


def pin() -> None:
    """Start this process again with ``PYTHONHASHSEED=0`` if it has another one, before it has loaded much."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this very command, once more
