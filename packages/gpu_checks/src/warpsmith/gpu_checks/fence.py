"""Confinement of a driver: the files, system calls and environment that it keeps."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Iterable
from pathlib import Path

from warpsmith.validation.confinement import DRIVING, WORKER_MEMORY, confine_worker
from warpsmith.validation.confinement.landlock import confine_files
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.confinement.process_limits import limit
from warpsmith.validation.confinement.system_calls import filter_calls

DEVICES = ("nvidia*", "nvidia-caps/*", "dri/renderD*", "dxg", "nvhost*", "nvmap")
"""Device nodes below /dev that CUDA opens for writing."""

KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "OPENBLAS_NUM_THREADS")
"""Environment variables that a driver inherits."""

OPEN_FILES = 4096
FILE_SIZE = 4 << 30
"""Limits of a driver of a CUDA device: CUDA opens a descriptor for each device and each channel, and maps files in memory."""

_THREADS = Path("/proc/self/task")
"""The folder below which CUDA writes the names of its threads; from driver 570 on it fails if it cannot.

Landlock refers to the folder as the kernel holds it in memory, and the kernel keeps a folder of /proc only while it is in use.
"""


def set_environment(folder: Path) -> None:
    """Remove from the environment what a driver does not need, and let it keep its files in ``folder``."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=str(folder), TMPDIR=str(folder), CUDA_CACHE_PATH=str(folder / "cuda"), CUDA_CACHE_DISABLE="1")
    tempfile.tempdir = None  # the folder that an earlier call found


def confine_driver(folder: Path, device: str) -> None:
    """Give up, in this process, all access that driving ``device`` does not need.

    Raises:
        MachineProblem: if this system does not support a measure.
    """
    if device == "cpu":
        problem = confine_worker(folder, WORKER_MEMORY).problem
        if problem is not None:
            raise MachineProblem(problem)
        return
    os.chdir(folder)
    for kind, value in ((resource.RLIMIT_NOFILE, OPEN_FILES), (resource.RLIMIT_FSIZE, FILE_SIZE), (resource.RLIMIT_CORE, 0)):
        limit(kind, value)
    os.open(_THREADS, os.O_PATH | os.O_CLOEXEC)  # never closed, see `_THREADS`
    if not confine_files([folder, Path(os.devnull), *device_nodes(), _THREADS]):
        raise MachineProblem("this system has no Landlock")
    if not filter_calls(DRIVING):
        raise MachineProblem("this system has no seccomp")


def device_nodes(root: Path = Path("/dev")) -> list[Path]:
    """Return the device nodes that CUDA opens, as far as they exist."""
    return sorted(_existing(path for pattern in DEVICES for path in root.glob(pattern)))


def _existing(paths: Iterable[Path]) -> Iterable[Path]:
    return (path for path in paths if path.is_char_device())
