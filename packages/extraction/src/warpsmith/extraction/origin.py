"""Where a kernel comes from: the file and the line of its source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from warpsmith.core.records.pair import Origin


def origin_of(kernel: Any, module: str) -> Origin:
    """Return the source of a kernel: the file below the folder of its package, or only its name.

    Args:
        kernel: a Warp kernel.
        module: the name of the module that defines the kernel.
    """
    code = kernel.func.__code__
    parts = module.split(".")
    path = Path(code.co_filename)
    depth = len(parts) if path.stem == parts[-1] else len(parts) + 1  # a module, or the __init__.py of a package
    return Origin(file="/".join(path.parts[-depth:] if len(parts) > 1 else path.parts[-1:]), line=_line_of_def(kernel))


def _line_of_def(kernel: Any) -> int:
    """Return the line of ``def``, which comes after the decorators."""
    lines = str(kernel.adj.source).splitlines()
    offset = next((number for number, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return int(kernel.func.__code__.co_firstlineno) + offset
