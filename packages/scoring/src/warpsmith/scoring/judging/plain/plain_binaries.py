"""The part of the scorer inside a sandboxed worker that compiles plain CUDA texts for a device."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import msgspec

from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.plain.plain_compiling import Target, compile_texts, kernel_in_binary
from warpsmith.scoring.judging.speed_messages import BinaryText, CompiledBinary, SpeedReply
from warpsmith.scoring.judging.worker_messages import Rejection


def compile_plain(_: Sequence[Line], *, texts: Sequence[object]) -> SpeedReply:
    """Compile texts.

    Args:
        texts: `BinaryText` as JSON, at least one, all for one architecture.

    Returns:
        For each text its rejection or its binary.
    """
    asked = msgspec.convert(texts, list[BinaryText])
    compiled = compile_texts([text.text for text in asked], Target(asked[0].arch, is_binary=True, fuse=True))
    return {"texts": [_named(text, code) for text, code in zip(asked, compiled, strict=True)]}


def _named(text: BinaryText, code: bytes | Rejection) -> CompiledBinary | Rejection:
    if isinstance(code, Rejection):
        return code
    found = kernel_in_binary(text.signature, code)
    return found if isinstance(found, Rejection) else CompiledBinary(base64.b64encode(code).decode(), found[0])
