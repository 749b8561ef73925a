"""Where a kernel comes from: the names of its module and function, the file and the line of its source."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.records.pair import Origin
from warpsmith.extraction.source.source_repr import type_repr
from warpsmith.extraction.warp.objects import (
    argument_types,
    generic_parent,
    is_builtin,
    original_source,
    python_function,
    registered_name,
    warp_module,
)

_PROJECT_FILES = ("pyproject.toml", "setup.py", ".git")
"""What the folder of a project contains."""


def module_of(kernel: Any) -> str:
    """Return the name of the Python module that defines a kernel; for a kernel of ``wp.map`` that of the mapped function."""
    mapped = _mapped_function(kernel)
    if mapped is None:
        return str(python_function(kernel).__module__ or warp_module(kernel).name)
    return "warp" if is_builtin(mapped) else str(python_function(mapped).__module__)


def qualified_name(kernel: Any) -> str:
    """Return the qualified name of a kernel's function, and for a kernel of ``wp.map`` that of the mapped function, too."""
    mapped = _mapped_function(kernel)
    if mapped is None:
        return python_function(kernel).__qualname__
    applied = registered_name(mapped) if is_builtin(mapped) else python_function(mapped).__qualname__
    return f"{python_function(kernel).__qualname__}.{applied}"


def identity_of(kernel: Any, package: str, version: str, module: str) -> str:
    """Return the id of a kernel's pair: package, version and qualified name, with the types of an overload.

    Args:
        kernel: a Warp kernel.
        package: the name of its package.
        version: the version of the package.
        module: the name of the module that defines the kernel.
    """
    name = f"{package}-{version}-{module}.{qualified_name(kernel)}"
    if generic_parent(kernel) is None:
        return name
    types = ",".join(type_repr(annotation) or repr(annotation) for annotation in argument_types(kernel).values())
    return f"{name}[{types}]"


def origin_of(kernel: Any, module: str) -> Origin:
    """Return the source of a kernel: the file below the folder of its project, else of its package, or only its name.

    The folder of a project is the closest one with a ``pyproject.toml``, a ``setup.py`` or a ``.git``. Installed packages
    have none.

    Args:
        kernel: a Warp kernel.
        module: the name of the module that defines the kernel.
    """
    mapped = _mapped_function(kernel)
    definition = kernel if mapped is None or is_builtin(mapped) else mapped
    path = Path(python_function(definition).__code__.co_filename)
    return Origin(file=_file_in_project(path, module), line=_line_of_def(definition))


def origin_of_error(error: BaseException, module: str) -> Origin | None:
    """Return the line of a module at which its import failed; None if the module was not found.

    Args:
        error: the exception of the import.
        module: the name of the module.
    """
    spec = importlib.util.find_spec(module) if module.rpartition(".")[0] in sys.modules else None
    if spec is None or spec.origin is None:
        return None
    path, lines = Path(spec.origin), [1]
    if isinstance(error, SyntaxError) and error.filename == spec.origin:
        lines.append(error.lineno or 1)
    lines += [number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == spec.origin]
    return Origin(file=_file_in_project(path, module), line=lines[-1])


def _file_in_project(path: Path, module: str) -> str:
    """Return a file below the folder of its project, else of its package, or only its name."""
    project = _project_of(path.absolute().parent) if path.is_file() else None
    if project is not None:
        return path.absolute().relative_to(project).as_posix()
    parts = module.split(".")
    depth = len(parts) if path.stem == parts[-1] else len(parts) + 1  # a module, or the __init__.py of a package
    return "/".join(path.parts[-depth:] if len(parts) > 1 else path.parts[-1:])


def is_in(module: str, packages: Collection[str]) -> bool:
    """Return whether a module is one of several packages and modules, or inside of one."""
    return any(module == name or module.startswith(f"{name}.") for name in packages)


def project_file(path: Path) -> str:
    """Return a file of a program as reports name it: below the folder of its project, else its name and that of its folder."""
    project = _project_of(path.absolute().parent) if path.is_file() else None
    return path.absolute().relative_to(project).as_posix() if project is not None else "/".join(path.parts[-2:])


def _mapped_function(kernel: Any) -> Any:
    """Return the function that a kernel of ``wp.map`` applies; None for other kernels.

    Warp executes the text of such a kernel in a namespace without a name, in which the function is the only one.
    """
    function = python_function(kernel)
    if function.__module__:
        return None
    return next((value for value in function.__globals__.values() if isinstance(value, wp.Function)), None)


@lru_cache
def _project_of(folder: Path) -> Path | None:
    for parent in (folder, *folder.parents):
        if parent.name in ("site-packages", "dist-packages"):
            return None
        if any((parent / name).exists() for name in _PROJECT_FILES):
            return parent
    return None


def _line_of_def(item: Any) -> int:
    """Return the line of ``def``, which comes after the decorators."""
    lines = original_source(item).splitlines()
    offset = next((number for number, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return python_function(item).__code__.co_firstlineno + offset
