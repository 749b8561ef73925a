"""Builds and loads kernels on a device, in batches, and reports the kernels that the toolchain rejects."""

from __future__ import annotations

import contextlib
import errno
import linecache
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import warp as wp

from warpsmith.core.errors import DeviceError, describe
from warpsmith.extraction.warp import registries, runtime
from warpsmith.synthesis.production.chunks import BUILD_FOLDER

KERNELS_PER_MODULE = 50
"""Kernels in one module: the compiler reads Warp's headers once for all of them."""


def require_device(device: str) -> str:
    """Return Warp's name of ``device`` (``"cpu"`` or ``"cuda"``).

    Raises:
        DeviceError: if this machine has no CUDA device.
    """
    if device == "cpu":
        return "cpu"
    runtime.start_runtime()
    if not wp.is_cuda_available():
        raise DeviceError(
            "no CUDA device on this machine: omit --build to write the CUDA code without building it, or choose --device cpu"
        )
    return "cuda:0"


_OF_THE_MACHINE = frozenset(
    getattr(errno, name) for name in "ENOSPC EDQUOT EFBIG EMFILE ENFILE ENOMEM EAGAIN EIO EROFS EACCES ENOTDIR".split()
)
"""Errors of system calls that no kernel causes."""


def build_errors(sources: Mapping[str, str], device: str, backward: bool, work: Path | None = None) -> dict[str, str]:
    """Build and load every kernel on ``device``; return the error of each kernel that the toolchain rejects, by id.

    Args:
        sources: the Python of each kernel, by id.
        device: Warp's name of the device.
        backward: whether to build the adjoints.
        work: the parent of the folder with the built files, None for the system's temporary folder.

    Raises:
        OSError: if the machine fails, for example because its disk is full; no kernel is to blame.
    """
    errors: dict[str, str] = {}
    ids = list(sources)
    with tempfile.TemporaryDirectory(prefix=BUILD_FOLDER, dir=work) as cache:
        wp.config.kernel_cache_dir = cache
        wp.config.log_level = wp.LOG_ERROR  # errors are recorded as rejects
        for start in range(0, len(ids), KERNELS_PER_MODULE):
            _bisect({name: sources[name] for name in ids[start : start + KERNELS_PER_MODULE]}, device, backward, errors)
    return errors


def _bisect(sources: dict[str, str], device: str, backward: bool, errors: dict[str, str]) -> None:
    """Build a batch; if the build fails, build its halves, down to the faulty kernel."""
    error = _build(list(sources.values()), device, backward)
    if error is None:
        return
    if len(sources) == 1:
        errors[next(iter(sources))] = error
        return
    ids = list(sources)
    for half in (ids[: len(ids) // 2], ids[len(ids) // 2 :]):
        _bisect({name: sources[name] for name in half}, device, backward, errors)


def _build(sources: list[str], device: str, backward: bool) -> str | None:
    with _module(sources) as module:
        try:
            wp.set_module_options({"enable_backward": backward}, module)
            wp.load_module(module, device=device)
        except Exception as error:  # compilers raise many types; each is a reject
            if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _OF_THE_MACHINE):
                raise
            return describe(error)
    return None


@contextlib.contextmanager
def _module(sources: list[str]) -> Iterator[ModuleType]:
    """Execute all sources as one Python module, which Warp builds as a unit."""
    name = "warpsmith_build"
    module = ModuleType(name)
    files = [f"kernel_{number}.py" for number in range(len(sources))]
    scopes: list[dict[str, Any]] = []  # keeps the kernels alive during the build
    with contextlib.closing(registries.PrivateRegistry()) as private, private:
        sys.modules[name] = module
        try:
            for file, source in zip(files, sources, strict=True):
                linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
                scope = {"__name__": name}
                exec(compile(source, file, "exec", dont_inherit=True), scope)  # noqa: S102 - written by this generator
                scopes.append(scope)
            yield module
        finally:
            sys.modules.pop(name, None)
            for file in files:
                linecache.cache.pop(file, None)
