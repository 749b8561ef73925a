"""Detect files whose loading runs nothing but declarations of Warp: only such files may share a fork, see `kernel_loader`.

The list is much shorter than that of `sandbox.allowlist`: most generated kernels are plain, many real ones are not.
"""

from __future__ import annotations

import ast
import re

from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.records.syntax_walks import walk

_IMPORTS = ("import warp as wp", "from typing import Any", "import typing", "from enum import IntEnum")
_DECORATORS = ("wp.kernel", "wp.func")
_NUMBERS = re.compile(r"constant|bool|float\d\d|u?int\d+|(?:vec|mat|quat|transform|spatial_vector|spatial_matrix)\w*")
"""The functions of Warp that make numbers, vectors and matrices of numbers."""

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
"""Operators that take no time; powers and shifts make long integers."""


def is_plain(source: str) -> bool:
    """Return whether ``source`` declares structs, functions, numbers and enumerations, and its loading does nothing else."""
    try:
        tree = parse_python(source)
    except NotPythonError:
        return False
    nodes = walk(tree)
    hidden = any(isinstance(node, ast.Attribute) and "__" in node.attr for node in nodes)
    static = sum(isinstance(node, ast.Attribute) and node.attr == "static" for node in nodes)
    return not hidden and static == sum(map(_is_static_number, nodes)) and all(map(_is_plain, tree.body))


def _is_plain(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return ast.unparse(node) in _IMPORTS
        case ast.Expr(ast.Constant()):
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("wp"), "overload"), [ast.Name(), types], [])):
            return _are_types(types)
        case ast.Assign([ast.Name()], value):
            return _is_number(value)
        case ast.ClassDef(_, [], [], body, [decorator]):
            return ast.unparse(decorator) == "wp.struct" and all(map(_is_member, body))
        case ast.ClassDef(_, [ast.Name("IntEnum")], [], body, []):
            return all(map(_is_enumerator, body))
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


def _is_enumerator(node: ast.stmt) -> bool:
    match node:
        case ast.Assign([ast.Name(name)], ast.Constant(int()) | ast.UnaryOp(ast.USub(), ast.Constant(int()))):
            return not name.startswith("_")
        case ast.Expr(ast.Constant()):
            return True
    return False


def _is_function(node: ast.FunctionDef) -> bool:
    arguments = node.args
    if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults:
        return False
    if len(node.decorator_list) != 1 or not _is_decorator(node.decorator_list[0]):
        return False
    nested = any(isinstance(inner, ast.FunctionDef | ast.ClassDef | ast.Lambda) for child in node.body for inner in walk(child))
    annotations = [*(argument.annotation for argument in arguments.args), node.returns]
    return not nested and all(annotation is None or _is_type(annotation) for annotation in annotations)


def _is_decorator(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Attribute(ast.Name("wp"), "kernel"), [], keywords):
            return all(isinstance(keyword.value, ast.Constant) for keyword in keywords)
    return ast.unparse(node) in _DECORATORS


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


def _are_types(node: ast.expr) -> bool:
    """Return whether a list, or the values of a dictionary, are types."""
    match node:
        case ast.List(types):
            return all(map(_is_type, types))
        case ast.Dict(keys, types):
            return all(isinstance(key, ast.Constant) for key in keys) and all(map(_is_type, types))
    return False


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(int() | float()) | ast.UnaryOp(ast.USub(), ast.Constant(int() | float())):
            return True
        case ast.Call(ast.Attribute(ast.Name("wp"), name), values, []):
            return _NUMBERS.fullmatch(name) is not None and all(map(_is_number, values))
    return False


def _is_static_number(node: ast.AST) -> bool:
    """Return whether a node is a call of ``wp.static`` with arithmetic of numbers."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("wp"), "static"), [value], []):
            return _is_arithmetic(value)
    return False


def _is_arithmetic(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Attribute(ast.Name()):
            return True
        case ast.BinOp(left, operator, right):
            return isinstance(operator, _ARITHMETIC) and _is_arithmetic(left) and _is_arithmetic(right)
        case ast.UnaryOp(ast.USub(), operand):
            return _is_arithmetic(operand)
    return _is_number(node)
