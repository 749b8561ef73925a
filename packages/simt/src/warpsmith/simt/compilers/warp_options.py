"""The options with which Warp compiles its generated CUDA, and a folder for precompiled headers."""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import tempfile
import threading
from functools import cache
from pathlib import Path

from warpsmith.core.errors import WarpsmithError

_FLAGS = (
    "--define-macro=WP_NO_CRT",
    "--define-macro=NDEBUG",
    "--undefine-macro=WP_VERIFY_FP",
    "--define-macro=WP_ENABLE_MATHDX=1",
    "--extra-device-vectorization",
    "--restrict",
)


def warp_options(fuse: bool = True, precompiled: bool = True, folder: Path | None = None) -> tuple[str, ...]:
    """Return options for `compile_ptx` with which Warp 1.19 compiles a module for release.

    Args:
        fuse: whether products and sums become fused multiply-add, as Warp's option ``fuse_fp`` does.
        precompiled: whether Warp's headers are precompiled for the next texts of this process.
        folder: where NVRTC keeps them; by default a temporary folder of this thread. NVRTC removes them when the process ends,
            and no other process can use them.

    Examples:
        >>> "--fmad=false" in warp_options(fuse=False, precompiled=False)
        True
    """
    options = (*_FLAGS, f"--fmad={'true' if fuse else 'false'}", f"-I{_native()}")
    if not precompiled:
        return options
    return (*options, "--pch", f"--pch-dir={folder or _precompiled(os.getpid(), threading.get_ident())}")


@cache
def _native() -> Path:
    """Return the folder of Warp's headers, without loading Warp."""
    spec = importlib.util.find_spec("warp")
    if spec is None or not spec.submodule_search_locations:
        raise WarpsmithError("Warp's headers are not installed: install warp-lang")
    return Path(spec.submodule_search_locations[0]) / "native"


@cache
def _precompiled(process: int, _thread: int) -> Path:
    """Make the folder of one thread: NVRTC gives files of different threads the same names."""
    folder = Path(tempfile.mkdtemp(prefix="warpsmith-precompiled-"))
    atexit.register(_remove, folder, process)
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a forked child inherits the handlers of its parent
        shutil.rmtree(folder, ignore_errors=True)
