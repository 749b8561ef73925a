"""An allow list for a candidate's Python: one kernel, loaded without running anything else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from warpsmith.scoring.policy.violation import Violation
from warpsmith.validation.allowlist.kernel_file import source_violation

MAX_LENGTH = 200_000
"""The longest text, in characters."""

_NOT_FOR_CANDIDATES = frozenset(("func_native", "static"))
"""Members of Warp that put other text in the place of what the file shows; ``wp.static`` of arithmetic shows what it puts."""

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.UAdd, ast.USub)


def check_python(text: str, entry_point: str) -> None:
    """Check that a text is a Python file with one kernel and nothing that runs when the file is loaded.

    Args:
        text: the candidate's text.
        entry_point: the name of the kernel.

    Raises:
        Violation: the text contains something else.
    """
    if len(text) > MAX_LENGTH:
        raise Violation(f"line 1: the text has {len(text):,} characters, more than {MAX_LENGTH:,}")
    tree = _parse(text)
    if (reason := next(_violations(tree), None)) is not None:
        raise Violation(reason)
    try:
        violation = source_violation(text, tree)
    except RecursionError:
        raise Violation.at(1, "expressions are nested too deeply") from None
    if violation is not None:
        raise Violation(f"{violation} is not allowed")
    _check_kernels(tree, entry_point)


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise Violation.at(error.lineno or 1, f"{error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Violation.at(1, f"the text cannot be parsed: {type(error).__name__}") from None


def _violations(tree: ast.Module) -> Iterator[str]:
    shown = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_static_arithmetic(node)}
    for node in ast.walk(tree):
        if id(node) in shown:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in tree.body:
            yield f"line {node.lineno}: an import inside a function is not allowed"
        if isinstance(node, ast.Attribute) and node.attr in _NOT_FOR_CANDIDATES:
            yield f"line {node.lineno}: the name '{node.attr}' is not allowed"
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in _NOT_FOR_CANDIDATES:
                    yield f"line {node.lineno}: the name '{alias.name}' is not allowed"


def _is_static_arithmetic(call: ast.Call) -> bool:
    """Return whether a call is ``wp.static`` of arithmetic on numbers and constants of the file or of Warp."""
    match call:
        case ast.Call(ast.Attribute(ast.Name("wp"), "static"), [value], []):
            return _is_arithmetic(value)
    return False


def _is_arithmetic(value: ast.expr) -> bool:
    match value:
        case ast.Constant(int() | float()) | ast.Name():
            return True
        case ast.Attribute(ast.Name("wp"), "pi" | "PI" | "tau" | "TAU" | "inf" | "INF"):
            return True
        case ast.BinOp(ast.Constant(float()), ast.Pow(), exponent):  # the power of an integer may have any length
            return _is_arithmetic(exponent)
        case ast.BinOp(left, operator, right):
            return isinstance(operator, _ARITHMETIC) and _is_arithmetic(left) and _is_arithmetic(right)
        case ast.UnaryOp(operator, operand):
            return isinstance(operator, _ARITHMETIC) and _is_arithmetic(operand)
        case ast.Call(ast.Name("float" | "int"), [argument], []):
            return _is_arithmetic(argument)
    return False


def _check_kernels(tree: ast.Module, entry_point: str) -> None:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    kernels = [function for function in functions if any(map(_is_kernel, function.decorator_list))]
    if len(kernels) != 1:
        line = kernels[1].lineno if kernels else 1
        raise Violation.at(line, f"the file has {len(kernels)} kernels, not one")
    if kernels[0] not in tree.body:
        raise Violation.at(kernels[0].lineno, "the kernel must not be inside another function")
    if kernels[0].name != entry_point:
        raise Violation.at(kernels[0].lineno, f"the kernel is called '{kernels[0].name[:60]}', not '{entry_point}'")
    bindings = [node for node in ast.walk(tree) if _binds(node, entry_point)]
    if len(bindings) != 1:
        raise Violation.at(getattr(bindings[-1], "lineno", 1), f"another meaning for '{entry_point}' is not allowed")


def _is_kernel(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (isinstance(function, ast.Attribute) and function.attr == "kernel") or (
        isinstance(function, ast.Name) and function.id == "kernel"
    )


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.FunctionDef(name=bound) | ast.ClassDef(name=bound):
            return bound == name
        case ast.Name(id=bound, ctx=ast.Store()):
            return bound == name
        case ast.alias(name=original, asname=alias):
            return (alias or original) == name
    return False
