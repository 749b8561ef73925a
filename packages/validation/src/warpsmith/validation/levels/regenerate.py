"""Level 3: Warp generates the same text from the pair's Python, byte for byte."""

from __future__ import annotations

from pathlib import Path

from warpsmith.extraction.jsonl import Line
from warpsmith.validation.verdict import PASS, Finding, fail, skipped


def check(line: Line, _: Path) -> Finding:
    """Load the Python, generate, compare. Runs the pair's code: only inside a limited child."""
    import warp as wp

    from warpsmith.extraction.errors import KernelRejected
    from warpsmith.extraction.extract import extract_ir
    from warpsmith.extraction.loading import loaded_kernel

    pair = line.pair
    if pair is None:
        return skipped("not a record")
    metadata = pair.metadata
    if metadata.warp_version != wp.__version__:
        return skipped(f"made with Warp {metadata.warp_version}, installed is {wp.__version__}")
    try:
        with loaded_kernel(pair.python_source, metadata.kernel_name, metadata.module_options) as kernel:
            ir = extract_ir(kernel, metadata.device, metadata.has_backward)
    except KernelRejected as error:
        return fail(str(error))
    for target, code in ir.codes.items():
        for direction, written, ours in zip(
            ("forward", "backward"), pair.code(target), (code.forward_code, code.backward_code), strict=True
        ):
            if written != ours:
                return fail(f"{target} {direction} differs from what Warp generates, {_where(written or '', ours or '')}")
    return PASS


def _where(written: str, generated: str) -> str:
    for number, (left, right) in enumerate(zip(written.splitlines(), generated.splitlines(), strict=False), start=1):
        if left != right:
            return f"first in line {number}: {left.strip()[:80]!r} instead of {right.strip()[:80]!r}"
    return f"{len(written)} characters instead of {len(generated)}"
