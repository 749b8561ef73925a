"""Import of the files, modules and packages whose kernels are extracted."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import warp as wp

from warpsmith.core.errors import TargetError, describe
from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.core.records.pair import Reject
from warpsmith.extraction.targets.optional_imports import advice
from warpsmith.extraction.targets.origin import origin_of_error
from warpsmith.extraction.warp import runtime
from warpsmith.extraction.warp.syntax_trees import overloads_without_trees


@dataclass(frozen=True)
class Target:
    """An imported target.

    Attributes:
        package: the first part of the ids of pairs.
        version: the version of the package, ``"0"`` for files and packages that are not installed.
        modules: the names of the imported modules, in order.
        rejects: the submodules whose import failed.
    """

    package: str
    version: str
    modules: tuple[str, ...]
    rejects: tuple[Reject, ...]


STDIN = "-"
"""The name of the target that is read from stdin."""


def import_target(target: str) -> Target:
    """Import a file, a module or a package with its submodules, or what stdin contains.

    A module may change ``wp.config`` for the whole process. Its own kernels keep the changed options; for all other modules
    the changes are undone.

    Raises:
        TargetError: if there is no such target, or its import fails.
    """
    with _restored_config(), overloads_without_trees():
        if target == STDIN:
            return _import_file(_saved_stdin())
        if target.endswith(".py") or Path(target).is_file():
            return _import_file(Path(target))
        return _import_module(target)


@contextlib.contextmanager
def _restored_config() -> Iterator[None]:
    runtime.start_runtime()  # before the copy: the start fills in settings that must stay
    before = {name: value for name, value in vars(wp.config).items() if not name.startswith("__")}
    try:
        yield
    finally:
        vars(wp.config).update(before)


def _saved_stdin() -> Path:
    """Return a file with the content of stdin: Warp reads the source of kernels from files. It lives as long as the process."""
    folder = TemporaryFolder()
    atexit.register(folder.remove)
    path = folder.path / "stdin.py"
    path.write_bytes(sys.stdin.buffer.read())
    return path


def _import_module(target: str) -> Target:
    try:
        module = importlib.import_module(target)
    except Exception as error:
        raise TargetError(
            f"cannot import {target!r}: {_explained(error, target)}; name a file, or a module that Python can import"
        ) from error
    version = package_version(target)
    names, rejects = [target], []
    for name in _submodules(target, getattr(module, "__path__", [])):
        try:
            with _restored_config():
                importlib.import_module(name)
            names.append(name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a target may raise anything, and a script may exit
            identity = f"{target.partition('.')[0]}-{version}-{name}"
            reason, origin = _explained(error, target), origin_of_error(error, name)
            rejects.append(Reject(id=identity, seed=None, index=None, stage="import", error=reason, origin=origin))
    names += [name for name in _private_modules(target) if name not in names]
    return Target(target.partition(".")[0], version, tuple(names), tuple(rejects))


def _explained(error: BaseException, target: str) -> str:
    """Return what failed, and what to install if a package is missing."""
    return "; ".join(filter(None, [describe(error), advice(error, target.partition(".")[0])]))


def _private_modules(target: str) -> list[str]:
    """Return the private modules that a public package presents: the names of ``pack._src.part`` belong to ``pack.part``."""
    path = target.split(".")
    if any(part.startswith("_") for part in path):
        return []
    return [name for name in list(sys.modules) if "._" in name and _public_path(name)[: len(path)] == path]


def _public_path(module: str) -> list[str]:
    return [part for part in module.split(".") if not part.startswith("_")]


def _submodules(package: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the submodules of a package, including folders without an `__init__.py`, which `pkgutil` skips."""
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if "__pycache__" not in parts and parts[-1] not in ("__init__", "__main__"):
                yield ".".join((package, *parts))


def _import_file(path: Path) -> Target:
    if not path.is_file():
        raise TargetError(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent.resolve()))  # as `python path` does, for modules in the same folder
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise TargetError(f"cannot import {path}: {describe(error)}") from error
    return Target(path.stem, "0", (path.stem,), ())


def sources_digest(targets: Iterable[Target]) -> str:
    """Return a digest of the files of all modules of the targets."""
    digest = hashlib.sha256()
    for name in (name for target in targets for name in target.modules):
        path = Path(getattr(sys.modules[name], "__file__", None) or "")
        digest.update(f"{name}\0".encode())
        if path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def package_version(target: str) -> str:
    """Return the version of the distribution that contains a module, or ``"0"``."""
    return _version_of_root(target.partition(".")[0], tuple(sys.path))


@lru_cache(maxsize=1024)
def _version_of_root(root: str, path: tuple[str, ...]) -> str:
    for distribution in _distributions(path).get(root, ()):
        return importlib.metadata.version(distribution)
    return "0"


@lru_cache(maxsize=8)
def _distributions(_: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return the distributions of packages on a search path: Python reads the metadata of all of them."""
    return importlib.metadata.packages_distributions()
