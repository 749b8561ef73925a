"""Level 4: the text compiles, CUDA with a real CUDA compiler and C++ with Warp's own clang."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.common import unsupported
from warpsmith.validation.levels.context import BatchContext, place, standing
from warpsmith.validation.levels.finding import PASS, Finding, fail

BINARY_SHARE = 512
"""One of so many pairs is compiled down to binaries, too."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compile preamble, forward and backward of all pairs in few units."""
    from warpsmith.validation.compiling import nvrtc
    from warpsmith.validation.compiling.batch import first_error

    problems = {place(line): f"cuda: {error}" for line, error in _cuda_errors(lines, context)}
    for line, part in standing(lines, context, "cuda"):
        if place(line) in problems or unsupported(line) or not sampled(line.identity):
            continue
        for arch in nvrtc.BINARY_ARCHS:
            if (log := nvrtc.check_binary(part, arch, context.scratch)) is not None:
                problems[place(line)] = f"cuda, binary for sm_{arch}: {first_error(log)}"
    parts = [(line, part) for line, part in standing(lines, context, "cpu") if not unsupported(line)]
    built = context.library("cpp", [part for _, part in parts])
    for line, part in parts:
        if part.key in built[part.key].errors:
            problems.setdefault(place(line), f"cpu: {built[part.key].errors[part.key]}")
    return [unsupported(line) or (fail(problems[place(line)]) if place(line) in problems else PASS) for line in lines]


def sampled(identity: str) -> bool:
    """Whether a pair is one of those that are compiled down to binaries."""
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:4], "little") % BINARY_SHARE == 0


def _cuda_errors(lines: Sequence[Line], context: BatchContext) -> list[tuple[Line, str]]:
    from warpsmith.validation.compiling import nvrtc

    parts = [(line, part) for line, part in standing(lines, context, "cuda") if not unsupported(line)]
    errors: dict[str, str] = {}
    for options in sorted({repr(part.options) for _, part in parts}):
        alike = [part for _, part in parts if repr(part.options) == options]
        errors |= nvrtc.check_parts(alike, context.scratch)
    return [(line, errors[part.key]) for line, part in parts if part.key in errors]
