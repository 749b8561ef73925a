"""The files that a worker may read: Python, installed packages, libraries, and what compilers and NumPy read of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

SYSTEM = (
    "/usr/lib /usr/lib64 /usr/local/lib /usr/local/lib64 /lib /lib64 /usr/share/zoneinfo /etc/ld.so.cache /etc/localtime"
    " /sys/devices/system/cpu /proc/cpuinfo /proc/meminfo /proc/stat /dev/null /dev/zero /dev/urandom /dev/random"
).split()
"""Files and folders of the system that contain nothing of users."""

_LIBRARIES = ("lib", "lib64")
_MODULES = (".py", ".so")


def readable_files() -> list[Path]:
    """Return what a worker may read besides its own folder, as far as it exists.

    Folders of packages are readable as a whole. Of any other entry of ``sys.path``, such as a folder of the user's own work,
    only modules and packages are: it may contain data, too.
    """
    libraries = {Path(prefix, name) for prefix in (sys.prefix, sys.base_prefix) for name in _LIBRARIES}
    libraries |= {Path(entry) for entry in os.environ.get("LD_LIBRARY_PATH", "").split(":") if entry.startswith("/")}
    roots = {path.resolve() for path in (*map(Path, SYSTEM), *libraries) if path.exists() and not _is_broad(path.resolve())}
    entries = {Path(entry).resolve() for entry in sys.path if entry}
    parts = {part.resolve() for entry in entries if not _is_below(entry, roots) for part in _importable(entry)}
    parts |= {folder for folder in _loaded_packages() if not _is_broad(folder)}
    found = roots | parts
    return sorted(path for path in found if found.isdisjoint(path.parents))


def _is_broad(folder: Path) -> bool:
    """Return whether a folder contains the folder of a user, or everything."""
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - Path.home raises an error without a home
    return folder == Path("/") or home.is_relative_to(folder) or _account_home().is_relative_to(folder)


def _account_home() -> Path:
    try:
        import pwd  # noqa: PLC0415 - Unix only

        return Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
    except (ImportError, KeyError):
        return Path("/nonexistent")


def _is_below(path: Path, folders: set[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _importable(entry: Path) -> Iterator[Path]:
    """Yield what Python can import from an entry of ``sys.path``; an archive, or a folder of installed packages, as a whole."""
    if entry.is_file() or entry.name in ("site-packages", "dist-packages"):
        yield entry
        return
    try:
        children = list(entry.iterdir())
    except OSError:
        return
    for child in children:
        if (child.suffix in _MODULES and child.is_file()) or _is_package(child):
            yield child


def _is_package(folder: Path) -> bool:
    """Return whether a folder is a package, or one that packages of several distributions share."""
    return (
        folder.name.isidentifier()
        and folder.is_dir()
        and any(next(folder.glob(pattern), None) is not None for pattern in ("__init__.py", "*/__init__.py"))
    )


def _loaded_packages() -> Iterator[Path]:
    """Yield the folders of the packages that are loaded; an editable installation may keep them outside of ``sys.path``."""
    for module in list(sys.modules.values()):
        for folder in getattr(module, "__path__", None) or ():
            if isinstance(folder, str) and Path(folder).is_dir():
                yield Path(folder).resolve()
