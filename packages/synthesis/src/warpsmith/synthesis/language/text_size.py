"""Estimates of the size of generated code, from the Python text: one operation is about 220 bytes of CUDA text.

Measured on 30,000 kernels of all categories, forward and adjoint: 80% have 185 to 250 bytes per operation, and 98% of the
kernels with more than 30 KB have 195 to 295 (``tests/synthesis/language/test_text_size.py`` repeats the measurement).
"""

from __future__ import annotations

import ast
import re
import textwrap
from functools import cache

from warpsmith.extraction.warp import registries

MAX_OPERATIONS = 560
"""The maximum number of operations, about 105 KB of text; one real kernel in ten is longer."""

MAX_OPERATIONS_LARGE = 2000
"""The maximum for the complexity ``large``, which covers the longest real kernels."""

_MAX_UNROLL = 16
"""Warp's ``max_unroll``: a loop with more iterations is not unrolled."""

_OPERATION = re.compile(r"\w[(\[]|[-+*/%&|^<>=]+|wp\.(?:quat|transform|spatial|mat|tile)")
_UNROLLED = re.compile(r"^ *for [\w$]+ in range\((?:(-?\w+), )?(\w+)\):", re.MULTILINE)
_CONSTANT = re.compile(r"^(\w+) = (?:wp\.constant\()?(-?\d+)\)?$", re.MULTILINE)
_BUILTIN = re.compile(r"\bwp\.(\w+)\(")


def is_too_long(source: str, tail: bool) -> bool:
    """Return whether a kernel's file is too long for a dataset; ``tail`` allows kernels as long as the longest real ones."""
    library = sum(map(_count_library_operations, set(_BUILTIN.findall(source))))
    return count_operations(source) + library > (MAX_OPERATIONS_LARGE if tail else MAX_OPERATIONS)


def count_operations(text: str) -> int:
    """Count the operations of Python text; loops that Warp unrolls count as often as they run."""
    if not _UNROLLED.search(text):
        return len(text.splitlines()) + len(_OPERATION.findall(text))
    total, loops = 0, [(-1, 1)]
    constants = {name: int(value) for name, value in _CONSTANT.findall(text)}
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        while len(loops) > 1 and loops[-1][0] >= indent:
            loops.pop()
        total += loops[-1][1] * (1 + len(_OPERATION.findall(line)))
        if loop := _UNROLLED.match(line):
            loops.append((indent, loops[-1][1] * _count_trips(loop[1] or "0", loop[2], constants)))
    return total


def _count_trips(first: str, end: str, constants: dict[str, int]) -> int:
    """Return how often Warp repeats the body of a loop in the text: once unless both limits are known and few lie between."""
    low, high = (int(limit) if limit.lstrip("-").isdigit() else constants.get(limit) for limit in (first, end))
    trips = high - low if low is not None and high is not None else 0
    return trips if 0 < trips <= _MAX_UNROLL else 1


@cache
def _count_library_operations(key: str) -> int:
    """Count the operations of a Warp function that is written in Python; each kernel that calls it contains it once."""
    source = textwrap.dedent(registries.python_source(key))
    return sum(count_operations(ast.unparse(_without_docstring(node))) for node in ast.parse(source).body)


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
        node.body = node.body[1:]
    return node
