"""Generates the code of pairs whose Python was edited; that Python is loaded in forks of a sandboxed worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.records.text_format import linked_functions
from warpsmith.validation.allowlist.kernel_file import source_violation
from warpsmith.validation.running.kernel_loader import Source, extract_in_fork


class RebuiltPairs(TypedDict):
    """The answer of a worker: each pair with newly generated code as a line of JSON, or None if Warp generates none."""

    pairs: list[str | None]


def rebuild(lines: Sequence[Line]) -> RebuiltPairs:
    """Return each pair with newly generated code; for sandboxed workers."""
    return {"pairs": [_rebuilt(line.pair) for line in lines]}


def _rebuilt(pair: Pair | None) -> str | None:
    if pair is None or not _is_safe(pair.python_source):
        return None
    metadata = pair.metadata
    try:
        source = Source(
            pair.python_source,
            metadata.kernel_name,
            metadata.module_options,
            metadata.device,
            metadata.requested_backward,
            linked_functions(pair.cuda_ir_forward),
        )
        ir = extract_in_fork(source)
    except KernelRejected:
        return None
    return encode(pair.with_code(ir)).decode()


def _is_safe(source: str) -> bool:
    try:
        return source_violation(source, parse_python(source)) is None
    except NotPythonError:
        return False
