"""Modules of PTX that tests write by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from warpsmith.simt import Check, Module, Run

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"

REGISTERS = """
    .reg .pred %p<16>;
    .reg .b16 %h<16>;
    .reg .b32 %r<64>;
    .reg .b64 %rd<64>;
    .reg .f32 %f<16>;
    .reg .f64 %fd<16>;
"""

THREAD = """
    ld.param.u64 %rd0, [out];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd2, %rd0, %rd1;
"""
"""Code that every kernel begins with: %rd0 is the array, %r0 the thread, %rd2 the address of its element of 4 bytes."""


def kernel(body: str, declarations: str = "", parameters: str = ".param .u64 out") -> str:
    """Return a module with the kernel ``k``, whose parameter ``out`` is an array."""
    start = THREAD if parameters.startswith(".param .u64 out") else ""
    return f"{HEAD}{declarations}\n.visible .entry k({parameters})\n{{{REGISTERS}{start}{body}\n    ret;\n}}\n"


def line_of(text: str, part: str) -> int:
    """Return the number of the first line that contains a part."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def run(
    text: str, threads: Any = 32, arguments: Sequence[Any] | None = None, grid: Any = 1, limit: int = 200_000, **options: Any
) -> Run:
    """Launch the kernel ``k``; its argument is an array of 64 numbers of 32 bits, unless others are named."""
    arguments = [np.zeros(64, np.uint32)] if arguments is None else arguments
    return Module(text).launch("k", grid, threads, arguments, limit=limit, **options)


def output(text: str, threads: Any = 32, **options: Any) -> Any:
    """Return the array after a launch without findings."""
    result = run(text, threads, **options)
    assert result.findings == (), result.findings
    assert result.completed
    return result.arrays[0]


def kinds(text: str, threads: Any = 32, **options: Any) -> list[str]:
    """Return the kinds of the findings of a launch."""
    return [finding.kind for finding in run(text, threads, **options).findings]


NO_RACES = Check.ALL & ~(Check.SHARED_RACES | Check.GLOBAL_RACES)
