"""Conditional statements of a kernel's Python as CUDA."""

from __future__ import annotations

import ast

from warpsmith.scoring.cuda_writer.block_writer import BlockWriter
from warpsmith.scoring.cuda_writer.builtins.number_calls import choice
from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.validation.oracle.values.value_types import Type

_SHORT = 80
"""The most characters of a conditional expression that takes the place of two branches."""

_JUMPS = (ast.Return, ast.Break, ast.Continue)


def write_if(statements: BlockWriter, node: ast.If) -> None:
    """Write a conditional statement."""
    end = statements.end
    statements.header_remark(node)
    if not _chosen(statements, node):
        _branches(statements, node, end, "")


def _chosen(statements: BlockWriter, node: ast.If) -> bool:
    """Write a variable that gets its first value in both branches as a conditional expression, if this is short."""
    scope = statements.scope
    match node.body, node.orelse:
        case [ast.Assign([ast.Name(name)], first)], [ast.Assign([ast.Name(other)], second)] if name == other:
            pass
        case _:
            return False
    comments = scope.unit.comments
    has_comment = comments.alone(node.lineno, node.end_lineno or 0) or comments.behind(node.lineno, node.end_lineno or 0)
    if scope.placement.before.get(id(node)) != [name] or (id(node), name) not in scope.placement.unset or has_comment:
        return False
    if not scope.lines or scope.lines[-1].declares is not scope.variable(name):
        return False
    test, then, otherwise = (statements.expressions.code(part) for part in (node.test, first, second))
    if then.kind != otherwise.kind or not isinstance(then.kind, Type):
        return False
    value = choice(test, then, otherwise).text
    constant = "const " if scope.unit.idioms.const_locals and scope.placement.stores.get(name) == 2 else ""
    text = f"{constant}{scope.unit.name_of_type(then.kind)} {scope.variable(name).name} = {value};"
    if len(text) > _SHORT:
        return False
    scope.lines.pop()
    scope.emit(text)
    scope.variable(name).kind = then.kind
    return True


def _branches(statements: BlockWriter, node: ast.If, end: int, opening: str) -> None:
    test = statements.expressions.test(node.test)
    body_end = node.orelse[0].lineno - 1 if node.orelse else end
    if not node.orelse and not opening and _is_short(statements, node):
        _short(statements, node, test)
        return
    statements.scope.emit(f"{opening}if ({test.text}) {{")
    statements.inner(node.body, body_end)
    match node.orelse:
        case []:
            statements.scope.emit("}")
        case [ast.If() as other] if not statements.scope.placement.before.get(id(other)):
            _branches(statements, other, end, "} else ")
        case orelse:
            statements.scope.emit("} else {")
            statements.inner(orelse, end)
            statements.scope.emit("}")


def _is_short(statements: BlockWriter, node: ast.If) -> bool:
    comments = statements.scope.unit.comments
    last = node.end_lineno or node.lineno
    has_comment = comments.alone(node.lineno, last) or comments.behind(node.body[0].lineno, last)
    simple = isinstance(node.body[0], (*_JUMPS, ast.Assign, ast.AugAssign))
    return len(node.body) == 1 and simple and not statements.scope.unit.idioms.braces and not has_comment


def _short(statements: BlockWriter, node: ast.If, test: Code) -> None:
    count = len(statements.scope.lines)
    statements.inner(node.body, node.end_lineno or node.lineno)
    lines = statements.scope.lines[count:]
    del statements.scope.lines[count:]
    if len(lines) == 1 and lines[0].declares is None:
        if isinstance(node.body[0], _JUMPS) and len(lines[0].text) + len(test.text) < 80:
            statements.scope.emit(f"if ({test.text}) {lines[0].text}")
        else:
            statements.scope.emit(f"if ({test.text})")
            statements.scope.lines += lines
    else:
        statements.scope.emit(f"if ({test.text}) {{")
        statements.scope.lines += lines
        statements.scope.emit("}")
