"""Level 4: the text compiles, CUDA with Warp's own NVRTC and C++ with Warp's own clang, as Warp itself would call them."""

from __future__ import annotations

import os
from pathlib import Path

from warpsmith.extraction.jsonl import Line
from warpsmith.extraction.record import TARGETS
from warpsmith.validation.verdict import PASS, Finding, fail, skipped


def check(line: Line, scratch: Path) -> Finding:
    """Compile preamble, forward and backward as one file."""
    import warp as wp

    from warpsmith.extraction import warp_internals
    from warpsmith.extraction.split import Code, join

    pair = line.pair
    if pair is None:
        return skipped("not a record")
    if pair.metadata.warp_version != wp.__version__:
        return skipped(f"made with Warp {pair.metadata.warp_version}, installed is {wp.__version__}")
    warp_internals.start_runtime()
    for target in TARGETS[pair.metadata.device]:
        forward, backward = pair.code(target)
        body = join(Code(pair.metadata.kernel_name, forward or "", backward), target)
        options = {"block_dim": 256, **pair.metadata.module_options}
        log = _Log(scratch)
        with log:
            compiled = warp_internals.compile_text(target, warp_internals.preamble(target, body, options) + body, scratch)
        if not compiled:
            return fail(f"{target}: {log.first_error()}")
    return PASS


class _Log:
    """Catches what native compilers print on the standard streams of the process."""

    def __init__(self, scratch: Path) -> None:
        self._path = scratch / "compiler.log"
        self._saved: list[int] = []

    def __enter__(self) -> None:
        self._saved = [os.dup(1), os.dup(2)]
        with self._path.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)

    def __exit__(self, *_: object) -> None:
        for descriptor, saved in zip((1, 2), self._saved, strict=True):
            os.dup2(saved, descriptor)
            os.close(saved)

    def first_error(self) -> str:
        """The first line that speaks of an error."""
        lines = self._path.read_text(errors="replace").splitlines()
        return next((line.strip()[:300] for line in lines if "error:" in line), "the compiler gave no message")
