"""How much code Warp will write for a kernel, told from its Python in a moment: one operation is some 220 bytes of CUDA text.

Measured on 30,000 kernels of all categories, forward and adjoint: eight in ten have 185 to 250 bytes an operation, and of those
with more than 30 KB 98 in a hundred 195 to 295 (``tests/synthesis/language/test_text_size.py`` measures again).
"""

from __future__ import annotations

import ast
import re
import textwrap
from functools import cache

from warpsmith.extraction.warp import registry
from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.walk import statements

MOST = 420
"""Operations of the longest kernel, about 105 KB of text; one real kernel in ten is longer still."""

TAIL = 2000
"""The same where real code's tail is asked for."""

_UNROLLS = 16
"""Warp's ``max_unroll``: a loop that runs more often stays one."""

_OPERATION = re.compile(r"\w[(\[]|[-+*/%&|^<>=]+|wp\.(?:quat|transform|spatial|mat|tile)")
_UNROLLED = re.compile(r" *for [\w$]+ in range\((?:(-?\d+), )?(\d+)\):")
_BUILTIN = re.compile(r"\bwp\.(\w+)\(")


def is_too_long(source: str, tail: bool) -> bool:
    """Whether the file of a kernel is beyond what a dataset should hold; ``tail`` lets kernels become as long as real ones."""
    library = sum(map(_of_library_function, set(_BUILTIN.findall(source))))
    return count_operations(source) + library > (TAIL if tail else MOST)


def count_skeleton_operations(skeleton: Kernel) -> int:
    """The operations of a skeleton without the grammar's steps and without what Warp's library adds."""
    body = [item for item in statements(skeleton.body) if not isinstance(item, Steps)]
    texts = [*skeleton.preface, *(item.text for item in body if isinstance(item, TemplateStatement))]
    return sum(map(count_operations, texts)) + len(skeleton.params) + 3 * len(body)


def count_operations(text: str) -> int:
    """The operations of Python text: loops of known length count as often as they run, if Warp unrolls them."""
    total, loops = 0, [(-1, 1)]
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        while len(loops) > 1 and loops[-1][0] >= indent:
            loops.pop()
        total += loops[-1][1] * (1 + len(_OPERATION.findall(line)))
        if found := _UNROLLED.match(line):
            turns = int(found[2]) - int(found[1] or 0)
            loops.append((indent, loops[-1][1] * (turns if 0 < turns <= _UNROLLS else 1)))
    return total


@cache
def _of_library_function(key: str) -> int:
    """The operations of a function of Warp that is Python itself: it stands once in each kernel that calls it."""
    source = textwrap.dedent(registry.python_source(key))
    return sum(count_operations(ast.unparse(_without_docstring(node))) for node in ast.parse(source).body)


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
        node.body = node.body[1:]
    return node
