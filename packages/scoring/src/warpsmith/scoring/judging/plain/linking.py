"""Objects of plain CUDA in the process that runs them: compiled texts, and the driver of their launches."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

from warpsmith.core.records.text_format import DEFAULT_BLOCK
from warpsmith.extraction.warp import compilers, runtime
from warpsmith.scoring.plain.plain_unit import ENTRY, NATIVE

_numbers = itertools.count()


@cache
def driver() -> int:
    """Return the address of the driver, which is compiled and loaded when it is first needed, in the working folder.

    Raises:
        OSError: if it cannot be compiled.
    """
    runtime.start_runtime()
    result = Path.cwd() / "driver.o"
    if not compilers.compile_cpp('#include "driver.h"\n', result, NATIVE, DEFAULT_BLOCK):
        raise OSError("the driver of plain launches does not compile")
    return load(result, "warpsmith_drive")


def load(path: Path, symbol: str = ENTRY) -> int:
    """Link an object into this process, remove its file, and return the address of a symbol, by default its entry point.

    Raises:
        OSError: if it calls a function that does not exist.
    """
    handle = f"warpsmith_plain_{next(_numbers)}"
    runtime.load_object(path, handle)
    path.unlink()
    if address := runtime.look_up(handle, symbol):
        return address
    raise OSError(f"{path.name} has no entry point")
