"""Statement skeletons: the kinds of a kernel's statements in order and with their nesting, without names and expressions."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence

from warpsmith.validation.statistics.realism_types import SkeletonsSummary

TOP = 10
"""How many of the most frequent skeletons `top_share` adds up."""


def skeleton(function: ast.FunctionDef) -> str:
    r"""Return the skeleton of a function; its docstring is no statement of it.

    Examples:
        >>> skeleton(ast.parse("def f(x):\n  if x:\n    return\n  else:\n    x += 1").body[0])
        'If(Return|AugAssign)'
    """
    return _sequence(function.body[has_docstring(function) :])


def has_docstring(function: ast.FunctionDef) -> bool:
    """Return whether the first statement is a docstring."""
    return ast.get_docstring(function, clean=False) is not None


def _sequence(statements: Sequence[ast.stmt]) -> str:
    return ";".join(map(_kind, statements))


def _kind(statement: ast.stmt) -> str:
    blocks = [_sequence(block) for name in ("body", "orelse") if (block := getattr(statement, name, []))]
    return type(statement).__name__ + (f"({'|'.join(blocks)})" if blocks else "")


def digest(text: str) -> str:
    """Return a short hash of a skeleton."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def summarize(counts: Mapping[str, int]) -> SkeletonsSummary:
    """Return how many skeletons are distinct, and the share of kernels that have one of the ten most frequent ones."""
    kernels = max(sum(counts.values()), 1)
    top = sum(sorted(counts.values(), reverse=True)[:TOP])
    return {
        "distinct": len(counts),
        "distinct_share": round(len(counts) / kernels, 6),
        "top_share": round(top / kernels, 6),
    }
