"""Detect files whose loading runs nothing but declarations of Warp: only such files may share a fork, see `kernel_loader`.

The list is much shorter than that of `sandbox.allowlist`: most generated kernels are plain, many real ones are not.
"""

from __future__ import annotations

import ast

from warpsmith.core.records.python_source import NotPythonError, parse_python

_IMPORTS = ("import warp as wp", "from typing import Any", "import typing")
_FUNCTIONS = ("wp.kernel", "wp.func")


def is_plain(source: str) -> bool:
    """Return whether loading ``source`` declares structs of Warp, functions of Warp and numbers, and does nothing else."""
    try:
        tree = parse_python(source)
    except NotPythonError:
        return False
    static = any(isinstance(node, ast.Attribute) and (node.attr == "static" or "__" in node.attr) for node in ast.walk(tree))
    return not static and all(map(_is_plain, tree.body))


def _is_plain(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return ast.unparse(node) in _IMPORTS
        case ast.Expr(ast.Constant()):
            return True
        case ast.Assign([ast.Name()], value):
            return _is_number(value)
        case ast.ClassDef(_, [], [], body, [decorator]):
            return ast.unparse(decorator) == "wp.struct" and all(map(_is_member, body))
        case ast.FunctionDef():
            return _is_function(node)
    return False


def _is_member(node: ast.stmt) -> bool:
    match node:
        case ast.AnnAssign(ast.Name(), annotation, None):
            return _is_type(annotation)
        case ast.Expr(ast.Constant()):
            return True
    return False


def _is_function(node: ast.FunctionDef) -> bool:
    arguments = node.args
    if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults:
        return False
    if len(node.decorator_list) != 1 or ast.unparse(node.decorator_list[0]) not in _FUNCTIONS:
        return False
    nested = any(
        isinstance(inner, ast.FunctionDef | ast.ClassDef | ast.Lambda) for child in node.body for inner in ast.walk(child)
    )
    annotations = [*(argument.annotation for argument in arguments.args), node.returns]
    return not nested and all(annotation is None or _is_type(annotation) for annotation in annotations)


def _is_type(node: ast.expr) -> bool:
    """Return whether an annotation is a name, a member of Warp, or an array of these."""
    match node:
        case ast.Name() | ast.Attribute(ast.Name("wp")) | ast.Constant(None):
            return True
        case ast.Call(ast.Attribute(ast.Name("wp")), [], keywords):
            return all(isinstance(keyword.value, ast.Constant) or _is_type(keyword.value) for keyword in keywords)
        case ast.Subscript(ast.Attribute(ast.Name("wp")), ast.Name() | ast.Attribute(ast.Name("wp"))):
            return True
    return False


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(int() | float()) | ast.UnaryOp(ast.USub(), ast.Constant(int() | float())):
            return True
        case ast.Call(ast.Attribute(ast.Name("wp"), "constant"), [value], []):
            return _is_number(value)
    return False
