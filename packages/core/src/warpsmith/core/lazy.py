"""Public names of a package that are imported on first use, so that a command prints its help without loading Warp or NumPy."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any


def lazy_names(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package.

    Args:
        package: the name of the package, such as ``"warpsmith.core"``.
        modules: the module of each lazy name. ``__version__`` is always among the names; its value is the version of the
            installed distribution.
    """

    def load(name: str) -> Any:
        if name == "__version__":
            return metadata.version(package.replace(".", "-").replace("_", "-"))
        if name in modules:
            return getattr(importlib.import_module(modules[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return load, list_names
