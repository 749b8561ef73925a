"""Kernels that exist in the modules of a project but are launched by no test."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from warpsmith.extraction.targets.importing import package_version
from warpsmith.extraction.targets.origin import identity_of, is_in, module_of, origin_of
from warpsmith.extraction.warp.objects import python_function
from warpsmith.extraction.warp.registries import live_kernels
from warpsmith.validation.gate.observed import Untested

INSTALLED = ("site-packages", "dist-packages")
"""Folders of packages that are no part of a project."""


class Selection(NamedTuple):
    """The kernels that tests should launch: those of packages or modules ``only``, or else those of files below ``root``."""

    only: Sequence[str]
    root: Path

    def contains(self, module: str, function: Any) -> bool:
        """Return whether a kernel is selected."""
        if self.only:
            return is_in(module, self.only)
        path = Path(function.__code__.co_filename)
        return path.is_relative_to(self.root) and not any(part in INSTALLED for part in path.parts)


def launch_name(kernel: Any) -> str:
    """Return the name of a kernel for the question whether it was launched: that of its function and module."""
    return f"{module_of(kernel)}.{python_function(kernel).__qualname__}"


def untested(selection: Selection, launched: Collection[str]) -> Iterator[Untested]:
    """Yield the selected kernels of this process that are not among the names of ``launched``."""
    seen = set(launched)
    version = cache(package_version)
    for kernel in live_kernels():
        function, module = python_function(kernel), module_of(kernel)
        name = launch_name(kernel)
        if name in seen or not function.__module__ or not selection.contains(module, function):
            continue
        seen.add(name)
        package = module.partition(".")[0]
        origin = origin_of(kernel, module)
        identity = identity_of(kernel, package, version(package), module)
        yield Untested(name, identity, function.__name__, origin.file, origin.line)
