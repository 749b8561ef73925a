"""The decorators that a pair's Python may use, and their options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.allowlist.members import DECORATORS, dotted

_OF_A_FUNCTION = {"func_grad", "func_replay"}
"""Decorators whose argument is a function."""

_TEXT = re.compile(r"[\w.-]*", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def runs_on_device(node: ast.FunctionDef) -> bool:
    """Return whether a decorator of Warp makes a function device code, whose body Python does not run."""
    return any(_warp_decorator(decorator) in DECORATORS for decorator in node.decorator_list)


def decorator_violations(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield the decorators that are not Warp's, and options that are not literals."""
    for decorator in node.decorator_list:
        member = _warp_decorator(decorator)
        if member not in DECORATORS or (member == "struct") != isinstance(node, ast.ClassDef):
            yield f"line {decorator.lineno}: decorator {ast.unparse(decorator)[:40]}"
        elif isinstance(decorator, ast.Call):
            options = [("", value) for value in decorator.args]
            options += [(keyword.arg or "**", keyword.value) for keyword in decorator.keywords]
            for name, value in options:
                if not _is_option(member, name, value):
                    yield f"line {decorator.lineno}: option {name or ast.unparse(value)[:40]} of {member}"


def _warp_decorator(decorator: ast.expr) -> str:
    """Return ``kernel`` for ``wp.kernel`` and ``wp.kernel(…)``; an empty string for other decorators."""
    root, _, member = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).partition(".")
    return member if root in ("wp", "warp") else ""


def _is_option(member: str, name: str, value: ast.expr) -> bool:
    if member == "func_native":
        return name != "**" and (isinstance(value, ast.Name) or (isinstance(value, ast.Constant) and name != "name"))
    if member in _OF_A_FUNCTION:
        return name != "**" and bool(dotted(value)) and dotted(value).count(".") <= 1
    if name in ("", "**"):
        return False
    if name == "name":
        return isinstance(value, ast.Constant) and isinstance(value.value, str) and bool(_IDENTIFIER.fullmatch(value.value))
    return all(_is_literal(part) for part in walk(value))


def _is_literal(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str) or bool(_TEXT.fullmatch(node.value))
    return isinstance(node, ast.Tuple | ast.List | ast.Dict | ast.UnaryOp | ast.unaryop | ast.expr_context)
