"""New generated text for pairs whose Python was edited. It loads that Python: for limited children only."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from warpsmith.extraction.errors import KernelRejected
from warpsmith.extraction.jsonl import Line, encode
from warpsmith.extraction.record import TARGETS, Pair
from warpsmith.validation.allowed import complaint


def remake(lines: Sequence[Line]) -> dict[str, Any]:
    """Return each pair with what Warp generates for its Python, as a line of JSON, or null where there is no such text."""
    return {"pairs": [_remade(line.pair) for line in lines]}


def _remade(pair: Pair | None) -> str | None:
    from warpsmith.extraction.extract import extract_ir  # noqa: PLC0415 - parents read this file, and do without Warp
    from warpsmith.extraction.loading import loaded_kernel  # noqa: PLC0415

    if pair is None or not _is_safe(pair.python_source):
        return None
    metadata = pair.metadata
    try:
        with loaded_kernel(pair.python_source, metadata.kernel_name, metadata.module_options) as kernel:
            ir = extract_ir(kernel, metadata.device, metadata.has_backward)
    except KernelRejected:
        return None
    texts: dict[str, str | None] = {}
    for target, forward, backward in (
        ("cpu", "cpp_forward", "cpp_backward"),
        ("cuda", "cuda_ir_forward", "cuda_ir_backward"),
    ):
        there = target in TARGETS[metadata.device]
        texts[forward] = ir.codes[target].forward_code if there else None
        texts[backward] = ir.codes[target].backward_code if there else None
    return encode(replace(pair, **texts)).decode()


def _is_safe(source: str) -> bool:
    try:
        return complaint(ast.parse(source)) is None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
