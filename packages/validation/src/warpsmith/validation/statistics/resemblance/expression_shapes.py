"""Skeletons of functions: their statements with the shapes of their expressions.

The shape of an expression is the tree of its node types and operators. Names of Warp and of Python stay, every other name is
``_``, and a constant is its type. Parameters, annotations and the docstring are not part of a skeleton.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence

from warpsmith.validation.statistics.resemblance.identifiers import PYTHON_NAMES, is_warp


def function_skeleton(statements: Sequence[ast.stmt]) -> str:
    """Return the skeleton of a function with this body.

    Examples:
        >>> function_skeleton(ast.parse("return wp.sqrt(x * 2.0)").body)
        'Return(Call(wp.sqrt;BinOp(_;Mult;float)))'
    """
    return ";".join(map(_shape, statements))


def _shape(node: ast.AST) -> str:
    match node:
        case ast.Name(name):
            return name if name in PYTHON_NAMES else "_"
        case ast.Constant(value):
            return type(value).__name__
        case ast.Attribute(value, name) if is_warp(value):
            return f"wp.{name}"
    inner = [_shape(child) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
    return type(node).__name__ + (f"({';'.join(inner)})" if inner else "")


def skeleton_digest(statements: Sequence[ast.stmt]) -> str:
    """Return a short hash of the skeleton of a function."""
    return hashlib.blake2b(function_skeleton(statements).encode(), digest_size=6).hexdigest()
