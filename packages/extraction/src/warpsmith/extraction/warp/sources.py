"""The source files of the installed Warp, found without importing it: its own modules with kernels, and its examples."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

LIBRARY = ("fem", "optim", "render", "sparse.py", "utils.py")
"""Modules that contain kernels; each has a public part and a private one."""


def library_sources() -> list[Path]:
    """Return the files and folders of `LIBRARY`, as far as this release has them."""
    folders = [root / private for root in _roots() for private in ("", "_src")]
    return [path for folder in folders for name in LIBRARY if (path := folder / name).exists()]


def example_sources() -> list[Path]:
    """Return the folder of Warp's examples."""
    return [root / "examples" for root in _roots()]


def release() -> str:
    """Return the name and number of the installed Warp, such as ``Warp 1.19.0``."""
    try:
        return f"Warp {version('warp-lang')}"
    except PackageNotFoundError:  # Warp is on the path without being installed
        return "Warp"


def _roots() -> list[Path]:
    spec = find_spec("warp")
    return [Path(location) for location in (spec.submodule_search_locations or ())] if spec is not None else []
